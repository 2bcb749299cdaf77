// /history: one's orders by the page, the receipt of each, and its result once more. Everybody in a group can tap, so a list
// names whose it is, and a receipt opens for its owner only.

import { Composer, InlineKeyboard } from 'grammy'
import { promptOf } from '../../catalog/prompt.ts'
import { resend } from '../../delivery/resend.ts'
import { againKeyboard } from '../../delivery/result-message.ts'
import type { Generation } from '../../generations/generation.ts'
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
import { findReportOf } from '../../operator/user-reports.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { plainNote, tappedNote, writeNote } from '../notes.ts'
import { placeOf } from '../place.ts'
import { formatMinute } from '../when.ts'
import { receiptText } from './receipt.ts'
import { mayReport } from './report.ts'

const historyMessage = plainNote('history')

export function history(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('history', async (ctx) => {
    const { html, keyboard } = await viewPage(deps, ctx, 0)
    const sent = await ctx.reply(html, { parse_mode: 'HTML', reply_markup: keyboard })
    await writeNote(deps, sent, { kind: historyMessage, userId: ctx.user.id, about: {} })
  })
  composer.callbackQuery(/^h:(\d{1,6}):([0-9a-z]{1,12})$/, async (ctx) => {
    const [, page, owner] = ctx.match
    if (owner !== ownerOf(ctx) || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
    await ctx.answerCallbackQuery()
    await show(ctx, await viewPage(deps, ctx, Number(page)))
  })
  composer.callbackQuery(/^hg:([a-z0-9]{10}):(\d{1,6})$/, async (ctx) => {
    const receipt = await readReceipt(deps, String(ctx.match[1]), ctx.user.id)
    if (!receipt || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
    await ctx.answerCallbackQuery()
    await show(ctx, await viewReceipt(deps, ctx, receipt, Number(ctx.match[2])))
  })
  composer.callbackQuery(/^hs:([a-z0-9]{10})$/, (ctx) => sendAgain(deps, ctx, String(ctx.match[1])))
  return composer
}

interface View {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

const ownerOf = (ctx: Ctx): string => ctx.user.id.toString(36)

const foreign = async (ctx: Ctx): Promise<void> =>
  void (await ctx.answerCallbackQuery({ text: ctx.say.plain('history-foreign'), show_alert: true }))

/** A message that was deleted meanwhile is no trouble. */
async function show(ctx: Ctx, { html, keyboard }: View): Promise<void> {
  await ctx.editMessageText(html, { parse_mode: 'HTML', reply_markup: keyboard }).catch(() => undefined)
}

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
  for (const [at, { id }] of entries.entries()) {
    keyboard.text(String(page * pageSize + at + 1), `hg:${id}:${page}`)
  }
  keyboard.row()
  if (page > 0) keyboard.text('‹', `h:${page - 1}:${owner}`)
  if ((page + 1) * pageSize < total) keyboard.text('›', `h:${page + 1}:${owner}`)
  return keyboard
}

function entryText({ catalog }: BotDeps, say: Say, generation: Generation, number: number): string {
  const { modelId, request, captured, amount, state } = generation
  const model = catalog.find(modelId)
  return say.html('history-entry', {
    number,
    model: model ? say.label(model.label) : modelId,
    date: formatMinute(say.locale, generation.createdAt),
    prompt: promptOf(request, 60)?.replaceAll(/\s+/g, ' ') ?? '—',
    amount: say.roubles(state === 'succeeded' ? (captured ?? amount) : amount),
    state: { html: say.html(`history-${standingOf(generation)}`) },
  })
}

async function viewReceipt(deps: BotDeps, ctx: Ctx, receipt: Receipt, page: number): Promise<View> {
  const { say } = ctx
  const { generation } = receipt
  const report = await findReportOf(deps.db, generation.id)
  const keyboard = new InlineKeyboard()
  if (generation.state === 'succeeded') {
    keyboard.text(say.plain('button-send-again'), `hs:${generation.id}`).row()
  }
  keyboard.append(againKeyboard(say, generation)).row()
  if (mayReport(generation) && !report) keyboard.text(say.plain('button-report'), `hr:${generation.id}`).row()
  keyboard.text(say.plain('button-to-history'), `h:${page}:${ownerOf(ctx)}`)
  return { html: receiptText(deps, say, receipt, report), keyboard }
}

async function sendAgain(deps: BotDeps, ctx: Ctx, id: string): Promise<void> {
  const generation = await findGeneration(deps, id, ctx.user.id)
  const place = placeOf(ctx)
  if (generation?.state !== 'succeeded' || !place) return foreign(ctx)
  // Whoever is sending it now would send it twice.
  if (generation.delivery === 'pending') {
    return void (await ctx.answerCallbackQuery(ctx.say.plain('history-being-sent')))
  }
  await ctx.answerCallbackQuery(ctx.say.plain('history-coming'))
  const { sent, gone, away } = await resend({ ...deps, api: ctx.api }, generation, place, ctx.say)
  if (gone > 0) await ctx.reply(ctx.say.html('history-gone', { gone }), { parse_mode: 'HTML' })
  if (away > 0) await ctx.reply(ctx.say.html('history-away', { away }), { parse_mode: 'HTML' })
  if (sent > 0 && gone + away === 0) await markFetched(deps, id)
}
