// Delivers a settled answer part by part; each sent part is recorded before the next is sent. After a crash another process continues after
// the last recorded part, so at most one part is sent twice, and none is lost.

import assert from 'node:assert/strict'
import { type Api, InlineKeyboard, InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import { visible } from '../../catalog/fields.ts'
import { findConversationById, type Turn } from '../../chat/conversations.ts'
import { giveUpSending, heldTurn, markSent, putOffSending, type Seen } from '../../chat/deliveries.ts'
import { plainPieces } from '../../chat/format/answer.ts'
import { draftProposedBefore } from '../../chat/past.ts'
import { throughOutages } from '../../db/outage.ts'
import type { CardPart, Piece } from '../../db/schema.ts'
import { promptField, withPrompt } from '../../form/fit.ts'
import { builtIn } from '../../ledger/built-in-notes.ts'
import type { Downloads } from '../../orders/deliver/download.ts'
import { createDraft, type Draft, findDraft } from '../../orders/drafts.ts'
import type { Format } from '../../runtime/file-format.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { moveChat } from '../../telegram/moved-chat.ts'
import {
  afterAttempt,
  type ChatLocation,
  type DeliveryOutcome,
  isAboutFile,
  isChatClosed,
  movedTo,
  outcomeOf,
  replyTo,
  sendInto,
  withoutPreview,
} from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { findUser, type User } from '../../users/user.ts'
import { sendCard } from '../cards/cards.ts'
import { putRewritten } from '../cards/rewritten.ts'
import type { BotDeps } from '../context.ts'
import { speechOf } from './speech.ts'

/**
 * @param turn under a lease of this process
 * @param recipient read from the database when it is not known
 * @param seen what the chat has shown already: it is charged although the chat, which the user may have closed, takes no message any more
 */
export async function deliverAnswer(
  sender: Sender,
  turn: Turn,
  recipient?: Recipient,
  seen?: Seen,
): Promise<void> {
  const { deps } = sender
  const startedAt = deps.clock.now()
  const outcome = await sendAll(sender, turn, recipient)
  if (!outcome) return
  if (outcome.ok) return deps.metrics.answers.delivered('delivered', ageOf(deps, turn))
  const attempt = { earlier: turn.attempts, since: sinceOf(turn), startedAt }
  const { attempts, nextAt: sendAt } = afterAttempt(deps, attempt, outcome)
  if (!sendAt) return giveUp(deps, turn, attempts, outcome.isClosed ? seen : undefined)
  await putOffSending(deps.db, turn, attempts, sendAt)
  deps.metrics.answers.delivered('later', ageOf(deps, turn))
}

type Deps = Sender['deps']

const sinceOf = ({ settledAt, createdAt }: Turn): Date => settledAt ?? createdAt

const ageOf = ({ clock }: Deps, turn: Turn): number => clock.now().getTime() - sinceOf(turn).getTime()

/** `isClosed`: the chat takes no messages: the user has blocked the bot or removed it. */
type Sent = DeliveryOutcome & { readonly isClosed?: boolean }

/** @returns undefined when another process has taken over */
async function sendAll(
  sender: Sender,
  turn: Turn,
  recipient: Recipient | undefined,
): Promise<Sent | undefined> {
  try {
    return (await sendFollowing(sender, turn, recipient)) ? { ok: true } : undefined
  } catch (error) {
    const outcome = outcomeOf(error)
    sender.deps.log.warn({ turn: turn.id, error, outcome }, 'answer not sent')
    return { ...outcome, isClosed: isChatClosed(error) }
  }
}

/** Sends the parts; after a group has become a supergroup, into its new chat, which does not have the old messages. */
async function sendFollowing(sender: Sender, turn: Turn, known: Recipient | undefined): Promise<boolean> {
  const { deps } = sender
  const recipient = known ?? (await recipientOf(deps, turn))
  try {
    return await sendParts(sender, turn, recipient)
  } catch (error) {
    const chatId = movedTo(error)
    if (chatId === undefined) throw error
    await moveChat(deps.db, recipient.location.chatId, chatId)
    const now = await heldTurn(deps.db, turn)
    return now ? sendParts(sender, now, await recipientOf(deps, now)) : false
  }
}

/** @returns false when another process has taken over */
async function sendParts(sender: Sender, turn: Turn, recipient: Recipient): Promise<boolean> {
  const { deps } = sender
  const parts = turn.parts ?? []
  for (let at = turn.sent; at < parts.length; at += 1) {
    const message = await sendPart(sender, turn, at, recipient)
    const first = at === 0 ? message : undefined
    if (!(await throughOutages(deps, () => markSent(deps.db, turn, at + 1, first)))) return false
  }
  return true
}

async function giveUp(deps: Deps, turn: Turn, attempts: number, seen: Seen | undefined): Promise<void> {
  const now = await heldTurn(deps.db, turn)
  if (!now) return
  const refunded = await giveUpSending(deps, now, attempts, builtIn('refund-unsent'), seen)
  deps.log.warn({ turn: turn.id, attempts, sent: now.sent, refunded: `${refunded}` }, 'answer given up')
  deps.metrics.answers.delivered('undeliverable', ageOf(deps, turn))
}

// The parts of an answer as messages of its chat: what each replies to, which one has the buttons, and the cards it proposes.

interface Sender {
  readonly deps: BotDeps
  readonly api: Api
  /** Whether other messages may have come since the question; the answer then replies to it. */
  readonly isLate: boolean
}

export interface Recipient {
  readonly user: User
  readonly say: Say
  readonly location: ChatLocation
  readonly isPrivate: boolean
}

async function recipientOf({ db, texts }: BotDeps, turn: Turn): Promise<Recipient> {
  const conversation = await findConversationById(db, turn.conversationId)
  const user = await findUser(db, turn.userId)
  assert(conversation && user, 'a turn has a conversation and a user')
  const { chatId, topicId } = conversation
  const location = { chatId, topicId: topicId === 0 ? null : topicId }
  return { user, say: texts(user.locale), location, isPrivate: chatId > 0 }
}

/** @returns the id of the message; undefined for a card, whose model may no longer be sold */
async function sendPart(
  { deps, api, isLate }: Sender,
  turn: Turn,
  at: number,
  recipient: Recipient,
): Promise<number | undefined> {
  const { parts, draftId, questionMessageId, answerMessageId } = turn
  const { location, isPrivate } = recipient
  const part = parts?.[at]
  if (!part) return undefined
  if (part.kind === 'card') return putCard(deps, api, turn, part, recipient)
  if (part.kind === 'prompt') {
    await putRewritten({ deps, api, say: recipient.say, isLate }, turn, part)
    return undefined
  }
  const into = at === 0 ? (answerMessageId ?? undefined) : undefined
  const question = at === 0 && (isLate || !isPrivate) ? questionMessageId : null
  const isLastPiece = parts.findLastIndex(({ kind }) => kind !== 'card') === at
  const more = {
    ...(question === null || into !== undefined ? {} : replyTo(question)),
    ...(isLastPiece && draftId === null ? { reply_markup: keyboardOf(deps, turn, recipient) } : {}),
  }
  // A text message cannot be edited into a message with a file.
  if (part.kind !== 'text' && into !== undefined)
    await api.deleteMessage(location.chatId, into).catch(() => undefined)
  const sending = { api, location, more, into }
  if (part.kind !== 'picture') return sendPiece(sending, part)
  return sendPicture(
    sending,
    await deps.downloads.get(part.address),
    recipient.say.plain('chat-picture-lost'),
  )
}

/** The button with the price opens an explanation of the price; in groups it also names the payer. */
function keyboardOf(deps: BotDeps, turn: Turn, { say, isPrivate, user }: Recipient): InlineKeyboard {
  const amount = say.roubles(turn.captured ?? 0n)
  const price =
    isPrivate || !user.name
      ? say.plain('button-chat-cost', { amount })
      : say.plain('chat-payer', { amount, name: user.name })
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-chat-retry'), taps.retryAnswer.data({ turnId: turn.id }))
    .text(price, taps.explainCost.data({ turnId: turn.id }))
  const speech = turn.state === 'failed' ? undefined : speechOf(deps, turn.answer)
  if (speech) {
    const label = say.plain('button-read-answer', { amount: say.roubles(speech.amount) })
    keyboard.row().text(label, taps.readAnswer.data({ turnId: turn.id, amount: speech.amount }))
  }
  return fitted(keyboard)
}

/** Sends a filled card with its price, perhaps repeatedly. Only a tap of the user on it orders, and only once. */
async function putCard(
  deps: BotDeps,
  api: Api,
  turn: Turn,
  card: CardPart,
  recipient: Recipient,
): Promise<undefined> {
  const draft =
    (await findDraft(deps.db, card.draftId, recipient.user.id)) ??
    (await beginDraft(deps, turn, card, recipient))
  if (draft) await sendCard(deps, api, draft, recipient.say)
}

/**
 * A card that changes the last one keeps its model and settings. A description that does not fit stays on the card with the reason; it never becomes the lyrics of a song.
 * @returns undefined when no model of the command is sold any more
 */
async function beginDraft(
  deps: BotDeps,
  turn: Turn,
  { draftId, command, prompt, isChange }: CardPart,
  { user, location }: Recipient,
): Promise<Draft | undefined> {
  const { db, catalog, clock } = deps
  const before = isChange ? await draftProposedBefore(db, turn, command) : undefined
  const offered = catalog.offered(command)
  const same = offered.find(({ id }) => id === before?.modelId)
  const model = same ?? offered[0]
  if (!model) return undefined
  const words = visible(prompt.replaceAll('\0', ''))
  const { [promptField(model)?.name ?? '']: _, ...kept } = (same && before?.answers) ?? {}
  const prompted = withPrompt(model, kept, words === '' ? null : words)
  return createDraft(
    db,
    { id: draftId, userId: user.id, modelId: model.id, ...prompted, ...location, updateId: null },
    clock.now(),
  )
}

// Sends one part of an answer as a message. A part that Telegram refuses is sent in another form: a text without formatting, a file as
// text, a picture as a document.

interface Sending {
  readonly api: Api
  readonly location: ChatLocation
  /** Further options of the message: its keyboard, what it replies to. */
  readonly more: object
  /** The message to edit, for an answer that was shown while it was written. */
  readonly into: number | undefined
}

const sendPiece = (sending: Sending, piece: Piece): Promise<number | undefined> =>
  firstAccepted(piece.kind === 'file' ? fileAttempts(sending, piece) : textAttempts(sending, piece))

/** @param lost the text in place of a picture that cannot be downloaded or sent */
function sendPicture(
  sending: Sending,
  picture: Awaited<ReturnType<Downloads['get']>>,
  lost: string,
): Promise<number | undefined> {
  return firstAccepted([
    ...(picture.ok ? pictureAttempts(sending, picture) : []),
    () => sendText(sending, lost, sending.more),
  ])
}

/** @returns the id of the first message @throws the refusal of the last form, or an error that is not about the form */
async function firstAccepted([attempt, ...others]: readonly Attempt[]): Promise<number | undefined> {
  try {
    return await attempt?.()
  } catch (error) {
    if (others.length === 0 || !isAboutFile(error)) throw error
    return firstAccepted(others)
  }
}

type Attempt = () => Promise<number | undefined>
type TextPiece = Extract<Piece, { kind: 'text' }>
type FilePiece = Extract<Piece, { kind: 'file' }>

/** @returns the id of the message */
async function post({ location }: Sending, send: (into: object) => Promise<Message>): Promise<number> {
  return (await sendInto<Message>(location, send)).message_id
}

function textAttempts(sending: Sending, { text, entities }: TextPiece): Attempt[] {
  const { api, location, more, into } = sending
  const plain = { ...more, ...withoutPreview }
  const formatted = { ...plain, entities: [...entities] }
  const edit: Attempt[] =
    into === undefined
      ? []
      : [() => api.editMessageText(location.chatId, into, text, formatted).then(() => into)]
  return [...edit, () => sendText(sending, text, formatted), () => sendText(sending, text, plain)]
}

const sendText = (sending: Sending, text: string, more: object): Promise<number> =>
  post(sending, (into) => sending.api.sendMessage(sending.location.chatId, text, { ...more, ...into }))

/** As a document, then as text, since some groups forbid documents. */
function fileAttempts(sending: Sending, { name, text }: FilePiece): Attempt[] {
  const { api, location, more } = sending
  const file = new InputFile(Buffer.from(text), name)
  return [
    () => post(sending, (into) => api.sendDocument(location.chatId, file, { ...more, ...into })),
    () => sendAsText(sending, text),
  ]
}

/** As a photo, then as a document: a photo may be too large or too narrow. */
function pictureAttempts(
  sending: Sending,
  { bytes, format }: { readonly bytes: Buffer; readonly format: Format },
): Attempt[] {
  const { api, location, more } = sending
  const file = new InputFile(bytes, `picture.${format.extension}`)
  return [
    () => post(sending, (into) => api.sendPhoto(location.chatId, file, { ...more, ...into })),
    () => post(sending, (into) => api.sendDocument(location.chatId, file, { ...more, ...into })),
  ]
}

async function sendAsText(sending: Sending, text: string): Promise<number | undefined> {
  const pieces = plainPieces(text)
  let first: number | undefined
  for (const [at, piece] of pieces.entries()) {
    const id = await sendText(sending, piece.text, at === pieces.length - 1 ? sending.more : {})
    first ??= id
  }
  return first
}
