// What has ended, put into the chat: again and again, until it is there or can not be.

import { throughOutages } from '../db/outage.ts'
import type { DeliveryOutcome, Generation } from '../generations/generation.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { backoffMs, deliveryDoublings, maxDeliveryAttempts } from '../tracker/pace.ts'
import { handBack } from '../tracker/queue.ts'
import type { StepDeps } from '../tracker/step-deps.ts'

/** The gateway's links die then, and nobody waits any more. */
const deadlineMs = 24 * 60 * 60_000
/** What a look had to say is old now, and should be out of the way; if it comes later all the same, it shows the newest again. */
const quietMs = 3000

export async function deliver(deps: StepDeps, generation: Generation): Promise<void> {
  await allSettledWithin([deps.shows.quiet(generation.id)], deps.clock, quietMs)
  const outcome = await deps.messenger.deliver(generation)
  // Being told to wait is no failed attempt.
  const isAsked = !outcome.ok && outcome.retry && outcome.afterMs !== undefined
  const attempts = generation.attempts + (isAsked ? 0 : 1)
  const nextCheckAt = nextAttempt(deps, { ...generation, attempts }, outcome)
  if (!nextCheckAt) return end(deps, generation, outcome.ok ? 'delivered' : 'undeliverable', attempts)
  const later = await throughOutages(deps, () => handBack(deps, generation, { attempts, nextCheckAt }))
  if (later) deps.metrics.orders.delivered('later', sinceMs(deps, generation))
}

async function end(
  deps: StepDeps,
  generation: Generation,
  delivery: 'delivered' | 'undeliverable',
  attempts: number,
): Promise<void> {
  const deliveredAt = delivery === 'delivered' ? deps.clock.now() : null
  const change = { delivery, deliveredAt, attempts, nextCheckAt: null }
  const done = await throughOutages(deps, () => handBack(deps, generation, change))
  if (!done) return
  deps.log.info({ generation: generation.id, delivery, attempts }, 'delivery ended')
  deps.metrics.orders.delivered(delivery, sinceMs(deps, generation))
  await deps.messenger.show(done)
}

const sinceMs = ({ clock }: StepDeps, { settledAt, createdAt }: Generation): number =>
  clock.now().getTime() - (settledAt ?? createdAt).getTime()

/** Undefined when there is none. */
function nextAttempt(deps: StepDeps, generation: Generation, outcome: DeliveryOutcome): Date | undefined {
  const { attempts } = generation
  if (outcome.ok || !outcome.retry || attempts >= maxDeliveryAttempts) return undefined
  const { pollIntervalMs, random } = deps
  const pauseMs = backoffMs(attempts, pollIntervalMs, random(), outcome.afterMs, deliveryDoublings)
  const isLate = sinceMs(deps, generation) + pauseMs > deadlineMs
  return isLate ? undefined : new Date(deps.clock.now().getTime() + pauseMs)
}
