// Telegram's HTML as text and entities, whose offsets are UTF-16 units. What is not known or not closed is refused with Telegram's messages,
// which count bytes of UTF-8.

import type { MessageEntity, User } from 'grammy/types'
import { refuse } from './refusal.ts'

/** The tags without attributes that matter. */
const styles: Readonly<Record<string, MessageEntity.CommonMessageEntity['type']>> = {
  ...{ b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline', ins: 'underline' },
  ...{ s: 'strikethrough', strike: 'strikethrough', del: 'strikethrough' },
  ...{ span: 'spoiler', 'tg-spoiler': 'spoiler', code: 'code' },
}
const tags = [...Object.keys(styles), 'a', 'pre', 'blockquote', 'tg-time', 'tg-emoji']

interface OpenTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly offset: number
}

const token = /<(?:"[^"]*"|'[^']*'|[^>"'])*>?|[^<]+/g
const attribute = /([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Decodes `&lt;`, `&#33;` and `&#x21;`; Telegram takes any other reference as plain text. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(x[0-9a-f]+|[0-9]+)|([a-z]+));?/gi, (whole, code?: string, name = '') => {
    const point = Number(`0${code ?? ''}`)
    return point > 0 && point < 0x10ffff ? String.fromCodePoint(point) : (references[name] ?? whole)
  })

const attributesIn = (text: string): OpenTag['attributes'] =>
  Object.fromEntries(
    [...text.matchAll(attribute)].map(([, name = '', ...values]) => [
      name.toLowerCase(),
      decoded(values.find((value) => value !== undefined) ?? ''),
    ]),
  )

type Span = Pick<MessageEntity, 'offset' | 'length'>
type FindUser = (id: number) => User | undefined

export interface Formatted {
  text: string
  entities: MessageEntity[]
}

const broken = (words: string): never => refuse(`can't parse entities: ${words}`)

/** @param findUser finds the user whom a link mentions */
export function parseHtml(source: string, findUser: FindUser = () => undefined): Formatted {
  const open: OpenTag[] = []
  const entities: MessageEntity[] = []
  let text = ''
  for (const { 0: part, index } of source.matchAll(token)) {
    const [, isEnd, given = ''] = /^<(\/?)([^\s>]*)/.exec(part) ?? []
    const name = given.toLowerCase()
    const at = `at byte offset ${Buffer.byteLength(source.slice(0, index))}`
    if (isEnd === undefined) text += decoded(part)
    else if (!part.endsWith('>')) broken(`Unclosed ${isEnd ? 'end' : 'start'} tag ${at}`)
    else if (isEnd) entities.push(...entityOf(closed(open, name, at), text, open.at(-1)?.name, findUser))
    else open.push({ ...openTag(name, part, at), offset: text.length })
  }
  const unclosed = open.at(-1)?.name
  if (unclosed) broken(`Can't find end tag corresponding to start tag "${unclosed}"`)
  return { text, entities }
}

function openTag(name: string, part: string, at: string): Omit<OpenTag, 'offset'> {
  if (!tags.includes(name)) broken(`Unsupported start tag "${name}" ${at}`)
  const attributes = attributesIn(part.slice(1 + name.length, -1))
  const isSpoiler = name !== 'span' || attributes.class === 'tg-spoiler'
  return isSpoiler ? { name, attributes } : broken(`Tag "span" must have class "tg-spoiler" ${at}`)
}

function closed(open: OpenTag[], name: string, at: string): OpenTag {
  const last = open.pop() ?? broken(`Unexpected end tag ${at}`)
  if (name === '' || name === last.name) return last
  return broken(`Unmatched end tag ${at}, expected "</${last.name}>", found "</${name}>"`)
}

/** @returns nothing for an empty element, for code in a block of code, and for a link that Telegram does not accept */
function entityOf(
  { name, attributes, offset }: OpenTag,
  text: string,
  outer: string | undefined,
  findUser: FindUser,
): MessageEntity[] {
  const span = { offset, length: text.length - offset }
  if (span.length === 0 || (name === 'code' && outer === 'pre')) return []
  if (name === 'a') return linkEntity(attributes.href || text.slice(offset), span, findUser)
  if (name === 'pre') return [{ type: 'pre', ...span }]
  if (name === 'blockquote')
    return [{ type: 'expandable' in attributes ? 'expandable_blockquote' : name, ...span }]
  if (name === 'tg-emoji')
    return [{ type: 'custom_emoji', ...span, custom_emoji_id: attributes['emoji-id'] ?? '' }]
  if (name === 'tg-time') return timeEntity(attributes, span)
  const type = styles[name]
  return type ? [{ type, ...span }] : []
}

type Format = MessageEntity.DateTimeMessageEntity['date_time_format']
const isFormat = (text: string): text is Format => /^(r|w?[dD]?[tT]?)$/.test(text)

function timeEntity({ format = '', unix }: OpenTag['attributes'], span: Span): MessageEntity[] {
  const unix_time = Number(unix) || 0
  if (unix_time <= 0 || !isFormat(format)) return []
  return [{ type: 'date_time', ...span, unix_time, date_time_format: format }]
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

function linkEntity(target: string, span: Span, findUser: FindUser): MessageEntity[] {
  const mentioned = /^tg:\/\/user\/?\?id=(\d+)$/.exec(target)?.[1]
  if (mentioned !== undefined) {
    const user = findUser(Number(mentioned))
    return user ? [{ type: 'text_mention', ...span, user }] : []
  }
  const url = checkedLink(target)
  return url === undefined ? [] : [{ type: 'text_link', ...span, url }]
}
