// How the bot sends: into chats and topics, possibly hours after the update, and what a refusal means.

import { type Api, GrammyError, HttpError } from 'grammy'
import type { Message } from 'grammy/types'
import { backoffMs, type Clock, dayMs } from '../runtime/clock.ts'

// A topic that is gone must not lose a result.

/**
 * Undefined outside of topics. In any supergroup a reply also has a thread id, but it is the id of its chain of replies, not of a topic.
 */
export const topicOf = (
  message: Pick<Message, 'is_topic_message' | 'message_thread_id'> | undefined,
): number | undefined => (message?.is_topic_message ? message.message_thread_id : undefined)

interface Reply {
  readonly reply_parameters: { readonly message_id: number; readonly allow_sending_without_reply: true }
}

/** Makes a new message a reply. If the message that it replies to is deleted, it is sent without a reply instead of being refused. */
export const replyTo = (messageId: number): Reply => ({
  reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
})

/** A chat and, in forums, its topic. */
export interface ChatLocation {
  readonly chatId: number
  readonly topicId: number | null
}

/** Only groups have ids below zero. */
export const isGroup = (chatId: number): boolean => chatId < 0

export interface MessageTarget extends ChatLocation {
  /** The message to reply to. */
  readonly statusMessageId?: number | null
}

interface Into {
  readonly message_thread_id?: number
  readonly reply_parameters?: Reply['reply_parameters']
}

/**
 * Calls `send` with the topic and the message to reply to, and once more without both when the topic is gone or closed: the
 * reply would be sent into that topic as well.
 */
export async function sendInto<T>(target: MessageTarget, send: (into: Into) => Promise<T>): Promise<T> {
  const { statusMessageId = null } = target
  const reply = statusMessageId === null ? {} : replyTo(statusMessageId)
  if (target.topicId === null) return send(reply)
  try {
    return await send({ ...reply, message_thread_id: target.topicId })
  } catch (error) {
    if (isTopicGone(error)) return send({})
    throw error
  }
}

// How texts are sent that may contain an address which is not ours: without the preview that Telegram adds to links.

export const withoutPreview = { link_preview_options: { is_disabled: true } } as const

export const htmlWithoutPreview = { parse_mode: 'HTML', ...withoutPreview } as const

/**
 * Deletes a message, if it still exists. A message older than two days cannot be deleted, but loses its buttons.
 * @param api in a conversation that of its context
 */
export async function removeMessage(api: Api, chatId: number, messageId: number): Promise<void> {
  await api
    .deleteMessage(chatId, messageId)
    .catch(() => api.editMessageReplyMarkup(chatId, messageId))
    .catch(() => undefined)
}

// The meaning of Telegram's refusals: for the next attempt, for sending the same content in another form, and for the chat; and the
// number and the times of the attempts to deliver into a chat.

/** The outcome of a send, and whether a failed one is tried again. */
export type DeliveryOutcome =
  | { readonly ok: true }
  /** A retry is useless: the user has blocked the bot, or the chat is gone. The result stays in the history. */
  | { readonly ok: false; readonly retry: false }
  /** @param afterMs the pause that Telegram asked for */
  | { readonly ok: false; readonly retry: true; readonly afterMs?: number }

/** Errors on our side, such as a revoked token, are temporary: the operator corrects them. */
export function outcomeOf(error: unknown): Exclude<DeliveryOutcome, { ok: true }> {
  if (!(error instanceof GrammyError)) return { ok: false, retry: true }
  const { error_code: code, parameters } = error
  if (code === 429) return { ok: false, retry: true, afterMs: (parameters.retry_after ?? 1) * 1000 }
  return { ok: false, retry: ![400, 403, 413].includes(code) }
}

/**
 * Telegram understood the request and refused it; the same request gets the same answer. A conflict (409) with another request of the bot,
 * like two processes that set the webhook at the same time, passes.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code < 500 && ![409, 429].includes(error.error_code)

/**
 * The same request may succeed later: no answer came, or one that says that it was not carried out now. A request without an answer may
 * have been carried out, so that its repetition sends a message twice; that is rarer, and better than no message.
 */
export const maySucceedLater = (error: unknown): boolean =>
  error instanceof HttpError || (error instanceof GrammyError && !isRefusal(error))

