// What a bench is: something that the app does, measured beside something that does the least of it, in one run. Only the
// ratio of the two is worth keeping: seconds belong to a machine.

import type { Launcher } from './machine/launcher.ts'
import type { Server } from './machine/server.ts'

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly measured: number
  readonly baseline: number
  /** Measured through baseline: the median of the rounds. */
  readonly ratio: number
  /** The lowest and the highest of a round. */
  readonly spread: readonly [number, number]
  /** What the baseline is. */
  readonly against: string
  readonly better: 'higher' | 'lower'
  /** How many times worse it may become before it counts as worse. */
  readonly tolerance: number
}

export interface World {
  /** So small that its figures mean nothing: to see that everything works. */
  readonly isQuick: boolean
  readonly server: Server
  readonly launcher: Launcher
}

export interface Bench {
  readonly name: string
  readonly title: string
  /** How it is measured, for whoever reads the figures. */
  readonly method: string
  run(world: World): Promise<readonly Figure[]>
}
