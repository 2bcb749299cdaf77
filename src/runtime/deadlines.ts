// One timer for all deadlines of the same length, for time limits of short operations, nearly all of which end long before the limit. Time
// is counted in ticks of this timer, so neither a correction of the clock nor a pause of the process ends a deadline early.

import type { Clock } from './clock.ts'

export interface Deadlines {
  /** @param missed called when the time is over, up to a second late @returns a function that ends the deadline */
  set(missed: () => void): () => void
}

interface Pending {
  /** The number of the tick at which the deadline is missed. */
  readonly until: number
  readonly missed: () => void
}

const tickMs = 1000

export function createDeadlines(timer: Pick<Clock, 'wait'>, limitMs: number): Deadlines {
  /** Deadlines in the order in which they end, since all have the same length. */
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
      // The past part of the current tick does not count.
      const one = { until: ticks + length + (isTicking ? 1 : 0), missed }
      pending.add(one)
      if (!isTicking) void tick()
      return () => void pending.delete(one)
    },
  }
}