/** The pause that Telegram asked for before the next request, in milliseconds. */
export const pauseAsked = (error: unknown): number =>
  error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0

/** For an edit that is not worth a failure: the message was deleted, or is too old. */
export function forgiveRefusal(error: unknown): void {
  if (!isRefusal(error)) throw error
}

const isBadRequest = (error: unknown, pattern: RegExp): boolean =>
  error instanceof GrammyError && error.error_code === 400 && pattern.test(error.description)

export const isTopicGone = (error: unknown): boolean =>
  isBadRequest(error, /message thread not found|TOPIC_CLOSED|TOPIC_DELETED/)

const aboutChat =
  /chat not found|PEER_ID_INVALID|CHAT_WRITE_FORBIDDEN|no rights to send a message|group chat was (upgraded|deactivated)/

/** The error of an edit that changes nothing, because it was made before. */
export const isNotModified = (error: unknown): boolean => isBadRequest(error, /message is not modified/)

/** The chat accepts no messages: the user has blocked the bot, or the chat is gone. */
export const isChatClosed = (error: unknown): boolean =>
  (error instanceof GrammyError && error.error_code === 403) || isBadRequest(error, aboutChat)

/** The sum of an invoice is below or above what Telegram takes in its currency. */
export const isAmountRefused = (error: unknown): boolean =>
  isBadRequest(error, /CURRENCY_TOTAL_AMOUNT_INVALID/)

/** The refusal concerns the content (also a voice message to a user who accepts none), not the chat or topic. */
export const isAboutFile = (error: unknown): boolean =>
  error instanceof GrammyError &&
  [400, 413].includes(error.error_code) &&
  !isTopicGone(error) &&
  !isBadRequest(error, aboutChat)

/** The refusal concerns a member of the chat, not the chat: its members may be hidden from the bot. */
export const isAboutMember = (error: unknown): boolean =>
  isBadRequest(error, /./) && !isBadRequest(error, aboutChat)

/** The id of the supergroup that a group has become. */
export const movedTo = (error: unknown): number | undefined =>
  error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined

// The attempts to deliver. Results of orders and answers of text models have the same rules.

export const maxDeliveryAttempts = 12
/** A file is given up after so many downloads that failed in a way that is probably permanent; at the usual pace, after three minutes. */
export const usualTries = 6
/** How often the pause doubles. From 3 s on, the attempts span an hour and a half, as long as an outage of Telegram may last. */
const doublings = 9
/** The first attempt after this time is the last one, since the gateway's links may have expired. */
const deadlineMs = dayMs

interface Deps {
  readonly clock: Pick<Clock, 'now'>
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
  readonly pollIntervalMs: number
}

export interface Attempt {
  /** The number of failed attempts before this one. */
  readonly earlier: number
  /** The time since which there is something to deliver. */
  readonly since: Date
  readonly startedAt: Date
}

interface Attempted {
  /**
   * A pause that Telegram asked for is not an attempt. A delivery that is given up although another attempt might succeed has used up its
   * attempts, also when it is given up because it is late: the operators are told of these (operator/checks.ts).
   */
  readonly attempts: number
  /** When to try again; undefined when no further attempt is made. */
  readonly nextAt: Date | undefined
}

export function afterAttempt(deps: Deps, attempt: Attempt, outcome: DeliveryOutcome): Attempted {
  const isPaused = !outcome.ok && outcome.retry && outcome.afterMs !== undefined
  const attempts = attempt.earlier + (isPaused ? 0 : 1)
  const isOver = isPaused ? isLate(attempt) : isLast(attempt)
  if (outcome.ok || !outcome.retry) return { attempts, nextAt: undefined }
  if (isOver) return { attempts: maxDeliveryAttempts, nextAt: undefined }
  const pauseMs = backoffMs(attempts, deps.pollIntervalMs, deps.random(), outcome.afterMs, doublings)
  return { attempts, nextAt: new Date(deps.clock.now().getTime() + pauseMs) }
}

/** Whether no other attempt follows if this one fails. */
export const isLast = (attempt: Attempt): boolean =>
  attempt.earlier + 1 >= maxDeliveryAttempts || isLate(attempt)

const isLate = ({ since, startedAt }: Attempt): boolean => startedAt.getTime() - since.getTime() > deadlineMs
