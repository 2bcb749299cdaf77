// Days and wall clocks of a time zone of the IANA database, with daylight saving time.

import { dayMs } from './durations.ts'

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

/** Midnight in the zone, or the first moment of a day without midnight. @param day like `2026-11-21` */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const offsets = [-dayMs, dayMs].map((apart) => wallClock(midnight + apart, zone) - (midnight + apart))
  const moments = offsets.map((offset) => midnight - offset).sort((a, b) => a - b)
  const start = moments.find((moment) => wallClock(moment, zone) >= midnight)
  return new Date(start ?? midnight)
}

/** @param day like `2026-11-21` @param later in days; negative for earlier */
export const dayAfter = (day: string, later: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + later * dayMs).toISOString().slice(0, 10)
