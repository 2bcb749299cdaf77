// Leases of generations. All other queues: queue.ts.

import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { leaseMs } from '../runtime/leases.ts'
import type { Database } from './client.ts'
import { timestamp } from './sql.ts'

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

/** Extends leases. A row whose lease was lost keeps its new lease. */
export async function renewLeases(
  db: Database,
  table: LeasedTable,
  held: readonly Held[],
  until: Date,
): Promise<void> {
  const ids = held.map(({ id }) => id)
  const leases = held.flatMap(({ lease }) => lease ?? [])
  if (leases.length === 0) return
  await db.execute(sql`
    update ${table} set lease_until = ${timestamp(until)}
    where ${and(inArray(table.id, ids), inArray(table.lease, leases))}`)
}
