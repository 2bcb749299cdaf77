// Payments that fit no top-up: the invoice is missing in a restored backup, the amount differs, the payload is not ours, or the data of the
// payer was deleted at the moment of the payment. An operator assigns each of them to a user (`operator/assigned-payments.ts`).

import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Database, DbDeps } from '../db/client.ts'
import { unmatchedPayments } from '../db/schema.ts'
import type { Log } from '../runtime/log.ts'

export type UnmatchedPayment = typeof unmatchedPayments.$inferSelect

/** Records a payment that fits no top-up; idempotent by the charge. @param reason for the log */
export async function recordUnmatched(
  { db, clock, log }: DbDeps & { readonly log: Log },
  payment: Omit<UnmatchedPayment, 'createdAt' | 'topUpId' | 'refundedAt'>,
  reason: string,
): Promise<void> {
  const recorded = await db
    .insert(unmatchedPayments)
    .values({ ...payment, createdAt: clock.now() })
    .onConflictDoNothing()
    .returning({ chargeId: unmatchedPayments.chargeId })
  if (recorded.length === 0) return
  const { userId, charge, ...facts } = payment
  log.error(
    { ...facts, reason, user: userId?.toString(), charge: charge.toString() },
    'payment fits no top-up: assign it with `npm run admin -- assign`',
  )
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
