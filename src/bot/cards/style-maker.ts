// A custom style in two questions: its name, and one to five pictures. It is chosen on the card it was begun from.

import { type Context, InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup } from 'grammy/types'
import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import { type Draft, findDraft, setCard } from '../../generations/drafts.ts'
import { makeStyle, type StyleOrder } from '../../generations/styles.ts'
import type { Locale, Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import { putQuestion, type Talk, waitForAnswer, waitForAnswerOrTap } from '../question.ts'
import { attachmentOf } from './attachment.ts'
import { answerDraft, viewDraft } from './cards.ts'

/** Strings only: the plugin stores them as JSON. */
interface Args {
  readonly draftId: string
  readonly fieldName: string
  readonly userId: string
  readonly locale: Locale
}

export const styleMakerName = 'style'

export const styleQuestion = noteKind('style-question', z.strictObject({ draftId: z.string() }))

/** The tap that says that all pictures have been sent. */
export const styleMadeTap = 'yd'

const maxName = 40
const maxPictures = 5

export function enterStyleMaker(ctx: Ctx, draft: Draft, fieldName: string): Promise<void> {
  const { locale } = ctx.say
  const args: Args = { draftId: draft.id, fieldName, userId: String(draft.userId), locale }
  return ctx.conversation.enter(styleMakerName, args)
}

export function createStyleMaker(deps: BotDeps) {
  return async function style(conversation: Talk, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const asking = askingFor(deps, conversation, args, say)
    const { name, ctx: named } = await askName(asking, ctx)
    const files = await askPictures(asking, named)
    await ctx.reply(say.html('style-under-way'), { parse_mode: 'HTML' })
    const order: StyleOrder = { userId: BigInt(args.userId), name, files }
    const outcome = await conversation.external(() => finish(deps, args, order, say))
    await showOutcome(deps, conversation, ctx, args, outcome)
  }
}

/** A card takes the place of the one that the style was begun from. */
async function showOutcome(
  deps: BotDeps,
  conversation: Talk,
  ctx: Context,
  { draftId }: Args,
  { html, card }: Finished,
): Promise<void> {
  const markup = card ? { reply_markup: { inline_keyboard: card.keyboard } } : {}
  const sent = await ctx.reply(html, { parse_mode: 'HTML', ...markup })
  if (!card) return
  await conversation.external(() => setCard(deps.db, draftId, sent.message_id))
  if (card.old !== null) await ctx.api.deleteMessage(sent.chat.id, card.old).catch(() => undefined)
}

/** What both questions need. */
function askingFor(deps: BotDeps, conversation: Talk, { draftId, userId }: Args, say: Say) {
  const asked = { kind: styleQuestion, userId: BigInt(userId), about: { draftId } }
  return {
    say,
    put: (to: Context, html: string, keyboard?: InlineKeyboardMarkup) =>
      putQuestion(deps, conversation, to, asked, { html, say, keyboard }),
    answer: () => waitForAnswer(deps, conversation, asked),
    answerOrTap: () => waitForAnswerOrTap(deps, conversation, asked),
  }
}

type Asking = ReturnType<typeof askingFor>

async function askName(asking: Asking, ctx: Context): Promise<{ name: string; ctx: Context }> {
  const { say, put, answer } = asking
  await put(ctx, say.html('style-name', { max: maxName }))
  const reply = await answer()
  const name = reply.message.text?.trim() ?? ''
  if (name !== '' && codePoints(name) <= maxName) return { name, ctx: reply.ctx }
  return askName(asking, reply.ctx)
}

async function askPictures({ say, put, answerOrTap }: Asking, ctx: Context): Promise<StyleOrder['files']> {
  const files: { file: string; mime: string }[] = []
  const enough = new InlineKeyboard().text(say.plain('button-enough'), styleMadeTap)
  await put(ctx, say.html('style-pictures', { max: maxPictures }))
  while (files.length < maxPictures) {
    const reply = await answerOrTap()
    if (!reply.message) {
      await reply.ctx.answerCallbackQuery()
      if (files.length > 0) break
    }
    const sent = reply.message && attachmentOf(reply.message)
    if (sent?.medium !== 'image') {
      await put(reply.ctx, say.html('style-pictures', { max: maxPictures }))
      continue
    }
    files.push({ file: sent.file, mime: sent.mime })
    if (files.length === maxPictures) break
    await put(reply.ctx, say.html('ask-more-files', { count: files.length, max: maxPictures }), enough)
  }
  return files
}

/** JSON-safe, since the conversation stores it. */
interface Finished {
  readonly html: string
  readonly card?: {
    readonly keyboard: InlineKeyboard['inline_keyboard']
    readonly old: number | null
  }
}

async function finish(deps: BotDeps, args: Args, order: StyleOrder, say: Say): Promise<Finished> {
  const made = await makeStyle(deps, order)
  if (!made.ok) {
    const said = made.reason === 'refused' ? made.said : ''
    return { html: say.html(`style-${made.reason}`, { said }) }
  }
  const answered = await answerDraft(deps, args.draftId, order.userId, args.fieldName, { typed: made.id })
  const draft = answered.ok ? answered.draft : await findDraft(deps.db, args.draftId, order.userId)
  if (draft?.state !== 'open') return { html: say.html('style-made', { name: order.name }) }
  const { html, keyboard } = await viewDraft(deps, draft, say)
  return {
    html: `${say.html('style-made', { name: order.name })}\n\n${html}`,
    card: { keyboard: keyboard.inline_keyboard, old: draft.cardMessageId },
  }
}
