// Optimistic locks on a user's balance row. A statement sees the money of a user as it was when the statement began; without
// a lock two statements that run at the same time could both decide by a balance that the other is about to change.

import { type SQL, sql } from 'drizzle-orm'
import { balances } from '../db/schema.ts'

/**
 * A query of one row, `held`, if the balance has not changed since the statement began; the row is locked until the statement
 * ends. No row means that the money of this user may have changed since the statement read it: retry.
 */
export const unchangedBalance = (userId: bigint): SQL => sql`
  with seen as materialized (select user_id, held, xmin from ${balances} where user_id = ${userId}::bigint)
  select seen.held from ${balances} b join seen on seen.user_id = b.user_id and seen.xmin = b.xmin
  for update of b`

/**
 * A query of one row if nothing is held and the balance has not changed since the statement began. It rewrites the row, so that
 * a concurrent statement with `unchangedBalance` finds it changed.
 */
export const sealBalance = (userId: bigint): SQL => sql`
  update ${balances} b set available = b.available
  from (select user_id, xmin from ${balances} where user_id = ${userId}::bigint) seen
  where b.user_id = seen.user_id and b.xmin = seen.xmin and b.held = 0
  returning b.user_id`
