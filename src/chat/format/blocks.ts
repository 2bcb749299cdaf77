// Parses lines of Markdown into blocks. Lists are flat, with a level per item, so that broken indentation cannot nest without limit or
// absorb the following blocks.

import { indentOf, outdented } from './characters.ts'
import {
  type Fence,
  fenceOf,
  headingOf,
  isEmpty,
  isFenceEnd,
  isQuote,
  isRule,
  isUnderline,
  itemOf,
} from './lines.ts'

interface Place {
  readonly hasGap: boolean
}

export interface Code {
  readonly kind: 'code'
  readonly code: string
  /** The info string after the fence: a language, a file name. */
  readonly info: string
  readonly isOpen: boolean
}

export interface Table {
  readonly kind: 'table'
  readonly header: readonly string[]
  /** Every row has as many cells as the header. */
  readonly rows: readonly (readonly string[])[]
}

export type Block = Place &
  (
    | { readonly kind: 'text'; readonly text: string; readonly level: number }
    | { readonly kind: 'heading'; readonly text: string }
    | { readonly kind: 'item'; readonly text: string; readonly level: number; readonly marker: string }
    | { readonly kind: 'rule' }
    | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
    | Code
    | Table
  )

interface Reading {
  readonly lines: string[]
  at: number
  readonly blocks: Block[]
  hasGap: boolean
  /** Indentation of the items of the open lists, outermost first. */
  readonly lists: number[]
  /** Inside a quote. Telegram has no nested quotes, so inner quote markers stay text. */
  readonly isQuoted: boolean
}

type Bare<T> = T extends Block ? Omit<T, 'hasGap'> : never

function add(reading: Reading, block: Bare<Block>, next: number): true {
  reading.blocks.push({ ...block, hasGap: reading.hasGap })
  reading.hasGap = false
  reading.at = next
  return true
}

const lineAt = ({ lines, at }: Reading): string => lines[at] ?? ''

/** The level of the list that a line of that indentation belongs to; 0 means none. */
function levelOf({ lists }: Reading, columns: number): number {
  return lists.findLastIndex((indent) => columns >= indent + 2) + 1
}

/** @returns whether the current line started a block of its kind */
type Reader = (reading: Reading) => boolean

function skipEmpty(reading: Reading): boolean {
  if (!isEmpty(lineAt(reading))) return false
  reading.hasGap = true
  reading.at++
  return true
}

function readCode(reading: Reading): boolean {
  const { lines, at, hasGap, lists } = reading
  const mayBeIndented = (hasGap || at === 0) && lists.length === 0
  const read = readFence(lines, at) ?? (mayBeIndented ? readIndented(lines, at) : undefined)
  return read !== undefined && add(reading, read.code, read.next)
}

function readHeading(reading: Reading): boolean {
  const text = headingOf(lineAt(reading))
  if (text === undefined) return false
  reading.lists.length = 0
  return add(reading, { kind: 'heading', text }, reading.at + 1)
}

function readRule(reading: Reading): boolean {
  if (!isRule(lineAt(reading))) return false
  reading.lists.length = 0
  return add(reading, { kind: 'rule' }, reading.at + 1)
}

function readQuote(reading: Reading): boolean {
  const { lines, at, isQuoted } = reading
  if (isQuoted || !isQuote(lineAt(reading))) return false
  let next = at + 1
  while (isQuote(lines[next] ?? '')) next++
  const inside = lines.slice(at, next).map((line) => line.replace(/^[ \t]*> ?/, ''))
  return add(reading, { kind: 'quote', blocks: readBlocks(inside, true) }, next)
}

function readTableBlock(reading: Reading): boolean {
  const { lines, at } = reading
  if (!isTableStart(lineAt(reading), lines[at + 1])) return false
  const { table, next } = readTable(lines, at)
  return add(reading, table, next)
}

/** The text up to the next empty line or block, each line trimmed. */
function textFrom(reading: Reading, first: string): { text: string; next: number } {
  const { lines, at, isQuoted } = reading
  const parts = [first.trim()]
  let next = at + 1
  for (; next < lines.length && !startsBlock(lines, next, isQuoted); next++)
    parts.push((lines[next] ?? '').trim())
  return { text: parts.join('\n'), next }
}

function startsBlock(lines: readonly string[], at: number, isQuoted: boolean): boolean {
  const line = lines[at] ?? ''
  return (
    isEmpty(line) ||
    isRule(line) ||
    isUnderline(line) ||
    headingOf(line) !== undefined ||
    itemOf(line) !== undefined ||
    fenceOf(line) !== undefined ||
    (!isQuoted && isQuote(line)) ||
    isTableStart(line, lines[at + 1])
  )
}

const isTask = /^\[([ xX])\](?:\s+|$)/

function readItem(reading: Reading): boolean {
  const { lines, at, lists } = reading
  const item = itemOf(lineAt(reading))
  if (!item) return false
  while (lists.length > 0 && (lists.at(-1) ?? 0) > item.columns) lists.pop()
  if (lists.length === 0 || item.columns >= (lists.at(-1) ?? 0) + 2) lists.push(item.columns)
  const task = isTask.exec(item.text)
  const bullet = /\d/.test(item.marker) ? item.marker : '-'
  const marker = task ? (task[1] === ' ' ? '☐' : '☑') : bullet
  const rest = task ? item.text.slice(task[0].length) : item.text
  const level = lists.length - 1
  if (fenceOf(rest)) {
    add(reading, { kind: 'item', text: '', level, marker }, at)
    lines[at] = ' '.repeat(item.columns + item.marker.length + 1) + rest
    return true
  }
  const { text, next } = textFrom(reading, headingOf(rest) ?? rest)
  return add(reading, { kind: 'item', text, level, marker }, next)
}

