// The number and the times of the attempts to deliver into a chat. Results of orders and answers of text models have the same rules.

import { backoffMs, type Clock, dayMs } from '../runtime/clock.ts'
import type { DeliveryOutcome } from './errors.ts'

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
