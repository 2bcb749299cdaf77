// Claims of rows of a queue, as its worker makes them.

import type { Clock } from '../../../src/runtime/clock.ts'
import type { Ids } from '../../../src/runtime/ids.ts'
import type { Claim } from '../../../src/runtime/queue-worker.ts'

interface Deps {
  readonly clock: Clock
  readonly ids: Ids
}

/** A claim that is made now, under a lease of its own. */
export const claimNow = ({ clock, ids }: Deps, max = 10, maxSuspects = 1): Claim => ({
  lease: ids.next(),
  now: clock.now(),
  max,
  maxSuspects,
})
