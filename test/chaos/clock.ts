// A clock that runs faster than time, the same in every process that is told its pace: a lease of half a minute ends after a
// second or two. It can also leap: a grace period of ten minutes passes at once.

import type { Clock } from '../../src/runtime/clock.ts'

/** Moments are milliseconds since 1970. */
export interface Pace {
  /** The real moment from which it runs faster. */
  readonly since: number
  readonly times: number
  /** What it has leapt altogether. */
  readonly leaptMs: number
}

export interface FastClock extends Clock {
  /** From now on by this pace; whoever sleeps wakes when it is time by that. */
  follow(pace: Pace): void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
  timer?: NodeJS.Timeout
}

export function createFastClock(first: Pace): FastClock {
  let pace = first
  const sleepers = new Set<Sleeper>()
  const now = () => pace.since + (Date.now() - pace.since) * pace.times + pace.leaptMs

  const setAlarm = (sleeper: Sleeper) => {
    clearTimeout(sleeper.timer)
    const left = Math.max(0, sleeper.until - now())
    sleeper.timer = setTimeout(() => (left > 0 ? setAlarm(sleeper) : sleeper.wake()), left / pace.times)
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
    follow(next) {
      pace = next
      for (const sleeper of sleepers) setAlarm(sleeper)
    },
  }
}
