// Payments that fit no top-up: of an invoice that a restored backup does not know, of another amount, of a payload that is not ours. An
// operator assigns each to a user (`operator/assigned-payments.ts`).

import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { unmatchedPayments } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

export type UnmatchedPayment = typeof unmatchedPayments.$inferSelect

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** Idempotent by the charge. @param reason for the log */
export async function recordUnmatched(
  { db, clock, log }: Deps,
  payment: Omit<UnmatchedPayment, 'createdAt' | 'topUpId'>,
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

/** Its provider has refunded it: unless it is assigned, nobody is to get it any more. */
export async function dropUnmatched(db: Database, provider: string, chargeId: string): Promise<void> {
  const { topUpId } = unmatchedPayments
  const isThis = and(eq(unmatchedPayments.provider, provider), eq(unmatchedPayments.chargeId, chargeId))
  await db.delete(unmatchedPayments).where(and(isThis, isNull(topUpId)))
}

/** Those that are not assigned yet. */
export const openUnmatched = (db: Database): Promise<UnmatchedPayment[]> =>
  db
    .select()
    .from(unmatchedPayments)
    .where(isNull(unmatchedPayments.topUpId))
    .orderBy(unmatchedPayments.createdAt)
