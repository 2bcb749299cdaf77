// What Telegram's refusals mean: for the next attempt, for another way to send the same, and for where it is sent.

import { GrammyError } from 'grammy'
import type { DeliveryOutcome } from '../generations/generation.ts'

/** What a failed send means for the next one. What is wrong with us, like a token that was withdrawn, passes. */
export function outcomeOf(error: unknown): DeliveryOutcome {
  if (!(error instanceof GrammyError)) return { ok: false, retry: true }
  const { error_code: code, parameters } = error
  if (code === 429) return { ok: false, retry: true, afterMs: (parameters.retry_after ?? 1) * 1000 }
  return { ok: false, retry: ![400, 403, 413].includes(code) }
}

/** Telegram understood and said no; asking again gets the same answer. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429

const said = (error: unknown, pattern: RegExp): boolean =>
  error instanceof GrammyError && error.error_code === 400 && pattern.test(error.description)

export const isTopicGone = (error: unknown): boolean =>
  said(error, /message thread not found|TOPIC_CLOSED|TOPIC_DELETED/)

const aboutChat =
  /chat not found|PEER_ID_INVALID|CHAT_WRITE_FORBIDDEN|no rights to send a message|group chat was (upgraded|deactivated)/

/** Refused for what it is (also a voice message by who wants none), not for where it goes. */
export const isAboutFile = (error: unknown): boolean =>
  error instanceof GrammyError &&
  [400, 413].includes(error.error_code) &&
  !isTopicGone(error) &&
  !said(error, aboutChat)

/** The supergroup that a group has become. */
export const movedTo = (error: unknown): number | undefined =>
  error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined
