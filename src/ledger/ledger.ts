// The only writer of money besides the statements of orders and answers (orders/confirm.ts, orders/settle.ts, chat/hold.ts,
// chat/turns.ts). Every move is one SQL statement: a guard (a conditional state change of the caller), the transfers, and the accounts that
// they change, with the checksum of their transfers; all of it is written, or nothing. Statements lock the account of a user before a wallet.

import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows, violatedConstraint } from '../db/client.ts'
import { accounts, type ledgerAccounts, type transferKinds, transfers, walletMembers } from '../db/schema.ts'
import { bigint, type Part, timestamp, withParts } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { transferHash } from './checksum.ts'

type LedgerAccount = (typeof ledgerAccounts)[number]

export interface Transfer {
  /** Names the operation: a second transfer with the same key is refused. */
  readonly key: string
  readonly kind: (typeof transferKinds)[number]
  readonly userId: bigint
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly amount: Kopecks
  readonly generationId?: string
  readonly topUpId?: string
  readonly turnId?: string
  /** The wallet to which the account `group` or `group-held` belongs. */
  readonly walletId?: bigint
  readonly note?: string
  /** The money has already gone: what the balance lacks becomes a debt of the user. */
  readonly mayOwe?: boolean
  /** The day of the order that is refunded: the amount no longer counts towards the limits of that day. */
  readonly spentOn?: string | null
}

export type Posted =
  | { readonly ok: true }
  /** The guard returned no row: another process was first, or the state does not allow the transfer. */
  | { readonly ok: false; readonly reason: 'guarded' }
  | { readonly ok: false; readonly reason: 'insufficient' }
  | { readonly ok: false; readonly reason: 'duplicate' }

/** Whether the guard of the statement has returned a row. */
export const isGuarded = sql`exists (select from guard)`

/**
 * Posts one transfer if the guard returns a row.
 * @param guard an `insert`/`update … returning` of the same step
 * @param also further statements of the same step, each with the condition `isGuarded`
 */
export async function post(
  db: Database,
  move: Transfer,
  now: Date,
  guard: SQL = sql`select 1`,
  also: readonly SQL[] = [],
): Promise<Posted> {
  const parts = [
    { name: 'guard', statement: guard },
    ...also.map((statement, at) => ({ name: `also_${at}`, statement })),
    ...partsOf(move, now),
  ]
  try {
    const statement = withParts(parts, sql`select true as posted from guard limit 1`)
    const [posted] = await rows(db, statement, z.object({ posted: z.boolean() }))
    return posted ? { ok: true } : { ok: false, reason: 'guarded' }
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'accounts_not_negative') return { ok: false, reason: 'insufficient' }
    if (constraint === 'transfers_key_key') return { ok: false, reason: 'duplicate' }
    throw error
  }
}

function partsOf(move: Transfer, now: Date): Part[] {
  const { key, kind, userId, debit, credit, amount, generationId, topUpId, turnId, note, walletId } = move
  assert(debit !== credit, 'a transfer is between two accounts')
  const change = (account: LedgerAccount) =>
    bigint(account === credit ? amount : account === debit ? -amount : 0n)
  const day = sql`${move.spentOn ?? null}::date`
  // Only a move that may owe makes or raises a debt: the constraint refuses every other one that lowers the balance below zero.
  const balance = sql`a.available + ${change('available')}`
  const owed = move.mayOwe ? sql`${balance}` : sql`greatest(a.available, ${balance})`
  const posted = sql`
    insert into ${transfers} (key, kind, user_id, debit, credit, amount, generation_id, top_up_id, turn_id, note, wallet_id, created_at)
    select ${key}, ${kind}, ${bigint(userId)}, ${debit}, ${credit}, ${bigint(amount)}, ${generationId ?? null}, ${topUpId ?? null},
      ${turnId ?? null}, ${note ?? null}, ${bigint(walletId ?? null)}, ${timestamp(now)}
    where ${isGuarded}
    returning user_id, wallet_id, amount, ${sql.raw(transferHash)} as hash`
  const changed = sql`
    update ${accounts} a set available = ${balance}, held = a.held + ${change('held')}, owed = greatest(0, -(${owed})),
      checksum = a.checksum # posted.hash,
      spent_today = a.spent_today - case when a.spent_on = ${day} then posted.amount else 0 end
    from posted where a.kind = 'user' and a.owner_id = posted.user_id
    returning a.id`
  const walletChanged = sql`
    update ${accounts} w set available = w.available + ${change('group')}, held = w.held + ${change('group-held')}
    from posted, changed where w.id = posted.wallet_id`
  const memberChanged = sql`
    update ${walletMembers} m set spent = m.spent - posted.amount
    from posted, changed where m.account_id = posted.wallet_id and m.user_id = posted.user_id and m.spent_on = ${day}`
  const parts = [
    { name: 'posted', statement: posted },
    { name: 'changed', statement: changed },
  ]
  if (walletId === undefined) return parts
  return [
    ...parts,
    { name: 'wallet_changed', statement: walletChanged },
    { name: 'member_changed', statement: memberChanged },
  ]
}

export interface Balance {
  /** Below zero it is a debt. */
  readonly available: Kopecks
  readonly held: Kopecks
}

/** A condition on `accounts`: it is the account of this user. With a constant, so that the planner uses the index. */
export const isAccountOf = (userId: bigint): SQL =>
  sql`${accounts.kind} = 'user' and ${accounts.ownerId} = ${bigint(userId)}`

export async function readBalance(db: Database, userId: bigint): Promise<Balance> {
  const { available, held } = accounts
  const [found] = await db.select({ available, held }).from(accounts).where(isAccountOf(userId))
  assert(found, 'every user has an account')
  return found
}
