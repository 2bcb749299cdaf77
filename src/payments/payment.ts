// Payments that were credited, one row each; and payments that fit no top-up: the invoice is missing in a restored backup, the amount differs,
// the payload is not ours, or the data of the payer was deleted at the moment of the payment. An operator assigns each of those to a user
// (`operator/corrections.ts`).

import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Database, DbDeps } from '../db/client.ts'
import { payments, unmatchedPayments } from '../db/schema.ts'
import type { Log } from '../runtime/log.ts'

export type Payment = typeof payments.$inferSelect

export async function findPayment(
  db: Database,
  provider: string,
  chargeId: string,
): Promise<Payment | undefined> {
  const [found] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.chargeId, chargeId)))
  return found
}

/** Whether the payment has this name: the id of its top-up or of its charge, or provider and charge as the audit writes them. */
export const isPaymentNamed = (name: string): SQL => sql`
  ${name} in (${payments.topUpId}, ${payments.chargeId}, ${payments.provider} || ':' || ${payments.chargeId})`

/** The oldest payment of this name that has not been refunded. */
export async function unrefundedPayment(db: Database, name: string): Promise<Payment | undefined> {
  const [found] = await db
    .select()
    .from(payments)
    .where(and(isPaymentNamed(name), isNull(payments.refundedAt)))
    .orderBy(payments.createdAt)
    .limit(1)
  return found
}

// Payments that fit no top-up.

export type UnmatchedPayment = typeof unmatchedPayments.$inferSelect

/** A payment as its provider describes it, before or after it is made. */
export type Paid = Pick<Payment, 'provider' | 'topUpId' | 'userId' | 'charge' | 'currency'>

/** Records a payment that fits no top-up; idempotent by the charge. @param reason for the log */
export async function recordUnmatched(
  { db, clock, log }: DbDeps & { readonly log: Log },
  { topUpId: named, userId, charge, ...of }: Omit<Paid, 'userId'> & Pick<UnmatchedPayment, 'userId'>,
  chargeId: string,
  reason: string,
): Promise<{ readonly ok: false; readonly reason: 'unmatched' }> {
  const facts = { ...of, chargeId, named }
  const recorded = await db
    .insert(unmatchedPayments)
    .values({ ...facts, userId, charge, createdAt: clock.now() })
    .onConflictDoNothing()
    .returning({ chargeId: unmatchedPayments.chargeId })
  if (recorded.length > 0)
    log.error(
      { ...facts, reason, user: userId?.toString(), charge: charge.toString() },
      'payment fits no top-up: assign it with `npm run admin -- assign`',
    )
  return { ok: false, reason: 'unmatched' }
}

/**
 * Marks a payment that its provider has refunded and that is not assigned: it cannot be assigned any more. Its row stays, so that a late
 * report of the payment adds no other.
 */
export async function markUnmatchedRefunded(
  { db, clock }: DbDeps,
  provider: string,
  chargeId: string,
  refunded: bigint,
): Promise<void> {
  const isThis = and(eq(unmatchedPayments.provider, provider), eq(unmatchedPayments.chargeId, chargeId))
  await db
    .update(unmatchedPayments)
    .set({ refundedAt: clock.now() })
    .where(and(isThis, lte(unmatchedPayments.charge, refunded), isOpen))
}

/** A condition: neither assigned nor refunded. */
const isOpen = and(isNull(unmatchedPayments.topUpId), isNull(unmatchedPayments.refundedAt))

/** @param name the id of the charge, with or without the provider: `stars:…` */
export async function findUnmatched(db: Database, name: string): Promise<UnmatchedPayment | undefined> {
  const { provider, chargeId, refundedAt } = unmatchedPayments
  const [found] = await db
    .select()
    .from(unmatchedPayments)
    .where(and(sql`${name} in (${chargeId}, ${provider} || ':' || ${chargeId})`, isNull(refundedAt)))
  return found
}

/** The payments that can be assigned. */
export const openUnmatched = (db: Database): Promise<UnmatchedPayment[]> =>
  db.select().from(unmatchedPayments).where(isOpen).orderBy(unmatchedPayments.createdAt)
