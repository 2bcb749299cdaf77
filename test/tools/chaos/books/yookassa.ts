// The books of YooKassa: all payments that the app has opened there, paid or not.

import { z } from 'zod'
import type { Outside } from '../../../../src/sandbox/outside.ts'
import { ask } from '../ask.ts'
import type { Booked } from './booked.ts'

const payment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  /** In kopecks. */
  amount: z.int(),
  refunded: z.int(),
  metadata: z.object({ topUpId: z.string() }),
})
const payments = z.array(payment)

export type ShopPayment = z.output<typeof payment>

export const readShop = async ({ url }: Pick<Outside, 'url'>): Promise<readonly ShopPayment[]> =>
  payments.parse(await ask(`${url}/api/yookassa/payments`))

export function bookedIn(shop: readonly ShopPayment[]): Booked {
  const paid = shop.filter(({ status }) => status === 'succeeded')
  const refunded = paid.filter((one) => one.refunded >= one.amount)
  return {
    paid: new Map(paid.map(({ id, amount }) => [id, amount])),
    refunded: new Set(refunded.map(({ id }) => id)),
  }
}
