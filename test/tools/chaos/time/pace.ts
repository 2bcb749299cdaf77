// The pace of the app's clock, stored in a small file that every process reads. So all processes agree on the time, including one that was
// paused while the pace changed.

import { openSync, readSync, writeSync } from 'node:fs'

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
      // With a wrong checksum the file was read during a write, and is read again.
      if (sum === sumOf(since, at, times)) return { since, at, times }
    }
  }
}

const sumOf = (since: number, at: number, times: number): number => since + at + times
