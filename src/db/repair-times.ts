// Times that lie further ahead than anything is ever put off. The database's clock was set back after they were written, and
// whatever waits for them would wait for as long as the clock was ahead.

import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import type { Database } from './client.ts'
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

interface Kept {
  readonly table: PgTable
  readonly column: PgColumn
  /** The furthest ahead that it is ever set, with room to spare. */
  readonly longestMs: number
  readonly which?: SQL | undefined
  /** How long after now it is set; at once if nothing is said. */
  readonly laterMs?: number
}

const minute = 60_000
const lease = 5 * minute

const kept: readonly Kept[] = [
  { table: updates, column: updates.dueAt, longestMs: 10 * minute, which: isNull(updates.doneAt) },
  { table: updates, column: updates.leaseUntil, longestMs: lease, which: isNull(updates.doneAt) },
  { table: leaderLeases, column: leaderLeases.until, longestMs: lease },
  { table: broadcasts, column: broadcasts.leaseUntil, longestMs: lease },
  {
    table: turns,
    column: turns.leaseUntil,
    longestMs: lease,
    which: or(isOneOf(turns.state, 'streaming'), isOneOf(turns.delivery, 'pending')),
  },
  // What was put off since may wait for hours, when Telegram says so; what was never tried waits for nothing.
  {
    table: turns,
    column: turns.sendAt,
    longestMs: 10 * minute,
    which: and(isOneOf(turns.delivery, 'pending'), eq(turns.sendAt, turns.settledAt)),
  },
  {
    table: generations,
    column: generations.nextCheckAt,
    longestMs: 10 * minute,
    which: and(isOneOf(generations.delivery, 'pending'), eq(generations.nextCheckAt, generations.settledAt)),
  },
  { table: notices, column: notices.dueAt, longestMs: 30 * minute, which: isNull(notices.doneAt) },
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
    longestMs: 45 * minute,
    which: isOneOf(generations.state, 'held', 'submitting', 'running'),
  },
  // That is when it is given up: a callback may still name its task.
  {
    table: generations,
    column: generations.nextCheckAt,
    longestMs: 15 * minute,
    which: isOneOf(generations.state, 'unknown'),
    laterMs: 10 * minute,
  },
  {
    table: generations,
    column: generations.lastCheckAt,
    longestMs: minute,
    which: isOneOf(generations.state, 'running', 'unknown'),
  },
  { table: taskCandidates, column: taskCandidates.dueAt, longestMs: 45 * minute },
  { table: salesStops, column: salesStops.until, longestMs: 10 * minute },
  { table: topUps, column: topUps.nextCheckAt, longestMs: 6 * 60 * minute },
]

export async function repairTimes(db: Database, clock: Clock, log: Log): Promise<void> {
  const now = clock.now()
  for (const { table, column, longestMs, which, laterMs = 0 } of kept) {
    const name = sql.identifier(column.name)
    const furthest = new Date(now.getTime() + longestMs)
    const repaired = await db.execute(
      sql`
      update ${table} set ${name} = ${timestamp(now, laterMs)}
      where ${and(gt(column, furthest), which)} returning 1 as one`,
      'objects',
    )
    if (repaired.length > 0) log.warn({ column: column.name, rows: repaired.length }, 'times set back')
  }
}

export const createTimeRepair = (deps: {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}): Loop =>
  createLoop(deps, {
    pass: () => repairTimes(deps.db, deps.clock, deps.log).then(() => false),
    idleMs: minute,
    failed: 'times cannot be repaired',
  })