function readText(reading: Reading): boolean {
  const { lines, lists, hasGap } = reading
  const line = lineAt(reading)
  const { columns } = indentOf(line)
  const level = levelOf(reading, columns)
  if (hasGap) lists.length = level
  const { text, next } = textFrom(reading, outdented(line, columns))
  if (!isUnderline(lines[next] ?? '')) return add(reading, { kind: 'text', text, level }, next)
  return add(reading, { kind: 'heading', text }, next + 1)
}

const readers: readonly Reader[] = [
  skipEmpty,
  readCode,
  readRule,
  readHeading,
  readQuote,
  readTableBlock,
  readItem,
  readText,
]

export function readBlocks(lines: string[], isQuoted = false): Block[] {
  const reading: Reading = { lines, at: 0, blocks: [], hasGap: false, lists: [], isQuoted }
  while (reading.at < lines.length) readers.some((read) => read(reading))
  return reading.blocks
}

// Blocks of code: fenced and indented.

interface Read {
  readonly code: Code
  readonly next: number
}

/** Limit of the search for the end of Markdown inside a Markdown block, which keeps parsing linear. */
const nestedLines = 500

/**
 * A block of Markdown may contain fences, and models often do not make the outer fence longer. The outer block then ends where all inner
 * fences are closed.
 */
function nestedEnd(lines: readonly string[], start: number, fence: Fence): number {
  let depth = 1
  for (let at = start; at < Math.min(lines.length, start + nestedLines); at++) {
    const line = lines[at] ?? ''
    if (isFenceEnd(line, fence)) depth--
    else if (fenceOf(line)?.char === fence.char) depth++
    if (depth === 0) return at
  }
  return -1
}

function fenceEnd(lines: readonly string[], start: number, fence: Fence): number {
  const nested = /^(?:markdown|md)\b/i.test(fence.info) ? nestedEnd(lines, start, fence) : -1
  if (nested !== -1) return nested
  for (let at = start; at < lines.length; at++) if (isFenceEnd(lines[at] ?? '', fence)) return at
  return -1
}

function readFence(lines: readonly string[], at: number): Read | undefined {
  const fence = fenceOf(lines[at] ?? '')
  if (!fence) return undefined
  const end = fenceEnd(lines, at + 1, fence)
  const inside = lines.slice(at + 1, end === -1 ? lines.length : end)
  const code = inside.map((line) => outdented(line, fence.columns))
  return {
    code: { kind: 'code', code: code.join('\n'), info: fence.info, isOpen: end === -1 },
    next: end === -1 ? lines.length : end + 1,
  }
}

const isIndented = (line: string): boolean => indentOf(line).columns >= 4

/** Reads code that is indented by four columns, outside of lists. */
function readIndented(lines: readonly string[], at: number): Read | undefined {
  let next = at
  for (let look = at; look < lines.length; look++) {
    const line = lines[look] ?? ''
    if (isIndented(line) && !isEmpty(line)) next = look + 1
    else if (!isEmpty(line)) break
  }
  const code = lines.slice(at, next).map((line) => outdented(line, 4))
  return next > at
    ? { code: { kind: 'code', code: code.join('\n'), info: '', isOpen: false }, next }
    : undefined
}

// Tables, parsed like GitHub's.

const codeOrBar = /(?<!`)(`+)(?!`)(?:.*?[^`])?\1(?!`)|\\.|\|/g

/** The cells of a row. A bar that is escaped or inside code is no separator. */
function cellsOf(line: string): string[] {
  const cells = line.trim().replace(codeOrBar, (part) => (part === '|' ? '\n' : part.replaceAll('\\|', '|')))
  return cells
    .replace(/^\n|\n$/g, '')
    .split('\n')
    .map((cell) => cell.trim())
}

function isDelimiterRow(line: string): boolean {
  const row = line.trim()
  return /^[\s|:-]+$/.test(row) && row.includes('|') && cellsOf(row).every((cell) => /^:?-+:?$/.test(cell))
}

function isTableStart(line: string, next: string | undefined): boolean {
  if (next === undefined || !line.includes('|') || !isDelimiterRow(next)) return false
  return cellsOf(line).length === cellsOf(next).length
}

/**
 * At most as many cells as columns; surplus cells are joined into the last one. Missing cells are not added: a short text with many columns
 * and rows would become a table of millions of cells.
 */
function fitted(cells: readonly string[], columns: number): readonly string[] {
  if (cells.length <= columns) return cells
  return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(' | ')]
}

function readTable(lines: readonly string[], at: number): { table: Table; next: number } {
  const header = cellsOf(lines[at] ?? '')
  const rows: (readonly string[])[] = []
  let next = at + 2
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (isEmpty(line) || !line.includes('|')) break
    rows.push(fitted(cellsOf(line), header.length))
  }
  return { table: { kind: 'table', header, rows }, next }
}
