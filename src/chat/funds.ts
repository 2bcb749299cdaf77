// The money that a user can spend on an answer: the balance, within the rest of the daily limit.

import assert from 'node:assert/strict'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { balances } from '../db/schema.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import { type OverDailyCap, spentBy } from '../sales/daily-cap.ts'

export interface FundsDeps {
  readonly clock: Clock
  /** Limit of what one user can spend on answers and orders within 24 hours; undefined means no limit. */
  readonly limits: { readonly dailySpend: Kopecks | undefined }
}

export interface Funds {
  readonly available: Kopecks
  /** The amount that was captured within 24 hours and not refunded, plus the amount held now; null without a daily limit. */
  readonly spent: Kopecks | null
}

/** The columns of `Funds`, in a query of the balance of the user. */
export function fundsColumns({ clock, limits }: FundsDeps, userId: bigint) {
  const spent =
    limits.dailySpend === undefined ? sql`null::bigint` : spentBy(userId, clock.now(), sql`${balances.held}`)
  return { available: balances.available, spent: sql<Kopecks | null>`${spent}`.mapWith(balances.held) }
}

export async function readFunds(deps: FundsDeps & { readonly db: Database }, userId: bigint): Promise<Funds> {
  const columns = fundsColumns(deps, userId)
  const [found] = await deps.db.select(columns).from(balances).where(eq(balances.userId, userId))
  assert(found, 'every user has a balance')
  return found
}

export type TooExpensive =
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | OverDailyCap

/** The most that an answer may cost at the moment. */
export function spendable(
  { limits }: Pick<FundsDeps, 'limits'>,
  { available, spent }: Funds,
  least: Kopecks,
): TooExpensive | { readonly ok: true; readonly amount: Kopecks } {
  if (available < least) return { ok: false, reason: 'insufficient', missing: least - available }
  const { dailySpend: most } = limits
  if (most === undefined || spent === null) return { ok: true, amount: available }
  const left = most - spent
  if (left < least) return { ok: false, reason: 'daily-cap', most, spent }
  return { ok: true, amount: available < left ? available : left }
}
