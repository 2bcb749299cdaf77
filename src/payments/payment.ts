// Payments that were credited, one row each.

import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { payments } from '../db/schema.ts'

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

/** The payment of a top-up, unless it has been refunded. */
export async function unrefundedPayment(db: Database, topUpId: string): Promise<Payment | undefined> {
  const [found] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.topUpId, topUpId), isNull(payments.refundedAt)))
    .limit(1)
  return found
}
