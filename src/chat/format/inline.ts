// Parses inline Markdown into text with marks. It accepts any input: every character is either used as markup or shown.

import { isBlank, shownText } from './characters.ts'
import { type Delimiter, delimiterAt, pairDelimiters } from './emphasis.ts'
import type { Flow, Mark } from './flow.ts'
import { codeSpanAt, matchAt } from './lines.ts'
import { bareUrlEnd, linkOf, shownAddress } from './urls.ts'

// The state of the inline parser: text nodes read so far, and marks on ranges of nodes.

/** Addresses of link reference definitions, by normalized label. */
export type Definitions = ReadonlyMap<string, string>

interface InlineOptions {
  readonly definitions: Definitions
  /** Inserted after each line end. */
  readonly indent?: string
  /** The text is still streaming: open markup is shown as if it were closed at the end. */
  readonly isUnfinished?: boolean | undefined
}

/** An open `[`. */
interface Bracket {
  /** Index of its node; its content starts at the next one. */
  readonly node: number
  readonly at: number
  readonly isImage: boolean
  /** Number of delimiters and of marks before it. */
  readonly delimiters: number
  readonly marks: number
  /** The bracket contains a link, and links cannot be nested. */
  isDead: boolean
}

interface Inline {
  readonly source: string
  readonly options: InlineOptions
  at: number
  readonly nodes: string[]
  /** Their positions are indexes of nodes. */
  readonly marks: Mark[]
  readonly delimiters: Delimiter[]
  readonly brackets: Bracket[]
}

function take(inline: Inline, text: string, end: number): true {
  inline.nodes.push(shownText(text))
  inline.at = end
  return true
}

function takeCode(inline: Inline, text: string, end: number): true {
  const node = inline.nodes.length
  inline.marks.push({ type: 'code', start: node, end: node + 1 })
  return take(inline, text, end)
}

/** @returns whether it consumed anything */
type Reader = (inline: Inline) => boolean

const mathLimit = 1000
const isFormula = (content: string): boolean => /[\\^_={}<>+*/]/.test(content) || /^\S{1,20}$/.test(content)

/** Formulas are shown unchanged as code, since emphasis would remove some of their characters. */
function takeMath(inline: Inline, opener: string, closer: string): boolean {
  const { source, at } = inline
  const start = at + opener.length
  const length = source.slice(start, start + mathLimit).indexOf(closer)
  if (length <= 0) return false
  const end = start + length
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
  const { source, at, options } = inline
  const span = codeSpanAt(source, at)
  if (span) {
    const content = span.code.replaceAll('\n', ' ')
    const isPadded = content.startsWith(' ') && content.endsWith(' ') && content.trim() !== ''
    return takeCode(inline, isPadded ? content.slice(1, -1) : content, span.end)
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
  delimiters.push(delimiterAt(source, at, run.length, nodes.length))
  return take(inline, run, at + run.length)
}

function openBracket(inline: Inline): boolean {
  const { source, at, brackets, nodes, delimiters, marks } = inline
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
    marks: marks.length,
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

/** An incomplete marker at the end of an unfinished text. */
const halfMarker = /(?:\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}|[*_~`|]{1,3}|!?\[)$/

export function readInline(source: string, options: InlineOptions): Flow {
  const tail = options.isUnfinished ? halfMarker.exec(source.slice(-2600)) : null
  const whole = tail ? source.slice(0, source.length - tail[0].length) + (tail[1] ?? '') : source
  const lists = { nodes: [], marks: [], delimiters: [], brackets: [] }
  const inline: Inline = { source: whole, options, at: 0, ...lists }
  while (inline.at < whole.length) {
    const text = matchAt(plain, whole, inline.at)?.[0]
    if (text !== undefined) take(inline, text, inline.at + text.length)
    const char = whole[inline.at]
    if (char === undefined || readers[char]?.(inline)) continue
    take(inline, char, inline.at + 1)
  }
  styleSince(inline, 0, options.isUnfinished)
  return flowOf(inline)
}

// Links and images: `[text](address)`, `[text][label]`, `[label]`. An address that cannot be a link is shown as text.

/** Limit for labels, which keeps the search for their end cheap. */
const longest = 2048
/** An address, which may contain parentheses, or stand in angle brackets, and a title. */
const destination =
  /\(\s{0,9}(?:<([^<>\n]{0,2048})>|((?!<)(?:[^\s()]|\([^\s()]{0,500}\)){0,2048}))(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,9}\)/y

export const nameOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

interface Target {
  readonly address: string
  readonly end: number
  /** A shortcut reference, whose brackets are shown: `[1]`. */
  readonly isName?: boolean
}

function addressAt(source: string, at: number): Target | undefined {
  const found = matchAt(destination, source, at)
  return found ? { address: found[1] ?? found[2] ?? '', end: at + found[0].length } : undefined
}

function namedAt({ source, options, at }: Inline, bracket: Bracket): Target | undefined {
  if (options.definitions.size === 0) return undefined
  const content = at - bracket.at > longest ? '' : source.slice(bracket.at, at)
  const label = matchAt(/\[([^[\]]{0,2048})\]/y, source, at + 1)
  const named = label && options.definitions.get(nameOf(label[1] || content))
  if (label && named) return { address: named, end: at + 1 + label[0].length }
  const address = options.definitions.get(nameOf(content))
  return address === undefined ? undefined : { address, end: at + 1, isName: true }
}

/** Pairs and removes the delimiters after the first `count`: they cannot pair with outer ones. */
function styleSince(inline: Inline, count: number, isUnfinished = false): void {
  const { source, delimiters, marks, nodes } = inline
  const inside = delimiters.splice(count)
  for (const { open, close, type } of pairDelimiters(source, inside, isUnfinished))
    marks.push({ type, start: open.node + 1, end: close?.node ?? nodes.length })
  // The unused characters of delimiters are text.
  for (const { char, length, node } of inside) nodes[node] = char.repeat(length)
}

function addLink(
  inline: Inline,
  { node, isImage, marks: before }: Bracket,
  { address, isName }: Target,
): void {
  const { nodes, marks } = inline
  const content = nodes.slice(node + 1).join('')
  if (!isName) nodes[node] = isImage ? '🖼 ' : ''
  const url = linkOf(address)
  if (isName) nodes.push(']')
  if (url === undefined) {
    const shown = shownAddress(address)
    if (shown !== '' && content !== shown && !isName) take(inline, content === '' ? shown : ` (${shown})`, 0)
    return
  }
  if (isBlank(content)) take(inline, address, 0)
  // Telegram would keep code and drop the link around it.
  marks.push(...marks.splice(before).filter(({ type }) => type !== 'code'))
  marks.push({ type: 'text_link', start: isName ? node : node + 1, end: nodes.length, url })
}

function closeBracket(inline: Inline): true {
  const bracket = inline.brackets.pop()
  const { source, at } = inline
  const target =
    bracket && !bracket.isDead ? (addressAt(source, at + 1) ?? namedAt(inline, bracket)) : undefined
  if (!bracket || !target) return take(inline, ']', at + 1)
  styleSince(inline, bracket.delimiters)
  addLink(inline, bracket, target)
  if (!bracket.isImage) for (const outer of inline.brackets) outer.isDead = !outer.isImage
  inline.at = target.end
  return true
}
