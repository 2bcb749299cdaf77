// The message with the link to the payment page.

import { type Api, type Context, InlineKeyboard } from 'grammy'
import type { Kopecks } from '../../money.ts'
import { openLink } from '../../payments/links.ts'
import type { TopUpLimits } from '../../payments/providers.ts'
import {
  type Opened,
  openTopUp,
  payMessage,
  type TopUp,
  takeSettledPayMessages,
} from '../../payments/top-ups.ts'
import { changeNote, type MessageRef, writeNote } from '../../telegram/message-notes.ts'
import { removeMessage } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale, type Say } from '../../texts.ts'
import { changeUser, emailOf, readEmail } from '../../users/user.ts'
import { type BotDeps, type Ctx, reply, send } from '../context.ts'
import { plainNote } from '../notes.ts'
import { type Asker, actOutside, askForWords, type BotConversation } from '../question.ts'
import { bonusLines } from './top-up-bonus.ts'

/**
 * Notes which top-up is paid from a message, so that the message is removed after the payment.
 * @param choice the message on which the payment provider was tapped; it is removed when the last top-up begun on it is settled
 */
export async function notePayMessage(
  deps: BotDeps,
  { api }: Ctx,
  sent: MessageRef,
  { id: topUpId, userId }: TopUp,
  choice?: MessageRef,
): Promise<void> {
  const note = { kind: payMessage, userId, about: { topUpId } }
  await writeNote(deps, sent, note)
  if (choice) await changeNote(deps, choice, note)
  // The top-up may have been paid before the note was written.
  await removePayMessages(deps, api, userId)
}

/** Removes the messages of the user whose top-ups can no longer be paid. */
export async function removePayMessages(
  { db }: Pick<BotDeps, 'db'>,
  api: Api,
  userId: bigint,
): Promise<void> {
  for (const { chatId, messageId } of await takeSettledPayMessages(db, userId)) {
    await removeMessage(api, chatId, messageId)
  }
}

export const limitTexts = (say: Say, { min, max }: TopUpLimits) => ({
  min: say.roubles(min),
  max: say.roubles(max),
})

/** Names the amount as it was read: a typed comma may separate thousands or kopecks. */
export const outOfRange = (say: Say, amount: Kopecks, limits: TopUpLimits): string =>
  say.html('topup-out-of-range', { amount: say.roubles(amount), ...limitTexts(say, limits) })

/** Fiscal receipts are in Russian, whatever the user's language. */
export const receiptItem = ({ texts }: BotDeps): string => texts(homeLocale).plain('receipt-item')

function refusal(say: Say, amount: Kopecks, refused: Extract<Opened, { ok: false }>): string {
  switch (refused.reason) {
    case 'off':
      return say.html('topup-off')
    case 'too-many-links':
      return say.html('topup-too-many-links', { most: refused.most })
    case 'out-of-range':
      return outOfRange(say, amount, refused)
  }
}

/** Sends the link, or asks for the e-mail address first. @param choice the message on which the payment provider was tapped */
export async function sendLink(
  deps: BotDeps,
  ctx: Ctx,
  amount: Kopecks,
  providerId: string,
  choice?: MessageRef,
): Promise<void> {
  const { say, user } = ctx
  const way = deps.topUps.providers.find(({ id }) => id === providerId)?.way
  if (way?.by !== 'link') return reply(ctx, say.html('topup-off'))
  const email = way.needsEmail ? await emailOf(deps.db, user.id) : undefined
  if (email === null) return enterEmailAsk(ctx, amount, providerId, choice)
  const opened = await openTopUp(deps.topUps, user.id, amount, providerId)
  if (!opened.ok) return reply(ctx, refusal(say, amount, opened))
  const credit = say.roubles(amount)
  const description = say.plain('invoice-label', { credit })
  const order = { description, item: receiptItem(deps), email: email ?? null }
  const url = await openLink(deps.topUps, way, opened.topUp, order)
  const first = url
    ? InlineKeyboard.url(say.plain('button-pay', { credit }), url)
    : InlineKeyboard.text(say.plain('button-try-again'), taps.topUpBy.data({ amount, providerId }))
  const keyboard = new InlineKeyboard().add(first)
  // Also below a failure: the provider may have refused the address.
  if (email !== undefined)
    keyboard.row().text(say.plain('button-change-email'), taps.changeEmail.data({ amount, providerId }))
  if (!url) return reply(ctx, say.html('topup-link-unavailable'), keyboard)
  const html =
    email === undefined
      ? say.html('topup-link', { credit, provider: providerId })
      : say.html('topup-link-receipt', { credit, email })
  const sent = await send(ctx, html + (await bonusLines(deps, say, user.id, amount)), keyboard)
  await notePayMessage(deps, ctx, sent, opened.topUp, choice)
}

// Asks once for the e-mail address of fiscal receipts: a short conversation that ends with the link to the payment page.

interface Args extends Asker {
  readonly amount: string
  readonly providerId: string
  /** The message on which the payment provider was tapped. */
  readonly choiceId?: number
}

export const emailAskName = 'email'

const emailQuestion = plainNote('email-question')

export function enterEmailAsk(
  ctx: Ctx,
  amount: Kopecks,
  providerId: string,
  choice?: MessageRef,
): Promise<void> {
  const args: Args = {
    userId: String(ctx.user.id),
    amount: String(amount),
    providerId,
    locale: ctx.say.locale,
    ...(choice ? { choiceId: choice.message_id } : {}),
  }
  return ctx.conversation.enter(emailAskName, args)
}

export function createEmailAsk(deps: BotDeps) {
  return async function email(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const asked = { kind: emailQuestion, userId: BigInt(args.userId), about: {} }
    const question = { html: say.html('email-ask'), say }
    const answer = await askForWords(deps, conversation, ctx, asked, question, ({ words }) =>
      readEmail(words) === undefined ? say.html('email-bad') : undefined,
    )
    const { choiceId } = args
    const choice = choiceId === undefined ? undefined : { chat: answer.message.chat, message_id: choiceId }
    await actOutside(conversation, async (outside) => {
      await changeUser(deps.db, asked.userId, { email: readEmail(answer.words) ?? null })
      await sendLink(deps, outside, BigInt(args.amount), args.providerId, choice)
    })
  }
}
