// /history: the user's orders page by page, the receipt of each, and its result again. Everybody in a group can tap, so a list names
// its owner, and a receipt opens for its owner only.

import { Composer, InlineKeyboard } from 'grammy'
import { promptOf } from '../../catalog/prompt.ts'
import { describe } from '../../delivery/job.ts'
import { resend } from '../../delivery/resend.ts'
import { againKeyboard } from '../../delivery/result-keyboard.ts'
import { type Generation, hasResults, mayReport } from '../../generations/generation.ts'
import {
  type HistoryPage,
  markFetched,
  pageSize,
  type Receipt,
  readHistory,
  readReceipt,
  standingOf,
} from '../../generations/history.ts'
import { findGeneration } from '../../generations/order.ts'
import { findReportOf } from '../../operator/reports.ts'
import { localMinute } from '../../telegram/local-time.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type BotDeps, type Ctx, placeOf } from '../context.ts'
import { noteOwn, plainNote, tappedNote } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { alert, notice, redraw, reply, send } from '../responses.ts'
import { receiptText } from './receipt.ts'

const historyMessage = plainNote('history')

export function history(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('history', async (ctx) => {
    const { html, keyboard } = await viewPage(deps, ctx, 0)
    const sent = await send(ctx, html, keyboard)
    await noteOwn(deps, ctx, sent, historyMessage)
  })
  onTap(composer, taps.historyPage, async (ctx, { page, owner }) => {
    if (owner !== ownerOf(ctx) || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
    await notice(ctx)
    const { html, keyboard } = await viewPage(deps, ctx, page)
    await redraw(ctx, html, keyboard)
  })
  onTap(composer, taps.openReceipt, async (ctx, { generationId, page }) => {
    const receipt = await readReceipt(deps, generationId, ctx.user.id)
    if (!receipt || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
    await notice(ctx)
    const { html, keyboard } = await viewReceipt(deps, ctx, receipt, page)
    await redraw(ctx, html, keyboard)
  })
  onTap(composer, taps.sendAgain, (ctx, { generationId }) => sendAgain(deps, ctx, generationId))
  return composer
}

interface View {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

const ownerOf = (ctx: Ctx): string => ctx.user.id.toString(36)

const foreign = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('history-foreign'))

async function viewPage(deps: BotDeps, ctx: Ctx, wanted: number): Promise<View> {
  const { say } = ctx
  const here = ctx.chat?.type === 'private' ? undefined : ctx.chat?.id
  const found = await readHistory(deps, ctx.user.id, wanted, here)
  const { entries, page, total } = found
  const keyboard = pageKeyboard(found, ownerOf(ctx))
  if (total === 0) return { html: say.html('history-empty'), keyboard }
  const first = page * pageSize + 1
  const title = say.html('history', { first, last: first + entries.length - 1, total })
  const lines = entries.map((entry, at) => entryText(deps, say, entry, first + at))
  return { html: [title, ...lines].join('\n\n'), keyboard }
}

function pageKeyboard({ entries, page, total }: HistoryPage, owner: string): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const [at, { id: generationId }] of entries.entries()) {
    keyboard.text(String(page * pageSize + at + 1), taps.openReceipt.data({ generationId, page }))
  }
  keyboard.row()
  if (page > 0) keyboard.text('‹', taps.historyPage.data({ page: page - 1, owner }))
  if ((page + 1) * pageSize < total) {
    keyboard.text('›', taps.historyPage.data({ page: page + 1, owner }))
  }
  return keyboard
}

function entryText({ catalog }: BotDeps, say: Say, generation: Generation, number: number): string {
  const { modelId, request, captured, amount, state } = generation
  const model = catalog.find(modelId)
  return say.html('history-entry', {
    number,
    model: model ? say.label(model.label) : modelId,
    date: localMinute(say, generation.createdAt),
    prompt: promptOf(request, 60)?.replaceAll(/\s+/g, ' ') ?? '—',
    amount: say.roubles(state === 'succeeded' ? (captured ?? amount) : amount),
    state: { html: say.html(`history-${standingOf(generation)}`) },
  })
}

async function viewReceipt(deps: BotDeps, ctx: Ctx, receipt: Receipt, page: number): Promise<View> {
  const { say } = ctx
  const { generation } = receipt
  const { id: generationId } = generation
  const report = await findReportOf(deps.db, generationId)
  const keyboard = new InlineKeyboard()
  if (hasResults(generation)) {
    keyboard.text(say.plain('button-send-again'), taps.sendAgain.data({ generationId })).row()
  }
  keyboard.append(againKeyboard(describe(deps.catalog, generation, say))).row()
  if (mayReport(generation) && !report) {
    keyboard.text(say.plain('button-report'), taps.reportProblem.data({ generationId })).row()
  }
  keyboard.text(say.plain('button-to-history'), taps.historyPage.data({ page, owner: ownerOf(ctx) }))
  return { html: receiptText(deps, say, receipt, report), keyboard }
}

async function sendAgain(deps: BotDeps, ctx: Ctx, id: string): Promise<void> {
  const generation = await findGeneration(deps, id, ctx.user.id)
  const place = placeOf(ctx)
  if (!generation || !hasResults(generation) || !place) return foreign(ctx)
  // The delivery under way sends it, so sending it here would send it twice.
  if (generation.delivery === 'pending') return notice(ctx, ctx.say.plain('history-being-sent'))
  await notice(ctx, ctx.say.plain('history-coming'))
  const { sent, gone, away } = await resend({ ...deps, api: ctx.api }, generation, place, ctx.say)
  if (gone > 0) await reply(ctx, ctx.say.html('history-gone', { gone }))
  if (away > 0) await reply(ctx, ctx.say.html('history-away', { away }))
  if (sent > 0 && gone + away === 0) await markFetched(deps, id)
}
