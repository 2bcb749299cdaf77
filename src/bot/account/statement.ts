// /statement: every movement in words with the balance after it, the last ones in the chat and all of them in a CSV file.

import { Composer, InputFile } from 'grammy'
import { type Line, statementOf } from '../../ledger/statement.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { inPrivate } from '../private.ts'
import { formatDay, formatSecond, formatShort } from '../when.ts'
import { csv, csvAmount } from './csv.ts'

const shownLines = 20
const longestNote = 60

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
  if (!last) return void (await ctx.reply(say.html('statement-empty'), { parse_mode: 'HTML' }))
  const shown = lines.slice(-shownLines)
  const text = [
    say.html('statement', { shown: shown.length, total: lines.length }),
    shown.map((line) => lineText(deps, say, line)).join('\n'),
    say.html('statement-balance', { available: say.roubles(last.available) }),
    ...(last.held > 0n ? [say.html('balance-held', { held: say.roubles(last.held) })] : []),
  ]
  await ctx.reply(text.join('\n\n'), { parse_mode: 'HTML' })
  const file = Buffer.from(csv(tableOf(deps, say, lines)))
  await ctx.replyWithDocument(new InputFile(file, `statement-${formatDay(deps.clock.now())}.csv`))
}

/** What is charged was held before, so the balance does not move with it. */
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

/** The model of an order, a promo code, an operator's reason. */
function subjectOf({ catalog }: BotDeps, say: Say, { modelId, note }: Line): string {
  const model = modelId === null ? undefined : catalog.find(modelId)
  const points = [...(note ?? '')]
  const words = points.length > longestNote ? `${points.slice(0, longestNote).join('')}…` : points.join('')
  return [model ? say.label(model.label) : (modelId ?? ''), words].filter((part) => part !== '').join(', ')
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

function tableOf({ catalog }: BotDeps, say: Say, lines: readonly Line[]): string[][] {
  const heading = columns.map((column) => say.plain(`csv-${column}`))
  const cells = lines.map((line) => {
    const model = catalog.find(line.modelId ?? '')
    return [
      formatSecond(line.at),
      say.plain(`statement-${line.kind}`),
      csvAmount(line.change),
      csvAmount(line.available),
      csvAmount(line.held),
      csvAmount(line.amount),
      model ? say.label(model.label) : (line.modelId ?? ''),
      line.generationId ?? '',
      line.topUpId ?? '',
      line.note ?? '',
    ]
  })
  return [heading, ...cells]
}
