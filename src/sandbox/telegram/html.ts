// Telegram's HTML: known tags become elements with UTF-16 offsets, everything else is refused with Telegram's messages.
// Follows parse_html of tdlib, whose messages count bytes of UTF-8.

import { refuse } from './refusal.ts'

interface Tag {
  name: string
  argument: string
  unix: number
  /** The position after the tag. */
  end: number
}

const known = new Set(
  `a b strong i em s strike del u ins tg-spoiler tg-emoji tg-time span pre code blockquote`.split(' '),
)

interface Cursor {
  readonly source: string
  readonly start: number
  at: number
}

const fail = (cursor: Cursor, text: string): never =>
  refuse(
    `can't parse entities: ${text} at byte offset ${Buffer.byteLength(cursor.source.slice(0, cursor.start))}`,
  )

function skip(cursor: Cursor, pattern: RegExp): string {
  const found = pattern.exec(cursor.source.slice(cursor.at))?.[0] ?? ''
  cursor.at += found.length
  return found
}

const peek = (cursor: Cursor): string => cursor.source.charAt(cursor.at)

function readQuoted(cursor: Cursor): string {
  const quote = peek(cursor)
  let value = ''
  cursor.at += 1
  while (peek(cursor) !== '' && peek(cursor) !== quote) {
    const reference = peek(cursor) === '&' ? readReference(cursor.source, cursor.at) : undefined
    value += reference?.char ?? peek(cursor)
    cursor.at = reference?.end ?? cursor.at + 1
  }
  if (peek(cursor) === quote) cursor.at += 1
  return value
}

function readValue(cursor: Cursor): string {
  const begin = cursor.at
  if (/["']/.test(peek(cursor))) return readQuoted(cursor)
  const token = skip(cursor, /^[a-z0-9.-]*/i).toLowerCase()
  if (!/^[\s>]?$/.test(peek(cursor))) {
    fail({ ...cursor, start: begin }, 'Unexpected end of name token')
  }
  return token
}

function applyAttribute(tag: Tag, name: string, value: string): void {
  const is = (wantedTag: string, attribute: string) => tag.name === wantedTag && name === attribute
  if (is('a', 'href') || is('tg-emoji', 'emoji-id') || is('tg-time', 'format')) tag.argument = value
  else if (is('code', 'class') && value.startsWith('language-')) tag.argument = value.slice(9)
  else if (is('span', 'class') && value.startsWith('tg-')) tag.argument = value.slice(3)
  else if (is('blockquote', 'expandable')) tag.argument = '1'
  else if (is('tg-time', 'unix')) tag.unix = Number.parseInt(value, 10) || 0
}

function readAttribute(cursor: Cursor, tag: Tag): void {
  const name = skip(cursor, /^[^\s=>/"']*/)
  if (name === '') fail(cursor, `Empty attribute name in the tag "${tag.name}"`)
  skip(cursor, /^\s*/)
  const unclosed = `Unclosed start tag "${tag.name}"`
  if (peek(cursor) !== '=') {
    if (peek(cursor) === '') fail(cursor, unclosed)
    applyAttribute(tag, name, '')
    return
  }
  cursor.at += 1
  skip(cursor, /^\s*/)
  if (peek(cursor) === '') fail(cursor, unclosed)
  const value = readValue(cursor)
  if (peek(cursor) === '') fail(cursor, 'Unclosed start tag')
  applyAttribute(tag, name, value)
}

/** Reads the tag that begins with the `<` at `at`. */
function readTag(source: string, at: number): Tag {
  const cursor: Cursor = { source, start: at, at: at + 1 }
  const name = skip(cursor, /^[^\s>]*/).toLowerCase()
  if (peek(cursor) === '') fail(cursor, 'Unclosed start tag')
  if (!known.has(name)) fail(cursor, `Unsupported start tag "${name}"`)
  const tag: Tag = { name, argument: '', unix: 0, end: at }
  for (skip(cursor, /^\s*/); peek(cursor) !== '>'; skip(cursor, /^\s*/)) {
    readAttribute(cursor, tag)
  }
  if (name === 'span' && tag.argument !== 'spoiler') fail(cursor, 'Tag "span" must have class "tg-spoiler"')
  tag.end = cursor.at + 1
  return tag
}

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Reads `&lt;`, `&#33;` or `&#x21;` at `at`; undefined for anything else, which Telegram takes as plain text. */
function readReference(source: string, at: number): { char: string; end: number } | undefined {
  const found = /^&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));?/i.exec(source.slice(at, at + 12))
  if (!found) return undefined
  const [whole, hex, decimal, name] = found
  const end = at + whole.length
  if (name !== undefined) {
    const char = references[name]
    return char === undefined ? undefined : { char, end }
  }
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal)
  if (code === 0 || code >= 0x10ffff) return undefined
  return { char: String.fromCodePoint(code), end }
}

/** A formatted part of a text. */
export interface FormatElement {
  /** The name of the tag: `b`, `a`, `tg-spoiler`. */
  tag: string
  /** What the element refers to: a link, the language of code, the id of an emoji. */
  argument: string
  /** The time of a `tg-time`, in seconds. */
  unix: number
  /** In UTF-16 units, like the length. */
  offset: number
  length: number
}

interface ParsedText {
  text: string
  /** Ordered by their ends, so an inner element precedes its outer one. */
  elements: FormatElement[]
}

interface OpenTag extends Tag {
  offset: number
}

function closeTag(source: string, at: number, open: OpenTag | undefined): number {
  const byte = Buffer.byteLength(source.slice(0, at))
  if (!open) return refuse(`can't parse entities: Unexpected end tag at byte offset ${byte}`)
  const name = /^[^\s>]*/.exec(source.slice(at + 2))?.[0] ?? ''
  const rest = /^\s*>/.exec(source.slice(at + 2 + name.length))
  if (!rest) return refuse(`can't parse entities: Unclosed end tag at byte offset ${byte}`)
  const found = name.toLowerCase()
  if (found !== '' && found !== open.name) {
    const expected = `expected "</${open.name}>", found "</${found}>"`
    return refuse(`can't parse entities: Unmatched end tag at byte offset ${byte}, ${expected}`)
  }
  return at + 2 + name.length + rest[0].length
}

export function parseHtml(source: string): ParsedText {
  const elements: FormatElement[] = []
  const open: OpenTag[] = []
  let text = ''
  let at = 0

  while (at < source.length) {
    const char = source.charAt(at)
    const reference = char === '&' ? readReference(source, at) : undefined
    if (reference) {
      text += reference.char
      at = reference.end
    } else if (char !== '<') {
      text += char
      at += 1
    } else if (source.charAt(at + 1) === '/') {
      const last = open.at(-1)
      at = closeTag(source, at, last)
      open.pop()
      if (last && text.length > last.offset) elements.push(elementOf(last, text))
    } else {
      const tag = readTag(source, at)
      open.push({ ...tag, offset: text.length })
      at = tag.end
    }
  }
  const unclosed = open.at(-1)
  if (unclosed) {
    refuse(`can't parse entities: Can't find end tag corresponding to start tag "${unclosed.name}"`)
  }
  return { text, elements }
}

function elementOf({ name, argument, unix, offset }: OpenTag, text: string): FormatElement {
  const target = name === 'a' && argument === '' ? text.slice(offset) : argument
  return { tag: name, argument: target, unix, offset, length: text.length - offset }
}
