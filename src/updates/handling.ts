// Handles what is in the inbox: in order within a lane, side by side otherwise. What a process had begun when it ended is begun
// again by another, but not a third time; what hangs loses its lane after a while, so that its chat goes on.

import type { Update } from 'grammy/types'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/client.ts'
import type { Ids } from '../ids.ts'
import { createLeases, leaseMs } from '../leases.ts'
import type { Log } from '../log.ts'
import { createLoop, type Loop } from '../loop.ts'
import type { Handled, UpdateMetrics } from '../metrics.ts'
import { settled } from '../settled.ts'
import { within } from '../trace.ts'
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
/** A report of money is tried for about a day. */
const mostAttempts = { money: 300, other: 10 }
/** An update with which so many processes have ended is not handled again. */
const mostAbandoned = 2
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
    await settled([work], clock, suspicionMs)
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
      await settled([...running.keys()], clock, patienceMs)
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
    await putOff(deps, claimed, pauseMs(attempts)).catch((failed: unknown) =>
      log.error({ update: update.update_id, error: failed }, 'update cannot be put off'),
    )
  }
}

async function attempt(deps: HandlingDeps, claimed: Claimed): Promise<Handled> {
  const { update, attempts, abandoned } = claimed
  const facts = { update: update.update_id, attempts, abandoned }
  if (abandoned >= mostAbandoned) {
    deps.log.error(facts, 'update set aside: the processes that handled it ended')
    await setAside(deps, claimed)
    return 'set-aside'
  }
  const isHopeless = attempts > mostAttemptsOf(update)
  if (isHopeless) deps.log.error(facts, 'update given up')
  else await inTime(deps, update)
  await finishUpdate(deps, claimed)
  return isHopeless ? 'given-up' : 'done'
}

const mostAttemptsOf = (update: Update): number =>
  isAboutMoney(update) ? mostAttempts.money : mostAttempts.other

/** 1, 2, 4 … seconds, at most five minutes. */
const pauseMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 5 * 60_000)

/** A hung handler keeps running; only its lane is released. */
async function inTime({ clock, handle, log }: HandlingDeps, update: Update): Promise<void> {
  const work = handle(update)
  if (await settled([work], clock, hangMs)) return work
  log.error({ update: update.update_id }, 'handler hangs')
  if (isAboutMoney(update)) throw new Error('the report of a payment was not handled in time')
}
