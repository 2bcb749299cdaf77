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
  type HistoryQuery,
  markFetched,
  markOrder,
  pageSize,
  type Receipt,
  readHistory,
  readReceipt,
  standingOf,
} from '../../generations/history.ts'
import { findGeneration } from '../../generations/order.ts'
import { findReportOf } from '../../operator/reports.ts'
import { localMinute } from '../../telegram/local-time.ts'
import { type HistoryFilter, historyFilters, taps } from '../../telegram/taps.ts'
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
    const { html, keyboard } = await viewPage(deps, ctx, newest)
    const sent = await send(ctx, html, keyboard)
    await noteOwn(deps, ctx, sent, historyMessage)
  })
  onTap(composer, taps.historyPage, (ctx, { page, owner }) =>
    showPage(deps, ctx, { filter: 'all', page }, owner),
  )
  onTap(composer, taps.historyFiltered, (ctx, { owner, ...at }) => showPage(deps, ctx, at, owner))
  onTap(composer, taps.openReceipt, (ctx, { generationId, page }) =>
    showReceipt(deps, ctx, generationId, { filter: 'all', page }),
  )
  onTap(composer, taps.openFiltered, (ctx, { generationId, ...at }) =>
    showReceipt(deps, ctx, generationId, at),
  )
  onTap(composer, taps.markOrder, (ctx, { generationId, mark, ...at }) =>
    setMark(deps, ctx, generationId, mark, at),
  )
  onTap(composer, taps.sendAgain, (ctx, { generationId }) => sendAgain(deps, ctx, generationId))
  return composer
}

type Mark = 'favourite' | 'ordinary' | 'hide' | 'show'

interface View {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

const ownerOf = (ctx: Ctx): string => ctx.user.id.toString(36)

/** The page of a list. */
interface At {
  readonly filter: HistoryFilter
  readonly page: number
}

const newest: At = { filter: 'all', page: 0 }

const pageTap = {
  data: ({ filter, page }: At, owner: string): string =>
    filter === 'all'
      ? taps.historyPage.data({ page, owner })
      : taps.historyFiltered.data({ filter, page, owner }),
}

const openTap = {
  data: (generationId: string, { filter, page }: At): string =>
    filter === 'all'
      ? taps.openReceipt.data({ generationId, page })
      : taps.openFiltered.data({ generationId, filter, page }),
}

async function showPage(deps: BotDeps, ctx: Ctx, at: At, owner: string): Promise<void> {
  if (owner !== ownerOf(ctx) || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await notice(ctx)
  const { html, keyboard } = await viewPage(deps, ctx, at)
  await redraw(ctx, html, keyboard)
}

async function showReceipt(deps: BotDeps, ctx: Ctx, id: string, at: At): Promise<void> {
  const receipt = await readReceipt(deps, id, ctx.user.id)
  if (!receipt || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await notice(ctx)
  const { html, keyboard } = await viewReceipt(deps, ctx, receipt, at)
  await redraw(ctx, html, keyboard)
}

/** What was removed from the list is shown no more; a favourite stays open. */
async function setMark(deps: BotDeps, ctx: Ctx, id: string, mark: Mark, at: At): Promise<void> {
  const generation = await findGeneration(deps, id, ctx.user.id)
  if (!generation || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await markOrder(deps, id, ctx.user.id, mark)
  if (mark === 'favourite' || mark === 'ordinary') return showReceipt(deps, ctx, id, at)
  await notice(ctx, ctx.say.plain(`history-now-${mark}`))
  const { html, keyboard } = await viewPage(deps, ctx, at)
  await redraw(ctx, html, keyboard)
}

const foreign = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('history-foreign'))

async function viewPage(deps: BotDeps, ctx: Ctx, { filter, page: wanted }: At): Promise<View> {
  const { say } = ctx
  const here = ctx.chat?.type === 'private' ? undefined : ctx.chat?.id
  const query = { chatId: here, ...queryOf(deps, filter) }
  const found = await readHistory(deps, ctx.user.id, wanted, query)
  const { entries, page, total } = found
  const keyboard = pageKeyboard(ctx, found, filter)
  if (total === 0) return { html: say.html(filter === 'all' ? 'history-empty' : 'history-none'), keyboard }
  const first = page * pageSize + 1
  const title = say.html('history', { first, last: first + entries.length - 1, total })
  const lines = entries.map((entry, at) => entryText(deps, say, entry, first + at))
  return { html: [title, ...lines].join('\n\n'), keyboard }
}

function queryOf({ catalog }: BotDeps, filter: HistoryFilter): HistoryQuery {
  switch (filter) {
    case 'all':
      return {}
    case 'favourite':
      return { favourite: true }
    case 'hidden':
      return { hidden: true }
    case 'done':
      return { states: ['succeeded'] }
    case 'failed':
      return { states: ['failed', 'canceled'] }
    default:
      return { modelIds: catalog.models.filter((one) => one.modality === filter).map(({ id }) => id) }
  }
}

function pageKeyboard(
  ctx: Ctx,
  { entries, page, total }: HistoryPage,
  filter: HistoryFilter,
): InlineKeyboard {
  const owner = ownerOf(ctx)
  const keyboard = new InlineKeyboard()
  for (const [at, { id: generationId }] of entries.entries()) {
    keyboard.text(String(page * pageSize + at + 1), openTap.data(generationId, { filter, page }))
  }
  keyboard.row()
  if (page > 0) keyboard.text('‹', pageTap.data({ filter, page: page - 1 }, owner))
  if ((page + 1) * pageSize < total) {
    keyboard.text('›', pageTap.data({ filter, page: page + 1 }, owner))
  }
  const isWorthFiltering = total > 0 || filter !== 'all'
  return isWorthFiltering ? keyboard.append(filterButtons(ctx, filter)) : keyboard
}

function filterButtons(ctx: Ctx, shown: HistoryFilter): InlineKeyboard {
  const owner = ownerOf(ctx)
  const keyboard = new InlineKeyboard()
  for (const filter of historyFilters) {
    const label = ctx.say.plain(`history-filter-${filter}`)
    const text = filter === shown ? `• ${label}` : label
    keyboard.text(text, pageTap.data({ filter, page: 0 }, owner))
  }
  return keyboard.toFlowed(3)
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
    star: generation.favouriteAt ? '⭐ ' : '',
  })
}

async function viewReceipt(deps: BotDeps, ctx: Ctx, receipt: Receipt, at: At): Promise<View> {
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
  const marked = (mark: Mark) =>
    keyboard.text(say.plain(`button-mark-${mark}`), taps.markOrder.data({ generationId, mark, ...at }))
  marked(generation.favouriteAt ? 'ordinary' : 'favourite')
  if (generation.hiddenAt) marked('show')
  else if (generation.settledAt) marked('hide')
  keyboard.row()
  keyboard.text(say.plain('button-to-history'), pageTap.data(at, ownerOf(ctx)))
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
