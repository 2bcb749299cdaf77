// /balance: what can be spent and what is held. /statement: every movement with the balance after it, the last ones in the chat and
// all of them in a CSV file.

import { type Composer, InlineKeyboard, InputFile } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import { type Line, statementOf } from '../../ledger/statement.ts'
import { cutWithEllipsis } from '../../runtime/cut-text.ts'
import { formatDay, formatShort } from '../../telegram/local-time.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { balanceText } from '../balance-text.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { reasonText } from '../stored-reason.ts'
import { type AnswerLines, foldAnswers } from './fold-answers.ts'
import { modelName, statementCsv } from './statement-csv.ts'

const shownLines = 20
const longestNote = 60

export function balance(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.chatType('private').command('balance', (ctx) => sendBalance(deps, ctx))
  return composer
}

async function sendBalance(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const { available, held } = await readBalance(deps.db, ctx.user.id)
  const lines = [
    balanceText(say, available),
    ...(held > 0n ? [say.html('balance-held', { held: say.roubles(held) })] : []),
  ]
  const keyboard = new InlineKeyboard().text(say.plain('button-top-up-any'), taps.topUp.data())
  await reply(ctx, lines.join('\n'), keyboard)
}

export function statement(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.chatType('private').command('statement', (ctx) => sendStatement(deps, ctx))
  return composer
}

async function sendStatement(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const lines = await statementOf(deps.db, ctx.user.id)
  const last = lines.at(-1)
  if (!last) return reply(ctx, say.html('statement-empty'))
  const folded = foldAnswers(lines)
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

const textOf = (deps: BotDeps, say: Say, line: Line | AnswerLines): string =>
  'answers' in line ? answersText(deps, say, line) : lineText(deps, say, line)

/** A capture takes held money, so it does not change the available balance. */
function lineText(deps: BotDeps, say: Say, line: Line): string {
  const about = subjectOf(deps, say, line)
  const what = [say.plain(`statement-${line.kind}`), ...(about ? [about] : [])].join(' · ')
  return say.html(line.kind === 'capture' ? 'statement-charged' : 'statement-line', {
    date: formatShort(say.locale, line.at),
    what: { html: escapeHtml(what) },
    amount: say.roubles(line.amount),
    change: signed(say, line.change),
    available: say.roubles(line.available),
  })
}

/** A line for one answer names its model; a line for several answers of a day says how many they are. */
function answersText(deps: BotDeps, say: Say, line: AnswerLines): string {
  const { answers } = line
  const name = modelName(deps, say, line.modelId)
  return say.html('statement-line', {
    date: formatShort(say.locale, line.at),
    what:
      answers === 1 ? say.plain('statement-answer', { name }) : say.plain('statement-answers', { answers }),
    change: signed(say, line.change),
    available: say.roubles(line.available),
  })
}

const signed = (say: Say, change: bigint): string => `${change > 0n ? '+' : ''}${say.roubles(change)}`

/** What a line is about: the model of an order, and the note (a promo code, an operator's reason). */
function subjectOf(deps: BotDeps, say: Say, { modelId, note }: Line): string {
  const words = cutWithEllipsis(reasonText(deps, say, note ?? ''), longestNote)
  return [modelName(deps, say, modelId), words].filter((part) => part !== '').join(', ')
}
