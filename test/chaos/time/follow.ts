// Lets the clock of a run follow the machine: probe after probe, and slower in proportion when they take too long.

import type { Sql } from 'postgres'
import { systemClock } from '../../../src/runtime/clock.ts'
import { probe } from './probe.ts'
import type { RunClock } from './run-clock.ts'

export interface Slowness {
  /** How many times slower than usual the machine was: on the average over the time, and at worst. */
  readonly mean: number
  readonly worst: number
}

export interface Following {
  slowness(): Slowness
  close(): Promise<void>
}

/** A probe takes 7 ms on an idle machine of two cores, and about 40 ms beside a run of this harness on it. */
const usualMs = 80
const pauseMs = 200
/** Of a new probe in the running mean: the clock follows within seconds. */
const weight = 0.2
/** Changes of the pace below this are not worth telling. */
const least = 0.05

export function followMachine(clock: RunClock, sql: Sql): Following {
  const closing = new AbortController()
  let [mean, worst, share] = [usualMs, 1, 1]
  const began = { real: performance.now(), shown: clock.now().getTime() }

  const follow = (slowness: number) => {
    worst = Math.max(worst, slowness)
    const next = 1 / slowness
    if (Math.abs(next / share - 1) < least) return
    share = next
    clock.slowTo(share)
  }

  const goOn = async () => {
    while (!closing.signal.aborted) {
      mean += weight * ((await probe(sql)) - mean)
      follow(Math.max(1, mean / usualMs))
      // In real time: a clock that is slow now must not be slow to recover.
      await systemClock.wait(pauseMs, closing.signal)
    }
  }

  const going = goOn()
  return {
    slowness() {
      const [real, shown] = [performance.now() - began.real, clock.now().getTime() - began.shown]
      return { mean: Math.max(1, real / shown), worst }
    },
    async close() {
      closing.abort()
      await going
    },
  }
}
