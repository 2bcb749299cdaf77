// The clocks of a run. The app's clock runs many times faster than real time. On a slow machine it and the harness's own clock are
// slowed by the same factor, so that nothing is late only because of the machine.

import type { Clock } from '../../../../src/runtime/clock.ts'
import { createPacedClock } from './clock.ts'
import { type Pace, timeBy, writePace } from './pace.ts'

/** The methods of `Clock` are the harness's own clock: real time on a machine that is not slow. */
export interface RunClock extends Clock {
  /** The time by the app's clock. */
  nowInApp(): Date
  /** The file with the pace of the app's clock, for its processes. */
  readonly file: string
  /** @param share of the full pace: 0 < share ≤ 1; the app's clock never runs slower than real time */
  slowTo(share: number): void
  /** Advances the app's clock by `ms` at once, but not the harness's. */
  leap(ms: number): void
  /** Called after every change of the app's pace. */
  onChange(listener: () => void): void
}

/** @param times the factor by which the app's clock runs faster than real time at full pace */
export function createRunClock(file: string, times: number): RunClock {
  const begin = Date.now()
  const write = writePace(file)
  const listeners: (() => void)[] = []
  let own: Pace = { since: begin, at: begin, times: 1 }
  let ofApp: Pace = { since: begin, at: begin, times }
  const clock = createPacedClock(() => own)
  const change = (share: number, leapMs: number) => {
    const since = Date.now()
    own = { since, at: timeBy(own, since), times: share }
    ofApp = { since, at: timeBy(ofApp, since) + leapMs, times: share * times }
    write(ofApp)
    clock.reset()
    for (const listener of listeners) listener()
  }
  change(1, 0)
  return {
    now: clock.now,
    wait: clock.wait,
    nowInApp: () => new Date(timeBy(ofApp)),
    file,
    slowTo: (share) => change(Math.max(share, 1 / times), 0),
    leap: (ms) => change(own.times, ms),
    onChange: (listener) => void listeners.push(listener),
  }
}
