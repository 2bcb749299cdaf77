// Parses inline Markdown into text with marks. It accepts any input: every character is either used as markup or shown.

import { delimiterAt, unfinished } from './emphasis.ts'
import type { Flow, Mark } from './entity.ts'
import {
  type Inline,
  type InlineOptions,
  type PlacedDelimiter,
  startInline,
  take,
  takeCode,
} from './inline-state.ts'
import { closeBracket, showLeft, styleSince } from './links.ts'
import { matchAt } from './source.ts'
import { bareUrlEnd } from './urls.ts'

/** @returns whether it consumed anything */
type Reader = (inline: Inline) => boolean

const mathLimit = 1000
const isFormula = (content: string): boolean => /[\\^_={}<>+*/]/.test(content) || /^\S{1,20}$/.test(content)

/** Formulas are shown unchanged as code, since emphasis would remove some of their characters. */
function takeMath(inline: Inline, opener: string, closer: string): boolean {
  const { source, at, find } = inline
  const start = at + opener.length
  const end = find(closer, start)
  if (end <= start || end - start > mathLimit) return false
  const content = source.slice(start, end)
  if (opener === '$') {
    const isMoney = /^\s|\s$|\n/.test(content) || /[\p{L}\p{N}$]/u.test(source[end + 1] ?? '')
    if (isMoney || !isFormula(content)) return false
  } else if (opener !== '$$' && !/[\\^_={}]|^\S{1,3}$/.test(content)) return false
  return takeCode(inline, source.slice(at, end + closer.length), end + closer.length)
}

const isEscapable = (char: string): boolean => /[!-/:-@[-`{-~]/.test(char)

function readEscape(inline: Inline): boolean {
  const { source, at } = inline
  const next = source[at + 1] ?? ''
  if (next === '(' && takeMath(inline, '\\(', '\\)')) return true
  if (next === '[' && takeMath(inline, '\\[', '\\]')) return true
  if (next === '\n') return take(inline, '', at + 1)
  return next !== '' && isEscapable(next) && take(inline, next, at + 2)
}

function readCode(inline: Inline): boolean {
  const { source, at, backticks, options } = inline
  const pair = backticks.get(at)
  if (pair) {
    const content = source.slice(at + pair.length, pair.close).replaceAll('\n', ' ')
    const isPadded = content.startsWith(' ') && content.endsWith(' ') && content.trim() !== ''
    return takeCode(inline, isPadded ? content.slice(1, -1) : content, pair.close + pair.length)
  }
  const run = matchAt(/`+/y, source, at)?.[0] ?? '`'
  const end = at + run.length
  if (options.isUnfinished && end < source.length) return takeCode(inline, source.slice(end), source.length)
  return take(inline, run, end)
}

function readDelimiter(inline: Inline): boolean {
  const { source, at, nodes, delimiters } = inline
  const run = matchAt(/(.)\1*/y, source, at)?.[0] ?? ''
  if (/[~|]/.test(run) && run.length !== 2) return take(inline, run, at + run.length)
  delimiters.push({ delimiter: delimiterAt(source, at, run.length), node: nodes.length })
  return take(inline, run, at + run.length)
}

function openBracket(inline: Inline): boolean {
  const { source, at, brackets, nodes, delimiters } = inline
  const note = matchAt(/\[\^([^\]\s]{1,50})\]/y, source, at)
  if (note) return take(inline, `[${note[1]}]`, at + note[0].length)
  const bracket = matchAt(/!?\[/y, source, at)?.[0]
  if (bracket === undefined) return false
  const end = at + bracket.length
  // A limit of open brackets, which keeps the work at each closing bracket constant.
  if (brackets.length > 50) brackets.shift()
  brackets.push({
    node: nodes.length,
    at: end,
    isImage: bracket === '![',
    delimiters: delimiters.length,
    isDead: false,
  })
  return take(inline, bracket, end)
}

function readTag(inline: Inline): boolean {
  const { source, at, options } = inline
  const address = matchAt(/<((?:https?|tg):\/\/[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,200})>/iy, source, at)
  if (address) return take(inline, address[1] ?? '', at + address[0].length)
  const lineEnd = matchAt(/<br\s{0,3}\/?>\n?/iy, source, at)
  if (lineEnd) return take(inline, `\n${options.indent ?? ''}`, at + lineEnd[0].length)
  const tag = matchAt(/<\/?[a-z][^<>\n]{0,300}>/iy, source, at)?.[0]
  return tag !== undefined && take(inline, tag, at + tag.length)
}

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00a0',
}

function readReference(inline: Inline): boolean {
  const found = matchAt(/&(\w{2,4}|#39);/y, inline.source, inline.at)
  const shown = references[found?.[1] ?? '']
  return found !== null && shown !== undefined && take(inline, shown, inline.at + found[0].length)
}

function readAddress(inline: Inline): boolean {
  const { source, at } = inline
  const end = /[a-z0-9]/i.test(source[at - 1] ?? '') ? undefined : bareUrlEnd(source, at)
  return end !== undefined && take(inline, source.slice(at, end), end)
}

const readers: Readonly<Record<string, Reader>> = {
  '\\': readEscape,
  '`': readCode,
  '*': readDelimiter,
  _: readDelimiter,
  '~': readDelimiter,
  '|': readDelimiter,
  '[': openBracket,
  '!': openBracket,
  ']': closeBracket,
  $: (inline) => takeMath(inline, '$$', '$$') || takeMath(inline, '$', '$'),
  '<': readTag,
  '&': readReference,
  '\n': (inline) => take(inline, `\n${inline.options.indent ?? ''}`, inline.at + 1),
  h: readAddress,
  H: readAddress,
}
const plain = /[^\\`*_~|[\]!$<&\nhH]+/y

/** Converts node indexes of marks into text offsets. */
function flowOf({ nodes, marks }: Inline): Flow {
  const offsets = [0]
  let length = 0
  for (const node of nodes) {
    length += node.length
    offsets.push(length)
  }
  const placed = marks.map(
    (mark): Mark => ({ ...mark, start: offsets[mark.start] ?? length, end: offsets[mark.end] ?? length }),
  )
  return { text: nodes.join(''), marks: placed }
}

function closeUnfinished(inline: Inline, left: readonly PlacedDelimiter[]): void {
  const last = unfinished(left.map(({ delimiter }) => delimiter))
  const node = left.find(({ delimiter }) => delimiter === last?.open)?.node
  if (!last || node === undefined) return
  inline.marks.push({ type: last.type, start: node + 1, end: inline.nodes.length })
  showLeft(inline, left)
}

/** An incomplete marker at the end of an unfinished text. */
const halfMarker = /(?:\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}|[*_~`|]{1,3}|!?\[)$/

export function readInline(source: string, options: InlineOptions): Flow {
  const tail = options.isUnfinished ? halfMarker.exec(source.slice(-2600)) : null
  const whole = tail ? source.slice(0, source.length - tail[0].length) + (tail[1] ?? '') : source
  const inline = startInline(whole, options)
  while (inline.at < whole.length) {
    const text = matchAt(plain, whole, inline.at)?.[0]
    if (text !== undefined) take(inline, text, inline.at + text.length)
    const char = whole[inline.at]
    if (char === undefined || readers[char]?.(inline)) continue
    take(inline, char, inline.at + 1)
  }
  const left = styleSince(inline, 0)
  if (options.isUnfinished) closeUnfinished(inline, left)
  return flowOf(inline)
}
