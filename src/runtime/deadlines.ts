// One timer for all deadlines of the same length: for limits of short operations, nearly all of which end long before it.

import type { Clock } from './clock.ts'

export interface Deadlines {
  /** @param missed called when the time is over, up to a second late @returns ends the deadline */
  set(missed: () => void): () => void
}

interface Pending {
  readonly until: number
  readonly missed: () => void
}

const tickMs = 1000

export function createDeadlines(clock: Clock, limitMs: number): Deadlines {
  /** The first to end comes first, since all are as long. */
  const pending = new Set<Pending>()
  let isTicking = false

  const tick = async () => {
    isTicking = true
    while (pending.size > 0) {
      await clock.wait(tickMs)
      const now = clock.now().getTime()
      for (const one of pending) {
        if (one.until > now) break
        pending.delete(one)
        one.missed()
      }
    }
    isTicking = false
  }

  return {
    set(missed) {
      const one = { until: clock.now().getTime() + limitMs, missed }
      pending.add(one)
      if (!isTicking) void tick()
      return () => void pending.delete(one)
    },
  }
}
