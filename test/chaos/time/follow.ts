// Adapts the clock of a run to the machine: measures probes repeatedly, and slows the clock in proportion when they take longer.

import type { Sql } from 'postgres'
import { systemClock } from '../../../src/runtime/clock.ts'
import { probe } from './probe.ts'
import type { RunClock } from './run-clock.ts'

export interface Slowness {
  /** How many times slower than usual the machine was: the mean and the worst. */
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
/** The weight of a new probe in the moving average: the clock adapts within seconds. */
const weight = 0.2
/** Smaller relative changes of the pace are ignored. */
const least = 0.05
/** From this slowness on leases may expire, since the clock follows a sudden change too late. */
const tooSlow = 4
/** How much later the moving average shows a change. */
const lagMs = 3000

/** @param tooSlowFor told how long the machine was too slow, when it is no longer */
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
      // In real time, so that a slowed clock recovers as fast as another.
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

/** @param over told how long it was so, in real milliseconds, when it is no longer */
function spells(over: (ms: number) => void): (isSo: boolean) => void {
  let since: number | undefined
  return (isSo) => {
    if (isSo) since ??= performance.now() - lagMs
    if (isSo || since === undefined) return
    over(Math.ceil(performance.now() - since))
    since = undefined
  }
}
