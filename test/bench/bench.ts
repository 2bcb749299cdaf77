// A benchmark measures an activity of the app and a minimal program that does the same, in one run. Only the ratio of both is kept, since
// absolute times depend on the machine.

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
  /** The factor by which the ratio may be worse than the stored one. */
  readonly tolerance: number
}

export interface BenchWorld {
  /** Whether the run only checks that the benchmarks work; its figures are too small to be meaningful. */
  readonly isQuick: boolean
  readonly server: Server
  readonly launcher: Launcher
}

export interface Bench {
  readonly name: string
  readonly title: string
  /** A description of the method, printed with the figures. */
  readonly method: string
  run(world: BenchWorld): Promise<readonly Figure[]>
}
