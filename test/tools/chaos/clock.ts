// A clock that runs faster or slower than real time and whose pace may change at any time. With it a lease of half a minute ends after one
// or two real seconds. The pace is stored in a small file that every process reads, so all agree on the time, also one that was paused.
// On a slow machine the app's clock and the harness's own are slowed by the same factor, so that nothing is late only because of the machine.

import { openSync, readSync, writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'

/** A linear clock. Times are milliseconds since 1970. */
export interface Pace {
  /** The real time from which this pace applies. */
  readonly since: number
  /** The clock's time at the real time `since`. */
  readonly at: number
  /** The factor by which the clock runs faster than real time. */
  readonly times: number
}

const timeBy = ({ since, at, times }: Pace, real = Date.now()): number => at + (real - since) * times

function writePace(file: string): (pace: Pace) => void {
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
  /** To be called when the pace may have changed: sets all timers again, so that timers that are now due fire at once. */
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

export type RunClock = ReturnType<typeof createRunClock>

/**
 * `now` and `wait` are the harness's own clock: real time on a machine that is not slow.
 * @param file gets the pace of the app's clock, for its processes
 * @param times the factor by which the app's clock runs faster than real time at full pace
 */
export function createRunClock(file: string, times: number) {
  const begin = Date.now()
  const write = writePace(file)
  let own: Pace = { since: begin, at: begin, times: 1 }
  let ofApp: Pace = { since: begin, at: begin, times }
  const clock = createPacedClock(() => own)
  const change = (share: number, leapMs: number) => {
    const since = Date.now()
    own = { since, at: timeBy(own, since), times: share }
    ofApp = { since, at: timeBy(ofApp, since) + leapMs, times: share * times }
    write(ofApp)
    clock.reset()
  }
  change(1, 0)
  return {
    now: clock.now,
    wait: clock.wait,
    /** The time by the app's clock. */
    nowInApp: () => new Date(timeBy(ofApp)),
    file,
    /** @param share of the full pace: 0 < share ≤ 1; the app's clock never runs slower than real time */
    slowTo: (share: number) => change(Math.max(share, 1 / times), 0),
    /** Advances the app's clock at once, but not the harness's. */
    leap: (ms: number) => change(own.times, ms),
  }
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

/**
 * Slows the clock of a run in proportion to the duration of probes.
 * @param tooSlowFor called at the end of each period in which the machine was too slow, with its duration in real milliseconds
 */
export function followMachine(clock: RunClock, sql: Sql, tooSlowFor: (ms: number) => void) {
  const closing = new AbortController()
  let [mean, worst, share] = [usualMs, 1, 1]
  let slowSince: number | undefined

  const follow = (slowness: number) => {
    worst = Math.max(worst, slowness)
    if (slowness >= tooSlow) slowSince ??= performance.now() - lagMs
    else if (slowSince !== undefined) {
      tooSlowFor(Math.ceil(performance.now() - slowSince))
      slowSince = undefined
    }
    if (Math.abs(1 / slowness / share - 1) < least) return
    share = 1 / slowness
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
    /** The factor by which the machine was slower than usual at worst. */
    worst: () => worst,
    async close() {
      closing.abort()
      await going
    },
  }
}

/**
 * A fixed piece of work that resembles the handling of an update: computation, and database statements in between. It uses no code of the
 * app, so that a mistake of the app does not look like a slow machine. @returns its duration in milliseconds
 */
async function probe(sql: Sql): Promise<number> {
  const began = performance.now()
  for (let step = 0; step < 8; step += 1) {
    // Takes about half a millisecond.
    for (let n = 0, sum = 0; n < 400_000; n += 1) sum = Math.imul(sum ^ n, 0x01000193)
    await turn()
    await sql`select sum(n) from generate_series(1, 2500) n`
  }
  return performance.now() - began
}
