// Days of the business: they begin at midnight in Moscow (UTC+3, without summer time).

export const dayMs = 24 * 60 * 60_000
const hourMs = 60 * 60_000
export const zoneMs = 3 * hourMs

export interface Period {
  readonly days: number
  readonly since: Date
  /** What one bar of the chart spans. */
  readonly stepMs: number
  readonly steps: number
  /** What stands below each bar: the hour, or the day of the month. */
  readonly labels: readonly string[]
}

/** Today, hour by hour, or so many days with today among them. */
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

/** `2026-11-21 15:04`, by the clock of the business. */
export const localTime = (time: Date): string =>
  new Date(time.getTime() + zoneMs).toISOString().slice(0, 16).replace('T', ' ')
