// Rows of a queue that their holders have abandoned: the process ended, lost the lease, or failed in its step, before it released the row.
// Work that ends every process would otherwise be claimed for ever. The count needs no column and no statement of its own: the lease of the
// next holder has a mark for each holder that abandoned the row, and a release deletes the lease with its marks.

import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Held, LeasedTable } from './leased-queue.ts'

/** Stands at the end of a lease, once for each holder that has abandoned the row since its last release. */
const mark = '+'
const marks = /\+*$/

/** How many holders before the present one have abandoned the row since its last release. */
export const abandonedTimes = ({ lease }: Pick<Held, 'lease'>): number =>
  marks.exec(lease ?? '')?.[0].length ?? 0

/** The lease of a row that an `update` claims: the token, and the marks. */
export const claimedLease = ({ lease }: Pick<LeasedTable, 'lease'>, token: string): SQL =>
  sql`${token}::text || coalesce(substring(${lease} from ${marks.source}::text) || ${mark}::text, '')`

/**
 * A row that was abandoned twice is suspect: the work on it may have ended both processes. Once it may be one of many rows of a process that
 * ended for any reason.
 */
const suspectTimes = 2

/** @param claimed as the claim has returned it */
export const isSuspect = (claimed: Pick<Held, 'lease'>): boolean => abandonedTimes(claimed) >= suspectTimes

/** A condition on a row that no process holds: it was abandoned so often that the holder of the next claim counts it as suspect. */
const wouldBeSuspect = ({ lease }: Pick<LeasedTable, 'lease'>): SQL =>
  sql`coalesce(right(${lease}, ${suspectTimes - 1}::integer) = ${mark.repeat(suspectTimes - 1)}::text, false)`

interface Suspects {
  /** The condition by which rows are claimed. */
  readonly due: SQL
  readonly order: SQL | PgColumn
  readonly most: number
}

/** A condition: the row is not suspect, or among the first suspect rows. */
export const isAmongFewSuspects = (table: LeasedTable, { due, order, most }: Suspects): SQL =>
  sql`(not ${wouldBeSuspect(table)} or ${table.id} in (
    select ${table.id} from ${table} where ${due} and ${wouldBeSuspect(table)} order by ${order} limit ${most}::integer))`
