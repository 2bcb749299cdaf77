// Telegram's HTML as text and entities, whose offsets are UTF-16 units. What is not known or not closed is refused with Telegram's messages,
// which count bytes of UTF-8.

import type { MessageEntity, User } from 'grammy/types'
import { refuse } from './refusal.ts'

const simpleTags: Readonly<Record<string, MessageEntity.CommonMessageEntity['type']>> = {
  ...{ b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline', ins: 'underline' },
  ...{ s: 'strikethrough', strike: 'strikethrough', del: 'strikethrough' },
  ...{ span: 'spoiler', 'tg-spoiler': 'spoiler', code: 'code' },
}
const otherTags = ['a', 'pre', 'blockquote', 'tg-emoji', 'tg-time']

type Attributes = Readonly<Record<string, string>>

interface OpenTag {
  readonly name: string
  readonly attributes: Attributes
  readonly offset: number
  /** The language of the code in a block of code. */
  language?: string
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

const attributesIn = (text: string): Attributes =>
  Object.fromEntries(
    [...text.matchAll(attribute)].map(([, name = '', ...values]) => [
      name.toLowerCase(),
      decoded(values.find((value) => value !== undefined) ?? ''),
    ]),
  )

interface Span {
  readonly offset: number
  readonly length: number
}

type FindUser = (id: number) => User | undefined

export interface Formatted {
  text: string
  entities: MessageEntity[]
}

const broken = (words: string): never => refuse(`can't parse entities: ${words}`)

/** @param findUser finds the user whom a link mentions */
export function parseHtml(source: string, findUser: FindUser = () => undefined): Formatted {
  const parsed: Parsing = { text: '', entities: [], open: [] }
  for (const { 0: part, index } of source.matchAll(token)) {
    const [, isEnd, given = ''] = /^<(\/?)([^\s>]*)/.exec(part) ?? []
    const name = given.toLowerCase()
    const at = `at byte offset ${Buffer.byteLength(source.slice(0, index))}`
    if (isEnd === undefined) parsed.text += decoded(part)
    else if (!part.endsWith('>')) broken(`Unclosed ${isEnd ? 'end' : 'start'} tag ${at}`)
    else if (isEnd) close(parsed, name, at, findUser)
    else parsed.open.push({ ...openTag(name, part, at), offset: parsed.text.length })
  }
  const { text, entities, open } = parsed
  const unclosed = open.at(-1)?.name
  if (unclosed) broken(`Can't find end tag corresponding to start tag "${unclosed}"`)
  return { text, entities }
}

interface Parsing extends Formatted {
  readonly open: OpenTag[]
}

function openTag(name: string, part: string, at: string): Omit<OpenTag, 'offset'> {
  if (!simpleTags[name] && !otherTags.includes(name)) broken(`Unsupported start tag "${name}" ${at}`)
  const attributes = attributesIn(part.slice(1 + name.length, -1))
  const isSpoiler = name !== 'span' || attributes.class === 'tg-spoiler'
  return isSpoiler ? { name, attributes } : broken(`Tag "span" must have class "tg-spoiler" ${at}`)
}

function close({ text, entities, open }: Parsing, name: string, at: string, findUser: FindUser): void {
  const last = open.pop() ?? broken(`Unexpected end tag ${at}`)
  if (name !== '' && name !== last.name)
    broken(`Unmatched end tag ${at}, expected "</${last.name}>", found "</${name}>"`)
  const entity = entityOf(last, text.slice(last.offset), open.at(-1), findUser)
  if (entity && entity.length > 0) entities.push(entity)
}

type Format = MessageEntity.DateTimeMessageEntity['date_time_format']
const isFormat = (text: string): text is Format => /^(r|w?[dD]?[tT]?)$/.test(text)

/** @param outer the element around it: the language of code inside a block of code is that of the block */
function entityOf(
  { name, attributes, offset, language }: OpenTag,
  text: string,
  outer: OpenTag | undefined,
  findUser: FindUser,
): MessageEntity | undefined {
  const { class: classes = '', format = '', unix, href } = attributes
  const span = { offset, length: text.length }
  switch (name) {
    case 'a':
      return linkEntity(href || text, span, findUser)
    case 'blockquote':
      return { type: 'expandable' in attributes ? 'expandable_blockquote' : 'blockquote', ...span }
    case 'tg-emoji':
      return { type: 'custom_emoji', ...span, custom_emoji_id: attributes['emoji-id'] ?? '' }
    case 'tg-time': {
      const unix_time = Number(unix) || 0
      if (unix_time <= 0 || !isFormat(format)) return undefined
      return { type: 'date_time', ...span, unix_time, date_time_format: format }
    }
    case 'pre':
      return { type: 'pre', ...span, ...(language && { language }) }
    default: {
      const [, named] = /^language-(.+)/.exec(classes) ?? []
      if (named && outer?.name === 'pre') {
        outer.language = named
        return undefined
      }
      const type = simpleTags[name]
      return type && { type, ...span }
    }
  }
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

function linkEntity(target: string, span: Span, findUser: FindUser): MessageEntity | undefined {
  const mentioned = /^tg:\/\/user\/?\?id=(\d+)$/.exec(target)?.[1]
  if (mentioned !== undefined) {
    const user = findUser(Number(mentioned))
    return user && { type: 'text_mention', ...span, user }
  }
  const url = checkedLink(target)
  return url === undefined ? undefined : { type: 'text_link', ...span, url }
}
