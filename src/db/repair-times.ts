// Repairs times that are further in the future than the app ever schedules. They were written before the database's clock was set back;
// work that is due at such times would be delayed by as much as the clock was ahead.

import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'
import { hourMs, minuteMs } from '../runtime/durations.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { type Database, rows } from './client.ts'
import {
  broadcasts,
  generations,
  leaderLeases,
  notices,
  salesStops,
  taskCandidates,
  topUps,
  turns,
  updates,
} from './schema.ts'
import { isOneOf, timestamp } from './sql.ts'

interface Schedule {
  readonly table: PgTable
  readonly column: PgColumn
  /** A time longer than the app ever schedules ahead. */
  readonly longestMs: number
  readonly which?: SQL | undefined
  /** The repaired time, relative to now; now by default. */
  readonly laterMs?: number
}

const lease = 5 * minuteMs

const schedules: readonly Schedule[] = [
  { table: updates, column: updates.dueAt, longestMs: 10 * minuteMs, which: isNull(updates.doneAt) },
  { table: updates, column: updates.leaseUntil, longestMs: lease, which: isNull(updates.doneAt) },
  { table: leaderLeases, column: leaderLeases.until, longestMs: lease },
  { table: broadcasts, column: broadcasts.leaseUntil, longestMs: lease },
  {
    table: turns,
    column: turns.leaseUntil,
    longestMs: lease,
    which: or(isOneOf(turns.state, 'streaming'), isOneOf(turns.delivery, 'pending')),
  },
  // Only answers that were never sent: Telegram may require a retry to wait for hours.
  {
    table: turns,
    column: turns.sendAt,
    longestMs: 10 * minuteMs,
    which: and(isOneOf(turns.delivery, 'pending'), eq(turns.sendAt, turns.settledAt)),
  },
  {
    table: generations,
    column: generations.nextCheckAt,
    longestMs: 10 * minuteMs,
    which: and(isOneOf(generations.delivery, 'pending'), eq(generations.nextCheckAt, generations.settledAt)),
  },
  { table: notices, column: notices.dueAt, longestMs: 30 * minuteMs, which: isNull(notices.doneAt) },
  { table: notices, column: notices.leaseUntil, longestMs: lease, which: isNull(notices.doneAt) },
  {
    table: generations,
    column: generations.leaseUntil,
    longestMs: lease,
    which: isNotNull(generations.nextCheckAt),
  },
  {
    table: generations,
    column: generations.nextCheckAt,
    longestMs: 45 * minuteMs,
    which: isOneOf(generations.state, 'held', 'submitting', 'running'),
  },
  // The next look at the task of a refunded order.
  {
    table: generations,
    column: generations.nextCheckAt,
    longestMs: 15 * minuteMs,
    which: and(
      isOneOf(generations.state, 'failed'),
      isOneOf(generations.delivery, 'delivered', 'undeliverable'),
    ),
  },
  // The time at which the order is given up: until then a callback may name its task.
  {
    table: generations,
    column: generations.nextCheckAt,
    longestMs: 15 * minuteMs,
    which: isOneOf(generations.state, 'unknown'),
    laterMs: 10 * minuteMs,
  },
  {
    table: generations,
    column: generations.lastCheckAt,
    longestMs: minuteMs,
    // The first condition holds for all these rows, but must be named so that the indexes of live rows can be used.
    which: and(isNotNull(generations.nextCheckAt), isOneOf(generations.state, 'running', 'unknown')),
  },
  { table: taskCandidates, column: taskCandidates.dueAt, longestMs: 45 * minuteMs },
  { table: salesStops, column: salesStops.until, longestMs: 10 * minuteMs },
  { table: topUps, column: topUps.nextCheckAt, longestMs: 6 * hourMs },
]

export async function repairTimes(db: Database, clock: Clock, log: Log): Promise<void> {
  const now = clock.now()
  for (const at of await schedulesToRepair(db, now)) {
    const schedule = schedules[at]
    if (schedule) await repair(db, schedule, now, log)
  }
}

const isTooLate = ({ column, longestMs, which }: Schedule, now: Date): SQL | undefined =>
  and(gt(column, new Date(now.getTime() + longestMs)), which)

/** Finds the schedules with wrong times, by one statement for all, since repairs are rare. @returns indexes of schedules */
async function schedulesToRepair(db: Database, now: Date): Promise<number[]> {
  const looks = schedules.map(
    (schedule, at) => sql`
      select ${sql.raw(`${at}`)} as at where exists (select from ${schedule.table} where ${isTooLate(schedule, now)})`,
  )
  const found = await rows(db, sql.join(looks, sql` union all `), z.object({ at: z.int() }))
  return found.map(({ at }) => at)
}

async function repair(db: Database, schedule: Schedule, now: Date, log: Log): Promise<void> {
  const { table, column, laterMs = 0 } = schedule
  const repaired = await db.execute(
    sql`
    update ${table} set ${sql.identifier(column.name)} = ${timestamp(now, laterMs)}
    where ${isTooLate(schedule, now)} returning 1 as one`,
    'objects',
  )
  if (repaired.length > 0) log.warn({ column: column.name, rows: repaired.length }, 'future times repaired')
}

export const createTimeRepair = (deps: {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}): Loop =>
  createLoop(deps, {
    pass: () => repairTimes(deps.db, deps.clock, deps.log).then(() => false),
    idleMs: minuteMs,
    failed: 'future times cannot be repaired',
  })
