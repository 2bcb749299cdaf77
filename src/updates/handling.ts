// Handles the updates in the inbox: in order within a lane, otherwise in parallel. An update during which a process ended is tried by
// another process, but not a third time. The lane of a hung handler is released after a while.

import type { Update } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { queuePollMs, renewLeases } from '../db/leased-queue.ts'
import { throughOutages } from '../db/outage.ts'
import { updates } from '../db/schema.ts'
import type { Handled, UpdateMetrics } from '../metrics.ts'
import { doubledMs } from '../runtime/back-off.ts'
import type { Clock } from '../runtime/clock.ts'
import { createDeadlines, type Deadlines } from '../runtime/deadlines.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { createQueueWorker, type Queue } from '../runtime/queue-worker.ts'
import { createSuspectGate } from '../runtime/suspect-gate.ts'
import { within } from '../runtime/trace.ts'
import { pauseAsked } from '../telegram/errors.ts'
import { type ClaimedUpdate, claimUpdates } from './claim.ts'
import { finishUpdate, putOff, setAside } from './inbox.ts'
import { isAboutMoney } from './lanes.ts'
import { gatherParts, mayGoOn, momentMs } from './split-texts.ts'
import { createStoredUpdates } from './stored-updates.ts'

interface HandlingDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: { readonly updates: UpdateMetrics }
  /** Handles an update. It throws only temporary errors, and is then called again with the same update. */
  readonly handle: (update: Update, attempts: number) => Promise<void>
  /** Tells the other processes that updates are waiting. */
  readonly tellOthers: () => void
}

export interface Handling extends Loop {
  /** Claims updates that this process has just stored, or tells the other processes if it cannot claim all of them. */
  take(fresh: readonly Update[]): void
}

/** How many updates this process handles at the same time. */
const updatePlaces = 256
/** The time after which a handler counts as hung; longer than the time limit of any call to Telegram. */
export const hangMs = 200_000
/**
 * After `attempts` failures an update is given up; after `abandoned` processes that ended during it, it is set aside. A payment is tried
 * for about a day: it contains no file or text to process, so it is an unlikely cause of a crash.
 */
export const updateLimits = { money: { attempts: 300, abandoned: 10 }, other: { attempts: 10, abandoned: 2 } }

export function createHandling(deps: HandlingDeps): Handling {
  const { db, clock } = deps
  let isRunning = false
  const stored = createStoredUpdates(deps.tellOthers)
  const suspects = createSuspectGate(clock)
  const stopping = new AbortController()

  const worked = { ...deps, hanging: createDeadlines(clock, hangMs) }

  const queue: Queue<ClaimedUpdate> = {
    claim: (most) => stored.claim(() => claimUpdates(deps, { fresh: most, suspect: suspects.free() })),
    full: stored.leaveToOthers,
    renew: (held, until) => renewLeases(db, updates, held, until),
    work(claimed) {
      const work = within({ update: claimed.id }, () => handleWhole(worked, claimed))
      if (claimed.abandoned > 0) void suspects.pass(work).then(worker.nudge)
      return work.finally(() => stored.ended(claimed.id))
    },
    release: (claimed) => putOff(deps, claimed, 0),
    isAwaited: ({ isAwaited }) => isAwaited,
  }
  const worker = createQueueWorker(deps, queue, {
    places: updatePlaces,
    idleMs: queuePollMs,
    failed: 'updates cannot be claimed',
  })
  return {
    start() {
      isRunning = true
      worker.start()
    },
    nudge: worker.nudge,
    take(fresh) {
      if (!isRunning) return deps.tellOthers()
      const isLeft = stored.add(fresh)
      if (fresh.some(mayGoOn)) void clock.wait(momentMs, stopping.signal).then(worker.nudge)
      if (isLeft) worker.nudge()
    },
    async stop() {
      isRunning = false
      stopping.abort('stopped')
      await worker.stop()
      stored.leaveToOthers()
    },
  }
}

