// The words of a message as one text, also of a rich message: for quotations, for what the bot receives in groups, and for the page.

import type { Message, MessageEntity } from 'grammy/types'
import { z } from 'zod'
import { withDetected } from './entities.ts'

interface Words {
  readonly text: string
  readonly entities: readonly MessageEntity[]
}

export function wordsOf(message: Message): Words {
  const { text, caption = '', rich_message: rich, entities, caption_entities } = message
  if (!rich) return { text: text ?? caption, entities: entities ?? caption_entities ?? [] }
  const flat = flatText(rich.blocks, '\n')
  return { text: flat, entities: withDetected(flat, []) }
}

/** The parts of blocks that contain texts. */
const parts = ['summary', 'text', 'blocks', 'items', 'cells', 'caption']

function flatText(value: unknown, separator: string): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((one) => flatText(one, separator)).join(separator)
  return partsOf(value).join('\n')
}

function partsOf(value: unknown): string[] {
  const fields = z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
  const own = parts.filter((name) => fields[name] !== undefined)
  return own.map((name) => flatText(fields[name], name === 'text' ? '' : '\n')).filter(Boolean)
}
