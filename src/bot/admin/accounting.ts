// /accounting: the payments, refunds, gifts and corrections of a calendar period, as a table with their sums.

import { InputFile } from 'grammy'
import { calendarPeriod, entriesCsv, entriesOf, type Sum, sumsOf } from '../../operator/accounting.ts'
import type { Say } from '../../texts.ts'
import { decimalOf } from '../account/statement.ts'
import { type BotDeps, reply } from '../context.ts'
import type { CommandCtx, Routes } from '../routes.ts'

export const accounting = (deps: BotDeps): Routes => ({
  commands: { accounting: (ctx) => sendTable(deps, ctx) },
})

async function sendTable(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, match, user } = ctx
  const { db, clock, operator, topUps } = deps
  const period = calendarPeriod(match, clock.now(), operator.timeZone)
  if (!period) return reply(ctx, say.html('admin-accounting-usage'))
  const entries = await entriesOf(db, period, topUps.providers)
  const { firstDay: first, lastDay: last } = period
  const lines = sumsOf(entries).map((sum) => lineOf(say, sum))
  const table = entriesCsv(entries, operator.timeZone, decimalOf(user.locale))
  const caption = say.html('admin-accounting', {
    first,
    last,
    zone: operator.timeZone,
    lines: { html: lines.length > 0 ? lines.join('\n') : say.html('admin-accounting-nothing') },
  })
  const file = new InputFile(Buffer.from(table), `accounting-${first}-${last}.csv`)
  await ctx.replyWithDocument(file, { caption, parse_mode: 'HTML' })
}

function lineOf(say: Say, { name, what, count, change, income }: Sum): string {
  const values = { name, count, change: say.roubles(change), kind: what }
  if (what !== 'payment' || income === undefined) return say.html('admin-accounting-line', values)
  const commission = say.roubles(change - income)
  return say.html('admin-accounting-payments', { ...values, income: say.roubles(income), commission })
}
