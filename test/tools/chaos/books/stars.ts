// The books of Telegram: the bot's list of Stars transactions, read through the Bot API page by page.

import { z } from 'zod'
import type { Outside } from '../../../../src/sandbox/outside.ts'
import { ask } from '../ask.ts'
import type { Booked } from './booked.ts'

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
