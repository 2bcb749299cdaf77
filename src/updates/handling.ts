// Handles what is in the inbox: in order within a lane, side by side otherwise. What a process had begun when it ended is begun
// again by another, but not a third time; what hangs loses its lane after a while, so that its chat goes on.

import type { Update } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { throughOutages } from '../db/through-outages.ts'
import type { Handled, UpdateMetrics } from '../metrics.ts'
import { allSettledWithin } from '../runtime/all-settled-within.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { createLeases, leaseMs } from '../runtime/leases.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { within } from '../runtime/trace.ts'
import { type Claimed, claimUpdates, finishUpdate, putOff, renewUpdates, setAside } from './inbox.ts'
import { isAboutMoney } from './lanes.ts'

export interface HandlingDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: { readonly updates: UpdateMetrics }
  /** Throws only what may pass by itself: it is then called again with the same update. */
  readonly handle: (update: Update) => Promise<void>
}

const mostAtOnce = 64
/** Above the time limit of any one call to Telegram. */
const hangMs = 200_000
/** How long an ending process waits for handlers. */
const patienceMs = 20_000
const idleMs = 1000
/**
 * How often an update is tried, and with how many processes that ended: then it is set aside. A report of money is tried for about
 * a day; nothing that somebody sent is opened for it, so the end of a process is most likely not its doing.
 */
const limits = { money: { attempts: 300, abandoned: 10 }, other: { attempts: 10, abandoned: 2 } }
/** What would end its process has done so within this time. */
const suspicionMs = 10_000

export function createHandling(deps: HandlingDeps): Loop {
  const { db, clock } = deps
  const running = new Map<Promise<void>, Claimed>()
  const leases = createLeases(deps, (held, until) => renewUpdates(db, held, until))
  let suspects = 0

  /** @returns when the process has survived it, or it is done */
  const suspect = async (work: Promise<void>) => {
    suspects += 1
    await allSettledWithin([work], clock, suspicionMs)
    suspects -= 1
    loop.nudge()
  }

  const launch = (claimed: Claimed) => {
    const release = leases.keep(claimed.lease)
    const work = within({ update: claimed.update.update_id }, () => handleOne(deps, claimed)).finally(() => {
      release()
      running.delete(work)
      loop.nudge()
    })
    running.set(work, claimed)
    if (claimed.abandoned > 0) void suspect(work)
  }

  const pass = async () => {
    const fresh = mostAtOnce - running.size
    const places = { fresh, suspect: suspects === 0 ? 1 : 0 }
    const claimed = fresh > 0 ? await claimUpdates(deps, places) : []
    for (const one of claimed) launch(one)
    return claimed.length > 0
  }

  const loop = createLoop(deps, { pass, idleMs, limitMs: leaseMs, failed: 'updates can not be claimed' })
  return {
    start() {
      leases.start()
      loop.start()
    },
    nudge: loop.nudge,
    async stop() {
      await loop.stop()
      await allSettledWithin([...running.keys()], clock, patienceMs)
      for (const claimed of running.values()) await putOff(deps, claimed, 0)
      await leases.stop()
    },
  }
}

async function handleOne(deps: HandlingDeps, claimed: Claimed): Promise<void> {
  const { log, clock, metrics } = deps
  const { update, attempts, receivedAt } = claimed
  const count = (outcome: Handled) =>
    metrics.updates.handled(outcome, clock.now().getTime() - receivedAt.getTime())
  try {
    count(await attempt(deps, claimed))
  } catch (error) {
    count('failed')
    log.warn({ update: update.update_id, attempts, error }, 'update put off')
    // A lease that only ends would look like the end of this process.
    await throughOutages(deps, () => putOff(deps, claimed, pauseMs(attempts))).catch((failed: unknown) =>
      log.error({ update: update.update_id, error: failed }, 'update cannot be put off'),
    )
  }
}

async function attempt(deps: HandlingDeps, claimed: Claimed): Promise<Handled> {
  const { update, attempts, abandoned } = claimed
  const facts = { update: update.update_id, attempts, abandoned }
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

/** 1, 2, 4 … seconds, at most five minutes. */
const pauseMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 5 * 60_000)

/** A hung handler keeps running; only its lane is released. */
async function inTime({ clock, handle, log }: HandlingDeps, update: Update): Promise<void> {
  const work = handle(update)
  if (await allSettledWithin([work], clock, hangMs)) return work
  log.error({ update: update.update_id }, 'handler hangs')
  if (isAboutMoney(update)) throw new Error('the report of a payment was not handled in time')
}
