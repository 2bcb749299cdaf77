// Handles the updates in the inbox: in order within a lane, otherwise in parallel. An update during which a process ended is tried by
// another process, but not a third time. The lane of a hung handler is released after a while.

import type { Update } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { throughOutages } from '../db/outage.ts'
import type { Handled, UpdateMetrics } from '../metrics.ts'
import { allSettledWithin, type Clock, doubledMs } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { type Log, within } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { createQueueWorker, type Queue } from '../runtime/queue-worker.ts'
import { pauseAsked } from '../telegram/send.ts'
import {
  type ClaimedUpdate,
  claimUpdates,
  finishUpdate,
  isAboutMoney,
  putOff,
  setAside,
  updateLeases,
} from './inbox.ts'
import { gatherParts } from './split-texts.ts'

interface HandlingDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: { readonly updates: UpdateMetrics }
  /** Handles an update. It throws only temporary errors, and is then called again with the same update. */
  readonly handle: (update: Update, attempts: number) => Promise<void>
}

/** How many updates this process handles at the same time. */
const slots = 256
/** The time after which a handler counts as hung; longer than the time limit of any call to Telegram. */
const hangMs = 200_000
/**
 * After `attempts` failures an update is given up; when that many `claims` in a row ended with their processes, it is set aside. A payment
 * is tried for about a day: it contains no file or text to process, so it is an unlikely cause of a crash.
 */
export const updateLimits = { money: { attempts: 300, claims: 10 }, other: { attempts: 10, claims: 2 } }

export function createHandling(deps: HandlingDeps): Loop {
  const queue: Queue<ClaimedUpdate> = {
    ...updateLeases(deps.db),
    claim: (claim) => claimUpdates(deps.db, claim),
    work: (claimed) => within({ update: claimed.id }, () => handleClaimed(deps, claimed)),
  }
  return createQueueWorker(deps, queue, { slots, failed: 'updates cannot be claimed' })
}

/** Puts an update off. If its lease expired instead, the process would count as ended. */
const release = (deps: HandlingDeps, claimed: ClaimedUpdate, pauseMs: number): Promise<void> =>
  throughOutages(deps, () => putOff(deps, claimed, pauseMs)).catch((error: unknown) =>
    deps.log.error({ update: claimed.id, error }, 'update cannot be put off'),
  )

/** Puts an update off after a failed attempt. @param askedMs the pause that was asked for */
function retry(deps: HandlingDeps, claimed: ClaimedUpdate, askedMs: number): Promise<void> {
  const attempts = claimed.attempts + 1
  const pauseMs = Math.max(updatePauseMs(attempts), Math.min(askedMs, longestPauseMs))
  return release(deps, { ...claimed, attempts }, pauseMs)
}

async function handleClaimed(deps: HandlingDeps, claimed: ClaimedUpdate): Promise<void> {
  const { log, clock, metrics } = deps
  const { id, attempts, receivedAt } = claimed
  log.debug({ update: id, what: kindOf(claimed.update), attempts }, 'update begins')
  const outcome = await handleWhole(deps, claimed).catch(async (error: unknown) => {
    log.warn({ update: id, attempts, error }, 'update put off')
    await retry(deps, claimed, pauseAsked(error))
    return 'failed' as const
  })
  log.debug({ update: id, outcome }, 'update ended')
  if (outcome) metrics.updates.handled(outcome, clock.now().getTime() - receivedAt.getTime())
}

/** Handles an update; a text that the client has split is handled as one. @returns undefined while a part of it is missing */
async function handleWhole(deps: HandlingDeps, claimed: ClaimedUpdate): Promise<Handled | undefined> {
  const gathered = await gatherParts(deps, claimed)
  if (!gathered.ok) {
    // A wait for a part is no failed attempt: there are as many waits as parts.
    if (gathered.waitMs !== undefined) await release(deps, claimed, gathered.waitMs)
    return undefined
  }
  const outcome = await attempt(deps, { ...claimed, update: gathered.update })
  const end = outcome === 'set-aside' ? setAside : finishUpdate
  await throughOutages(deps, () => end(deps, claimed))
  return outcome
}

/** The name of the update's content field: `message`, `callback_query` … */
export function kindOf({ update_id: _, ...content }: Update): string {
  const [kind = 'unknown'] = Object.keys(content)
  return kind
}

async function attempt(deps: HandlingDeps, claimed: ClaimedUpdate): Promise<Handled> {
  const { id, update, attempts, claims } = claimed
  const facts = { update: id, attempts, claims }
  const limits = isAboutMoney(update) ? updateLimits.money : updateLimits.other
  if (claims > limits.claims) {
    deps.log.error(facts, 'update set aside: the processes that handled it ended')
    return 'set-aside'
  }
  if (attempts >= limits.attempts) {
    deps.log.error(facts, 'update given up')
    return 'given-up'
  }
  await inTime(deps, claimed)
  return 'done'
}

const longestPauseMs = 5 * 60_000

/** The pause after that many failed attempts: 1, 2, 4 … seconds, up to five minutes. */
const updatePauseMs = (attempts: number): number => doubledMs(1000, attempts - 1, longestPauseMs)

/** Handles an update within the time limit. A hung handler keeps running; only its lane is released. */
async function inTime(
  { handle, clock, log }: HandlingDeps,
  { update, attempts }: ClaimedUpdate,
): Promise<void> {
  const handled = handle(update, attempts + 1)
  if (await allSettledWithin([handled], clock, hangMs)) return handled
  log.error({ update: update.update_id }, 'handler hangs')
  if (isAboutMoney(update)) throw new Error('a payment was not handled in time')
}
