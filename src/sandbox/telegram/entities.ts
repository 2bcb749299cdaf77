// Entities: those that Telegram detects in plain text (commands, links, mentions), those made from HTML, and their order.

import type { MessageEntity, User } from 'grammy/types'
import type { FormatElement } from './html.ts'

const simpleTags: Readonly<Record<string, MessageEntity.CommonMessageEntity['type']>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
}

/** The link as Telegram stores it; undefined for a link that Telegram does not accept, such as a host without a dot. */
export function checkedLink(url: string): string | undefined {
  const full = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `http://${url}`
  if (!URL.canParse(full)) return undefined
  const link = new URL(full)
  if (link.protocol === 'tg:' || link.protocol === 'ton:') return full
  if (!['http:', 'https:', 'ftp:'].includes(link.protocol)) return undefined
  return link.hostname.includes('.') ? link.href : undefined
}

type FindUser = (id: number) => User | undefined

function linkEntity(element: FormatElement, findUser: FindUser): MessageEntity | undefined {
  const { offset, length, argument } = element
  const mentioned = /^tg:\/\/user\/?\?id=(\d+)$/.exec(argument)?.[1]
  if (mentioned !== undefined) {
    const user = findUser(Number(mentioned))
    return user ? { type: 'text_mention', offset, length, user } : undefined
  }
  const url = checkedLink(argument)
  return url === undefined ? undefined : { type: 'text_link', offset, length, url }
}

const dateTimeFormat = (
  format: string,
): MessageEntity.DateTimeMessageEntity['date_time_format'] | undefined => {
  const known = ['r', '', 'w', 'd', 'D', 't', 'T', 'wd', 'wD', 'wt', 'wT', 'dt', 'dT', 'Dt', 'DT'] as const
  const long = ['wdt', 'wdT', 'wDt', 'wDT'] as const
  return [...known, ...long].find((one) => one === format)
}

function elementEntity(element: FormatElement, findUser: FindUser): MessageEntity | undefined {
  const { tag, argument, offset, length } = element
  const simple = simpleTags[tag]
  if (simple) return { type: simple, offset, length }
  switch (tag) {
    case 'a':
      return linkEntity(element, findUser)
    case 'blockquote':
      return { type: argument ? 'expandable_blockquote' : 'blockquote', offset, length }
    case 'tg-emoji':
      return { type: 'custom_emoji', offset, length, custom_emoji_id: argument }
    case 'tg-time': {
      const date_time_format = dateTimeFormat(argument)
      if (element.unix <= 0 || date_time_format === undefined) return undefined
      return { type: 'date_time', offset, length, unix_time: element.unix, date_time_format }
    }
    case 'pre':
      return argument ? { type: 'pre', offset, length, language: argument } : { type: 'pre', offset, length }
    default:
      return { type: 'code', offset, length }
  }
}

const sameSpan = (a: { offset: number; length: number }, b: { offset: number; length: number } | undefined) =>
  a.offset === b?.offset && a.length === b.length

export function entitiesOf(elements: readonly FormatElement[], findUser: FindUser): MessageEntity[] {
  const entities: MessageEntity[] = []
  elements.forEach((element, index) => {
    const inner = elements[index - 1]
    // <pre><code class="language-x"> is one entity with a language.
    if (element.tag === 'pre' && inner?.tag === 'code' && sameSpan(element, inner) && inner.argument) {
      const { offset, length } = element
      entities.splice(-1, 1, { type: 'pre', offset, length, language: inner.argument })
      return
    }
    const entity = elementEntity(element, findUser)
    if (entity) entities.push(entity)
  })
  return entities
}

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

const styles = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
])

/** Adds the entities that Telegram detects, except inside code and links. */
export function withDetected(text: string, given: readonly MessageEntity[]): MessageEntity[] {
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

const priorities: Readonly<Record<string, number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 11,
  code: 20,
  text_link: 49,
  text_mention: 49,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
  custom_emoji: 99,
}

export const sorted = (entities: readonly MessageEntity[]): MessageEntity[] =>
  [...entities].sort(
    (a, b) =>
      a.offset - b.offset || b.length - a.length || (priorities[a.type] ?? 50) - (priorities[b.type] ?? 50),
  )
