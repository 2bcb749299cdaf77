// Begins an answer, offers to begin it, or explains why nothing was asked.

import { InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { questionFile } from '../../catalog/field.ts'
import { maxFileBytes, maxInlineBytes } from '../../catalog/media.ts'
import { labelOf } from '../../catalog/text-models.ts'
import { estimatePrice } from '../../chat/begin.ts'
import { isSpoken, type NotAccepted } from '../../chat/question-files.ts'
import { heldForAnswers } from '../../chat/turns.ts'
import { changeNote, newestNote, writeNote } from '../../telegram/message-notes.ts'
import { removeMessage, replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { isOperator } from '../admin/operator.ts'
import { offerTopUp } from '../balance.ts'
import {
  alert,
  alertForeign,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  firstNameOf,
  locationOf,
  reply,
} from '../context.ts'
import { leaveMenu, noteKind, tappedNote } from '../notes.ts'
import { type Asked, ask, conversationLocation, type Refused } from './asking.ts'
import { namesOf, offerModels } from './settings.ts'

interface ToAsk extends Pick<Asked, 'text' | 'files' | 'messageId' | 'isPlain'> {
  /** By default the id of the context's update. */
  readonly updateId?: number
}

/**
 * Asks, offers to ask, or explains why nothing was asked. @returns whether the question was asked, now or when the same update was handled
 * before
 */
export async function begin(deps: BotDeps, ctx: Ctx, question: ToAsk): Promise<boolean> {
  const location = locationOf(ctx)
  if (!location) return false
  const { api, user, say } = ctx
  const { files, messageId, updateId = ctx.update.update_id } = question
  // A voice message has no words of its own: this stands for it in the conversation.
  const text = question.text || (isSpoken(files) ? say.plain('spoken-question') : '')
  const isPrivate = ctx.chat?.type === 'private'
  const asker = { user, isOperator: isOperator(deps, ctx), say, location, isPrivate }
  const begun = await ask(deps, { ...question, ...asker, text, updateId, api })
  if (begun.ok) {
    if (begun.forgets) await reply(ctx, say.html('file-forgotten'))
  } else if (begun.reason === 'unknown-price') {
    await offerAnswer(deps, ctx, { text, files: [...files], messageId, updateId })
  } else await explain(deps, ctx, begun)
  return begun.ok
}

export async function explain(
  deps: BotDeps,
  ctx: Ctx,
  refused: Exclude<Refused, { reason: 'unknown-price' }>,
): Promise<void> {
  if (refused.reason === 'insufficient') {
    const held = await heldForAnswers(deps.db, ctx.user.id)
    if (held >= refused.missing) return reply(ctx, ctx.say.html('chat-held'))
    return offerTopUp(deps, ctx, refused.missing, 'chat-not-enough')
  }
  if (refused.reason === 'daily-cap' && ctx.chat?.type !== 'private') {
    return reply(ctx, ctx.say.html('cap-in-group', { name: firstNameOf(ctx) }))
  }
  if (refused.reason === 'daily-cap') {
    const [most, spent] = [ctx.say.roubles(refused.most), ctx.say.roubles(refused.spent)]
    return reply(ctx, ctx.say.html('chat-daily-cap', { most, spent }))
  }
  if (refused.reason === 'model-off') return offerModels(deps, ctx, refused.model)
  if (refused.reason === 'files-not-accepted') return reply(ctx, notTakenText(ctx, refused))
  if (refused.reason === 'too-long') {
    const { kind, maxSeconds: max } = refused
    return reply(ctx, ctx.say.html('chat-too-long', { kind, max }))
  }
  if (refused.reason === 'no-file') {
    const { kind } = refused
    const max = (kind === 'audio' ? maxFileBytes : maxInlineBytes) / 1024 / 1024
    return reply(ctx, ctx.say.html('chat-no-file', { kind, max }))
  }
  await reply(ctx, ctx.say.html(`chat-${refused.reason}`))
}

/** What is said when no model takes such a file. */
const takenByNone = {
  image: 'chat-unread-image',
  audio: 'chat-unread-sound',
  pdf: 'chat-unreadable',
  video: 'chat-unread-video',
} as const

/** Says which model or mode does not take the file, and what the user can do. */
function notTakenText({ say }: Ctx, { kind, model, because, others }: NotAccepted): string {
  const what = { model: labelOf(model), cannot: say.plain(`cannot-${kind}`) }
  if (because.length > 0) return say.html('chat-not-taken-mode', { ...what, modes: namesOf(say, because) })
  const models = others.map(labelOf).join(', ')
  return models ? say.html('chat-not-taken', { ...what, models }) : say.html(takenByNone[kind])
}

// The offer below a text that is not asked at once: it says about how much the answer costs, and its button asks. A user who does not know
// that answers cost money gets it, and everybody whose words something else waits for. Only the newest such text has an offer.

const offered = z.strictObject({
  text: z.string(),
  files: z.array(questionFile),
  messageId: z.int(),
  /** The first update that brought the text. Every tap asks under its id, so that the answer to a text is paid once. */
  updateId: z.int(),
  /** The price on the button, in kopecks; offers of earlier versions have none. */
  shown: z
    .string()
    .regex(/^\d{1,19}$/)
    .optional(),
  /** The card whose prompt the text can become. */
  draftId: z.string().exactOptional(),
})
type Offered = z.output<typeof offered>

export const answerOffer = noteKind('answer-offer', offered)

/**
 * Sends the offer. An offer for another text is deleted; an offer for the same text, which was edited, is changed.
 * @param html says what was expected in place of the text
 */
export async function offerAnswer(deps: BotDeps, ctx: Ctx, question: Offered, html?: string): Promise<void> {
  const view = await viewOf(deps, ctx, question, html)
  if (!view) return reply(ctx, html ?? ctx.say.html('chat-off'))
  const before = await openOffer(deps, ctx)
  const shown = view.amount === undefined ? {} : { shown: String(view.amount) }
  const note = { kind: answerOffer, userId: ctx.user.id, about: { ...question, ...shown } }
  if (before?.offer.messageId === question.messageId) {
    const { chatId, messageId, offer } = before
    const about = { ...note.about, updateId: offer.updateId }
    await changeNote(deps, { chat: { id: chatId }, message_id: messageId }, { ...note, about })
    await ctx.api.editMessageText(chatId, messageId, view.html, view.more).catch(() => undefined)
    return
  }
  const sent = await ctx.reply(view.html, {
    ...view.more,
    ...replyTo(question.messageId),
  })
  await writeNote(deps, sent, note)
  if (before) await removeMessage(ctx.api, before.chatId, before.messageId)
}

/** The user's newest offer in the chat. */
export async function openOffer(deps: BotDeps, { chatId, user }: Ctx) {
  if (chatId === undefined) return undefined
  const note = await newestNote(deps, chatId, user.id, answerOffer.name)
  const offer = note && offered.safeParse(note.about).data
  return offer && { chatId: note.chatId, messageId: note.messageId, offer }
}

async function priceOf(deps: BotDeps, ctx: Ctx, { text, files }: Offered) {
  const location = locationOf(ctx)
  return (
    location &&
    estimatePrice(deps, { userId: ctx.user.id, where: conversationLocation(location), text, files })
  )
}

/** @returns undefined when there is no button to offer */
async function viewOf(deps: BotDeps, ctx: Ctx, question: Offered, html?: string) {
  const { say } = ctx
  const isForCard = question.draftId !== undefined
  const said = isForCard ? say.html('words-beside-card') : html
  const estimate = await priceOf(deps, ctx, question)
  const keyboard = new InlineKeyboard()
  if (isForCard) {
    keyboard.text(say.plain('button-replace-prompt'), taps.changePrompt.data({ change: 'replace' })).row()
    keyboard.text(say.plain('button-add-to-prompt'), taps.changePrompt.data({ change: 'add' })).row()
  }
  const more = { parse_mode: 'HTML', reply_markup: keyboard } as const
  if (!estimate) return isForCard && said ? { amount: undefined, html: said, more } : undefined
  const amount = say.roubles(estimate.amount)
  const text = say.plain(said === undefined ? 'button-answer' : 'button-ask-words', { amount })
  keyboard.text(text, taps.answerOffered.data())
  if (said === undefined) keyboard.primary()
  const isNews = said === undefined || !estimate.isAccepted
  const cost = isNews ? [say.html('chat-first', { amount, model: labelOf(estimate.model) })] : []
  return {
    amount: estimate.amount,
    html: [...(said === undefined ? [] : [said]), ...cost].join('\n\n'),
    more,
  }
}

/** Whether the price is above the one on the button: another model was chosen since, or its price has changed. */
async function isDearer(deps: BotDeps, ctx: Ctx, offer: Offered): Promise<boolean> {
  const estimate = await priceOf(deps, ctx, offer)
  return estimate !== undefined && offer.shown !== undefined && estimate.amount > BigInt(offer.shown)
}

/**
 * Takes the tapped offer, which stays when the answer could not be begun.
 * @param begin asks the question; @returns whether the answer was begun
 */
export async function takeOffer(
  deps: BotDeps,
  ctx: Ctx,
  begin: (offer: Offered) => Promise<boolean>,
): Promise<void> {
  const offer = await tappedNote(deps, ctx, answerOffer)
  if (!offer) return alertForeign(ctx)
  if (await isDearer(deps, ctx, offer)) {
    await alert(ctx, ctx.say.plain('chat-first-dearer'))
    return offerAnswer(deps, ctx, offer)
  }
  await answerTap(ctx)
  if (!(await begin(offer))) return
  await leaveMenu(deps, ctx)
  await deleteTapped(ctx)
}
