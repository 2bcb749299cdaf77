// Telegram's HTML: known tags become elements with UTF-16 offsets, everything else is refused with Telegram's messages.
// Follows parse_html of tdlib, whose messages count bytes of UTF-8.

import { readReference, readTag, type Tag } from './html-tag.ts'
import { refuse } from './refusal.ts'

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
