// Days and times in the time zone of the business: Moscow (UTC+3, without summer time).

export const dayMs = 24 * 60 * 60_000
const hourMs = 60 * 60_000
export const zoneMs = 3 * hourMs

export interface Period {
  readonly days: number
  readonly since: Date
  /** Of one bar of the chart. */
  readonly stepMs: number
  readonly steps: number
  /** Of the bars: the hour, or the day of the month. */
  readonly labels: readonly string[]
}

/** @param days 1 for today by hours, more for the last days (today included) by days */
export function periodOf(days: number, now: Date): Period {
  const today = Math.floor((now.getTime() + zoneMs) / dayMs) * dayMs - zoneMs
  const since = today - (days - 1) * dayMs
  const [stepMs, steps] = days === 1 ? [hourMs, 24] : [dayMs, days]
  const labels = Array.from({ length: steps }, (_, at) => {
    const local = new Date(since + at * stepMs + zoneMs)
    return String(days === 1 ? local.getUTCHours() : local.getUTCDate())
  })
  return { days, since: new Date(since), stepMs, steps, labels }
}

/** Like `2026-11-21 15:04`. */
export const localTime = (time: Date): string =>
  new Date(time.getTime() + zoneMs).toISOString().slice(0, 16).replace('T', ' ')
