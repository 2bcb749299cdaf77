// How many generations a user may have at once, and how much they may spend within 24 hours. The same for everybody,
// operators too. Decided inside the statement that holds the money; see `unmoved`.

import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { balances, generations } from '../db/schema.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import { capturedSince, dayMs, unmoved } from './spending.ts'

export interface Limits {
  readonly dailySpend: Kopecks | undefined
  readonly concurrent: number
}

export type OverLimit =
  | { readonly ok: false; readonly reason: 'too-many'; readonly most: number }
  | {
      readonly ok: false
      readonly reason: 'daily-cap'
      readonly most: Kopecks
      /** Captured within 24 hours, and held now. */
      readonly spent: Kopecks
    }

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly limits: Limits
}

interface Order {
  readonly userId: bigint
  readonly amount: Kopecks
}

/** A query of one row if the user may order this too; none if not, or if their money moved meanwhile. */
export function hasRoom({ clock, limits }: Omit<Deps, 'db'>, { userId, amount }: Order): SQL {
  const { dailySpend, concurrent } = limits
  const since = new Date(clock.now().getTime() - dayMs)
  const spent = sql`b.held + (${capturedSince(userId, since)})`
  const affordable =
    dailySpend === undefined ? sql`true` : sql`${spent} + ${amount}::bigint <= ${dailySpend}::bigint`
  return sql`
    select from (${unmoved(userId)}) b, (${liveOf(userId)}) g
    where g.live < ${concurrent}::integer and ${affordable}`
}

/** Whatever lives has something due, and of that there is an index: it does not grow with the years. */
const liveOf = (userId: bigint): SQL => sql`
  select count(*) as live from ${generations}
  where user_id = ${userId}::bigint and settled_at is null and next_check_at is not null`

const usage = z.object({ live: z.coerce.number(), spent: z.coerce.bigint() })

/** Why there was no room; undefined when there is. */
export async function overLimit(deps: Deps, order: Order): Promise<OverLimit | undefined> {
  const { db, clock, limits } = deps
  const since = new Date(clock.now().getTime() - dayMs)
  const held = sql`select held from ${balances} where user_id = ${order.userId}::bigint`
  const query = sql`
    select g.live, t.captured + b.held as spent
    from (${held}) b, (${liveOf(order.userId)}) g, (${capturedSince(order.userId, since)}) t`
  const [now] = await rows(db, query, usage)
  assert(now, 'every user has a balance')
  const { dailySpend, concurrent } = limits
  if (now.live >= concurrent) return { ok: false, reason: 'too-many', most: concurrent }
  if (dailySpend === undefined || now.spent + order.amount <= dailySpend) return undefined
  return { ok: false, reason: 'daily-cap', most: dailySpend, spent: now.spent }
}
