// Lets a process handle one suspect update at a time: one during which another process has ended.

import { allSettledWithin, type Clock } from '../runtime/clock.ts'

/** If an update crashes its process, it does so within this time. */
const suspicionMs = 10_000

export function createSuspectGate(clock: Clock) {
  let suspects = 0
  return {
    /** How many suspect updates may be claimed. */
    free: () => (suspects === 0 ? 1 : 0),
    /** The update counts as suspect until it is handled or the process has survived it for a while. */
    async pass(work: Promise<void>): Promise<void> {
      suspects += 1
      await allSettledWithin([work], clock, suspicionMs)
      suspects -= 1
    },
  }
}
