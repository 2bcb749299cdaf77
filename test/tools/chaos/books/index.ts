// The books of all payment providers.

import { z } from 'zod'
import type { Outside } from '../../../../src/sandbox/outside.ts'
import { ask } from '../ask.ts'

export interface Books extends Booked {
  /** All payments at YooKassa, including unpaid ones. */
  readonly shop: readonly ShopPayment[]
}

export async function readBooks(outside: Pick<Outside, 'url' | 'env'>): Promise<Books> {
  const [stars, shop] = await Promise.all([readStars(outside), readShop(outside)])
  const yookassa = bookedIn(shop)
  return {
    paid: new Map([...stars.paid, ...yookassa.paid]),
    refunded: new Set([...stars.refunded, ...yookassa.refunded]),
    shop,
  }
}

// The books of Telegram: the bot's list of Stars transactions, read through the Bot API page by page.

const entry = z.object({
  id: z.string(),
  amount: z.int(),
  source: z.object({ type: z.string() }).optional(),
  receiver: z.object({ type: z.string() }).optional(),
})
const page = z.object({ result: z.object({ transactions: z.array(entry) }) })

const pageSize = 100

export async function readStars({ url, env }: Pick<Outside, 'url' | 'env'>): Promise<Booked> {
  const paid = new Map<string, number>()
  const refunded = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const address = `${url}/bot${env.BOT_TOKEN}/getStarTransactions?offset=${offset}&limit=${pageSize}`
    const { transactions } = page.parse(await ask(address)).result
    for (const { id, amount, source, receiver } of transactions) {
      if (source?.type === 'user') paid.set(id, amount)
      if (receiver?.type === 'user') refunded.add(id)
    }
    if (transactions.length < pageSize) return { paid, refunded }
  }
}

// The books of YooKassa: all payments that the app has opened there, paid or not.

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

// The payments in the books of a payment provider.

export interface Booked {
  /** The paid amount by charge, in the smallest unit of its currency. */
  readonly paid: ReadonlyMap<string, number>
  /** The charges of refunded payments. */
  readonly refunded: ReadonlySet<string>
}
