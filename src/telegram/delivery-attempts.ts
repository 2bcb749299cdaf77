// The number and the times of the attempts to deliver into a chat. Results of orders and answers of text models have the same rules.

import { backoffMs } from '../runtime/back-off.ts'
import type { Clock } from '../runtime/clock.ts'
import { dayMs } from '../runtime/durations.ts'
import type { DeliveryOutcome } from './errors.ts'

export const maxDeliveryAttempts = 12
/** How often the pause doubles. From 3 s on, the attempts span an hour and a half, as long as an outage of Telegram may last. */
const doublings = 9
/** A delivery ends after this time, since the gateway's links may have expired. */
const deadlineMs = dayMs

interface Deps {
  readonly clock: Pick<Clock, 'now'>
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
  readonly pollIntervalMs: number
}

interface Delivery {
  /** Failed attempts before this one. */
  readonly attempts: number
  /** The time since which there is something to deliver. */
  readonly since: Date
}

interface Attempted {
  /** A pause that Telegram asked for is not an attempt. */
  readonly attempts: number
  /** When to try again; undefined when no further attempt is made. */
  readonly nextAt: Date | undefined
}

export function afterAttempt(deps: Deps, delivery: Delivery, outcome: DeliveryOutcome): Attempted {
  const isPaused = !outcome.ok && outcome.retry && outcome.afterMs !== undefined
  const attempts = delivery.attempts + (isPaused ? 0 : 1)
  if (outcome.ok || !outcome.retry || attempts >= maxDeliveryAttempts) return { attempts, nextAt: undefined }
  const pauseMs = backoffMs(attempts, deps.pollIntervalMs, deps.random(), outcome.afterMs, doublings)
  const at = deps.clock.now().getTime() + pauseMs
  const isLate = at - delivery.since.getTime() > deadlineMs
  return { attempts, nextAt: isLate ? undefined : new Date(at) }
}
