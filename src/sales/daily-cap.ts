// How much a user may spend within 24 hours on orders and answers together, also if a wallet pays. Held money counts as spent. The cap is
// checked inside the statement that holds the money, on the balance row that it has locked (ledger/balance-lock.ts).

import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { balances, transfers } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { orderName } from '../ledger/keys.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import { dayMs } from '../runtime/durations.ts'
import { refundsOf, spentByGroups } from './group-cap.ts'

export interface DailyCapDeps {
  readonly db: Database
  readonly clock: Clock
  /** The cap of a user; undefined for no cap. */
  readonly limits: { readonly dailySpend: Kopecks | undefined }
}

/** An amount that a user wants to spend. */
export interface Spending {
  readonly userId: bigint
  readonly amount: Kopecks
}

interface DailyCap {
  readonly most: Kopecks
  /** The amount that was captured within 24 hours and not refunded, plus the amount held now. */
  readonly spent: Kopecks
}

export interface OverDailyCap extends DailyCap {
  readonly ok: false
  readonly reason: 'daily-cap'
}

const capture = alias(transfers, 'c')

/** An SQL amount: what the user has spent within 24 hours. @param held the amount that is held for the user now, in SQL */
export const spentBy = (userId: bigint, now: Date, held: SQL): SQL => sql`(${held} + (
  select coalesce(sum(c.amount - coalesce(r.amount, 0)), 0)::bigint
  from ${transfers} c
    left join (${refundsOf(userId)}) r on r.name = ${orderName(capture)}
  where c.user_id = ${userId}::bigint and ${isOneOf(capture.kind, 'capture')} and c.wallet_id is null
    and c.created_at > ${timestamp(now, -dayMs)}) + ${spentByGroups(userId, now)})`

/** An SQL condition: the user may spend this amount too. @param held the amount that is held for the user now, in SQL */
export function isWithinDailyCap(
  { clock, limits }: Omit<DailyCapDeps, 'db'>,
  { userId, amount }: Spending,
  held: SQL,
): SQL {
  const { dailySpend } = limits
  if (dailySpend === undefined) return sql`true`
  return sql`${spentBy(userId, clock.now(), held)} + ${amount}::bigint <= ${dailySpend}::bigint`
}

/** Reads how much of the cap a user has spent; undefined without a cap. */
export async function readDailyCap(
  { db, clock, limits }: DailyCapDeps,
  userId: bigint,
): Promise<DailyCap | undefined> {
  const { dailySpend: most } = limits
  if (most === undefined) return undefined
  const query = sql`
    select ${spentBy(userId, clock.now(), sql`b.held`)} as spent
    from ${balances} b where b.user_id = ${userId}::bigint`
  const [found] = await rows(db, query, z.object({ spent: z.coerce.bigint() }))
  assert(found, 'every user has a balance')
  return { most, spent: found.spent }
}
