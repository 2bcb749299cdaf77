// The message with the link to the payment page.

import { type Api, type Context, InlineKeyboard } from 'grammy'
import type { Kopecks } from '../../money.ts'
import { openLink } from '../../payments/links.ts'
import type { TopUpLimits } from '../../payments/providers.ts'
import { type Opened, openTopUp, payMessage, takeSettledPayMessages } from '../../payments/top-ups.ts'
import { changeNote, writeNote } from '../../telegram/message-notes.ts'
import { removeMessage } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale, type Say } from '../../texts.ts'
import { changeUser, readEmail } from '../../users/user.ts'
import { type BotDeps, type Ctx, send } from '../context.ts'
import { plainNote } from '../notes.ts'
import { type Asker, askForWords, type BotConversation } from '../question.ts'
import { bonusLines } from './top-up-bonus.ts'

interface LinkRequest {
  readonly userId: bigint
  readonly amount: Kopecks
  readonly providerId: string
  readonly email: string | null
}

/** JSON-safe: a conversation stores it. */
interface LinkMessage {
  readonly html: string
  readonly buttons: InlineKeyboard['inline_keyboard']
  /** The top-up that is paid by the link. */
  readonly topUpId?: string
}

/** A message, which may have been deleted since. */
export type PayPlace = Parameters<typeof changeNote>[1]

/**
 * Notes which top-up is paid from a message, so that the message is removed after the payment.
 * @param choice the message on which the payment provider was tapped; it is removed when the last top-up begun on it is settled
 */
export async function notePayMessage(
  deps: Pick<BotDeps, 'db' | 'clock'>,
  api: Api,
  sent: PayPlace,
  { userId, topUpId }: { readonly userId: bigint; readonly topUpId: string },
  choice?: PayPlace,
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
export function receiptItem(deps: BotDeps): string {
  const say = deps.texts(homeLocale)
  return say.plain('receipt-item')
}

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

export async function linkMessage(deps: BotDeps, say: Say, request: LinkRequest): Promise<LinkMessage> {
  const { userId, amount, providerId, email } = request
  const opened = await openTopUp(deps.topUps, userId, amount, providerId)
  if (!opened.ok) return { html: refusal(say, amount, opened), buttons: [] }
  const { way } = opened.provider
  if (way.by !== 'link') return { html: say.html('topup-off'), buttons: [] }
  const credit = say.roubles(amount)
  const description = say.plain('invoice-label', { credit })
  const receiptTo = way.needsEmail ? email : null
  const linked = await openLink(deps.topUps, way, opened.topUp, {
    description,
    item: receiptItem(deps),
    email: receiptTo,
  })
  const first = linked.ok
    ? InlineKeyboard.url(say.plain('button-pay', { credit }), linked.url)
    : InlineKeyboard.text(say.plain('button-try-again'), taps.topUpBy.data({ amount, providerId }))
  const keyboard = new InlineKeyboard().add(first)
  // Also below a failure: the provider may have refused the address.
  if (receiptTo !== null)
    keyboard.row().text(say.plain('button-change-email'), taps.changeEmail.data({ amount, providerId }))
  const buttons = keyboard.inline_keyboard
  if (!linked.ok) return { html: say.html('topup-link-unavailable'), buttons }
  const html =
    receiptTo === null
      ? say.html('topup-link', { credit, provider: providerId })
      : say.html('topup-link-receipt', { credit, email: receiptTo })
  return { html: html + (await bonusLines(deps, say, userId, amount)), buttons, topUpId: opened.topUp.id }
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
  choice?: PayPlace,
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
    const reply = await askForWords(deps, conversation, ctx, asked, question, ({ words }) =>
      readEmail(words) === undefined ? say.html('email-bad') : undefined,
    )
    const { html, buttons, topUpId } = await conversation.external(() => finish(deps, args, reply.words))
    const sent = await send(reply.ctx, html, { inline_keyboard: buttons })
    if (topUpId === undefined) return
    const { choiceId } = args
    const choice = choiceId === undefined ? undefined : { chat: reply.message.chat, message_id: choiceId }
    const paid = { userId: asked.userId, topUpId }
    await conversation.external(({ api }) => notePayMessage(deps, api, sent, paid, choice))
  }
}

async function finish(deps: BotDeps, args: Args, words: string) {
  const userId = BigInt(args.userId)
  const email = readEmail(words) ?? ''
  await changeUser(deps.db, userId, { email })
  const request = { userId, amount: BigInt(args.amount), providerId: args.providerId, email }
  return linkMessage(deps, deps.texts(args.locale), request)
}
