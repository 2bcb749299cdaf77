// /history: the user's orders page by page, the receipt of each, and its result again. In a group anybody can tap, so a list names its
// owner, and a receipt opens for its owner only.

import type { Composer } from 'grammy'
import { resend } from '../../delivery/resend.ts'
import { hasResults } from '../../generations/generation.ts'
import { markFetched, markOrder, readReceipt } from '../../generations/history.ts'
import { findGeneration } from '../../generations/order.ts'
import { taps } from '../../telegram/taps.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { openMenu, sendMenu } from '../menus.ts'
import { noteOwn, tappedNote } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { alert, answerTap, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { type At, newest, ownerOf, viewFilters, viewPage } from './history-list.ts'
import { historyMessage, showOrder, showText, viewOrder } from './history-order.ts'

export function history(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.command('history', (ctx) => sendPage(deps, ctx, newest))
  composer.command('favourites', (ctx) => sendPage(deps, ctx, { filter: 'favourite', page: 0 }))
  onTap(composer, taps.historyPage, (ctx, { page, owner }) =>
    showPage(deps, ctx, { filter: 'all', page }, owner),
  )
  onTap(composer, taps.historyFiltered, (ctx, { owner, ...at }) => showPage(deps, ctx, at, owner))
  onTap(composer, taps.chooseFilter, (ctx, { owner, ...at }) => showFilters(deps, ctx, at, owner))
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

async function sendPage(deps: BotDeps, ctx: Ctx, at: At): Promise<void> {
  const { html, keyboard } = await viewPage(deps, ctx, at)
  await noteOwn(deps, ctx, await sendMenu(deps, ctx, { at: 'history' }, html, keyboard), historyMessage)
}

async function showPage(deps: BotDeps, ctx: Ctx, at: At, owner: string): Promise<void> {
  if (owner !== ownerOf(ctx) || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await answerTap(ctx)
  await showText(deps, ctx, await viewPage(deps, ctx, at))
  await openMenu(deps, ctx, { at: 'history' })
}

async function showFilters(deps: BotDeps, ctx: Ctx, at: At, owner: string): Promise<void> {
  if (owner !== ownerOf(ctx) || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await answerTap(ctx)
  await showText(deps, ctx, viewFilters(ctx, at))
}

async function showReceipt(deps: BotDeps, ctx: Ctx, id: string, at: At): Promise<void> {
  const receipt = await readReceipt(deps, id, ctx.user.id)
  if (!receipt || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await answerTap(ctx)
  await showOrder(deps, ctx, receipt, await viewOrder(deps, ctx, receipt, at))
  await openMenu(deps, ctx, { at: 'history' })
}

/** A removed order disappears from the list at once; an order marked as a favourite stays open. */
async function setMark(
  deps: BotDeps,
  ctx: Ctx,
  id: string,
  mark: 'favourite' | 'ordinary' | 'hide' | 'show',
  at: At,
): Promise<void> {
  const generation = await findGeneration(deps, id, ctx.user.id)
  if (!generation || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await markOrder(deps, id, ctx.user.id, mark)
  if (mark === 'favourite' || mark === 'ordinary') return showReceipt(deps, ctx, id, at)
  await answerTap(ctx, ctx.say.plain(`history-now-${mark}`))
  await showText(deps, ctx, await viewPage(deps, ctx, at))
}

const foreign = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('history-foreign'))

async function sendAgain(deps: BotDeps, ctx: Ctx, id: string): Promise<void> {
  const generation = await findGeneration(deps, id, ctx.user.id)
  const location = locationOf(ctx)
  if (!generation || !hasResults(generation) || !location) return foreign(ctx)
  // The delivery under way sends the result; sending it here would send it twice.
  if (generation.delivery === 'pending') return answerTap(ctx, ctx.say.plain('history-being-sent'))
  await answerTap(ctx, ctx.say.plain('history-coming'))
  const { sent, gone, away } = await resend({ ...deps, api: ctx.api }, generation, location, ctx.say)
  if (gone > 0) await reply(ctx, ctx.say.html('history-gone', { gone }))
  if (away > 0) await reply(ctx, ctx.say.html('history-away', { away }))
  if (sent > 0 && gone + away === 0) await markFetched(deps, id)
}
