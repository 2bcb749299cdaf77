// Compares a provider's list of payments with ours: credits payments whose report was lost, and notes refunds made elsewhere. A report of a
// refund that comes before that of its payment is handled in the same way.

import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { payments, topUps, users } from '../db/schema.ts'
import { findPayment } from './payment.ts'
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
    const handled = movement.is === 'paid' ? credited : refunded
    if (!handled.has(movement.chargeId)) await noteMovement(deps, id, movement)
  }
}

/** A refund names all of its payment. One that is missing is credited first, so that its report, which may come later, is a repetition. */
export async function noteMovement(deps: TopUpDeps, provider: string, movement: Movement): Promise<void> {
  const { is, chargeId, charge } = movement
  if (!(await findPayment(deps.db, provider, chargeId))) await recover(deps, provider, movement)
  if (is === 'refunded') await noteRefund(deps, provider, chargeId, charge.amount)
}

async function recover(deps: TopUpDeps, provider: string, movement: Movement): Promise<void> {
  const {
    chargeId,
    topUpId,
    telegramId,
    charge: { currency, amount: charge },
  } = movement
  const payer = await payerOf(deps.db, movement)
  if (!payer) {
    const payment = { provider, chargeId, named: topUpId, userId: null, charge, currency }
    return recordUnmatched(deps, payment, `unknown payer: Telegram ${telegramId}`)
  }
  const paid = { provider, topUpId, userId: payer.id, currency, charge }
  const credited = await creditPayment(deps, paid, chargeId)
  if (!credited.ok) return
  deps.log.warn({ topUp: topUpId, chargeId }, 'unreported payment found and credited')
}

/** A refund that is reported in an update names the payer only by the top-up: it may be reported in any chat. */
async function payerOf(db: Database, { is, topUpId, telegramId }: Movement) {
  const owner = db.select({ id: topUps.userId }).from(topUps).where(eq(topUps.id, topUpId))
  const payer = db.select({ id: users.id }).from(users).where(eq(users.telegramId, telegramId))
  return (is === 'refunded' ? (await owner)[0] : undefined) ?? (await payer)[0]
}
