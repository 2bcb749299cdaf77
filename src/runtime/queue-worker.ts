// A worker for a table that is a queue (db/queue.ts): it claims rows under a lease, works on several of them in parallel, and renews their
// leases meanwhile. A nudge makes it claim at once; it also claims every second, for rows that have become due or whose nudge was lost.

import { allSettledWithin, type Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { unlessLost } from './lease-lost.ts'
import { canBeKept, createLeases, leaseMs } from './leases.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

/** The time between two claims without a nudge. */
export const queuePollMs = 1000

export interface Claim {
  readonly lease: string
  readonly now: Date
  /** The maximum of rows during which no process has ended. */
  readonly max: number
  /** The maximum of suspects: rows during which a process has ended or lost its lease. */
  readonly maxSuspects: number
}

interface Claimed {
  /** The claims since the row was released: 1, and one for each process in a row that ended during the work on it. */
  readonly claims: number
}

export interface Queue<Row extends Claimed> {
  claim(claim: Claim): Promise<readonly Row[]>
  /** Undoes the claim under this lease. */
  giveBack(lease: string): Promise<void>
  /** Extends the leases of those rows that are still held. */
  renew(held: readonly Row[], until: Date): Promise<void>
  /** Releases a row whose work has not ended when the process does. */
  release(row: Row): Promise<void>
  /**
   * Finishes the row or puts it off. If the row's lease is lost, no more requests for it are sent to Telegram. After an error, which is
   * logged, the row is claimed again when its lease has expired.
   */
  work(row: Row): Promise<void>
  /** Whether rows were waiting for this one when it was claimed; without it, rows never wait for others. */
  isAwaited?(row: Row): boolean
}

interface Settings {
  /** How many rows this process works on in parallel. */
  readonly slots: number
  /** Log message when a claim or the work on a row fails. */
  readonly failed: string
}

interface Deps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** How long `stop` waits for the rows in progress. */
const stopMs = 20_000
/** A row that ends its process usually does so within this time. */
const suspicionMs = 10_000

export function createQueueWorker<Row extends Claimed>(
  deps: Deps,
  queue: Queue<Row>,
  { slots, failed }: Settings,
): Loop {
  const { clock, ids, log } = deps
  const running = new Map<Promise<void>, Row>()
  const leases = createLeases(deps, queue.renew)
  /** Whether due rows may exist that the last claim did not return because no slot was free. */
  let isMore = false
  let nudges = 0
  /** The suspects that may still end this process: at most one, since otherwise it is unknown which of them ended it. */
  let suspects = 0

  /** @param before the number of nudges before its claim: rows that were announced since then may be waiting for this row */
  const launch = (row: Row, before: number, claimedAt: Date) => {
    const { release, isLost } = leases.keep(row, claimedAt)
    const work = unlessLost(isLost, () => queue.work(row))
      .catch((error: unknown) => log.error({ error }, failed))
      .finally(() => {
        release()
        running.delete(work)
        if (isMore || nudges > before || queue.isAwaited?.(row)) loop.nudge()
      })
    running.set(work, row)
    if (row.claims > 1) void suspect(work)
  }

  const suspect = async (work: Promise<void>) => {
    suspects += 1
    await allSettledWithin([work], clock, suspicionMs)
    suspects -= 1
    loop.nudge()
  }

  /** @returns no rows when the answer came too late to keep the lease */
  const claim = async (claim: Claim): Promise<readonly Row[]> => {
    try {
      const rows = await queue.claim(claim)
      if (canBeKept(new Date(claim.now.getTime() + leaseMs), clock.now())) return rows
    } catch (error) {
      // The statement may have been executed.
      await queue.giveBack(claim.lease).catch(() => undefined)
      throw error
    }
    await queue.giveBack(claim.lease)
    return []
  }

  const pass = async () => {
    const max = slots - running.size
    if (max <= 0) return false
    const before = nudges
    const now = clock.now()
    isMore = true
    const rows = await claim({ lease: ids.next(), now, max, maxSuspects: suspects === 0 ? 1 : 0 })
    isMore = rows.length >= max
    for (const row of rows) launch(row, before, now)
    return false
  }

  const loop = createLoop(deps, { pass, idleMs: queuePollMs, limitMs: leaseMs, failed })
  return {
    start() {
      leases.start()
      loop.start()
    },
    nudge() {
      nudges += 1
      loop.nudge()
    },
    async stop() {
      await loop.stop()
      await allSettledWithin([...running.keys()], clock, stopMs)
      for (const row of running.values()) await queue.release(row)
      await leases.stop()
    },
  }
}
