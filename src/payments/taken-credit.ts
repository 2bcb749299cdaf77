// What refunds have taken of the credit of a payment. Money that the payer has moved into wallets of groups is not spent: if the balance is
// too small, it returns from the wallets first.

import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database, DbDeps } from '../db/client.ts'
import { payments, transfers } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import { chargeName, refundKey } from '../ledger/keys.ts'
import { type Posted, post, type Transfer } from '../ledger/ledger.ts'
import { refundPayment as debit } from '../ledger/moves.ts'
import { emptyWallet, moneyOf, walletsOf } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Payment } from './payment.ts'

/**
 * A condition: the transfer took a part of the credit of a payment, or returned it when the provider had refused the refund. A payment can
 * have several of these; the keys of all but the first end in a number. The partial index `transfers_rare` is used only because the kinds
 * and accounts stand in the condition.
 */
const isTaking = sql`(${isOneOf(transfers.kind, 'refund')} and ${isOneOf(transfers.credit, 'provider')}
  or ${isOneOf(transfers.kind, 'correction')} and ${isOneOf(transfers.credit, 'available')})`
const nameOfTaking = sql`split_part(replace(${transfers.key}, 'correction:', ''), '#', 1)`
const change = sql`case ${transfers.kind} when 'refund' then ${transfers.amount} else -${transfers.amount} end`

interface Taken {
  readonly sum: Kopecks
  /** How many transfers have taken something, those that were returned included. */
  readonly times: number
  readonly last: Pick<Transfer, 'key' | 'amount'> | undefined
  readonly lastAt: Date | undefined
}

export async function takenOf(
  db: Database,
  { provider, chargeId, userId }: Pick<Payment, 'provider' | 'chargeId' | 'userId'>,
): Promise<Taken> {
  const name = refundKey(chargeName(provider, chargeId))
  const found = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.userId, userId), isTaking, sql`${nameOfTaking} = ${name}`))
    .orderBy(asc(transfers.id))
  const takings = found.filter(({ kind }) => kind === 'refund')
  const last = takings.at(-1)
  const sum = found.reduce((all, { kind, amount }) => (kind === 'refund' ? all + amount : all - amount), 0n)
  return { sum, times: takings.length, last, lastAt: last?.createdAt }
}

/**
 * Takes an amount of the credit. The number of the transfer is part of its key: of processes that have read the same sum only one can
 * take something.
 */
export function take(payment: Payment, { times }: Taken, amount: Kopecks, reason?: string): Transfer {
  const move = debit(payment, reason)
  return { ...move, amount, key: times === 0 ? move.key : `${move.key}#${times + 1}` }
}

/** The sum that was taken of the credit of the payment `p`. */
export const takenSum = sql`(
  select coalesce(sum(${change}), 0) from ${transfers}
  where ${transfers.userId} = p.user_id and ${isTaking}
    and ${nameOfTaking} = ${refundKey('')}::text || p.provider || ':' || p.charge_id)`

/** Whether the credit of the payment `p` is taken for a refund that the provider has neither made nor refused. */
const isBegun = sql`(p.refunded_at is null and ${takenSum} = p.credit)`

export const isRefunding = (userId: bigint): SQL => sql`exists (
  select from ${payments} p where p.user_id = ${userId}::bigint and ${isBegun})`

/**
 * A query of the payments whose refund is not finished: it was begun, or the provider has made it and the credit is not taken, for instance
 * because it had just been returned after a refusal.
 */
export const unfinishedRefunds = sql`
  select p.provider, p.charge_id from ${payments} p
  where (p.refunded_at is null) = (${takenSum} = p.credit) and p.top_up_id in (
    select top_up_id from ${transfers}
    where ${isOneOf(transfers.kind, 'refund')} and ${isOneOf(transfers.credit, 'provider')})
  order by p.created_at`

type Deps = DbDeps & { readonly ids: Ids }

interface Taking {
  readonly taking: Transfer
  readonly guard?: SQL
  readonly also?: readonly SQL[]
  /** The provider has made the refund: what the payer no longer has becomes a debt. */
  readonly isMade: boolean
}

/**
 * Takes the credit from the balance. If the balance is too small, the payer's wallets are emptied into it first, before their members
 * spend more; a refund that is not made yet empties them only if they suffice.
 */
export async function postTaking(deps: Deps, { taking, guard, also, isMade }: Taking): Promise<Posted> {
  const { db, clock } = deps
  const tried = await post(db, taking, clock.now(), guard, also)
  if (tried.ok || tried.reason !== 'insufficient') return tried
  if (!isMade && (await moneyOf(db, taking.userId)) < taking.amount) return tried
  await emptyInto(deps, taking.userId, taking.key)
  // Tried again even if nothing was left in the wallets: another process may have emptied them since the first try.
  return post(db, { ...taking, mayOwe: isMade }, clock.now(), guard, also)
}

/** Returns the money in a user's wallets that is not held to the balance. @param what it is for */
export async function emptyInto({ db, clock, ids }: Deps, ownerId: bigint, what: string): Promise<void> {
  for (const wallet of await walletsOf(db, ownerId))
    await emptyWallet(db, { key: `${what}:${ids.next()}`, wallet }, clock.now())
}
