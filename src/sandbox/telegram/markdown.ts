// Telegram's legacy Markdown: bold, italic, code and links, which cannot contain each other. Everything else is text.

import type { FormatElement, ParsedText } from './format-element.ts'
import { refuse } from './refusal.ts'

interface Block {
  readonly tag: 'i' | 'b' | 'code' | 'pre' | 'a'
  readonly open: string
  readonly close: string
}

const blocks: readonly Block[] = [
  { tag: 'i', open: '_', close: '_' },
  { tag: 'b', open: '*', close: '*' },
  { tag: 'pre', open: '```', close: '```' },
  { tag: 'code', open: '`', close: '`' },
  { tag: 'a', open: '[', close: ']' },
]

export const byteOffset = (source: string, at: number): number => Buffer.byteLength(source.slice(0, at))

/**
 * The language and the line break after the opening of a code block.
 * @param at the position after the opening
 */
export function codeStart(source: string, at: number): { language: string; begin: number } {
  const [, word = ''] = /^([^\s`]*)\s/.exec(source.slice(at)) ?? []
  const begin = at + word.length
  const [lineBreak = ''] = /^(\r\n|\n\r|\n|\r)?/.exec(source.slice(begin)) ?? []
  return { language: word, begin: begin + lineBreak.length }
}

/** Reads the address in parentheses after a link; without one, the text of the link is its address. */
function linkTarget(source: string, end: number, text: string): { argument: string; end: number } {
  if (source.charAt(end) !== '(') return { argument: text, end }
  const close = source.indexOf(')', end)
  const stop = close < 0 ? source.length : close
  return { argument: source.slice(end + 1, stop), end: stop + 1 }
}

interface ReadBlock {
  readonly content: string
  readonly argument: string
  readonly end: number
}

function readBlock(source: string, at: number, { tag, open, close }: Block): ReadBlock {
  const after = at + open.length
  const { language, begin } = tag === 'pre' ? codeStart(source, after) : { language: '', begin: after }
  const found = source.indexOf(close, begin)
  if (found < 0) {
    const offset = byteOffset(source, at)
    return refuse(`can't parse entities: Can't find end of the entity starting at byte offset ${offset}`)
  }
  const content = source.slice(begin, found)
  const end = found + close.length
  return tag === 'a' ? { content, ...linkTarget(source, end, content) } : { content, argument: language, end }
}

export function parseMarkdown(source: string): ParsedText {
  const elements: FormatElement[] = []
  let text = ''
  for (let at = 0; at < source.length; ) {
    if (/^\\[_*`[]/.test(source.slice(at, at + 2))) {
      text += source.charAt(at + 1)
      at += 2
      continue
    }
    const block = blocks.find(({ open }) => source.startsWith(open, at))
    if (!block) {
      text += source.charAt(at)
      at += 1
      continue
    }
    const { content, argument, end } = readBlock(source, at, block)
    const { length } = content
    if (length > 0) elements.push({ tag: block.tag, argument, unix: 0, offset: text.length, length })
    text += content
    at = end
  }
  return { text, elements }
}
