// The question in a message: its words, the text it quotes, the text of its file, and its picture.

import type { Message } from 'grammy/types'
import type { Attachment } from '../../catalog/attachment.ts'
import { visible } from '../../catalog/visible.ts'
import { attachmentIn } from '../cards/attachment.ts'
import type { BotDeps } from '../context.ts'
import { repliedTo } from '../notes.ts'
import { mayHaveText, readDocument } from './file-text.ts'

interface Words {
  readonly text: string
  readonly files: readonly Attachment[]
}

/**
 * @returns undefined when the message contains nothing readable, or an unreadable file: an answer without the file would cost money and be
 * of no use
 */
export async function wordsOf(
  deps: BotDeps,
  message: Message,
  words: string,
  botId: number,
): Promise<Words | undefined> {
  const { document } = message
  const attached = await attachmentIn(deps.files, message)
  if (attached && attached.medium !== 'image') return undefined
  const isText = document !== undefined && !attached
  const file = isText && mayHaveText(document) ? await readDocument(deps, document) : undefined
  if (isText && file === undefined) return undefined
  const text = [quoteOf(message, botId), visible(words), file?.quoted].filter(Boolean).join('\n\n')
  const before = repliedTo(message)
  const picture = attached ?? (before && (await attachmentIn(deps.files, before)))
  const files = picture?.medium === 'image' ? [picture] : []
  return text === '' && files.length === 0 ? undefined : { text, files }
}

/** The text that the message quotes. A message of the bot is in the conversation already, so only a quoted part of it is repeated. */
function quoteOf(message: Message, botId: number): string | undefined {
  const { quote } = message
  const before = repliedTo(message)
  const quoted = quote?.text ?? (before?.from?.id === botId ? undefined : (before?.text ?? before?.caption))
  return quoted?.replaceAll(/^/gm, '> ')
}
