// A benchmark measures something that the app does against a minimal program that does the same, in one run. Only the ratio of the two
// is kept, since absolute times depend on the machine.

import type { Launcher } from './machine/launcher.ts'
import type { Server } from './machine/server.ts'

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly measured: number
  readonly baseline: number
  /** Measured divided by baseline: the median of the rounds. */
  readonly ratio: number
  /** The lowest and the highest ratio of a round. */
  readonly spread: readonly [number, number]
  /** What the baseline measures. */
  readonly against: string
  readonly better: 'higher' | 'lower'
  /** How many times worse than the stored ratio it may become. */
  readonly tolerance: number
}

export interface World {
  /** A run so small that its figures mean nothing, to check that the benchmarks work. */
  readonly isQuick: boolean
  readonly server: Server
  readonly launcher: Launcher
}

export interface Bench {
  readonly name: string
  readonly title: string
  /** How it is measured, printed with the figures. */
  readonly method: string
  run(world: World): Promise<readonly Figure[]>
}
