// How many generations a user may have at once, and how much they may spend within 24 hours. The limits are the same for all
// users, operators included, and are checked inside the statement that holds the money.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRow } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { unchangedBalance } from '../ledger/balance-lock.ts'
import type { Kopecks } from '../money.ts'
import {
  type DailyCapDeps,
  isWithinDailyCap,
  type OverDailyCap,
  readDailyCap,
  type Spending,
} from './daily-cap.ts'

export interface Limits {
  readonly dailySpend: Kopecks | undefined
  readonly concurrent: number
}

export type OverLimit =
  | { readonly ok: false; readonly reason: 'too-many'; readonly most: number }
  | OverDailyCap

interface Deps extends DailyCapDeps {
  readonly limits: Limits
}

/** A query that returns one row if the user may order this too, and no row otherwise or if the balance changed meanwhile. */
export function hasRoom(deps: Omit<Deps, 'db'>, order: Spending): SQL {
  const { concurrent } = deps.limits
  return sql`
    select b.held from (${unchangedBalance(order.userId)}) b, (${liveOf(order.userId)}) g
    where g.live < ${concurrent}::integer and ${isWithinDailyCap(deps, order, sql`b.held`)}`
}

/** Only live generations are in the index `generations_live`: the query does not slow down as orders accumulate. */
const liveOf = (userId: bigint): SQL => sql`
  select count(*) as live from ${generations}
  where ${generations.userId} = ${userId}::bigint and ${generations.settledAt} is null`

/** Why the order exceeded a limit; undefined when there is room now. */
export async function overLimit(deps: Deps, { userId, amount }: Spending): Promise<OverLimit | undefined> {
  const { live } = await oneRow(deps.db, liveOf(userId), z.object({ live: z.coerce.number() }))
  const { concurrent } = deps.limits
  if (live >= concurrent) return { ok: false, reason: 'too-many', most: concurrent }
  const cap = await readDailyCap(deps, userId)
  if (!cap || cap.spent + amount <= cap.most) return undefined
  return { ok: false, reason: 'daily-cap', ...cap }
}
