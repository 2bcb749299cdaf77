// Parses lines of Markdown into blocks. Lists are flat, with a level per item, so that broken indentation cannot nest without limit or
// absorb the following blocks.

import type { Block } from './block.ts'
import { indentOf, outdented } from './characters.ts'
import { readFence, readIndented, readMath } from './code.ts'
import { fenceOf, headingOf, isEmpty, isQuote, isRule, isUnderline, itemOf } from './lines.ts'
import { isTableStart, readTable } from './table.ts'

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
  const isStart = hasGap || at === 0
  const read =
    readFence(lines, at) ??
    readMath(lines, at) ??
    (isStart && lists.length === 0 ? readIndented(lines, at) : undefined)
  return read !== undefined && add(reading, read.code, read.next)
}

function readHeading(reading: Reading): boolean {
  const text = headingOf(lineAt(reading))
  if (text === undefined) return false
  reading.lists.length = 0
  return text === '' ? skipMarker(reading) : add(reading, { kind: 'heading', text }, reading.at + 1)
}

/** A heading without text shows nothing. */
function skipMarker(reading: Reading): true {
  reading.at++
  return true
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
    readMath(lines, at) !== undefined ||
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
