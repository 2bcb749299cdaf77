// Periods of figures: a day, a week, a month, a year, or any days of the calendar, in the operator's time zone.

import { dayAfter, dayMs, hourMs, localDay, localTime, startOfDay } from '../runtime/clock.ts'

export interface Period {
  readonly zone: string
  readonly since: Date
  /** The end, which is no longer part of it. */
  readonly until: Date
  /** All days, like `2026-11-15`. */
  readonly days: readonly string[]
  readonly firstDay: string
  readonly lastDay: string
}

/** How periods are written, for texts. */
export const periodExamples =
  'today, yesterday, week, month, 30, 2026, 2026-10, 2026-10-05, 2026-10-01..2026-10-15'

const mostDays = 3660

/**
 * @param words a day, a month, a year, a word like `week`, a number of days that end today, or two of these with `..` between
 * @returns undefined when they are no period
 */
export function readPeriod(words: string, now: Date, zone: string): Period | undefined {
  const today = localDay(now, zone)
  const [from = '', to = from, ...more] = words
    .toLowerCase()
    .trim()
    .split(/\s*(?:\.{2,3}|[…–—])\s*/)
  const [firstDay] = daysNamed(from, today) ?? []
  const [, lastDay] = daysNamed(to, today) ?? []
  if (!firstDay || !lastDay || more.length > 0) return undefined
  const count = (Date.parse(lastDay) - Date.parse(firstDay)) / dayMs + 1
  if (count < 1 || count > mostDays) return undefined
  return {
    zone,
    since: startOfDay(firstDay, zone),
    until: startOfDay(dayAfter(lastDay, 1), zone),
    days: Array.from({ length: count }, (_, at) => dayAfter(firstDay, at)),
    firstDay,
    lastDay,
  }
}

type Ends = readonly [firstDay: string, lastDay: string]

/** Each with the day that is today. */
const words: Readonly<Record<string, (today: string) => Ends>> = {
  today: (day) => [day, day],
  yesterday: (day) => [dayAfter(day, -1), dayAfter(day, -1)],
  week: (day) => weekFrom(dayAfter(day, -((new Date(day).getUTCDay() + 6) % 7))),
  month: (day) => monthOf(day),
}
const russian: Readonly<Record<string, string>> = {
  сегодня: 'today',
  вчера: 'yesterday',
  неделя: 'week',
  месяц: 'month',
}

function daysNamed(typed: string, today: string): Ends | undefined {
  const word = russian[typed] ?? typed
  if (Object.hasOwn(words, word)) return words[word]?.(today)
  if (/^[1-9]\d{0,2}$/.test(typed)) return [dayAfter(today, 1 - Number(typed)), today]
  if (/^20\d\d$/.test(typed)) return [`${typed}-01-01`, `${typed}-12-31`]
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(typed)) return monthOf(typed)
  return isDay(typed) ? [typed, typed] : undefined
}

function isDay(typed: string): boolean {
  const time = /^20\d\d-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(typed)
}

const weekFrom = (monday: string): Ends => [monday, dayAfter(monday, 6)]

/** @param day any day of the month, or the month itself */
function monthOf(day: string): Ends {
  const first = `${day.slice(0, 7)}-01`
  return [first, dayAfter(`${dayAfter(first, 31).slice(0, 7)}-01`, -1)]
}

/** The words of the period of the same length before, or after: of the month before a month. */
export function wordsBeside({ days, firstDay, lastDay }: Period, side: 'before' | 'after'): string {
  const near = side === 'before' ? dayAfter(firstDay, -1) : dayAfter(lastDay, 1)
  const [first, last] = monthOf(firstDay)
  if (first === firstDay && last === lastDay) return near.slice(0, 7)
  const far = dayAfter(near, (days.length - 1) * (side === 'before' ? -1 : 1))
  if (far === near) return near
  return side === 'before' ? `${far}..${near}` : `${near}..${far}`
}

/** A bar of the chart: when it begins, and its label. */
interface Bar {
  readonly start: Date
  readonly label: string
}

const mostBars = 62

/** The bars of a day are hours, of which it has 23 or 25 when clocks are changed; those of a long period are months. */
export function barsOf({ days, since, until, zone }: Period): readonly Bar[] {
  if (days.length > 1) {
    const isLong = days.length > mostBars
    const starts = isLong ? days.filter((day, at) => at === 0 || day.endsWith('-01')) : days
    const digits = isLong ? ([5, 7] as const) : ([8, 10] as const)
    return starts.map((day) => ({
      start: startOfDay(day, zone),
      label: String(Number(day.slice(...digits))),
    }))
  }
  const hours = Math.ceil((until.getTime() - since.getTime()) / hourMs)
  return Array.from({ length: hours }, (_, at) => {
    const start = new Date(since.getTime() + at * hourMs)
    return { start, label: String(Number(localTime(start, zone).slice(11, 13))) }
  })
}
