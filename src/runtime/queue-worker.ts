// A worker for a table that is used as a queue: it claims rows under a lease, processes several of them in parallel, and renews their
// leases meanwhile.

import { allSettledWithin, type Clock } from './clock.ts'
import { createLeases, leaseMs } from './leases.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

export interface Queue<Row> {
  /** Claims up to `most` due rows. */
  claim(most: number): Promise<readonly Row[]>
  /** Extends the leases of those rows that are still held. */
  renew(held: readonly Row[], until: Date): Promise<void>
  /** Finishes the row or puts it off. After an error, which is logged, the row is claimed again when its lease has expired. */
  work(row: Row): Promise<void>
  /** Releases a row that is still being processed when the process ends; without it the lease has to expire. */
  handBack?(row: Row): Promise<void>
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

export function createWorker<Row>(deps: Deps, queue: Queue<Row>, { places, idleMs, failed }: Settings): Loop {
  const running = new Map<Promise<void>, Row>()
  const leases = createLeases(deps, queue.renew)

  const launch = (row: Row) => {
    const release = leases.keep(row)
    const work = queue
      .work(row)
      .catch((error: unknown) => deps.log.error({ error }, failed))
      .finally(() => {
        release()
        running.delete(work)
        loop.nudge()
      })
    running.set(work, row)
  }

  const pass = async () => {
    const free = places - running.size
    const claimed = free > 0 ? await queue.claim(free) : []
    for (const row of claimed) launch(row)
    return claimed.length > 0
  }

  const loop = createLoop(deps, { pass, idleMs, limitMs: leaseMs, failed })
  return {
    start() {
      leases.start()
      loop.start()
    },
    nudge: loop.nudge,
    async stop() {
      await loop.stop()
      await allSettledWithin([...running.keys()], deps.clock, stopMs)
      for (const row of running.values()) await queue.handBack?.(row)
      await leases.stop()
    },
  }
}
