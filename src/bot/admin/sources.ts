// /sources: where users come from. `/sources 90 csv` sends a table of 90 days as a file, `/sources blog` makes the link of a new source.

import { InputFile } from 'grammy'
import { periodOf } from '../../operator/periods.ts'
import { readSources, type SourceFigures, sourceName, sourcesCsv } from '../../operator/sources.ts'
import type { Say } from '../../texts.ts'
import { decimalOf } from '../account/statement.ts'
import { type BotDeps, reply } from '../context.ts'
import type { CommandCtx, Routes } from '../routes.ts'

export const sources = (deps: BotDeps): Routes => ({
  commands: { sources: (ctx) => showSources(deps, ctx) },
})

const usualDays = 30
/** As many as fit into one message. */
const maxShown = 25

async function showSources(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, me } = ctx
  const words = ctx.match.trim()
  const table = /^(\d{1,3})?\s*(csv)?$/i.exec(words)
  if (!table) {
    if (!sourceName.test(words)) return reply(ctx, say.html('admin-sources-usage'))
    const link = `https://t.me/${me.username}?start=src_${words}`
    return reply(ctx, say.html('admin-source-link', { link }))
  }
  const [, typed = usualDays, asFile] = table
  const days = Math.max(1, Number(typed))
  const found = await readSources(deps.db, periodOf(days, deps.clock.now(), deps.operator.timeZone).since)
  if (asFile) {
    await ctx.replyWithDocument(
      new InputFile(Buffer.from(sourcesCsv(found, decimalOf(ctx.user.locale))), `sources-${days}-days.csv`),
    )
    return
  }
  const lines = found.slice(0, maxShown).map((one) => lineOf(say, one))
  await reply(ctx, say.html('admin-sources', { days, lines: { html: lines.join('\n') } }))
}

const lineOf = (say: Say, { source, came, ordered, paid, topUps, revenue, refunds, margin }: SourceFigures) =>
  say.html('admin-sources-line', {
    source,
    came,
    ordered,
    paid,
    topUps: say.roubles(topUps),
    revenue: say.roubles(revenue),
    refunds: say.roubles(refunds),
    margin: say.roubles(margin),
  })
