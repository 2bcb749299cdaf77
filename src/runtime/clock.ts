// Time. It is passed in as a Clock, so that tests and the sandbox can control it. Pauses, limits per second, and the days of a time zone
// are computed from it.

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export interface Clock {
  now(): Date
  /** Resolves after `ms`, or at once when the signal aborts; it never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** A clock that can be corrected to follow a clock that several processes share. */
export interface AdjustableClock extends Clock {
  /** @param offsetMs how far this clock is behind the shared one; negative when it is ahead */
  adjust(offsetMs: number): void
}

interface TimeSource {
  /** The system's time of day when the process started, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds since the start; changes of the system's time of day do not affect it. */
  elapsed(): number
}

const processTime: TimeSource = { startedAt: performance.timeOrigin, elapsed: () => performance.now() }

/** A monotonic clock: leases and deadlines depend on it, so it ignores changes of the system's time of day. */
export function createSteadyClock(source: TimeSource = processTime): AdjustableClock {
  let offsetMs = 0
  return {
    now: () => new Date(Math.round(source.startedAt + source.elapsed() + offsetMs)),
    wait,
    adjust(change) {
      offsetMs += change
    },
  }
}

/** The system's time of day. */
export const systemClock: Clock = { now: () => new Date(), wait }

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Waits until all promises are fulfilled or rejected. @returns false when `ms` passed before that */
export function allSettledWithin(
  promises: readonly Promise<unknown>[],
  clock: Clock,
  ms: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = new AbortController()
    void clock.wait(ms, timer.signal).then(() => resolve(false))
    void Promise.allSettled(promises).then(() => {
      resolve(true)
      // An explicit reason: the default one is an Error, and capturing its stack is slow.
      timer.abort('settled')
    })
  })
}

// Pauses between attempts: each is twice as long as the previous one.

/** @param times how often the first pause was doubled */
export const doubledMs = (firstMs: number, times: number, longestMs = Number.POSITIVE_INFINITY): number =>
  Math.min(firstMs * 2 ** times, longestMs)

/** 1, 2, 4 … times the shortest pause, at most 64 times by default, ±20 % jitter; at least the pause that was asked for. */
export function backoffMs(
  attempts: number,
  shortestMs: number,
  random: number,
  askedMs = 0,
  doublings = 6,
): number {
  const pause = doubledMs(shortestMs, Math.min(attempts, doublings))
  return Math.max(askedMs, Math.round(pause * (0.8 + 0.4 * random)))
}

// Limits per second of a process: token buckets in memory.

interface Allowance {
  readonly perSecond: number
  readonly most: number
}

/** @returns a function that takes one token, and returns false when the bucket is empty */
export function createAllowance(clock: Clock, { perSecond, most }: Allowance): () => boolean {
  let left = most
  let filledAt = clock.now().getTime()
  return () => {
    const now = clock.now().getTime()
    left = Math.min(most, left + (Math.max(0, now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

/**
 * A limit for work that may wait.
 * @returns a function that takes one token and returns 0, or returns in how many milliseconds to ask again: after those that wait already
 */
export function createTurns(clock: Clock, perSecond: number): () => number {
  const take = createAllowance(clock, { perSecond, most: Math.max(1, perSecond) })
  let lastTurnAt = 0
  return () => {
    if (take()) return 0
    const now = clock.now().getTime()
    lastTurnAt = Math.max(lastTurnAt, now) + 1000 / perSecond
    return Math.ceil(lastTurnAt - now)
  }
}

// Days and wall clocks of a time zone of the IANA database, with daylight saving time.

export const defaultTimeZone = 'Europe/Moscow'

/** A name like `Europe/Moscow`; an offset like `+03:00` is refused, since a place is known by its name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError when there is no such zone */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  // Sweden writes `2026-11-21 15:04:05`.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  clocks.set(zone, clock)
  return clock
}

/** The time in a zone, like `2026-11-21 15:04`. */
export const localTime = (time: Date, zone: string): string => clockOf(zone).format(time).slice(0, 16)

/** The time in a zone with seconds, like `2026-11-21 15:04:05`. */
export const localSecond = (time: Date, zone: string): string => clockOf(zone).format(time)

/** The day in a zone, like `2026-11-21`. */
export const localDay = (time: Date, zone: string): string => clockOf(zone).format(time).slice(0, 10)

/** The time that a wall clock in the zone shows, read as if it were UTC; in whole seconds. */
const wallClock = (ms: number, zone: string): number =>
  Date.parse(`${clockOf(zone).format(ms).replace(' ', 'T')}Z`)

/** The time in a zone with its offset, like `2026-11-21T15:04:05+03:00`. */
export function offsetTime(time: Date, zone: string): string {
  const minutes = Math.round((wallClock(time.getTime(), zone) - time.getTime()) / minuteMs)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':')
  return `${localSecond(time, zone).replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${offset}`
}

/** Midnight in the zone, or the first moment of a day without midnight. @param day like `2026-11-21` */
export const startOfDay = (day: string, zone: string): Date => momentOf(`${day}T00:00`, zone)

/** The first moment at which clocks in the zone show this time, or a later one if they skip it. @param shown like `2026-11-21T15:04` */
export function momentOf(shown: string, zone: string): Date {
  const wanted = Date.parse(`${shown}:00Z`)
  const offsets = [-dayMs, dayMs].map((apart) => wallClock(wanted + apart, zone) - (wanted + apart))
  const moments = offsets.map((offset) => wanted - offset).sort((a, b) => a - b)
  const first = moments.find((moment) => wallClock(moment, zone) >= wanted)
  return new Date(first ?? wanted)
}

/** @param day like `2026-11-21` @param later in days; negative for earlier */
export const dayAfter = (day: string, later: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + later * dayMs).toISOString().slice(0, 10)
