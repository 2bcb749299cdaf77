// Statements of a table that is also a queue. A claim takes due rows under a lease, and every later write names the lease, so that a
// process that lost it changes nothing. A claim adds 1 to `claims`, and a release sets it to 0, so `claims - 1` processes in a row ended,
// or lost the lease, during their work on the row. Such a row is a suspect: it may have ended them.

import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Claim, leaseMs, type Queue } from '../runtime/queue-worker.ts'
import type { Database } from './client.ts'
import { timestamp } from './sql.ts'

interface QueueTable extends PgTable {
  readonly id: PgColumn
  readonly lease: PgColumn
  readonly leaseUntil: PgColumn
  readonly claims: PgColumn
}

/** A row that was claimed under a lease. */
interface Held {
  readonly id: string | number | bigint
  readonly lease: string | null
}

/** The columns of a row that a claim takes. */
export const claimed = (
  { claims }: Pick<QueueTable, 'claims'>,
  { lease, now }: Pick<Claim, 'lease' | 'now'>,
) => ({
  ...leased(lease, now),
  claims: sql`${claims} + 1`,
})

/** The columns of a row that is inserted or continued under a new lease. */
export const leased = (lease: string, now: Date) => ({
  lease,
  leaseUntil: new Date(now.getTime() + leaseMs),
})

export const released = { lease: null, leaseUntil: null, claims: 0 } as const

/** A condition: no process holds the row. */
export const isFree = ({ leaseUntil }: Pick<QueueTable, 'leaseUntil'>, now: Date): SQL | undefined =>
  or(isNull(leaseUntil), lte(leaseUntil, now))

export const isHeld = ({ id, lease }: Pick<QueueTable, 'id' | 'lease'>, held: Held): SQL | undefined =>
  and(eq(id, held.id), eq(lease, held.lease ?? ''))

interface Due {
  readonly due: SQL | undefined
  readonly order: SQL | PgColumn
}

/**
 * A condition: the row is among the first due rows that no process holds. Rows that another process is just claiming are skipped. The ids
 * are an array, so that they are looked for once, whatever the plan of the statement is.
 */
export function isClaimable(table: QueueTable, { due, order }: Due, { now, max, maxSuspects }: Claim): SQL {
  const first = (which: SQL, limit: number) => sql`
    select id from (
      select ${table.id} as id from ${table} where ${and(due, isFree(table, now), which)}
      order by ${order} limit ${limit}::integer for update skip locked) due`
  return sql`${table.id} = any (array(
    ${first(eq(table.claims, 0), max)} union all ${first(sql`${table.claims} > 0`, maxSuspects)}))`
}

/** The statement that extends leases, of rows whose lease was not lost; `returning` may be appended to it. */
export function renewalOf(table: QueueTable, held: readonly Held[], until: Date): SQL {
  const ids = held.map(({ id }) => id)
  const leases = held.flatMap(({ lease }) => lease ?? [])
  return sql`
    update ${table} set lease_until = ${timestamp(until)}
    where ${and(inArray(table.id, ids), inArray(table.lease, leases))}`
}

/** What every queue worker does with the leases of its table. @param waiting a condition of unfinished rows, for a partial index */
export const leasesOf = <Row extends Held>(
  db: Database,
  table: QueueTable,
  waiting: SQL,
): Pick<Queue<Row & { readonly claims: number }>, 'renew' | 'release' | 'giveBack'> => ({
  async renew(held, until) {
    await db.execute(renewalOf(table, held, until))
  },
  async release(held) {
    await db.execute(sql`
      update ${table} set lease = null, lease_until = null, claims = 0 where ${isHeld(table, held)}`)
  },
  async giveBack(lease) {
    await db.execute(sql`
      update ${table} set lease = null, lease_until = null, claims = claims - 1
      where ${eq(table.lease, lease)} and ${waiting}`)
  },
})
