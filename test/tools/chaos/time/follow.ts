// Adapts the clock of a run to the speed of the machine: measures probes repeatedly, and slows the clock in proportion to their duration.

import type { Sql } from 'postgres'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { probe } from './probe.ts'
import type { RunClock } from './run-clock.ts'

export interface Slowness {
  /** The factors by which the machine was slower than usual: the mean and the worst. */
  readonly mean: number
  readonly worst: number
}

export interface Following {
  slowness(): Slowness
  close(): Promise<void>
}

/** The duration of a probe up to which the clock is not slowed. On two cores a probe takes 7 ms when idle, about 40 ms beside a run. */
const usualMs = 80
const pauseMs = 200
/** The weight of a new probe in the moving average: the clock adapts within seconds. */
const weight = 0.2
/** Smaller relative changes of the pace are ignored. */
const least = 0.05
/** The slowness from which leases may expire, since the clock follows a sudden change too late. */
const tooSlow = 4
/** The delay with which the moving average shows a change. */
const lagMs = 3000

/** @param tooSlowFor called at the end of each period in which the machine was too slow, with its duration in real milliseconds */
export function followMachine(clock: RunClock, sql: Sql, tooSlowFor: (ms: number) => void): Following {
  const closing = new AbortController()
  let [mean, worst, share] = [usualMs, 1, 1]
  const noteSlow = spells(tooSlowFor)
  const began = { real: performance.now(), shown: clock.now().getTime() }

  const follow = (slowness: number) => {
    worst = Math.max(worst, slowness)
    noteSlow(slowness >= tooSlow)
    const next = 1 / slowness
    if (Math.abs(next / share - 1) < least) return
    share = next
    clock.slowTo(share)
  }

  const goOn = async () => {
    while (!closing.signal.aborted) {
      // A probe whose connection is lost says nothing about the machine.
      const took = await probe(sql).catch(() => undefined)
      if (took !== undefined) mean += weight * (took - mean)
      follow(Math.max(1, mean / usualMs))
      // Real time, since a pause by the slowed clock would become longer on a slow machine.
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

/** Measures periods in which a condition holds. @param over called at the end of each, with its duration in real milliseconds */
function spells(over: (ms: number) => void): (isSo: boolean) => void {
  let since: number | undefined
  return (isSo) => {
    if (isSo) since ??= performance.now() - lagMs
    if (isSo || since === undefined) return
    over(Math.ceil(performance.now() - since))
    since = undefined
  }
}
