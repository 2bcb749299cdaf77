// Handles the updates in the inbox: in order within a lane, otherwise in parallel. An update whose process ended is tried by another
// process, but not a third time. The lane of a hung handler is released after a while.

import type { Update } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { queueIdleMs as idleMs, type QueueLoop } from '../db/due-watch.ts'
import { renewLeases } from '../db/leased-queue.ts'
import { throughOutages } from '../db/outage.ts'
import { updates } from '../db/schema.ts'
import type { Handled, UpdateMetrics } from '../metrics.ts'
import { allSettledWithin, type Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { createWorker, type Queue } from '../runtime/queue-worker.ts'
import { within } from '../runtime/trace.ts'
import { type Claimed, claimUpdates, finishUpdate, nextUpdateDue, putOff, setAside } from './inbox.ts'
import { isAboutMoney } from './lanes.ts'

interface HandlingDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: { readonly updates: UpdateMetrics }
  /** Throws only temporary errors; it is then called again with the same update. */
  readonly handle: (update: Update) => Promise<void>
}

const places = 64
/** Longer than the time limit of any call to Telegram. */
const hangMs = 200_000
/**
 * After `attempts` failures an update is given up; after `abandoned` processes that ended during it, it is set aside. A payment is tried
 * for about a day: it contains no file or text to process, so it is an unlikely cause of a crash.
 */
const limits = { money: { attempts: 300, abandoned: 10 }, other: { attempts: 10, abandoned: 2 } }
/** An update that crashes its process does so within this time. */
const suspicionMs = 10_000

export function createHandling(deps: HandlingDeps): QueueLoop {
  const { db, clock } = deps
  let suspects = 0

  /** The update counts as suspect until it is handled or the process has survived it for a while. */
  const suspect = async (work: Promise<void>) => {
    suspects += 1
    await allSettledWithin([work], clock, suspicionMs)
    suspects -= 1
    worker.nudge()
  }

  const queue: Queue<Claimed> = {
    claim: (most) => claimUpdates(deps, { fresh: most, suspect: suspects === 0 ? 1 : 0 }),
    renew: (held, until) => renewLeases(db, updates, held, until),
    work(claimed) {
      const work = within({ update: claimed.id }, () => handleOne(deps, claimed))
      if (claimed.abandoned > 0) void suspect(work)
      return work
    },
    handBack: (claimed) => putOff(deps, claimed, 0),
  }
  const worker = createWorker(deps, queue, { places, idleMs, failed: 'updates cannot be claimed' })
  return { ...worker, nextDue: nextUpdateDue }
}

async function handleOne(deps: HandlingDeps, claimed: Claimed): Promise<void> {
  const { log, clock, metrics } = deps
  const { id, attempts, receivedAt } = claimed
  const count = (outcome: Handled) =>
    metrics.updates.handled(outcome, clock.now().getTime() - receivedAt.getTime())
  try {
    count(await attempt(deps, claimed))
  } catch (error) {
    count('failed')
    log.warn({ update: id, attempts, error }, 'update put off')
    // If the lease merely expired, the process would count as ended.
    await throughOutages(deps, () => putOff(deps, claimed, pauseMs(attempts))).catch((failed: unknown) =>
      log.error({ update: id, error: failed }, 'update cannot be put off'),
    )
  }
}

async function attempt(deps: HandlingDeps, claimed: Claimed): Promise<Handled> {
  const { id, update, attempts, abandoned } = claimed
  const facts = { update: id, attempts, abandoned }
  const most = isAboutMoney(update) ? limits.money : limits.other
  if (abandoned >= most.abandoned) {
    deps.log.error(facts, 'update set aside: the processes that handled it ended')
    await throughOutages(deps, () => setAside(deps, claimed))
    return 'set-aside'
  }
  const isHopeless = attempts > most.attempts
  if (isHopeless) deps.log.error(facts, 'update given up')
  else await inTime(deps, update)
  await throughOutages(deps, () => finishUpdate(deps, claimed))
  return isHopeless ? 'given-up' : 'done'
}

/** 1, 2, 4 … seconds, up to five minutes. */
const pauseMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 5 * 60_000)

/** A hung handler keeps running; only its lane is released. */
async function inTime({ clock, handle, log }: HandlingDeps, update: Update): Promise<void> {
  const work = handle(update)
  if (await allSettledWithin([work], clock, hangMs)) return work
  log.error({ update: update.update_id }, 'handler hangs')
  if (isAboutMoney(update)) throw new Error('a payment was not handled in time')
}
