// A clock that runs faster or slower than real time and whose pace may change at any time. With it a lease of half a minute ends after one
// or two real seconds.

import type { Clock } from '../../../../src/runtime/clock.ts'
import { type Pace, timeBy } from './pace.ts'

export interface PacedClock extends Clock {
  /** Must be called when the pace has changed: sets all timers again, so that timers that are now due fire at once. */
  reset(): void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
  timer?: NodeJS.Timeout
}

/** The longest timeout of Node's timers. */
const longestMs = 2 ** 31 - 1

/** @param pace returns the current pace */
export function createPacedClock(pace: () => Pace): PacedClock {
  const sleepers = new Set<Sleeper>()
  const now = () => timeBy(pace())

  const setAlarm = (sleeper: Sleeper) => {
    clearTimeout(sleeper.timer)
    const left = Math.max(0, sleeper.until - now())
    const realMs = Math.min(left / pace().times, longestMs)
    sleeper.timer = setTimeout(() => (sleeper.until > now() ? setAlarm(sleeper) : sleeper.wake()), realMs)
  }

  return {
    now: () => new Date(now()),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          clearTimeout(sleeper.timer)
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { until: now() + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
        setAlarm(sleeper)
      }),
    reset() {
      for (const sleeper of sleepers) setAlarm(sleeper)
    },
  }
}
