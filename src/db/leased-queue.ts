// Statements for tables that are used as queues. A process claims rows under a lease, renews the lease while it works on them, and
// every write names the lease, so that a process that lost it changes nothing. Rows with an expired lease are claimed by others. A nudge
// announces new rows; each process also looks every second for rows that have become due or whose nudge was lost.

import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { leaseMs } from '../runtime/leases.ts'
import type { Database } from './client.ts'
import { timestamp } from './sql.ts'

/** The time between two claims of a queue without a nudge. */
export const queuePollMs = 1000

export interface LeasedTable extends PgTable {
  readonly id: PgColumn
  readonly lease: PgColumn
  readonly leaseUntil: PgColumn
}

/** A row that was claimed under a lease. */
export interface Held {
  readonly id: string | number | bigint
  readonly lease: string | null
}

/** The lease columns of a row that is claimed now. */
export const leased = (lease: string, now: Date) => ({
  lease,
  leaseUntil: new Date(now.getTime() + leaseMs),
})

export const released = { lease: null, leaseUntil: null } as const

/** The assignments of `leased` or `released`, for a statement that is written as text. */
export const setLease = ({ lease, leaseUntil }: ReturnType<typeof leased> | typeof released): SQL =>
  sql`lease = ${lease}, lease_until = ${timestamp(leaseUntil)}`

/** A condition: no process holds the row. */
export const isFree = ({ leaseUntil }: Pick<LeasedTable, 'leaseUntil'>, now: Date): SQL | undefined =>
  or(isNull(leaseUntil), lte(leaseUntil, now))

export const isHeld = (table: LeasedTable, { id, lease }: Held): SQL | undefined =>
  and(eq(table.id, id), eq(table.lease, lease ?? ''))

interface Claim {
  readonly due: SQL | undefined
  readonly order: SQL | PgColumn
  readonly most: number
  readonly now: Date
}

/** A condition: the row is among the first due rows that no process holds. Rows that another process is just claiming are skipped. */
export const isClaimable = (table: LeasedTable, { due, order, most, now }: Claim): SQL =>
  inArray(
    table.id,
    sql`(
      select ${table.id} from ${table} where ${and(due, isFree(table, now))}
      order by ${order} limit ${most}::integer for update skip locked
    )`,
  )

/** Extends leases. A row whose lease was lost keeps its new lease. */
export async function renewLeases(
  db: Database,
  table: LeasedTable,
  held: readonly Held[],
  until: Date,
): Promise<void> {
  const renewal = renewalOf(table, held, until)
  if (renewal) await db.execute(renewal)
}

/** The statement that extends leases; `returning` may be appended to it. @returns undefined when no row is held */
function renewalOf(table: LeasedTable, held: readonly Held[], until: Date): SQL | undefined {
  const ids = held.map(({ id }) => id)
  const leases = held.flatMap(({ lease }) => lease ?? [])
  if (leases.length === 0) return undefined
  return sql`
    update ${table} set lease_until = ${timestamp(until)}
    where ${and(inArray(table.id, ids), inArray(table.lease, leases))}`
}
