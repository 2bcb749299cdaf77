// The dependencies of every part of a process besides the configuration: time, ids, randomness and the log.

import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'

export interface Runtime {
  readonly clock: Clock
  readonly ids: Ids
  /** A random number x, 0 ≤ x < 1. */
  readonly random: () => number
  readonly log: Log
}
