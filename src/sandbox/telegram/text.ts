// Turns the text that a bot sends into the text and the entities of the message: parsed, cleaned, trimmed, checked for length.

import type { LinkPreviewOptions, MessageEntity } from 'grammy/types'
import { defined } from './defined.ts'
import { entitiesOf, sorted, withDetected } from './entities.ts'
import { parseHtml } from './html.ts'
import { refuse } from './refusal.ts'
import type { TelegramServer } from './server.ts'

const textLimit = 4096
const captionLimit = 1024
/** Characters that Telegram removes, which moves the offsets after them. */
const dropped = /[\r\u2028-\u202e]|\u0333|\u033f|\u030a/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram turns exactly these into spaces.
const blanked = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g

interface Formatted {
  text: string
  entities: MessageEntity[]
}

interface Source {
  text: string
  parse_mode?: string | undefined
  entities?: readonly MessageEntity[] | undefined
  link_preview_options?: LinkPreviewOptions | undefined
}

function parsed({ state }: TelegramServer, { text, parse_mode, entities }: Source): Formatted {
  if (parse_mode === undefined) return { text, entities: [...(entities ?? [])] }
  if (parse_mode !== 'HTML') return refuse('the sandbox takes no parse_mode but HTML')
  const html = parseHtml(text)
  return { text: html.text, entities: entitiesOf(html.elements, (id) => state.users[id]) }
}

/** The parts of the entities between two offsets, relative to the first. */
export function cut(entities: readonly MessageEntity[], from: number, to: number): MessageEntity[] {
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

interface CaptionSource {
  caption: string
  parse_mode?: string | undefined
  caption_entities?: readonly MessageEntity[] | undefined
}

/** The caption fields of a message, up to 1024 characters after parsing. */
export function messageCaption(server: TelegramServer, source: CaptionSource) {
  const { caption: text, parse_mode, caption_entities } = source
  const { text: caption, entities } = formatted(server, { text, parse_mode, entities: caption_entities })
  if ([...caption].length > captionLimit) return refuse('message caption is too long')
  if (caption === '') return {}
  return defined({ caption, caption_entities: someEntities(entities) })
}
