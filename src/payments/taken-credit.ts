// The credit that a refund takes from the balance of the payer. Money that the payer has moved into wallets of groups is not spent: if the
// balance is smaller than the credit, it returns from the wallets first.

import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { payments, transfers } from '../db/schema.ts'
import { correctionKey, hasKeyOf, keyInSql, refundKey } from '../ledger/keys.ts'
import { type Posted, post, type Transfer } from '../ledger/ledger.ts'
import { refundPayment as debit } from '../ledger/moves.ts'
import { emptyWalletsOf, moneyOf } from '../ledger/wallets.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Payment } from './payment.ts'

export const maxAttempts = 9

export interface Progress {
  /** The number of the current attempt, or of the next one. */
  readonly attempt: number
  /** The credit was taken and not returned. */
  readonly isTaken: boolean
  readonly takenAt: Date | undefined
}

const attemptKey = ({ key }: Transfer, attempt: number): string => (attempt === 1 ? key : `${key}#${attempt}`)
export const returnKey = (payment: Payment, attempt: number): string => attemptKey(debit(payment), attempt)

export const take = (payment: Payment, { attempt }: Progress, reason?: string): Transfer => {
  const move = debit(payment, reason)
  return { ...move, key: attemptKey(move, attempt) }
}

/**
 * The progress is derived from the ledger: each attempt has a transfer that takes the credit, and another one if the credit was returned.
 */
export async function progressOf(db: Database, payment: Payment): Promise<Progress> {
  const attempts = Array.from({ length: maxAttempts }, (_, index) => index + 1)
  const taken = attempts.map((attempt) => attemptKey(debit(payment), attempt))
  const keys = [...taken, ...taken.map(correctionKey)]
  const { key, createdAt } = transfers
  const found = await db.select({ key, createdAt }).from(transfers).where(inArray(key, keys))
  const returned = found.filter((move) => hasKeyOf(correctionKey, move.key)).length
  const attempt = returned + 1
  const takenAt = found.find((move) => move.key === attemptKey(debit(payment), attempt))?.createdAt
  return { attempt, isTaken: found.length > 2 * returned, takenAt }
}

/** The key of the transfer that takes the credit of the payment `p`. */
export const keyOfTaken = keyInSql(refundKey, sql`p.provider || ':' || p.charge_id`)

/** Whether the credit of a payment of the user is taken for a refund that the provider has neither made nor refused. */
export const isRefunding = (userId: bigint): SQL => sql`exists (
  select from ${transfers} t join ${payments} p on p.top_up_id = t.top_up_id and ${keyOfTaken} = split_part(t.key, '#', 1)
  where t.user_id = ${userId}::bigint and t.kind = 'refund' and t.credit = 'provider' and p.refunded_at is null
    and not exists (select from ${transfers} c where c.key = ${keyInSql(correctionKey, sql`t.key`)}))`

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

interface Taking {
  readonly taking: Transfer
  readonly guard?: SQL
  readonly also?: readonly SQL[]
  /** The provider has made the refund: the wallets are emptied even if their money does not suffice, before members spend it. */
  readonly isMade: boolean
}

/** Takes the credit from the balance. If the balance is too small, the payer's wallets are emptied into it, and it is tried again. */
export async function postTaking(
  deps: Deps,
  payment: Payment,
  { taking, guard, also, isMade }: Taking,
): Promise<Posted> {
  const { db, clock } = deps
  const tried = await post(db, [taking], clock.now(), guard, also)
  const isShort = !tried.ok && tried.reason === 'insufficient'
  if (!isShort || !(isMade || (await moneyOf(db, payment.userId)) >= payment.credit)) return tried
  const key = `${taking.key}:${deps.ids.next()}`
  // Tried again even if nothing was left in the wallets: another process may have emptied them since the first try.
  await emptyWalletsOf(db, { key, ownerId: payment.userId }, clock.now())
  return post(db, [taking], clock.now(), guard, also)
}
