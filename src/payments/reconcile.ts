// Compares a provider's list of payments with ours: credits payments whose report was lost, and notes refunds made elsewhere.

import { and, eq, inArray } from 'drizzle-orm'
import { payments, users } from '../db/schema.ts'
import { type HistoryPage, type Movement, pageSize } from './provider.ts'
import type { Provider } from './providers.ts'
import { noteRefund } from './refunds.ts'
import { creditPayment, type TopUpDeps } from './top-ups.ts'
import { recordUnmatched } from './unmatched.ts'

/**
 * Reads the list from an entry on. The list is in chronological order and only grows.
 * @returns the entry to begin with next time
 */
export async function reconcile(deps: TopUpDeps, provider: Provider, from = 0): Promise<number> {
  for (let offset = from; ; ) {
    const page: HistoryPage = (await provider.history?.(offset)) ?? { count: 0, movements: [] }
    await comparePage(deps, provider, page.movements)
    offset += page.count
    if (page.count < pageSize) return offset
  }
}

async function comparePage(deps: TopUpDeps, { id }: Provider, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return
  const charges = movements.map(({ chargeId }) => chargeId)
  const known = await deps.db
    .select({ chargeId: payments.chargeId, refundedAt: payments.refundedAt })
    .from(payments)
    .where(and(eq(payments.provider, id), inArray(payments.chargeId, charges)))
  const credited = new Set(known.map(({ chargeId }) => chargeId))
  const refunded = new Set(known.filter(({ refundedAt }) => refundedAt).map(({ chargeId }) => chargeId))
  for (const movement of movements) {
    const { is, chargeId } = movement
    if (is === 'paid' && !credited.has(chargeId)) await recover(deps, id, movement)
    if (is === 'refunded' && !refunded.has(chargeId)) await noteRefund(deps, id, chargeId)
  }
}

async function recover(
  deps: TopUpDeps,
  provider: string,
  { chargeId, topUpId, telegramId, charge: { currency, amount: charge } }: Movement,
): Promise<void> {
  const [payer] = await deps.db.select().from(users).where(eq(users.telegramId, telegramId))
  if (!payer) {
    const payment = { provider, chargeId, named: topUpId, userId: null, charge, currency }
    return recordUnmatched(deps, payment, `unknown payer: Telegram ${telegramId}`)
  }
  const paid = { provider, topUpId, userId: payer.id, currency, charge }
  const credited = await creditPayment(deps, paid, chargeId)
  if (!credited.ok) return
  deps.log.warn({ topUp: topUpId, chargeId }, 'unreported payment found and credited')
}
