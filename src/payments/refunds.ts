// Refunds of payments. The credit is taken first, then the provider is asked, so that refunded money cannot be spent as well. If
// the process ends in between, `resumeRefunds` continues. When the provider refuses, the credit is returned. What a provider has given back
// already is taken in any case: what the payer no longer has becomes a debt.

import assert from 'node:assert/strict'
import { eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { payments, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { builtIn } from '../ledger/built-in-notes.ts'
import { nameIn, refundKey } from '../ledger/keys.ts'
import { post, readBalance, type Transfer } from '../ledger/ledger.ts'
import { correction } from '../ledger/moves.ts'
import { moneyOf, owingOwners } from '../ledger/wallets.ts'
import { ceilDiv, type Kopecks, lower } from '../money.ts'
import { changeAndTell, insertGuardedNotice, type NewNotice } from './notices.ts'
import { findPayment, markUnmatchedRefunded, type Payment } from './payment.ts'
import type { Provider } from './providers.ts'
import { lowerTaxReceipt } from './self-employed/receipts.ts'
import { emptyInto, postTaking, take, takenOf, unfinishedRefunds } from './taken-credit.ts'
import { follow, type TopUpDeps } from './top-ups.ts'

type Refunded =
  | { readonly ok: true; readonly credit: Kopecks }
  | {
      readonly ok: false
      readonly reason:
        | 'unknown'
        | 'already-refunded'
        /** The balance, with the money in the payer's wallets, is smaller than what is left of the credit. */
        | 'spent'
        | 'off'
        /** The operator refunds it in the provider's cabinet, and then calls `noteRefund`. */
        | 'by-hand'
        /** The provider did not answer, or is being asked: the credit stays taken, and resumeRefunds asks again. */
        | 'pending'
    }
  | { readonly ok: false; readonly reason: 'refused' | 'part-refused'; readonly said: string }
  | { readonly ok: false; readonly reason: PartRefusal | 'part-unanswered' }

/** Refunds a payment for an operator. A repeated call continues a refund that was begun. @param reason for the user */
export async function refundPayment(
  deps: TopUpDeps,
  providerId: string,
  chargeId: string,
  reason?: string,
): Promise<Refunded> {
  const payment = await findPayment(deps.db, providerId, chargeId)
  if (!payment) return { ok: false, reason: 'unknown' }
  if (payment.refundedAt) return { ok: false, reason: 'already-refunded' }
  const provider = deps.providers.find(({ id }) => id === payment.provider)
  if (!provider) return { ok: false, reason: 'off' }
  if (!provider.refund) return { ok: false, reason: 'by-hand' }
  const taken = await takenOf(deps.db, payment)
  const rest = payment.credit - taken.sum
  if (rest === 0n && taken.last) {
    if (isBeingAsked(taken.lastAt, deps.clock.now())) return { ok: false, reason: 'pending' }
    return askProvider(deps, provider, payment, { taking: taken.last, attempt: taken.times })
  }
  const taking = take(payment, taken, rest, reason)
  const posted = await postTaking(deps, { taking, guard: notRefunded(payment), isMade: false })
  if (posted.ok) return askProvider(deps, provider, payment, { taking, attempt: taken.times + 1 })
  return { ok: false, reason: refusals[posted.reason] }
}

/** A part of the charge. It is refunded only while the sum of the earlier refunds is the one that the operator has seen. */
interface Part {
  readonly amount: bigint
  readonly before: bigint
}

/** What was given back of the charge, as far as its credit was taken; rounded up, since what was taken was rounded down. */
export async function refundedOf(db: Database, payment: Payment): Promise<bigint> {
  const { sum } = await takenOf(db, payment)
  return ceilDiv(sum * payment.charge, payment.credit)
}

type PartRefusal = 'whole-only' | 'changed' | 'too-much' | 'off' | 'spent'

/** Why a part cannot be refunded. Telegram refunds Stars as a whole; of roubles what the app cannot refund is refunded in a cabinet. */
export async function partRefusal(
  deps: TopUpDeps,
  payment: Payment,
  { amount, before }: Part,
): Promise<PartRefusal | undefined> {
  const { charge, credit, currency, userId } = payment
  if (currency !== 'RUB') return 'whole-only'
  if ((await refundedOf(deps.db, payment)) !== before) return 'changed'
  if (before + amount > charge) return 'too-much'
  const provider = deps.providers.find(({ id }) => id === payment.provider)
  if (!provider) return 'off'
  return provider.refundPart && (await moneyOf(deps.db, userId)) < (credit * amount) / charge
    ? 'spent'
    : undefined
}

/**
 * Refunds a part of a payment for an operator, who has made it if the provider refunds parts in its cabinet only. Unlike with a whole refund
 * the provider is asked first: if its answer is lost, the credit is taken when the provider reports the refund, as after one that was made in
 * the cabinet.
 */
export async function refundPart(
  deps: TopUpDeps,
  payment: Payment,
  part: Part,
  reason: string,
): Promise<Refunded> {
  const refusal = await partRefusal(deps, payment, part)
  if (refusal) return { ok: false, reason: refusal }
  const { chargeId, topUpId, currency } = payment
  const provider = deps.providers.find(({ id }) => id === payment.provider)
  const order = { chargeId, topUpId, part: { currency, amount: part.amount }, before: part.before }
  const outcome = (await provider?.refundPart?.(order)) ?? { is: 'done' }
  if (outcome.is !== 'done') {
    deps.log.warn({ provider: payment.provider, chargeId, outcome }, 'part of a payment not refunded')
    return outcome.is === 'refused'
      ? { ok: false, reason: 'part-refused', said: outcome.said }
      : { ok: false, reason: 'part-unanswered' }
  }
  await noteRefund(deps, payment.provider, chargeId, part.before + part.amount, reason)
  return { ok: true, credit: part.amount }
}

const refusals = { insufficient: 'spent', guarded: 'already-refunded', duplicate: 'pending' } as const

/** How long a provider may be asked: longer than a request takes, its time limit included. */
const askingMs = 2 * 60_000

/**
 * Only the process that has taken the credit asks the provider, by one call at a time: if a second call were refused while the first one
 * succeeds, the second would return a credit that has been refunded.
 */
const isBeingAsked = (takenAt: Date | undefined, now: Date): boolean =>
  takenAt !== undefined && now.getTime() - takenAt.getTime() < askingMs

/** Continues refunds that are not finished, and pays debts with money that has returned to wallets since. */
export async function resumeRefunds(deps: TopUpDeps): Promise<void> {
  const row = z.object({ provider: z.string(), charge_id: z.string() })
  for (const { provider, charge_id } of await rows(deps.db, unfinishedRefunds, row)) {
    const payment = await findPayment(deps.db, provider, charge_id)
    if (payment?.refundedAt) await noteRefund(deps, provider, charge_id, payment.charge)
    else await refundPayment(deps, provider, charge_id)
  }
  for (const ownerId of await owingOwners(deps.db)) await emptyInto(deps, ownerId, 'debt')
}

type Taking = Pick<Transfer, 'key' | 'amount'>

async function askProvider(
  deps: TopUpDeps,
  provider: Provider,
  payment: Payment,
  { taking, attempt }: { readonly taking: Taking; readonly attempt: number },
): Promise<Refunded> {
  const { chargeId, topUpId, userId } = payment
  const [payer] = await deps.db.select().from(users).where(eq(users.id, userId))
  const charge = { currency: payment.currency, amount: payment.charge }
  const order = { chargeId, topUpId, charge, telegramId: payer?.telegramId ?? null, attempt }
  const outcome = (await provider.refund?.(order)) ?? { is: 'unavailable', said: 'not possible' }
  if (outcome.is === 'done') {
    await noteRefund(deps, provider.id, chargeId, payment.charge)
    return { ok: true, credit: taking.amount }
  }
  deps.log.warn({ provider: provider.id, chargeId, attempt, outcome }, 'payment not refunded')
  if (outcome.is === 'unavailable') return { ok: false, reason: 'pending' }
  const back = correction(taking.key, userId, taking.amount, builtIn('refund-refused'))
  await post(deps.db, back, deps.clock.now(), notRefunded(payment))
  return { ok: false, reason: 'refused', said: outcome.said }
}

/**
 * The provider has given back a payment or a part of it, on our request or not: takes what is not taken yet, and tells the user.
 * @param reported how much of the charge was given back in all, so that a repeated report, or one that comes late, changes nothing
 * @param reason of the operator who has made the refund, for the user
 */
export async function noteRefund(
  deps: TopUpDeps,
  providerId: string,
  chargeId: string,
  reported: bigint,
  reason?: string,
): Promise<'unknown' | 'before' | 'noted'> {
  // This comes first: a payment that an operator assigns at the same moment is then found below.
  await markUnmatchedRefunded(deps, providerId, chargeId, reported)
  const payment = await findPayment(deps.db, providerId, chargeId)
  if (!payment) return 'unknown'
  const { credit, charge, userId } = payment
  const refunded = lower(reported, charge)
  // Before the money is taken: a process that ends in between does both when the refund is reported or resumed again.
  await lowerTaxReceipt(deps, payment, refunded)
  const taken = await takeUpTo(deps, payment, (credit * refunded) / charge, reason)
  if (!taken) return 'before'
  const { available } = await readBalance(deps.db, userId)
  const facts = { provider: providerId, chargeId, user: `${userId}`, taken: `${taken.amount}` }
  if (available < 0n)
    deps.log.error(
      { ...facts, owed: `${-available}` },
      'payment refunded after its credit was spent: the user owes money',
    )
  else deps.log.info(facts, 'payment refunded')
  deps.wakeNotices()
  await follow(deps, 'onRefunded', payment)
  return 'noted'
}

/** @returns what was taken for the refund that is noted now; undefined if it was noted before */
async function takeUpTo(
  deps: TopUpDeps,
  payment: Payment,
  target: Kopecks,
  reason: string | undefined,
): Promise<Taking | undefined> {
  const now = deps.clock.now()
  const isWhole = target === payment.credit
  const taken = await takenOf(deps.db, payment)
  const missing = target - taken.sum
  if (missing <= 0n) return isWhole && taken.last ? markTaken(deps, payment, taken.last) : undefined
  const taking = take(payment, taken, missing, reason)
  const guard = sql`
    update ${payments} set refunded_at = coalesce(refunded_at, ${timestamp(isWhole ? now : null)})
    where ${same(payment)} returning charge_id`
  const also = [insertGuardedNotice(noticeOf(payment, taking), now)]
  const posted = await postTaking(deps, { taking, guard, also, isMade: true })
  if (posted.ok) return taking
  assert(posted.reason === 'duplicate', 'a refund that was made is taken from any balance')
  // Another process has taken something at the same moment.
  return takeUpTo(deps, payment, target, reason)
}

/** Marks a refund whose credit was taken before the provider was asked, unless it is marked. */
async function markTaken(deps: TopUpDeps, payment: Payment, taking: Taking) {
  const mark = sql`
    update ${payments} set refunded_at = ${timestamp(deps.clock.now())}
    where ${same(payment)} and refunded_at is null returning charge_id`
  return (await changeAndTell(deps, mark, noticeOf(payment, taking))) ? taking : undefined
}

const noticeOf = ({ userId }: Payment, { key, amount }: Taking): NewNotice => ({
  kind: 'refunded',
  event: nameIn(refundKey, key),
  userId,
  amount,
})

const same = ({ provider, chargeId }: Payment): SQL => sql`provider = ${provider} and charge_id = ${chargeId}`

/** Finds the payment and locks its row, so that a refund that is noted at the same time is seen. */
const notRefunded = (payment: Payment): SQL =>
  sql`select charge_id from ${payments} where ${same(payment)} and refunded_at is null for update`
