// A worker for a table that is used as a queue: it claims rows under a lease, processes several of them in parallel, and renews their
// leases meanwhile.

import { allSettledWithin, type Clock } from './clock.ts'
import { unlessLost } from './lease-lost.ts'
import { createLeases, leaseMs } from './leases.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

export interface Queue<Row> {
  /** Claims due rows, up to `most`; returns fewer only if no others could be claimed. */
  claim(most: number): Promise<readonly Row[]>
  /** Called instead of `claim` while the most allowed rows are in progress. */
  full?(): void
  /** Extends the leases of those rows that are still held. */
  renew(held: readonly Row[], until: Date): Promise<void>
  /**
   * Finishes the row or puts it off. If the row's lease is lost, no more requests for it are sent to Telegram. After an error, which is
   * logged, the row is claimed again when its lease has expired.
   */
  work(row: Row): Promise<void>
  /** Releases a row that is still being processed when the process ends; without it the lease has to expire. */
  release?(row: Row): Promise<void>
  /** Whether rows were waiting for this one when it was claimed; without it, rows never wait for others. */
  isAwaited?(row: Row): boolean
}

interface Settings {
  /** How many rows this process works on in parallel. */
  readonly places: number
  /** Time between two claims when there is no nudge. */
  readonly idleMs: number
  /** Log message when a claim or the work on a row fails. */
  readonly failed: string
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

/** How long `stop` waits for the rows in progress. */
const stopMs = 20_000

export function createQueueWorker<Row>(
  deps: Deps,
  queue: Queue<Row>,
  { places, idleMs, failed }: Settings,
): Loop {
  const running = new Map<Promise<void>, Row>()
  const leases = createLeases(deps, queue.renew)
  /** Whether due rows may exist that the last claim did not return because no place was free. */
  let isMore = false
  let nudges = 0

  /** @param before the number of nudges before its claim: rows that were announced since then may be waiting for this row */
  const launch = (row: Row, before: number, claimedAt: Date) => {
    const { release, isLost } = leases.keep(row, claimedAt)
    const work = unlessLost(isLost, () => queue.work(row))
      .catch((error: unknown) => deps.log.error({ error }, failed))
      .finally(() => {
        release()
        running.delete(work)
        if (isMore || nudges > before || queue.isAwaited?.(row)) loop.nudge()
      })
    running.set(work, row)
  }

  const take = async (free: number) => {
    const before = nudges
    const claimedAt = deps.clock.now()
    isMore = true
    const claimed = await queue.claim(free)
    isMore = claimed.length >= free
    for (const row of claimed) launch(row, before, claimedAt)
  }

  const pass = async () => {
    const free = places - running.size
    if (free > 0) await take(free)
    else queue.full?.()
    return false
  }

  const loop = createLoop(deps, { pass, idleMs, limitMs: leaseMs, failed })
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
      await allSettledWithin([...running.keys()], deps.clock, stopMs)
      for (const row of running.values()) await queue.release?.(row)
      await leases.stop()
    },
  }
}
