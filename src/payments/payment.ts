// Payments that were credited, one row each.

import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
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
