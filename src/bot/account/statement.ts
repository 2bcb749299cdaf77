// /balance: what can be spent and what is held. /statement: every movement with the balance after it, the last ones in the chat and
// all of them in a CSV file.

import { InlineKeyboard, InputFile } from 'grammy'
import { labelOf } from '../../catalog/text-models.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { type Line, statementOf } from '../../ledger/statement.ts'
import type { Kopecks } from '../../money.ts'
import { type CsvDecimal, csv, csvAmount } from '../../runtime/csv.ts'
import { cutWithEllipsis } from '../../runtime/text.ts'
import { formatDay, formatSecond, formatShort } from '../../telegram/local-time.ts'
import { taps } from '../../telegram/taps.ts'
import { datesOf, escapeHtml, type Locale, type Say } from '../../texts.ts'
import { balanceText, reasonText } from '../balance.ts'
import { type BotDeps, type Ctx, reply } from '../context.ts'
import { enoughFor } from '../from-prices.ts'
import type { Routes } from '../routes.ts'

const shownLines = 20
const longestNote = 60

export const statement = (deps: BotDeps): Routes => ({
  commands: {
    balance: (ctx) => sendBalance(deps, ctx),
    statement: (ctx) => sendStatement(deps, ctx),
  },
})

async function sendBalance(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const { available, held } = await readBalance(deps.db, ctx.user.id)
  const things = await enoughFor(deps, ctx, available)
  const lines = [
    balanceText(say, available),
    ...(things ? [say.html('enough', { things })] : []),
    ...(held > 0n ? [say.html('balance-held', { held: say.roubles(held) })] : []),
  ]
  const keyboard = new InlineKeyboard().text(say.plain('button-top-up-any'), taps.topUp.data())
  await reply(ctx, lines.join('\n'), keyboard)
}

async function sendStatement(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const lines = await statementOf(deps.db, ctx.user.id)
  const last = lines.at(-1)
  if (!last) return reply(ctx, say.html('statement-empty'))
  const folded = foldLines(lines)
  const shown = folded.slice(-shownLines)
  const text = [
    say.html('statement', { shown: shown.length, total: folded.length }),
    shown.map((line) => textOf(deps, say, line)).join('\n'),
    balanceText(say, last.available),
    ...(last.held > 0n ? [say.html('balance-held', { held: say.roubles(last.held) })] : []),
  ]
  await reply(ctx, text.join('\n\n'))
  const file = Buffer.from(statementCsv(deps, say, lines))
  await ctx.replyWithDocument(new InputFile(file, `statement-${formatDay(deps.clock.now())}.csv`))
}

const textOf = (deps: BotDeps, say: Say, line: Line | FoldedLine): string =>
  'kind' in line ? lineText(deps, say, line) : foldedText(deps, say, line)

/** A capture takes held money, so it does not change the available balance. */
function lineText(deps: BotDeps, say: Say, line: Line): string {
  const about = subjectOf(deps, say, line)
  const what = [say.plain(`statement-${line.kind}`), ...(about ? [about] : [])].join(' · ')
  return say.html(line.kind === 'capture' ? 'statement-charged' : 'statement-line', {
    date: formatShort(say.locale, line.at),
    what: { html: escapeHtml(what) },
    amount: say.inColumn(line.amount),
    change: signed(say, line.change),
    available: say.inColumn(line.available),
  })
}

/** A line for an order or for one answer names its model; a line for several answers of a day says how many they are. */
function foldedText(deps: BotDeps, say: Say, line: FoldedLine): string {
  const { answers } = line
  const name = modelName(deps, say, line.modelId)
  return say.html('statement-line', {
    date: formatShort(say.locale, line.at),
    what:
      answers > 1
        ? say.plain('statement-answers', { answers })
        : say.plain(answers === 1 ? 'statement-answer' : 'statement-order', { name }),
    change: signed(say, line.change),
    available: say.inColumn(line.available),
  })
}

const signed = (say: Say, change: bigint): string => `${change > 0n ? '+' : ''}${say.inColumn(change)}`

/** What a line is about: the model of an order, and the note (a promo code, an operator's reason). */
function subjectOf(deps: BotDeps, say: Say, { modelId, note }: Line): string {
  const words = cutWithEllipsis(reasonText(deps, say, note ?? ''), longestNote)
  return [modelName(deps, say, modelId), words].filter((part) => part !== '').join(', ')
}

// Folds transfers between two other movements into one line of the statement in the chat: the hold and the charge of an order, and the
// charges of one day for answers of text models, which are small and many.

/** One line for the transfers of an order, or of one or several answers. */
interface FoldedLine extends Pick<Line, 'at' | 'change' | 'available' | 'held' | 'modelId'> {
  /** Number of answers; 0 for an order. */
  readonly answers: number
}

/** In the result, too, the change of each line leads from the balance of the line before to its own balance. */
export function foldLines(lines: readonly Line[]): (Line | FoldedLine)[] {
  const runs: Line[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (last && isSameRun(last, line)) run?.push(line)
    else runs.push([line])
  }
  return runs.flatMap(folded)
}

const isSameRun = (before: Line, line: Line): boolean =>
  isFolded(before) &&
  isFolded(line) &&
  before.generationId === line.generationId &&
  (line.turnId === null || formatDay(before.at) === formatDay(line.at))

/** A refund is not folded: it stays a line of its own, with its reason. */
const isFolded = ({ turnId, generationId, kind }: Line): boolean =>
  (turnId ?? generationId) !== null && kind !== 'refund-order'

function folded(run: readonly Line[]): (Line | FoldedLine)[] {
  const last = run.at(-1)
  if (!last || !isFolded(last)) return [...run]
  const { at, available, held, modelId, turnId } = last
  const isCharged = run[0]?.kind === 'hold' && run.some(({ kind }) => kind === 'capture')
  if (turnId === null && !isCharged) return [...run]
  const change = run.reduce((sum, line) => sum + line.change, 0n)
  const answers = turnId === null ? 0 : new Set(run.map((one) => one.turnId)).size
  return [{ at, available, held, modelId, change, answers }]
}

// The statement as a CSV file that a spreadsheet in the user's language opens on a double click: UTF-8 with a byte order mark, CRLF.

type Deps = Pick<BotDeps, 'catalog' | 'textModels' | 'texts'>

function modelName({ catalog, textModels }: Deps, say: Say, modelId: string | null): string {
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

function statementCsv(deps: Deps, say: Say, lines: readonly Line[]): string {
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

export const decimalOf = (locale: Locale): CsvDecimal =>
  new Intl.NumberFormat(datesOf(locale)).format(0.5).includes(',') ? ',' : '.'
