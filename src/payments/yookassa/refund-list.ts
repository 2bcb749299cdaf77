// The list of the shop's refunds at YooKassa, newest first, in pages.
// Source: https://yookassa.ru/developers/api#get_refunds_list

import { z } from 'zod'
import type { RefundPage } from '../provider.ts'
import type { YookassaClient } from './client.ts'

/** The most that YooKassa puts on one page. */
const limit = '100'

const refundList = z.object({
  items: z.array(z.object({ payment_id: z.string().min(1) })),
  next_cursor: z.string().min(1).optional(),
})

export async function listRefunds(client: YookassaClient, since: Date, cursor?: string): Promise<RefundPage> {
  const query = new URLSearchParams({ status: 'succeeded', 'created_at.gte': since.toISOString(), limit })
  if (cursor !== undefined) query.set('cursor', cursor)
  const answer = await client.get(`/refunds?${query}`, refundList)
  if (answer.is !== 'answer') return answer
  const { items, next_cursor: next } = answer.value
  return { is: 'page', chargeIds: items.map(({ payment_id }) => payment_id), next }
}
