// /history: the user's orders page by page, the receipt of each, and its result again. In a group anybody can tap, so a list names its
// owner, and a receipt opens for its owner only.

import { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { promptInRequest } from '../../catalog/request.ts'
import { findReportOf } from '../../operator/reports.ts'
import { findGeneration } from '../../orders/confirm.ts'
import { mediaAs, type SentAs } from '../../orders/deliver/forms.ts'
import { artifactsOf, subjectOf } from '../../orders/deliver/job.ts'
import { againKeyboard } from '../../orders/deliver/messages.ts'
import { resend, sentForms } from '../../orders/deliver/resend.ts'
import { nextOf } from '../../orders/deliver/result.ts'
import { type Generation, hasResults, mayReport } from '../../orders/generation.ts'
import {
  deliveredFiles,
  type HistoryPage,
  type HistoryQuery,
  markFetched,
  markOrder,
  pageSize,
  type Receipt,
  readHistory,
  readReceipt,
  shownStateOf,
} from '../../orders/history.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { plainDay } from '../../telegram/local-time.ts'
import { forgiveRefusal, isAboutFile, isNotModified } from '../../telegram/send.ts'
import { type HistoryFilter, historyFilters, taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import {
  alert,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  locationOf,
  redraw,
  reply,
  send,
} from '../context.ts'
import { noteOwn, openMenu, plainNote, sendMenu, tappedNote } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'
import { receiptText } from './receipt.ts'

export const history = (deps: BotDeps): Routes => ({
  commands: {
    history: (ctx) => sendPage(deps, ctx, newest),
    favourites: (ctx) => sendPage(deps, ctx, { filter: 'favourite', page: 0 }),
  },
  taps: [
    onTap(taps.historyFiltered, (ctx, { owner, ...at }) => showPage(deps, ctx, at, owner)),
    onTap(taps.chooseFilter, (ctx, { owner, ...at }) => showPage(deps, ctx, at, owner, viewFilters)),
    onTap(taps.openFiltered, (ctx, { generationId, ...at }) => showReceipt(deps, ctx, generationId, at)),
    // On lists of earlier versions.
    onTap(taps.historyPage, (ctx, { page, owner }) => showPage(deps, ctx, { ...newest, page }, owner)),
    onTap(taps.openReceipt, (ctx, { generationId, page }) =>
      showReceipt(deps, ctx, generationId, { ...newest, page }),
    ),
    onTap(taps.markOrder, (ctx, { generationId, mark, ...at }) => setMark(deps, ctx, generationId, mark, at)),
    onTap(taps.historyAlbum, (ctx, at) => sendAlbum(deps, ctx, at)),
    onTap(taps.sendAgain, (ctx, { generationId }) => sendAgain(deps, ctx, generationId)),
  ],
})

async function sendPage(deps: BotDeps, ctx: Ctx, at: At): Promise<void> {
  const { html, keyboard } = await viewPage(deps, ctx, at)
  await noteOwn(deps, ctx, await sendMenu(deps, ctx, { at: 'history' }, html, keyboard), historyMessage)
}

async function showPage(
  deps: BotDeps,
  ctx: Ctx,
  at: At,
  owner: string,
  viewOf: (deps: BotDeps, ctx: Ctx, at: At) => View | Promise<View> = viewPage,
): Promise<void> {
  if (owner !== ownerOf(ctx) || !(await tappedNote(deps, ctx, historyMessage))) return foreign(ctx)
  await answerTap(ctx)
  await showText(deps, ctx, await viewOf(deps, ctx, at))
  await openMenu(deps, ctx, { at: 'history' })
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

// One order of the list: its result with the receipt as the caption, and what can be done with it. An order without a file that
// Telegram can show is a text.

const historyMessage = plainNote('history')

async function viewOrder(deps: BotDeps, ctx: Ctx, receipt: Receipt, at: At): Promise<View> {
  const { say } = ctx
  const { generation } = receipt
  const { id: generationId } = generation
  const report = await findReportOf(deps.db, generationId)
  const keyboard = new InlineKeyboard()
  const subject = await subjectOf(deps, generation, say.locale)
  const artifacts = hasResults(generation) ? await artifactsOf(deps, generationId) : []
  if (hasResults(generation))
    keyboard.text(say.plain('button-send-again'), taps.sendAgain.data({ generationId })).row()
  const next = nextOf(deps, subject, artifacts)
  if (next) keyboard.text(next.text, next.data).row()
  keyboard.append(againKeyboard(subject)).row()
  if (mayReport(generation) && !report) {
    keyboard.text(say.plain('button-report'), taps.reportProblem.data({ generationId })).row()
  }
  const marked = (mark: 'favourite' | 'ordinary' | 'hide' | 'show') =>
    keyboard.text(say.plain(`button-mark-${mark}`), taps.markOrder.data({ generationId, mark, ...at }))
  marked(generation.favouriteAt ? 'ordinary' : 'favourite')
  if (generation.hiddenAt) marked('show')
  else if (generation.settledAt) marked('hide')
  keyboard.row()
  keyboard.text(say.plain('button-to-history'), pageData(ctx, at))
  return { html: receiptText(deps, say, receipt, { report }), keyboard: fitted(keyboard) }
}

/** Shows the order in place of the tapped list, or changes its caption where it stands already. */
async function showOrder(deps: BotDeps, ctx: Ctx, { generation }: Receipt, view: View): Promise<void> {
  if (isFile(ctx)) {
    const options = { caption: view.html, parse_mode: 'HTML', reply_markup: view.keyboard } as const
    return void (await ctx.editMessageCaption(options).catch(forgiveRefusal))
  }
  const artifacts = await artifactsOf(deps, generation.id)
  const first = artifacts.find(({ fileId }) => fileId !== null)
  const kind = deps.catalog.find(generation.modelId)?.delivers(generation.request).kind
  for (const form of first ? sentForms(kind, first) : []) {
    if (await tryToShowFile(deps, ctx, form, first?.fileId ?? '', view)) return
  }
  await redraw(ctx, view.html, view.keyboard)
}

/** Shows a text in place of the tapped message. A message with a file cannot become a text, so the text is sent as a new message. */
async function showText(deps: BotDeps, ctx: Ctx, { html, keyboard }: View): Promise<void> {
  if (!isFile(ctx)) return redraw(ctx, html, keyboard)
  await noteOwn(deps, ctx, await send(ctx, html, keyboard), historyMessage)
  await deleteTapped(ctx)
}

/** An opened order with a file always has a caption. */
const isFile = (ctx: Ctx): boolean => ctx.callbackQuery?.message?.caption !== undefined

/** Shows the order with its file in place of the tapped message. @returns false when Telegram refused the file in this form: it may be gone */
async function tryToShowFile(
  deps: BotDeps,
  ctx: Ctx,
  form: SentAs,
  fileId: string,
  { html, keyboard }: View,
): Promise<boolean> {
  const caption = { caption: html, parse_mode: 'HTML' } as const
  const work = async () => {
    if (form !== 'voice') {
      return void (await ctx.editMessageMedia(mediaAs[form](fileId, caption), { reply_markup: keyboard }))
    }
    // Telegram cannot edit a message into a voice message, so it is sent anew and the list is deleted.
    const voice: Message = await ctx.replyWithVoice(fileId, { ...caption, reply_markup: keyboard })
    await noteOwn(deps, ctx, voice, historyMessage)
    await deleteTapped(ctx)
  }
  return work().then(() => true, isNotModified)
}

// The list of a user's orders, page by page, and the choice of which orders it shows.

interface View {
  readonly html: string
  readonly keyboard: InlineKeyboard
}

/** A page of a filtered list. */
interface At {
  readonly filter: HistoryFilter
  readonly page: number
}

const newest: At = { filter: 'all', page: 0 }

/** The user's id, as the data of the list's buttons contains it. */
const ownerOf = (ctx: Ctx): string => ctx.user.id.toString(36)

/** The data of a button that leads to this page. */
const pageData = (ctx: Ctx, at: At): string => taps.historyFiltered.data({ ...at, owner: ownerOf(ctx) })

/** In a group only the orders of the group are shown. */
const hereOf = ({ chat }: Ctx): number | undefined => (chat?.type === 'private' ? undefined : chat?.id)

const readPage = (deps: BotDeps, ctx: Ctx, { filter, page }: At): Promise<HistoryPage> =>
  readHistory(deps, ctx.user.id, page, { chatId: hereOf(ctx), ...queryOf(deps, filter) })

async function viewPage(deps: BotDeps, ctx: Ctx, { filter, page: wanted }: At): Promise<View> {
  const { say } = ctx
  const found = await readPage(deps, ctx, { filter, page: wanted })
  const { entries, page, total } = found
  if (total === 0) return viewNone(deps, ctx, filter)
  const first = page * pageSize + 1
  const last = first + entries.length - 1
  const title = say.html('history', { shown: first === last ? `${first}` : `${first}–${last}`, total })
  const lines = entries.map((entry, at) => entryText(deps, say, entry, first + at))
  return { html: [title, ...lines].join('\n\n'), keyboard: pageKeyboard(deps, ctx, found, filter) }
}

/**
 * The empty list. It says “no orders” only to a user who has none; otherwise it says what is not shown, with a button to change the filter.
 */
async function viewNone(deps: BotDeps, ctx: Ctx, filter: HistoryFilter): Promise<View> {
  const { say } = ctx
  const choose = filterButton(ctx, { filter, page: 0 })
  if (filter === 'all') {
    const { total } = await readPage(deps, ctx, { filter: 'hidden', page: 0 })
    return total > 0
      ? { html: say.html('history-all-hidden'), keyboard: choose }
      : { html: say.html('history-empty'), keyboard: new InlineKeyboard() }
  }
  const html =
    filter === 'favourite'
      ? say.html('history-no-favourites')
      : say.html('history-none', { what: say.plain(`history-filter-${filter}`) })
  return { html, keyboard: choose.row().text(say.plain('button-all-orders'), pageData(ctx, newest)) }
}

function queryOf({ catalog }: Pick<BotDeps, 'catalog'>, filter: HistoryFilter): HistoryQuery {
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
  { catalog }: BotDeps,
  ctx: Ctx,
  { entries, page, total }: HistoryPage,
  filter: HistoryFilter,
): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const [at, { id: generationId }] of entries.entries()) {
    keyboard.text(String(page * pageSize + at + 1), taps.openFiltered.data({ generationId, filter, page }))
  }
  keyboard.row()
  if (page > 0) keyboard.text('‹', pageData(ctx, { filter, page: page - 1 }))
  if ((page + 1) * pageSize < total) {
    keyboard.text('›', pageData(ctx, { filter, page: page + 1 }))
  }
  const seen = entries.filter(
    (one) => hasResults(one) && ['image', 'video'].includes(catalog.find(one.modelId)?.modality ?? ''),
  )
  if (ctx.chat?.type === 'private' && seen.length > 1)
    keyboard.row().text(ctx.say.plain('button-album'), taps.historyAlbum.data({ filter, page }))
  return keyboard.row().append(filterButton(ctx, { filter, page }))
}

/** More files than the orders of a page have. */
const mostOnPage = 1000

/** Sends the first picture or video of each order of the page as one album, free, by the files that Telegram has. */
async function sendAlbum(deps: BotDeps, ctx: Ctx, at: At): Promise<void> {
  const { say, chat } = ctx
  const { entries, page } = await readPage(deps, ctx, at)
  const ids = entries.map(({ id }) => id)
  const files = await deliveredFiles(deps.db, ctx.user.id, mostOnPage, ids)
  const media = entries.flatMap((one, index) => {
    // A file with the same id as its original was sent as a document.
    const file = files.find((of) => of.generationId === one.id && of.fileId !== of.originalFileId)
    const kind = file?.kind ?? deps.catalog.find(one.modelId)?.modality
    if (!file || (kind !== 'image' && kind !== 'video')) return []
    const prompt = promptInRequest(one.request, 200) ?? ''
    const caption = { caption: `${page * pageSize + index + 1}. ${prompt}` }
    return [mediaAs[kind === 'image' ? 'photo' : 'video'](file.fileId, caption)]
  })
  const album = media.filter((one) => one.type === 'photo' || one.type === 'video')
  if (chat?.type !== 'private' || album.length < 2) return alert(ctx, say.plain('history-no-album'))
  await answerTap(ctx)
  await ctx.replyWithMediaGroup(album).catch(async (error: unknown) => {
    if (!isAboutFile(error)) throw error
    await reply(ctx, say.html('history-no-album'))
  })
}

/** The button that names the current filter and opens the choice of filters. */
function filterButton(ctx: Ctx, at: At): InlineKeyboard {
  const { say } = ctx
  const what = say.plain(`history-filter-${at.filter}`)
  const label = at.filter === 'all' ? say.plain('button-filter') : say.plain('button-filtered', { what })
  return new InlineKeyboard().text(label, taps.chooseFilter.data({ ...at, owner: ownerOf(ctx) }))
}

/** The choice of filters, two buttons in a row, so that the words fit a phone. */
function viewFilters(_: BotDeps, ctx: Ctx, at: At): View {
  const { say } = ctx
  const keyboard = new InlineKeyboard()
  for (const filter of historyFilters) {
    const label = say.plain(`history-filter-${filter}`)
    const text = filter === at.filter ? `• ${label}` : label
    keyboard.text(text, pageData(ctx, { filter, page: 0 }))
  }
  const back = new InlineKeyboard().text(say.plain('button-to-history'), pageData(ctx, at))
  return { html: say.html('history-filters'), keyboard: keyboard.toFlowed(2).append(back) }
}

function entryText({ catalog }: BotDeps, say: Say, generation: Generation, number: number): string {
  const { modelId, request, captured, amount, state } = generation
  const model = catalog.find(modelId)
  const prompt = promptInRequest(request, 60)
  return say.html('history-entry', {
    number,
    model: model ? say.label(model.label) : modelId,
    date: plainDay(say, generation.createdAt),
    prompt: prompt === undefined ? '' : `${prompt.replaceAll(/\s+/g, ' ')}\n`,
    amount: say.roubles(state === 'succeeded' ? (captured ?? amount) : amount),
    state: { html: say.html(`history-${shownStateOf(generation)}`) },
    star: generation.favouriteAt ? '❤️ ' : '',
  })
}
