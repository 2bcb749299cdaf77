// /sources and /accounting: where the people of a period come from, and the payments, refunds, gifts and corrections of a period, with their
// sums. Both send tables as files. `/sources blog` makes the link of a new source.

import { InputFile } from 'grammy'
import { entriesCsv, entriesOf, type Sum, sumsOf } from '../../operator/accounting.ts'
import { readFigures, type SourceFigures } from '../../operator/figures.ts'
import { readPeriod } from '../../operator/periods.ts'
import { sourceName } from '../../operator/sources.ts'
import type { Say } from '../../texts.ts'
import { decimalOf } from '../account/statement.ts'
import { type BotDeps, reply } from '../context.ts'
import type { CommandCtx, Routes } from '../routes.ts'
import { askedPeriod, namesOf, sendFigures } from './figures.ts'

export const tables = (deps: BotDeps): Routes => ({
  commands: {
    sources: (ctx) => showSources(deps, ctx),
    accounting: (ctx) => sendAccounting(deps, ctx),
  },
})

/** As many as fit into one message. */
const maxShown = 25

async function showSources(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, me } = ctx
  const words = ctx.match.trim()
  const isPeriod = readPeriod(words, deps.clock.now(), deps.operator.timeZone) !== undefined
  if (sourceName.test(words) && !isPeriod && words !== 'csv') {
    const link = `https://t.me/${me.username}?start=src_${words}`
    return reply(ctx, say.html('admin-source-link', { link }))
  }
  const { period, isTable } = await askedPeriod(deps, ctx, '30', 'admin-sources-usage')
  if (!period) return
  if (isTable) return sendFigures(deps, ctx, period, ['source'])
  const { sources } = await readFigures(deps.db, period)
  const lines = sources.slice(0, maxShown).map((one) => sourceLine(say, one))
  await reply(ctx, say.html('admin-sources', { ...namesOf(period), lines: { html: lines.join('\n') } }))
}

const sourceLine = (say: Say, { source, came, ordered, paid, ...sums }: SourceFigures) =>
  say.html('admin-sources-line', {
    source,
    came,
    ordered,
    paid,
    topUps: say.roubles(sums.topUps),
    revenue: say.roubles(sums.revenue),
    ofNew: say.roubles(sums.newRevenue),
    refunds: say.roubles(sums.refunds),
    margin: say.roubles(sums.margin),
  })

async function sendAccounting(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, user } = ctx
  const { db, operator, topUps } = deps
  const { period } = await askedPeriod(deps, ctx, 'month')
  if (!period) return
  const entries = await entriesOf(db, period, topUps.providers)
  const { firstDay, lastDay } = period
  const lines = sumsOf(entries).map((sum) => sumLine(say, sum))
  const table = entriesCsv(entries, operator.timeZone, decimalOf(user.locale))
  const html = lines.length > 0 ? lines.join('\n') : say.html('admin-accounting-nothing')
  await reply(ctx, say.html('admin-accounting', { ...namesOf(period), lines: { html } }))
  await ctx.replyWithDocument(new InputFile(Buffer.from(table), `accounting-${firstDay}-${lastDay}.csv`))
}

function sumLine(say: Say, { what, by, currency, count, change, charge, income }: Sum): string {
  const stars = currency === 'XTR' ? ` (${say.number(Number(charge))} ⭐)` : ''
  const values = { name: by, count, stars, change: say.roubles(change), kind: what }
  if (what !== 'payment' || income === undefined) return say.html('admin-accounting-line', values)
  const commission = say.roubles(change - income)
  return say.html('admin-accounting-payments', { ...values, income: say.roubles(income), commission })
}
