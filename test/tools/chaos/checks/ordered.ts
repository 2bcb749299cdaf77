// The generations of the database, each with its mark, its artifacts and its transfers.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { marksIn, type OrderBook } from '../users/orders.ts'

const row = z.object({
  id: z.string(),
  quoteId: z.string(),
  chatId: z.coerce.number(),
  state: z.string(),
  reason: z.string().nullable(),
  delivery: z.string(),
  attempts: z.number(),
  /** Whether its result came after the refund. */
  isLate: z.boolean(),
  amount: z.coerce.number(),
  captured: z.coerce.number().nullable(),
  refunded: z.coerce.number(),
  /** Whether the wallet of the group paid. */
  isByGroup: z.boolean(),
  taskId: z.string().nullable(),
  statusMessageId: z.number().nullable(),
  request: z.string(),
  /** The message id of each artifact, in the order of the artifacts. */
  messageIds: z.array(z.number().nullable()),
  /** The update that created its draft. */
  updateId: z.coerce.number().nullable(),
  createdAt: z.date(),
  submittedAt: z.date().nullable(),
  settledAt: z.date().nullable(),
  /** Its transfers, like `hold 528` and `capture 528`. */
  moves: z.array(z.string()),
})

export type Ordered = z.output<typeof row> & { readonly mark: string }

export async function readOrdered(sql: Sql, book: OrderBook): Promise<Ordered[]> {
  const found = await sql`
    select g.id, g.quote_id as "quoteId", coalesce(g.refunded, 0) as refunded, g.chat_id as "chatId", g.state, g.reason, g.delivery, g.attempts,
      g.arrived_late_at is not null as "isLate",
      g.wallet_id is not null as "isByGroup", g.amount, g.captured, g.task_id as "taskId",
      g.status_message_id as "statusMessageId", g.request::text as request,
      (select coalesce(json_agg(message_id order by position), '[]') from artifacts
        where generation_id = g.id) as "messageIds",
      (select update_id::text from drafts where id = g.draft_id) as "updateId", g.created_at as "createdAt",
      g.submitted_at as "submittedAt", g.settled_at as "settledAt",
      array(select kind || ' ' || amount from transfers where generation_id = g.id order by id) as moves
    from generations g order by g.created_at`
  return found.map((one) => {
    const ordered = row.parse(one)
    const again = book.byUpdate.get(ordered.updateId ?? 0)
    return { ...ordered, mark: again?.mark ?? marksIn(ordered.request)[0] ?? ordered.id }
  })
}