interface Work extends HandlingDeps {
  readonly hanging: Deadlines
}

/** Handles an update; a text that the client has split is handled as one. */
async function handleWhole(deps: Work, claimed: ClaimedUpdate): Promise<void> {
  const gathered = await gatherParts(deps, claimed).catch(async (error: unknown) => {
    deps.log.warn({ update: claimed.id, error }, 'parts of a text not joined')
    await release(deps, claimed, updatePauseMs(claimed.attempts))
    return { ok: false, waitMs: undefined } as const
  })
  if (gathered.ok) return handleOne(deps, { ...claimed, update: gathered.update })
  if (gathered.waitMs === undefined) return
  // A wait for a part is no attempt: there are as many waits as parts.
  await release(deps, { ...claimed, attempts: claimed.attempts - 1 }, gathered.waitMs)
}

/** Puts an update off. If its lease expired instead, the process would count as ended. */
const release = (deps: Work, claimed: ClaimedUpdate, pauseMs: number): Promise<void> =>
  throughOutages(deps, () => putOff(deps, claimed, pauseMs)).catch((error: unknown) =>
    deps.log.error({ update: claimed.id, error }, 'update cannot be put off'),
  )

async function handleOne(deps: Work, claimed: ClaimedUpdate): Promise<void> {
  const { log, clock, metrics } = deps
  const { id, attempts, receivedAt } = claimed
  log.debug({ update: id, what: kindOf(claimed.update), attempts }, 'update begins')
  const count = (outcome: Handled) => {
    const ms = clock.now().getTime() - receivedAt.getTime()
    metrics.updates.handled(outcome, ms)
    log.debug({ update: id, outcome, ms }, 'update ended')
  }
  try {
    count(await attempt(deps, claimed))
  } catch (error) {
    count('failed')
    log.warn({ update: id, attempts, error }, 'update put off')
    await release(
      deps,
      claimed,
      Math.max(updatePauseMs(attempts), Math.min(pauseAsked(error), longestPauseMs)),
    )
  }
}

/** The name of the update's content field: `message`, `callback_query` … */
export const kindOf = (update: Update): string =>
  Object.keys(update).find((name) => name !== 'update_id') ?? 'unknown'

async function attempt(deps: Work, claimed: ClaimedUpdate): Promise<Handled> {
  const { id, update, attempts, abandoned } = claimed
  const facts = { update: id, attempts, abandoned }
  const most = isAboutMoney(update) ? updateLimits.money : updateLimits.other
  if (abandoned >= most.abandoned) {
    deps.log.error(facts, 'update set aside: the processes that handled it ended')
    await throughOutages(deps, () => setAside(deps, claimed))
    return 'set-aside'
  }
  const isHopeless = attempts > most.attempts
  if (isHopeless) deps.log.error(facts, 'update given up')
  else await inTime(deps, claimed)
  await throughOutages(deps, () => finishUpdate(deps, claimed))
  return isHopeless ? 'given-up' : 'done'
}

const longestPauseMs = 5 * 60_000

/** The pause before the next attempt: 1, 2, 4 … seconds, up to five minutes. */
export const updatePauseMs = (attempts: number): number => doubledMs(1000, attempts - 1, longestPauseMs)

/** Handles an update within the time limit. A hung handler keeps running; only its lane is released. */
async function inTime({ handle, hanging, log }: Work, { update, attempts }: ClaimedUpdate): Promise<void> {
  const hangs = Promise.withResolvers<'hangs'>()
  const ended = hanging.set(() => hangs.resolve('hangs'))
  const outcome = await Promise.race([handle(update, attempts), hangs.promise]).finally(ended)
  if (outcome !== 'hangs') return
  log.error({ update: update.update_id }, 'handler hangs')
  if (isAboutMoney(update)) throw new Error('a payment was not handled in time')
}
