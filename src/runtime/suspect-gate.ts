// Lets a process work on one suspect row of a queue at a time: one during which other processes have ended. If several were worked on when a
// process ended, it would be unknown which of them ended it.

import { allSettledWithin, type Clock } from './clock.ts'

/** If a row crashes its process, it usually does so within this time. */
const suspicionMs = 10_000

export function createSuspectGate(clock: Clock) {
  let suspects = 0
  return {
    /** How many suspect rows may be claimed. */
    free: () => (suspects === 0 ? 1 : 0),
    /** The row counts as suspect until its work has ended or the process has survived it for a while. */
    async pass(work: Promise<void>): Promise<void> {
      suspects += 1
      await allSettledWithin([work], clock, suspicionMs)
      suspects -= 1
    },
  }
}
