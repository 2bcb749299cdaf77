// The list of a user's orders, page by page, and the choice of which orders it shows.

import { InlineKeyboard } from 'grammy'
import { promptInRequest } from '../../catalog/request.ts'
import type { Generation } from '../../generations/generation.ts'
import {
  type HistoryPage,
  type HistoryQuery,
  pageSize,
  readHistory,
  shownStateOf,
} from '../../generations/history.ts'
import { plainDay } from '../../telegram/local-time.ts'
import { type HistoryFilter, historyFilters, taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'

export interface View {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** A page of a filtered list. */
export interface At {
  readonly filter: HistoryFilter
  readonly page: number
}

export const newest: At = { filter: 'all', page: 0 }

/** The user's id, as the data of the list's buttons contains it. */
export const ownerOf = (ctx: Ctx): string => ctx.user.id.toString(36)

export const pageTap = {
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

export async function viewPage(deps: BotDeps, ctx: Ctx, { filter, page: wanted }: At): Promise<View> {
  const { say } = ctx
  const here = ctx.chat?.type === 'private' ? undefined : ctx.chat?.id
  const query = { chatId: here, ...queryOf(deps, filter) }
  const found = await readHistory(deps, ctx.user.id, wanted, query)
  const { entries, page, total } = found
  if (total === 0) return viewNone(deps, ctx, filter, here)
  const first = page * pageSize + 1
  const last = first + entries.length - 1
  const title = say.html('history', { shown: first === last ? `${first}` : `${first}–${last}`, total })
  const lines = entries.map((entry, at) => entryText(deps, say, entry, first + at))
  return { html: [title, ...lines].join('\n\n'), keyboard: pageKeyboard(ctx, found, filter) }
}

/**
 * The empty list. It says “no orders” only to a user who has none; otherwise it says what is not shown, with a button to change the filter.
 */
async function viewNone(
  deps: BotDeps,
  ctx: Ctx,
  filter: HistoryFilter,
  chatId: number | undefined,
): Promise<View> {
  const { say } = ctx
  const choose = filterButton(ctx, { filter, page: 0 })
  if (filter === 'all') {
    const { total } = await readHistory(deps, ctx.user.id, 0, { chatId, hidden: true })
    return total > 0
      ? { html: say.html('history-all-hidden'), keyboard: choose }
      : { html: say.html('history-empty'), keyboard: new InlineKeyboard() }
  }
  const html =
    filter === 'favourite'
      ? say.html('history-no-favourites')
      : say.html('history-none', { what: say.plain(`history-filter-${filter}`) })
  return {
    html,
    keyboard: choose.row().text(say.plain('button-all-orders'), pageTap.data(newest, ownerOf(ctx))),
  }
}

export function queryOf({ catalog }: Pick<BotDeps, 'catalog'>, filter: HistoryFilter): HistoryQuery {
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
  return keyboard.row().append(filterButton(ctx, { filter, page }))
}

/** The button that names the current filter and opens the choice of filters. */
function filterButton(ctx: Ctx, { filter, page }: At): InlineKeyboard {
  const { say } = ctx
  const what = say.plain(`history-filter-${filter}`)
  const label = filter === 'all' ? say.plain('button-filter') : say.plain('button-filtered', { what })
  return new InlineKeyboard().text(label, taps.chooseFilter.data({ filter, page, owner: ownerOf(ctx) }))
}

/** The choice of filters, two buttons in a row, so that the words fit a phone. */
export function viewFilters(ctx: Ctx, at: At): View {
  const { say } = ctx
  const owner = ownerOf(ctx)
  const keyboard = new InlineKeyboard()
  for (const filter of historyFilters) {
    const label = say.plain(`history-filter-${filter}`)
    const text = filter === at.filter ? `• ${label}` : label
    keyboard.text(text, pageTap.data({ filter, page: 0 }, owner))
  }
  const back = new InlineKeyboard().text(say.plain('button-to-history'), pageTap.data(at, owner))
  return { html: say.html('history-filters'), keyboard: keyboard.toFlowed(2).append(back) }
}

function entryText({ catalog }: BotDeps, say: Say, generation: Generation, number: number): string {
  const { modelId, request, captured, amount, state } = generation
  const model = catalog.find(modelId)
  return say.html('history-entry', {
    number,
    model: model ? say.label(model.label) : modelId,
    date: plainDay(say, generation.createdAt),
    prompt: promptInRequest(request, 60)?.replaceAll(/\s+/g, ' ') ?? '—',
    amount: say.roubles(state === 'succeeded' ? (captured ?? amount) : amount),
    state: { html: say.html(`history-${shownStateOf(generation)}`) },
    star: generation.favouriteAt ? '⭐ ' : '',
  })
}
