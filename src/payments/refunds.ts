// Giving a payment back. The credit is taken first, then the provider is asked: whoever dies in between has taken too much,
// which the next look puts right, and never given back money that is also spent. A refusal gives the credit back.

import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { payments, topUps, transfers, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { post, type Transfer } from '../ledger/ledger.ts'
import { correction, refundPayment as debit } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import type { Provider } from './provider.ts'
import { type TopUpDeps, tell } from './top-ups.ts'

export type Payment = typeof payments.$inferSelect

export type Refunded =
  | { readonly ok: true; readonly credit: Kopecks }
  | {
      readonly ok: false
      readonly reason:
        | 'unknown'
        | 'already-refunded'
        /** The credit is no longer on the balance. */
        | 'spent'
        /** The provider is switched off. */
        | 'off'
        /** Only the provider's cabinet can; call `noteRefund` after that. */
        | 'by-hand'
        /** The provider did not answer; the credit stays taken and it is asked again within the hour. */
        | 'pending'
    }
  | { readonly ok: false; readonly reason: 'refused'; readonly said: string }

/** For the operator. Calling it again continues what was begun. */
export async function refundPayment(
  deps: TopUpDeps,
  providerId: string,
  chargeId: string,
): Promise<Refunded> {
  const payment = await findPayment(deps, providerId, chargeId)
  if (!payment) return { ok: false, reason: 'unknown' }
  if (payment.refundedAt) return { ok: false, reason: 'already-refunded' }
  const provider = deps.providers.find(({ id }) => id === payment.provider)
  if (!provider) return { ok: false, reason: 'off' }
  if (!provider.refund) return { ok: false, reason: 'by-hand' }
  const standing = await standingOf(deps, payment)
  if (standing.attempt > maxAttempts) return { ok: false, reason: 'refused', said: 'refused too often' }
  if (!standing.isTaken) {
    const posted = await post(deps.db, [take(payment, standing)], deps.clock.now(), notRefunded(payment))
    if (!posted.ok && posted.reason === 'insufficient') return { ok: false, reason: 'spent' }
    if (!posted.ok && posted.reason === 'guarded') return { ok: false, reason: 'already-refunded' }
  }
  return askProvider(deps, provider, payment, standing)
}

/**
 * Continues the refunds that were begun and not ended, and takes what could not be taken when somebody else refunded it: the
 * audit shows that until then.
 */
export async function resumeRefunds(deps: TopUpDeps): Promise<void> {
  const open = sql`
    select p.provider, p.charge_id from ${payments} p
    left join ${transfers} t on t.key = 'refund:' || p.provider || ':' || p.charge_id
    left join ${transfers} c on c.key = 'correction:' || t.key
    where (p.refunded_at is null) = (t.key is not null) or c.key is not null
    order by p.created_at`
  const found = await rows(deps.db, open, z.object({ provider: z.string(), charge_id: z.string() }))
  for (const { provider, charge_id } of found) await resume(deps, provider, charge_id)
}

async function resume(deps: TopUpDeps, providerId: string, chargeId: string): Promise<void> {
  const payment = await findPayment(deps, providerId, chargeId)
  if (!payment) return
  const standing = await standingOf(deps, payment)
  if (!payment.refundedAt && standing.isTaken) await refundPayment(deps, providerId, chargeId)
  if (!payment.refundedAt || standing.isTaken) return
  const posted = await post(deps.db, [take(payment, standing)], deps.clock.now())
  if (posted.ok) await tellRefund(deps, payment, `${chargeId}:taken`)
}

async function askProvider(
  deps: TopUpDeps,
  provider: Provider,
  payment: Payment,
  standing: Standing,
): Promise<Refunded> {
  const { chargeId, topUpId, userId, credit } = payment
  const facts = { provider: provider.id, chargeId, attempt: standing.attempt }
  const [payer] = await deps.db.select().from(users).where(eq(users.id, userId))
  const charge = { currency: payment.currency, amount: payment.charge }
  const order = {
    chargeId,
    topUpId,
    charge,
    telegramId: payer?.telegramId ?? null,
    attempt: standing.attempt,
  }
  const outcome = (await provider.refund?.(order)) ?? { is: 'unavailable', said: 'not possible' }
  if (outcome.is === 'done') {
    await noteRefund(deps, provider.id, chargeId)
    return { ok: true, credit }
  }
  deps.log.warn({ ...facts, outcome }, 'payment not refunded')
  if (outcome.is === 'unavailable') return { ok: false, reason: 'pending' }
  const back = correction(
    returnKey(payment, standing.attempt),
    userId,
    credit,
    'Возврат не прошёл / refund refused',
  )
  await post(deps.db, [back], deps.clock.now(), notRefunded(payment))
  return { ok: false, reason: 'refused', said: outcome.said }
}

/** The provider has given the money back, whoever asked it to: takes the credit if that was not done, and says so, once. */
export async function noteRefund(
  deps: TopUpDeps,
  providerId: string,
  chargeId: string,
): Promise<'unknown' | 'before' | 'noted' | 'uncovered'> {
  const payment = await findPayment(deps, providerId, chargeId)
  if (!payment) return 'unknown'
  if (payment.refundedAt) return 'before'
  const noted = await note(deps, payment)
  if (noted === 'before') return noted
  const facts = {
    provider: providerId,
    chargeId,
    user: String(payment.userId),
    credit: String(payment.credit),
  }
  if (noted === 'uncovered') deps.log.error(facts, 'payment refunded elsewhere after its credit was spent')
  else deps.log.info(facts, 'payment refunded')
  await tellRefund(deps, payment, chargeId)
  return noted
}

async function tellRefund(deps: TopUpDeps, { topUpId }: Payment, event: string): Promise<void> {
  const [topUp] = await deps.db.select().from(topUps).where(eq(topUps.id, topUpId))
  if (topUp) await tell(deps, 'refunded', topUp, event)
}

async function note(deps: TopUpDeps, payment: Payment): Promise<'before' | 'noted' | 'uncovered'> {
  const now = deps.clock.now()
  const mark = sql`update ${payments} set refunded_at = ${timestamp(now)} where ${same(payment)} returning charge_id`
  const marked = async () => (await rows(deps.db, mark, z.object({ charge_id: z.string() }))).length > 0
  const standing = await standingOf(deps, payment)
  if (standing.isTaken) return (await marked()) ? 'noted' : 'before'
  const posted = await post(deps.db, [take(payment, standing)], now, mark)
  if (posted.ok) return 'noted'
  if (posted.reason === 'guarded') return 'before'
  // Somebody takes it at this moment, or it is spent: what the provider did is a fact either way.
  const isMarked = await marked()
  if (!isMarked) return 'before'
  return posted.reason === 'duplicate' ? 'noted' : 'uncovered'
}

const same = ({ provider, chargeId }: Payment): SQL =>
  sql`provider = ${provider} and charge_id = ${chargeId} and refunded_at is null`

/** Locks the row, so that a refund noted meanwhile is seen. */
const notRefunded = (payment: Payment): SQL =>
  sql`select charge_id from ${payments} where ${same(payment)} for update`

const maxAttempts = 9

interface Standing {
  /** The attempt that is under way, or the next one. */
  readonly attempt: number
  /** The credit has been taken and not been given back. */
  readonly isTaken: boolean
}

const attemptKey = ({ key }: Transfer, attempt: number): string => (attempt === 1 ? key : `${key}#${attempt}`)
const returnKey = (payment: Payment, attempt: number): string => attemptKey(debit(payment), attempt)

const take = (payment: Payment, { attempt }: Standing): Transfer => {
  const move = debit(payment)
  return { ...move, key: attemptKey(move, attempt) }
}

/** What the book says of it: an attempt has one transfer that takes the credit, and one more if it was given back. */
async function standingOf({ db }: TopUpDeps, payment: Payment): Promise<Standing> {
  const attempts = Array.from({ length: maxAttempts }, (_, index) => index + 1)
  const taken = attempts.map((attempt) => attemptKey(debit(payment), attempt))
  const keys = [...taken, ...taken.map((key) => `correction:${key}`)]
  const found = await db.select({ key: transfers.key }).from(transfers).where(inArray(transfers.key, keys))
  const returned = found.filter(({ key }) => key.startsWith('correction:')).length
  return { attempt: returned + 1, isTaken: found.length > 2 * returned }
}

async function findPayment(
  { db }: TopUpDeps,
  provider: string,
  chargeId: string,
): Promise<Payment | undefined> {
  const [found] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.chargeId, chargeId)))
  return found
}

/** The payment of a top-up, unless it has been refunded. */
export async function unrefundedPayment(db: Database, topUpId: string): Promise<Payment | undefined> {
  const [found] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.topUpId, topUpId), isNull(payments.refundedAt)))
    .limit(1)
  return found
}
