// The summary of yesterday, which the operators get once a day from a set hour of their time zone on. A row stores when it was sent, so that
// only one of several processes sends it.

import { eq, lt, sql } from 'drizzle-orm'
import type { Database, DbDeps } from '../db/client.ts'
import { lastRuns } from '../db/schema.ts'
import { hourMs, localDay, localTime, minuteMs, startOfDay } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { type Period, readPeriod } from './periods.ts'

interface SummaryDeps extends DbDeps {
  readonly log: Log
  /** The hour of the day, from 0 to 23. */
  readonly hour: number
  readonly timeZone: string
  /** @returns false when no operator could be reached */
  tell(yesterday: Period): Promise<boolean>
}

export function createSummary({ hour, timeZone, tell, ...deps }: SummaryDeps): Loop {
  const pass = async () => {
    const now = deps.clock.now()
    if (Number(localTime(now, timeZone).slice(11, 13)) < hour) return false
    const yesterday = readPeriod('yesterday', now, timeZone)
    if (!yesterday || !(await claim(deps.db, now, startOfDay(localDay(now, timeZone), timeZone))))
      return false
    if (await tell(yesterday))
      await deps.db.update(lastRuns).set({ doneAt: deps.clock.now() }).where(eq(lastRuns.name, 'summary'))
    return false
  }
  return createLoop(deps, { pass, idleMs: minuteMs, failed: 'the daily summary cannot be sent' })
}

/**
 * The claim writes `failed_at`, so that a summary whose process ends before it is sent, or that reached nobody, is sent an hour later.
 * @returns whether this process has to send today's summary
 */
async function claim(db: Database, now: Date, today: Date): Promise<boolean> {
  const before = (column: typeof lastRuns.doneAt | typeof lastRuns.failedAt, time: Date) =>
    sql`(${column} is null or ${lt(column, time)})`
  const claimed = await db
    .insert(lastRuns)
    .values({ name: 'summary', failedAt: now })
    .onConflictDoUpdate({
      target: lastRuns.name,
      set: { failedAt: now },
      setWhere: sql`${before(lastRuns.doneAt, today)} and ${before(lastRuns.failedAt, new Date(now.getTime() - hourMs))}`,
    })
    .returning({ name: lastRuns.name })
  return claimed.length > 0
}
