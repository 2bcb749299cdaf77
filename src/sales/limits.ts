// How many generations a user may have at once, and how much they may spend in a day on orders and answers together, also if a wallet
// pays. The limits are the same for all users, operators included. Both are counted in the account of the user, and the statement that holds
// the money checks them there; here they are read for cards and refusals. A day is a calendar day of the operator's time zone.

import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { accounts } from '../db/schema.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import type { Kopecks } from '../money.ts'
import { type Clock, localDay } from '../runtime/clock.ts'

export interface Limits {
  /** What a user may spend in a day; undefined for no limit. */
  readonly dailySpend: Kopecks | undefined
  readonly concurrent: number
  /** The zone whose days count. */
  readonly timeZone: string
}

export interface LimitDeps {
  readonly clock: Clock
  readonly limits: Limits
}

interface DailyCap {
  readonly most: Kopecks
  /** What the orders and answers of today cost: held, or captured and not refunded. */
  readonly spent: Kopecks
}

export interface OverDailyCap extends DailyCap {
  readonly ok: false
  readonly reason: 'daily-cap'
}

export type OverLimit =
  | { readonly ok: false; readonly reason: 'too-many'; readonly most: number }
  | OverDailyCap

/** Today, like `2026-11-21`. */
export const dayOf = ({ clock, limits }: LimitDeps): string => localDay(clock.now(), limits.timeZone)

/** What the user of an account has spent today. The day of an account never goes back, also if the clocks of two processes differ. */
export const spentToday = (deps: LimitDeps): SQL<Kopecks> =>
  sql<Kopecks>`case when ${accounts.spentOn} >= ${dayOf(deps)}::date then ${accounts.spentToday} else 0 end`.mapWith(
    accounts.spentToday,
  )

/** Why the order exceeded a limit; undefined when there is room now. */
export async function overLimit(
  deps: LimitDeps & { readonly db: Database },
  { userId, amount }: { readonly userId: bigint; readonly amount: Kopecks },
): Promise<OverLimit | undefined> {
  const { concurrent, dailySpend: most } = deps.limits
  const [found] = await deps.db
    .select({ live: accounts.openOrders, spent: spentToday(deps) })
    .from(accounts)
    .where(isAccountOf(userId))
  assert(found, 'every user has an account')
  const { live, spent } = found
  if (live >= concurrent) return { ok: false, reason: 'too-many', most: concurrent }
  if (most === undefined || spent + amount <= most) return undefined
  return { ok: false, reason: 'daily-cap', most, spent }
}
