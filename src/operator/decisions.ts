// The facts behind the notices of corrections, refunds and declined reports: the reason of the operator, and the order.

import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { generations, reports, transfers } from '../db/schema.ts'
import type { Generation } from '../orders/generation.ts'
import { correctionOfNotice, refundOfNotice, reportOfNotice } from '../payments/notice-keys.ts'
import type { Notice } from '../payments/notices.ts'

type Key = Pick<Notice, 'key'>

/** The reason of a correction; empty when it has none. */
export async function correctionReason(db: Database, { key }: Key): Promise<string> {
  const [found] = await db
    .select({ note: transfers.note })
    .from(transfers)
    .where(eq(transfers.key, correctionOfNotice(key)))
  return found?.note ?? ''
}

interface RefundedOrder {
  readonly generation: Generation
  readonly reason: string
}

/** The refunded order and the reason; undefined when the order is no longer stored. */
export async function refundedOrder(db: Database, { key }: Key): Promise<RefundedOrder | undefined> {
  const [found] = await db
    .select({ generation: generations, note: transfers.note })
    .from(transfers)
    .innerJoin(generations, eq(generations.id, transfers.generationId))
    .where(eq(transfers.key, refundOfNotice(key)))
  return found && { generation: found.generation, reason: found.note ?? '' }
}

/** The order whose report was declined; undefined when it is no longer stored. */
export async function declinedOrder(db: Database, { key }: Key): Promise<Generation | undefined> {
  const [found] = await db
    .select({ generation: generations })
    .from(reports)
    .innerJoin(generations, eq(generations.id, reports.generationId))
    .where(eq(reports.id, reportOfNotice(key)))
  return found?.generation
}
