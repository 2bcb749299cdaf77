// What every process does regularly with its database: it follows the database's clock, and deletes old rows of large tables.

import { and, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { AdjustableClock, Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { type Database, type DbDeps, oneRow, rows } from './client.ts'

// The clock: leases and deadlines are written by one process and read by others, and the clocks of their machines may differ.

const everyMs = 15_000
/** Smaller differences are ignored; leases are a hundred times longer. */
const toleratedMs = 200

/** Whether a clock can be corrected; false for the clocks of tests. */
export const isAdjustable = (clock: Clock): clock is AdjustableClock => 'adjust' in clock

const answer = z.object({ now: z.coerce.date() })

/** Corrects the clock by the database's time. That time was read at an unknown moment between the query and its answer. */
export async function synchronise(db: Database, clock: AdjustableClock, log: Log): Promise<void> {
  const asked = clock.now().getTime()
  const { now } = await oneRow(db, sql`select clock_timestamp() as now`, answer)
  const answered = clock.now().getTime()
  const offsetMs = now.getTime() - (asked + answered) / 2
  if (Math.abs(offsetMs) <= toleratedMs + (answered - asked) / 2) return
  clock.adjust(offsetMs)
  log.warn({ offsetMs: Math.round(offsetMs) }, 'clock corrected by the database')
}

export const createSynchronisation = (db: Database, clock: AdjustableClock, log: Log): Loop =>
  createLoop(
    { clock, log },
    {
      pass: () => synchronise(db, clock, log).then(() => false),
      idleMs: everyMs,
      failed: 'the time of the database cannot be read',
    },
  )

// Old rows. Every batch is a statement of its own, with a pause after it: locks are short, other statements are not kept waiting, and what
// was deleted before an interruption stays deleted.

interface Old {
  readonly table: PgTable
  /** The column with the time from which the age of a row is counted; it has an index. */
  readonly time: PgColumn
  readonly keptMs: number
  readonly which?: SQL
}

const batchSize = 5000
const pauseMs = 100

const batchRow = z.object({ deleted: z.coerce.number(), last: z.coerce.date().nullable() })

/** Deletes the oldest rows first. Several processes may do this at once. */
export async function deleteOld(
  { db, clock }: DbDeps,
  { table, time, keptMs, which }: Old,
  stopping?: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  // Without this bound each batch would begin by reading the index entries of the rows that earlier batches have deleted.
  let from: Date | undefined
  while (!stopping?.aborted) {
    const isOld = and(lt(time, before), from && gte(time, from), which)
    const statement = sql`
      with deleted as (
        delete from ${table} where ${isOld} and ctid = any(array(
          select ctid from ${table} where ${isOld} order by ${time} limit ${batchSize}::integer for update skip locked
        ))
        returning ${time} as at
      )
      select count(*) as deleted, max(at) as last from deleted`
    const [batch] = await rows(db, statement, batchRow)
    if (!batch?.last || batch.deleted < batchSize) return
    from = batch.last
    await clock.wait(pauseMs, stopping)
  }
}
