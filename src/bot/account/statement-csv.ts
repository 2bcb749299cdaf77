// The statement as a CSV file that a spreadsheet in the user's language opens on a double click: UTF-8 with a byte order mark, CRLF.

import { labelOf } from '../../catalog/text-models.ts'
import type { Line } from '../../ledger/statement.ts'
import type { Kopecks } from '../../money.ts'
import { formatSecond } from '../../telegram/local-time.ts'
import { datesOf, type Locale, type Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { reasonText } from '../stored-reason.ts'

type Deps = Pick<BotDeps, 'catalog' | 'textModels' | 'texts'>

export function modelName({ catalog, textModels }: Deps, say: Say, modelId: string | null): string {
  if (modelId === null) return ''
  const model = catalog.find(modelId)
  if (model) return say.label(model.label)
  const textModel = textModels.find(({ id }) => id === modelId)
  return textModel ? labelOf(textModel) : say.plain('statement-model-gone')
}

const columns = [
  'date',
  'what',
  'change',
  'balance',
  'held',
  'amount',
  'model',
  'order',
  'top-up',
  'note',
] as const

export function statementCsv(deps: Deps, say: Say, lines: readonly Line[]): string {
  const heading = columns.map((column) => say.plain(`csv-${column}`))
  const amount = (kopecks: Kopecks) => csvAmount(kopecks, decimalOf(say.locale))
  const order = numbering()
  const topUp = numbering()
  const cells = lines.map((line) => [
    formatSecond(line.at),
    say.plain(`statement-${line.kind}`),
    amount(line.change),
    amount(line.available),
    amount(line.held),
    amount(line.amount),
    modelName(deps, say, line.modelId),
    order(line.generationId ?? line.turnId),
    topUp(line.topUpId),
    reasonText(deps, say, line.note ?? ''),
  ])
  return csv([heading, ...cells], decimalOf(say.locale))
}

/** Replaces ids by numbers in the order of their first lines: equal numbers show which lines belong together. */
function numbering(): (id: string | null) => string {
  const numbers = new Map<string, number>()
  return (id) => {
    if (id === null) return ''
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return String(number)
  }
}

type Decimal = ',' | '.'

const decimalOf = (locale: Locale): Decimal =>
  new Intl.NumberFormat(datesOf(locale)).format(0.5).includes(',') ? ',' : '.'

/** `-92,45`: no thousands separator, no currency, an ASCII minus. */
export function csvAmount(amount: Kopecks, decimal: Decimal): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`
}

const isAmount = (cell: string) => /^-?\d+[,.]\d\d$/.test(cell)

/** Spreadsheets run a cell that begins like a formula, so foreign text gets a quote in front; amounts are safe. */
function quoted(cell: string, separator: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !isAmount(cell) ? `'${cell}` : cell
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** In languages with a decimal comma, spreadsheets separate cells with semicolons. */
export function csv(rows: readonly (readonly string[])[], decimal: Decimal): string {
  const separator = decimal === ',' ? ';' : ','
  const line = (row: readonly string[]) => row.map((cell) => quoted(cell, separator)).join(separator)
  return `\uFEFF${rows.map((row) => `${line(row)}\r\n`).join('')}`
}
