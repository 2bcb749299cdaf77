// What a user spends within a day, and the way to decide by it: two processes that look at the same time must not both find
// that there is room for one more order.

import { type SQL, sql } from 'drizzle-orm'
import { balances, transfers } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'

export const dayMs = 24 * 60 * 60_000

/**
 * A query of one row, `held`, if the balance has not moved since the statement began to look; it can not move until the
 * statement ends. No row means that what the statement sees of this user's money may be old: begin again.
 */
export const unmoved = (userId: bigint): SQL => sql`
  with seen as materialized (select user_id, held, xmin from ${balances} where user_id = ${userId}::bigint)
  select seen.held from ${balances} b join seen on seen.user_id = b.user_id and seen.xmin = b.xmin
  for update of b`

/** A query of one row, `captured`: what was taken since then and not given back. */
export const capturedSince = (userId: bigint, since: Date): SQL => sql`
  select coalesce(sum(c.amount - coalesce(r.amount, 0)), 0)::bigint as captured
  from ${transfers} c left join ${transfers} r
    on r.key = 'refund:' || coalesce(c.generation_id, 'turn:' || c.turn_id)
  where c.user_id = ${userId}::bigint and c.kind = 'capture' and c.created_at > ${timestamp(since)}`
