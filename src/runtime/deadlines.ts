// One timer for all deadlines of the same length: for limits of short operations, nearly all of which end long before it. Time is counted
// in ticks of this timer, so neither a correction of the clock nor a pause of the process ends a deadline early.

import type { Clock } from './clock.ts'

export interface Deadlines {
  /** @param missed called when the time is over, up to a second late @returns ends the deadline */
  set(missed: () => void): () => void
}

interface Pending {
  /** The number of the tick that ends it. */
  readonly until: number
  readonly missed: () => void
}

const tickMs = 1000

export function createDeadlines(timer: Pick<Clock, 'wait'>, limitMs: number): Deadlines {
  /** The first to end comes first, since all are as long. */
  const pending = new Set<Pending>()
  const length = Math.ceil(limitMs / tickMs)
  let ticks = 0
  let isTicking = false

  const tick = async () => {
    isTicking = true
    while (pending.size > 0) {
      await timer.wait(tickMs)
      ticks += 1
      for (const one of pending) {
        if (one.until > ticks) break
        pending.delete(one)
        one.missed()
      }
    }
    isTicking = false
  }

  return {
    set(missed) {
      // The part of the current tick that is over does not count.
      const one = { until: ticks + length + (isTicking ? 1 : 0), missed }
      pending.add(one)
      if (!isTicking) void tick()
      return () => void pending.delete(one)
    },
  }
}
