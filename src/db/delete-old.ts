// Deletes old rows of large tables. Every batch is a statement of its own, with a pause after it: locks are short, other statements are
// not kept waiting, and what was deleted before an interruption stays deleted.

import { and, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'
import { type Database, rows } from './client.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

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
  { db, clock }: Deps,
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
