// /balance: what can be spent and what is held. /statement: every movement with the balance after it, the last ones in the chat and
// all of them in a CSV file.

import { Composer, InlineKeyboard, InputFile } from 'grammy'
import { labelOf } from '../../catalog/text-models.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { type Line, statementOf } from '../../ledger/statement.ts'
import type { Kopecks } from '../../money.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { inPrivate, reply } from '../responses.ts'
import { formatDay, formatSecond, formatShort } from '../when.ts'

const shownLines = 20
const longestNote = 60

export function balance(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command(
    'balance',
    inPrivate((ctx) => sendBalance(deps, ctx)),
  )
  return composer
}

async function sendBalance(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const { available, held } = ctx.balance ?? (await readBalance(deps.db, ctx.user.id))
  const lines = [
    say.html('balance', { available: say.roubles(available) }),
    ...(held > 0n ? [say.html('balance-held', { held: say.roubles(held) })] : []),
  ]
  const keyboard = new InlineKeyboard().text(say.plain('button-top-up-any'), taps.topUp.data())
  await reply(ctx, lines.join('\n'), keyboard)
}

export function statement(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command(
    'statement',
    inPrivate((ctx) => sendStatement(deps, ctx)),
  )
  return composer
}

async function sendStatement(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const lines = await statementOf(deps.db, ctx.user.id)
  const last = lines.at(-1)
  if (!last) return reply(ctx, say.html('statement-empty'))
  const shown = lines.slice(-shownLines)
  const text = [
    say.html('statement', { shown: shown.length, total: lines.length }),
    shown.map((line) => lineText(deps, say, line)).join('\n'),
    say.html('statement-balance', { available: say.roubles(last.available) }),
    ...(last.held > 0n ? [say.html('balance-held', { held: say.roubles(last.held) })] : []),
  ]
  await reply(ctx, text.join('\n\n'))
  const file = Buffer.from(csv(tableOf(deps, say, lines)))
  await ctx.replyWithDocument(new InputFile(file, `statement-${formatDay(deps.clock.now())}.csv`))
}

/** A capture takes held money, so it does not change the available balance. */
function lineText(deps: BotDeps, say: Say, line: Line): string {
  const about = subjectOf(deps, say, line)
  const what = [say.plain(`statement-${line.kind}`), ...(about ? [about] : [])].join(' · ')
  return say.html(line.kind === 'capture' ? 'statement-charged' : 'statement-line', {
    date: formatShort(say.locale, line.at),
    what: { html: escapeHtml(what) },
    amount: say.roubles(line.amount),
    change: `${line.change > 0n ? '+' : ''}${say.roubles(line.change)}`,
    available: say.roubles(line.available),
  })
}

/** The model of an order, and the note: a promo code, an operator's reason. */
function subjectOf(deps: BotDeps, say: Say, { modelId, note }: Line): string {
  const points = [...(note ?? '')]
  const words = points.length > longestNote ? `${points.slice(0, longestNote).join('')}…` : points.join('')
  return [modelName(deps, say, modelId), words].filter((part) => part !== '').join(', ')
}

/** By its id, if it is no longer sold. */
function modelName({ catalog, textModels }: BotDeps, say: Say, modelId: string | null): string {
  const model = catalog.find(modelId ?? '')
  if (model) return say.label(model.label)
  const textModel = textModels.find(({ id }) => id === modelId)
  return textModel ? labelOf(textModel) : (modelId ?? '')
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

function tableOf(deps: BotDeps, say: Say, lines: readonly Line[]): string[][] {
  const heading = columns.map((column) => say.plain(`csv-${column}`))
  const cells = lines.map((line) => {
    return [
      formatSecond(line.at),
      say.plain(`statement-${line.kind}`),
      csvAmount(line.change),
      csvAmount(line.available),
      csvAmount(line.held),
      csvAmount(line.amount),
      modelName(deps, say, line.modelId),
      line.generationId ?? '',
      line.topUpId ?? '',
      line.note ?? '',
    ]
  })
  return [heading, ...cells]
}

/** `-92,45`: no thousands separator, no currency, an ASCII minus. */
export function csvAmount(amount: Kopecks): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}

const isAmount = (cell: string) => /^-?\d+,\d\d$/.test(cell)

/** Spreadsheets run a cell that begins like a formula, so foreign text gets a quote in front; amounts are safe. */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !isAmount(cell) ? `'${cell}` : cell
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV as a Russian Excel opens it on a double click: UTF-8 with a byte order mark, semicolons, decimal commas, CRLF. */
export function csv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(quoted).join(';')}\r\n`).join('')}`
}
