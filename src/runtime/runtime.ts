// What is not configuration: the world's clock, chance and paper.

import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'

export interface Surroundings {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Log
}
