// Periods of figures: today by hours, or the last days by days, in the operator's time zone.

import { dayAfter, hourMs, localDay, localTime, startOfDay } from '../runtime/clock.ts'

export interface Period {
  readonly days: number
  readonly zone: string
  readonly since: Date
  /** When each bar of the chart begins; the first one at `since`. A day has 23 or 25 hours when clocks are changed. */
  readonly starts: readonly Date[]
  /** The labels of the bars: the hour, or the day of the month. */
  readonly labels: readonly string[]
  /** The first and the last day, like `2026-11-15`. */
  readonly firstDay: string
  readonly lastDay: string
}

/** @param days 1 for today by hours, more for the last days (today included) by days */
export function periodOf(days: number, now: Date, zone: string): Period {
  const lastDay = localDay(now, zone)
  const firstDay = dayAfter(lastDay, 1 - days)
  const since = startOfDay(firstDay, zone)
  const starts = days === 1 ? hoursOf(lastDay, zone) : daysFrom(firstDay, days, zone)
  const labels = starts.map((start) => String(Number(localTime(start, zone).slice(...labelAt(days)))))
  return { days, zone, since, starts, labels, firstDay, lastDay }
}

/** The positions of the hour, or of the day, in `2026-11-21 15:04`. */
const labelAt = (days: number): [number, number] => (days === 1 ? [11, 13] : [8, 10])

const daysFrom = (first: string, days: number, zone: string): readonly Date[] =>
  Array.from({ length: days }, (_, at) => startOfDay(dayAfter(first, at), zone))

function hoursOf(day: string, zone: string): readonly Date[] {
  const start = startOfDay(day, zone).getTime()
  const end = startOfDay(dayAfter(day, 1), zone).getTime()
  return Array.from({ length: Math.ceil((end - start) / hourMs) }, (_, at) => new Date(start + at * hourMs))
}
