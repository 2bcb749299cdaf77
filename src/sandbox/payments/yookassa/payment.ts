// Payments and refunds of the double: what is stored, and how the API shows them.

import { z } from 'zod'

export const paymentState = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  /** Kopecks. */
  amount: z.int(),
  currency: z.string(),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  returnUrl: z.string(),
  receipt: z.unknown().optional(),
  createdAt: z.number(),
  /** Kopecks. */
  refunded: z.int(),
  /** The reason of the cancellation. */
  reason: z.string().optional(),
})
export type Payment = z.output<typeof paymentState>

export const refundState = z.object({
  id: z.string(),
  paymentId: z.string(),
  amount: z.int(),
  createdAt: z.number(),
})
export type Refund = z.output<typeof refundState>

const money = (kopecks: number, currency: string) => ({ value: (kopecks / 100).toFixed(2), currency })

const isoOf = (at: number) => new Date(at).toISOString()

/** @param page the URL of the payment page */
export function paymentView(payment: Payment, page: string) {
  const { id, status, amount, currency, description, metadata, createdAt, refunded, reason } = payment
  const isPaid = status === 'succeeded'
  return {
    id,
    status,
    paid: isPaid,
    amount: money(amount, currency),
    description,
    metadata,
    recipient: { account_id: '100500', gateway_id: '100700' },
    created_at: isoOf(createdAt),
    refundable: isPaid && refunded < amount,
    test: true,
    ...(status === 'pending' ? { confirmation: { type: 'redirect', confirmation_url: page } } : {}),
    ...(isPaid ? { refunded_amount: money(refunded, currency) } : {}),
    ...(reason ? { cancellation_details: { party: 'yoo_money', reason } } : {}),
  }
}

export const refundView = ({ id, paymentId, amount, createdAt }: Refund) => ({
  id,
  payment_id: paymentId,
  status: 'succeeded',
  created_at: isoOf(createdAt),
  amount: money(amount, 'RUB'),
})
