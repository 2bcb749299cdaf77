// A clock that runs faster or slower than real time and whose pace may change at any time. With it a lease of half a minute ends after one
// or two real seconds. The pace is stored in a small file that every process reads, so all agree on the time, also one that was paused.

import { openSync, readSync, writeSync } from 'node:fs'
import type { Clock } from '../../../../src/runtime/clock.ts'

/** A linear clock. Times are milliseconds since 1970. */
export interface Pace {
  /** The real time from which this pace applies. */
  readonly since: number
  /** The clock's time at the real time `since`. */
  readonly at: number
  /** The factor by which the clock runs faster than real time. */
  readonly times: number
}

export const timeBy = ({ since, at, times }: Pace, real = Date.now()): number => at + (real - since) * times

export function writePace(file: string): (pace: Pace) => void {
  const descriptor = openSync(file, 'w')
  return ({ since, at, times }) => {
    const record = Float64Array.of(since, at, times, since + at + times)
    writeSync(descriptor, new Uint8Array(record.buffer), 0, record.byteLength, 0)
  }
}

export function readPace(file: string): () => Pace {
  const descriptor = openSync(file, 'r')
  const record = new Float64Array(4)
  const bytes = new Uint8Array(record.buffer)
  return () => {
    for (;;) {
      readSync(descriptor, bytes, 0, bytes.length, 0)
      const [since = 0, at = 0, times = 0, sum] = record
      // With a wrong checksum the file was read during a write, and is read again.
      if (sum === since + at + times) return { since, at, times }
    }
  }
}

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
