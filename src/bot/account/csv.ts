// CSV as a Russian Excel opens it with a double click: UTF-8 with a mark of it, semicolons, decimal commas, CRLF.

import type { Kopecks } from '../../money.ts'

/** `-92,45`: no thousands, no currency, the minus of the keyboard. */
export function csvAmount(amount: Kopecks): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}

const isAmount = (cell: string) => /^-?\d+,\d\d$/.test(cell)

/** A cell that begins like a formula is run as one, so somebody's text may not; an amount may. */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !isAmount(cell) ? `'${cell}` : cell
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(quoted).join(';')}\r\n`).join('')}`
}
