// Tables: parsed like GitHub's, and shown as columns in a monospaced font, or as records when the columns are too wide for a phone.

import type { Table } from './block.ts'
import { isEmpty } from './lines.ts'
import { backtickPairs, matchAt } from './source.ts'
import { widthOf } from './width.ts'

/** The widest table, in columns of a screen; wider ones wrap on most screens. */
const widest = 60

/** Between two columns. */
const separatorWidth = 3

/** The cells of a row. A bar that is escaped or inside code is no separator. */
function cellsOf(line: string): string[] {
  const row = line.trim()
  const backticks = backtickPairs(row)
  const cells: string[] = []
  let cell = ''
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; ) {
    const pair = backticks.get(at)
    const part = pair
      ? row.slice(at, pair.close + pair.length)
      : (matchAt(/\\[\s\S]|`+|[^\\`|]+/y, row, at)?.[0] ?? row.charAt(at))
    at += part.length
    if (part !== '|') cell += part.replaceAll('\\|', '|')
    if (part === '|' || at >= row.length) {
      cells.push(cell.trim())
      cell = ''
    }
  }
  return cells
}

function isDelimiterRow(line: string): boolean {
  const row = line.trim()
  return /^[\s|:-]+$/.test(row) && row.includes('|') && cellsOf(row).every((cell) => /^:?-+:?$/.test(cell))
}

export function isTableStart(line: string, next: string | undefined): boolean {
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

export function readTable(lines: readonly string[], at: number): { table: Table; next: number } {
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

const padded = (cell: string, width: number): string => cell + ' '.repeat(width - widthOf(cell))

/** @returns undefined when the columns are too wide */
export function inColumns(rows: readonly (readonly string[])[]): string | undefined {
  const columns = rows[0]?.length ?? 0
  if (columns * (1 + separatorWidth) - separatorWidth > widest) return undefined
  const widths = Array.from({ length: columns }, (_, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? '')), 1),
  )
  if (widths.reduce((sum, width) => sum + width + separatorWidth, -separatorWidth) > widest) return undefined
  const lines = rows.map((row) =>
    widths
      .map((width, at) => padded(row[at] ?? '', width))
      .join(' | ')
      .trimEnd(),
  )
  const [first = '', ...others] = lines
  return [first, widths.map((width) => '-'.repeat(width)).join('-+-'), ...others].join('\n')
}
