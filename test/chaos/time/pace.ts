// How fast the clock of the app goes, in a small file that every process reads: all of them agree about the time at every moment,
// also one that was paused while the pace changed.

import { openSync, readSync, writeSync } from 'node:fs'

/** Moments are milliseconds since 1970. */
export interface Pace {
  /** The real moment from which it holds. */
  readonly since: number
  /** What the clock showed at that moment. */
  readonly at: number
  /** How many times faster than real time the clock goes. */
  readonly times: number
}

export const timeBy = ({ since, at, times }: Pace, real = Date.now()): number => at + (real - since) * times

const numbers = 4

export function writePace(file: string): (pace: Pace) => void {
  const descriptor = openSync(file, 'w')
  return ({ since, at, times }) => {
    const record = Float64Array.of(since, at, times, sumOf(since, at, times))
    writeSync(descriptor, new Uint8Array(record.buffer), 0, record.byteLength, 0)
  }
}

export function readPace(file: string): () => Pace {
  const descriptor = openSync(file, 'r')
  const record = new Float64Array(numbers)
  const bytes = new Uint8Array(record.buffer)
  return () => {
    for (;;) {
      readSync(descriptor, bytes, 0, bytes.length, 0)
      const [since = 0, at = 0, times = 0, sum] = record
      // Otherwise it was read in the middle of a change.
      if (sum === sumOf(since, at, times)) return { since, at, times }
    }
  }
}

const sumOf = (since: number, at: number, times: number): number => since + at + times
