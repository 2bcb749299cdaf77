// Takes rows of a table that is used as a queue: claims them under a lease, works on several side by side, and renews the lease
// of each for as long as it is worked on.

import { allSettledWithin } from './all-settled-within.ts'
import type { Clock } from './clock.ts'
import { createLeases, leaseMs } from './leases.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

export interface Queue<Row> {
  /** Takes rows that are due, at most so many. */
  claim(most: number): Promise<readonly Row[]>
  leaseOf(row: Row): string
  renew(leases: readonly string[], until: Date): Promise<void>
  /** Ends with the row finished or put off. What it throws is logged, and the row is claimed again when its lease has ended. */
  work(row: Row): Promise<void>
}

interface Settings {
  /** Of rows at work at once in this process. */
  readonly places: number
  /** Between two looks at the table when nothing is nudged. */
  readonly idleMs: number
  /** What the log says of rows that cannot be claimed, or worked on. */
  readonly failed: string
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

/** How long a worker that stops waits for what is under way. */
const stopMs = 20_000

export function createWorker<Row>(deps: Deps, queue: Queue<Row>, { places, idleMs, failed }: Settings): Loop {
  const running = new Set<Promise<void>>()
  const leases = createLeases(deps, queue.renew)

  const launch = (row: Row) => {
    const release = leases.keep(queue.leaseOf(row))
    const working = queue
      .work(row)
      .catch((error: unknown) => deps.log.error({ error }, failed))
      .finally(() => {
        release()
        running.delete(working)
        loop.nudge()
      })
    running.add(working)
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
      await allSettledWithin([...running], deps.clock, stopMs)
      await leases.stop()
    },
  }
}
