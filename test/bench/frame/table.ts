// Formats figures as a text table.

import type { Figure } from '../bench.ts'

/** Formats a number with three significant digits and spaces between thousands. */
export function written(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  const [whole = '', part] = value.toFixed(Math.min(digits, 4)).split('.')
  return part ? `${apart(whole)}.${part}` : apart(whole)
}

/** Puts spaces between thousands. */
export const apart = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ' ')

export function tableOf(figures: readonly Figure[]): string {
  const head = ['', 'measured', 'baseline', 'unit', 'ratio', 'of a round', 'against']
  const rows = figures.map((one) => [
    one.name,
    written(one.measured),
    written(one.baseline),
    one.unit,
    written(one.ratio),
    one.spread.map(written).join(' – '),
    one.against,
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 || at > 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}
