// The money that a user can spend on an answer: the balance, within the rest of the daily limit.

import assert from 'node:assert/strict'
import type { Database } from '../db/client.ts'
import { accounts } from '../db/schema.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import type { Kopecks } from '../money.ts'
import { type LimitDeps, type OverDailyCap, spentToday } from '../sales/limits.ts'

export interface Funds {
  readonly available: Kopecks
  /** What the orders and answers of today cost. */
  readonly spent: Kopecks
}

/** The columns of `Funds`, in a query of the account of the user. */
export const fundsColumns = (deps: LimitDeps) => ({
  available: accounts.available,
  spent: spentToday(deps),
})

export async function readFunds(deps: LimitDeps & { readonly db: Database }, userId: bigint): Promise<Funds> {
  const [found] = await deps.db.select(fundsColumns(deps)).from(accounts).where(isAccountOf(userId))
  assert(found, 'every user has an account')
  return found
}

export type TooExpensive =
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | OverDailyCap

/** Why an answer that costs at least this cannot be paid; undefined when it can. */
export function tooExpensive(
  { limits }: Pick<LimitDeps, 'limits'>,
  { available, spent }: Funds,
  least: Kopecks,
): TooExpensive | undefined {
  if (available < least) return { ok: false, reason: 'insufficient', missing: least - available }
  const { dailySpend: most } = limits
  return most !== undefined && spent + least > most
    ? { ok: false, reason: 'daily-cap', most, spent }
    : undefined
}
