// The time of a run. The app's clock goes many times faster than real time; on a machine that is slow at the moment both that clock
// and everything that the harness waits for go slower, by the same share: nothing is late because the machine is.

import type { Clock } from '../../../src/runtime/clock.ts'
import { createPacedClock } from './clock.ts'
import { type Pace, timeBy, writePace } from './pace.ts'

/** As a clock it shows the harness's own time: real time on a machine that is not slow. */
export interface RunClock extends Clock {
  /** The pace of the app's clock, for its processes. */
  readonly file: string
  /** @param share of the full pace: 0 < share ≤ 1; the app's clock never goes slower than real time */
  slowTo(share: number): void
  /** The app's clock goes forward at once by so many milliseconds; the harness's does not. */
  leap(ms: number): void
  /** Called after every change of the app's pace. */
  onChange(listener: () => void): void
}

/** @param times how many times faster than real time the app's clock goes at full pace */
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
    file,
    slowTo: (share) => change(Math.max(share, 1 / times), 0),
    leap: (ms) => change(own.times, ms),
    onChange: (listener) => void listeners.push(listener),
  }
}
