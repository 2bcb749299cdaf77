// Tables as CSV files that spreadsheets open on a double click: UTF-8 with a byte order mark, CRLF.

export type CsvDecimal = ',' | '.'

/** `-92,45`: no thousands separator, no currency, an ASCII minus. */
export function csvAmount(kopecks: bigint, decimal: CsvDecimal): string {
  const digits = (kopecks < 0n ? -kopecks : kopecks).toString().padStart(3, '0')
  return `${kopecks < 0n ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`
}

const isAmount = (cell: string) => /^-?\d+[,.]\d\d$/.test(cell)

/** Spreadsheets run a cell that begins like a formula, so foreign text gets a quote in front; amounts are safe. */
function quoted(cell: string, separator: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !isAmount(cell) ? `'${cell}` : cell
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** In languages with a decimal comma, spreadsheets separate cells with semicolons. */
export function csv(rows: readonly (readonly string[])[], decimal: CsvDecimal): string {
  const separator = decimal === ',' ? ';' : ','
  const line = (row: readonly string[]) => row.map((cell) => quoted(cell, separator)).join(separator)
  return `\uFEFF${rows.map((row) => `${line(row)}\r\n`).join('')}`
}
