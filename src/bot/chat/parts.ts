// The parts of an answer as the messages of its chat: what each replies to, which has the buttons, where a card comes from.

import assert from 'node:assert/strict'
import { type Api, InlineKeyboard } from 'grammy'
import type { CardPart } from '../../chat/part.ts'
import { findThreadById, type Turn } from '../../chat/threads.ts'
import { readAnswer } from '../../form/answer.ts'
import { createDraft, type Draft, findDraft } from '../../generations/drafts.ts'
import type { Say } from '../../texts.ts'
import { findUser, type User } from '../../users/user.ts'
import { sendCard } from '../cards/cards.ts'
import type { BotDeps } from '../context.ts'
import type { Spot } from './live-answer.ts'
import { sendPiece } from './sending.ts'

/** How this process sends. */
export interface Sender {
  readonly deps: BotDeps
  readonly api: Api
  /** Something else may have been said since the question, so that the answer has to reply to it. */
  readonly isLate: boolean
}

/** Who asked, and where. */
export interface Recipient {
  readonly user: User
  readonly say: Say
  readonly spot: Spot
  readonly isPrivate: boolean
}

export async function recipientOf({ db, texts }: BotDeps, turn: Turn): Promise<Recipient> {
  const thread = await findThreadById(db, turn.threadId)
  const user = await findUser(db, turn.userId)
  assert(thread && user, 'a turn has a conversation and somebody who asked')
  const { chatId, topicId } = thread
  const spot = { chatId, threadId: topicId === 0 ? null : topicId }
  return { user, say: texts(user.locale), spot, isPrivate: chatId > 0 }
}

/** @returns its message; undefined when there is none, as for a card of what is no longer sold */
export async function sendPart(
  { deps, api, isLate }: Sender,
  turn: Turn,
  at: number,
  recipient: Recipient,
): Promise<number | undefined> {
  const { parts, questionMessageId, answerMessageId } = turn
  const { spot, isPrivate } = recipient
  const part = parts?.[at]
  if (!part) return undefined
  if (part.kind === 'card') return putCard(deps, api, part, recipient)
  const into = at === 0 ? (answerMessageId ?? undefined) : undefined
  const question = at === 0 && (isLate || !isPrivate) ? questionMessageId : null
  const isLastPiece = parts.findLastIndex(({ kind }) => kind !== 'card') === at
  const more = {
    ...(question === null || into !== undefined ? {} : replyTo(question)),
    ...(isLastPiece ? { reply_markup: keyboardOf(turn, recipient) } : {}),
  }
  // A file can not take the place of a text.
  if (part.kind === 'file' && into !== undefined)
    await api.deleteMessage(spot.chatId, into).catch(() => undefined)
  return sendPiece({ api, spot, more, into }, part)
}

const replyTo = (message_id: number) => ({
  reply_parameters: { message_id, allow_sending_without_reply: true },
})

/** The price is the button that explains it; in groups it says who pays. */
function keyboardOf(turn: Turn, { say, isPrivate, user }: Recipient): InlineKeyboard {
  const amount = say.roubles(turn.captured ?? 0n)
  const price = isPrivate || !user.name ? amount : say.plain('chat-payer', { amount, name: user.name })
  return new InlineKeyboard()
    .text(say.plain('button-chat-retry'), `cr:${turn.id}`)
    .text(price, `cc:${turn.id}`)
}

/** A filled card with its price; money moves only on the person's own tap, and once, however often the card is sent. */
async function putCard(deps: BotDeps, api: Api, card: CardPart, recipient: Recipient): Promise<undefined> {
  const draft =
    (await findDraft(deps.db, card.draftId, recipient.user.id)) ?? (await beginDraft(deps, card, recipient))
  if (draft) await sendCard(deps, api, draft, recipient.say)
}

/** Undefined when nothing of the kind is sold any more. */
async function beginDraft(
  { db, catalog, clock }: BotDeps,
  { draftId, command, prompt }: CardPart,
  { user, spot }: Recipient,
): Promise<Draft | undefined> {
  const [model] = catalog.offered(command)
  const field = model?.fields.find(({ audience }) => audience === 'asked')
  if (!model || !field) return undefined
  const read = readAnswer(model, field, {}, prompt)
  const answers = read.ok ? { [field.name]: read.answer } : {}
  return createDraft(
    db,
    { id: draftId, userId: user.id, modelId: model.id, answers, ...spot, updateId: null },
    clock.now(),
  )
}
