// Texts of messages: what a bot sends becomes a text and entities (parsed, cleaned, trimmed, checked for length), to which Telegram adds the
// commands, links and mentions that it detects; and the words of a message as one text, for quotations and for what the bot receives in groups.

import type { LinkPreviewOptions, Message, MessageEntity, TextQuote } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import { type Formatted, parseHtml } from './html.ts'
import { refuse } from './refusal.ts'
import type { TelegramServer } from './server.ts'
import type { ChatMessage } from './state.ts'

const fullUrl = /https?:\/\/[^\s<>"]+[^\s<>".,:;!?'()[\]]/
const bareUrl = /(?:[a-z0-9-]+\.)+(?:com|org|net|ru|me|io|ai|dev|app)\b(?:\/[^\s<>"]*)?/
const found: readonly [MessageEntity.CommonMessageEntity['type'], RegExp][] = [
  ['url', new RegExp(`(?<![\\w@])(?:${fullUrl.source}|${bareUrl.source})`, 'gi')],
  ['email', /(?<![\w@.])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi],
  ['bot_command', /(?<![\p{L}\p{N}_/<>])\/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\p{L}\p{N}_/<>@])/gu],
  ['mention', /(?<![\p{L}\p{N}_/@])@[a-zA-Z0-9_]{3,32}(?![\p{L}\p{N}_])/gu],
  ['hashtag', /(?<![\p{L}\p{N}_&/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_]{1,256}/gu],
]

const intersects = (a: MessageEntity, b: MessageEntity) =>
  a.offset < b.offset + b.length && b.offset < a.offset + a.length

const styles = new Set(
  'bold italic underline strikethrough spoiler blockquote expandable_blockquote'.split(' '),
)

/** Adds the entities that Telegram detects, except inside code and links. */
function withDetected(text: string, given: readonly MessageEntity[]): MessageEntity[] {
  const entities = [...given]
  for (const [type, pattern] of found) {
    for (const match of text.matchAll(pattern)) {
      const entity: MessageEntity = { type, offset: match.index, length: match[0].length }
      const taken = entities.some((one) => !styles.has(one.type) && intersects(one, entity))
      if (!taken) entities.push(entity)
    }
  }
  return sorted(entities)
}

const sorted = (entities: readonly MessageEntity[]): MessageEntity[] =>
  [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length)

const textLimit = 4096
const captionLimit = 1024
/** Characters that Telegram removes, which moves the offsets after them. */
const dropped = /[\r\u2028-\u202e]|\u0333|\u033f|\u030a/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram turns exactly these into spaces.
const blanked = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g

interface Source {
  text: string
  parse_mode?: string | undefined
  entities?: readonly MessageEntity[] | undefined
  link_preview_options?: LinkPreviewOptions | undefined
}

function parsed({ state }: TelegramServer, { text, parse_mode, entities }: Source): Formatted {
  if (parse_mode === undefined) return { text, entities: [...(entities ?? [])] }
  if (parse_mode !== 'HTML') return refuse('the sandbox takes no parse_mode but HTML')
  return parseHtml(text, (id) => state.users[id])
}

/** The parts of the entities between two offsets, relative to the first. */
function cut(entities: readonly MessageEntity[], from: number, to: number): MessageEntity[] {
  return entities
    .map((entity) => {
      const begin = Math.max(entity.offset, from)
      return { ...entity, offset: begin - from, length: Math.min(entity.offset + entity.length, to) - begin }
    })
    .filter((entity) => entity.length > 0)
}

function cleaned({ text, entities }: Formatted): Formatted {
  const holes = [...text.matchAll(dropped)].map((match) => match.index)
  const moved = (at: number) => at - holes.filter((hole) => hole < at).length
  return {
    text: text.replace(dropped, '').replace(blanked, ' '),
    entities: entities.map((entity) => {
      const offset = moved(entity.offset)
      return { ...entity, offset, length: moved(entity.offset + entity.length) - offset }
    }),
  }
}

function trimmed({ text, entities }: Formatted): Formatted {
  const end = text.replace(/[ \n]+$/, '').length
  const first = entities.length > 0 ? Math.min(...entities.map((entity) => entity.offset)) : end
  const blank = /^[ \n]*/.exec(text)?.[0].length ?? 0
  const begin = Math.min(blank, first, end)
  return { text: text.slice(begin, end), entities: cut(entities, begin, end) }
}

function checkOffsets(entities: readonly MessageEntity[]): void {
  for (const { offset, length } of entities) {
    if (offset < 0 || offset > 1_000_000) refuse(`receive an entity with incorrect offset ${offset}`)
    if (length < 0 || length > 1_000_000) refuse(`receive an entity with incorrect length ${length}`)
  }
}

export function formatted(server: TelegramServer, source: Source): Formatted {
  if (source.text.length > 1 << 15) refuse('text is too long')
  const raw = parsed(server, source)
  checkOffsets(raw.entities)
  const { text, entities } = trimmed(cleaned({ text: raw.text, entities: sorted(raw.entities) }))
  return { text, entities: withDetected(text, entities) }
}

const someEntities = (entities: MessageEntity[]) => (entities.length > 0 ? entities : undefined)

export function checkLength(text: string, limit = textLimit): void {
  if ([...text].length > limit) refuse('message is too long')
}

/** The text fields of a message, 1 to 4096 characters after parsing unless another limit is given. */
export function messageText(server: TelegramServer, source: Source, limit = textLimit) {
  if (source.text === '') return refuse('message text is empty')
  const { text, entities } = formatted(server, source)
  if (text === '') return refuse('text must be non-empty')
  checkLength(text, limit)
  const { link_preview_options } = source
  return defined({ text, entities: someEntities(entities), link_preview_options })
}

type CaptionSource = Pick<Source, 'parse_mode'> & { caption: string; caption_entities?: Source['entities'] }

/** The caption fields of a message, up to 1024 characters after parsing. */
export function messageCaption(server: TelegramServer, source: CaptionSource) {
  const { caption: text, parse_mode, caption_entities } = source
  const { text: caption, entities } = formatted(server, { text, parse_mode, entities: caption_entities })
  if ([...caption].length > captionLimit) return refuse('message caption is too long')
  if (caption === '') return {}
  return defined({ caption, caption_entities: someEntities(entities) })
}

export function wordsOf(message: Message): Formatted {
  const { text, caption = '', rich_message: rich, entities, caption_entities } = message
  if (!rich) return { text: text ?? caption, entities: entities ?? caption_entities ?? [] }
  const flat = flatText(rich.blocks, '\n')
  return { text: flat, entities: withDetected(flat, []) }
}

/** The texts in blocks, under the names that contain texts. */
function flatText(value: unknown, separator: string): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((one) => flatText(one, separator)).join(separator)
  const fields = z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
  return ['summary', 'text', 'blocks', 'items', 'cells', 'caption']
    .filter((name) => fields[name] !== undefined)
    .map((name) => flatText(fields[name], name === 'text' ? '' : '\n'))
    .filter(Boolean)
    .join('\n')
}

const limit = 1024
const keptInQuotes = new Set('bold italic underline strikethrough spoiler custom_emoji date_time'.split(' '))

/** @returns undefined when the message does not contain the quote */
export function findQuote(message: ChatMessage, wanted: string): TextQuote | undefined {
  const { text, entities: all } = wordsOf(message)
  const position = text.indexOf(wanted)
  if (position < 0 || [...wanted].length > limit) return undefined
  const entities = cut(
    all.filter(({ type }) => keptInQuotes.has(type)),
    position,
    position + wanted.length,
  )
  return { text: wanted, position, is_manual: true, ...(entities.length > 0 && { entities }) }
}

/** The quote that the server adds to a reply in another chat. */
export function wholeQuote(message: ChatMessage): TextQuote | undefined {
  const text = [...wordsOf(message).text].slice(0, limit).join('')
  return text === '' ? undefined : { text, position: 0 }
}
