// One order of the list: its result with the receipt as the caption, and what can be done with it. An order without a file that
// Telegram can show is a text.

import { InlineKeyboard, InputMediaBuilder } from 'grammy'
import type { InputMedia, Message } from 'grammy/types'
import { describe } from '../../delivery/job.ts'
import { againKeyboard } from '../../delivery/result-keyboard.ts'
import { artifactsOf } from '../../delivery/sent-artifacts.ts'
import { type SentForm, sentForms } from '../../delivery/sent-forms.ts'
import { hasResults, mayReport } from '../../generations/generation.ts'
import type { Receipt } from '../../generations/history.ts'
import { findReportOf } from '../../operator/reports.ts'
import { forgiveRefusal, isNotModified } from '../../telegram/errors.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteOwn, plainNote } from '../notes.ts'
import { deleteTapped, redraw, send } from '../responses.ts'
import { type At, ownerOf, pageTap, type View } from './history-list.ts'
import { receiptText } from './receipt.ts'

export const historyMessage = plainNote('history')

export async function viewOrder(deps: BotDeps, ctx: Ctx, receipt: Receipt, at: At): Promise<View> {
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
  const marked = (mark: 'favourite' | 'ordinary' | 'hide' | 'show') =>
    keyboard.text(say.plain(`button-mark-${mark}`), taps.markOrder.data({ generationId, mark, ...at }))
  marked(generation.favouriteAt ? 'ordinary' : 'favourite')
  if (generation.hiddenAt) marked('show')
  else if (generation.settledAt) marked('hide')
  keyboard.row()
  keyboard.text(say.plain('button-to-history'), pageTap.data(at, ownerOf(ctx)))
  return { html: receiptText(deps, say, receipt, { report }), keyboard }
}

/** Shows the order in place of the tapped list, or changes its caption where it stands already. */
export async function showOrder(deps: BotDeps, ctx: Ctx, { generation }: Receipt, view: View): Promise<void> {
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
export async function showText(deps: BotDeps, ctx: Ctx, { html, keyboard }: View): Promise<void> {
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
  form: SentForm,
  fileId: string,
  { html, keyboard }: View,
): Promise<boolean> {
  const caption = { caption: html, parse_mode: 'HTML' } as const
  const work = async () => {
    if (form !== 'voice') {
      return void (await ctx.editMessageMedia(mediaOf[form](fileId, caption), { reply_markup: keyboard }))
    }
    // Telegram cannot edit a message into a voice message, so it is sent anew and the list is deleted.
    const voice: Message = await ctx.replyWithVoice(fileId, { ...caption, reply_markup: keyboard })
    await noteOwn(deps, ctx, voice, historyMessage)
    await deleteTapped(ctx)
  }
  return work().then(() => true, isNotModified)
}

type Captioned = { readonly caption: string; readonly parse_mode: 'HTML' }

const mediaOf: Readonly<
  Record<Exclude<SentForm, 'voice'>, (fileId: string, caption: Captioned) => InputMedia>
> = {
  photo: InputMediaBuilder.photo,
  video: InputMediaBuilder.video,
  audio: InputMediaBuilder.audio,
  document: InputMediaBuilder.document,
}
