// Orders under way, and how long they usually take. One that waits for its submit has a place in the queue and can be cancelled by its
// user: nothing has been asked of the gateway yet, so the whole hold is returned.

import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRow } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs } from '../runtime/clock.ts'
import { createRemembered } from '../runtime/remembered.ts'
import { endOrder } from './end.ts'
import { type Generation, type GenerationDeps, stateIs } from './generation.ts'
import { statesBefore } from './order.ts'

/** The number of older orders that also wait for their submit. The condition on `next_check_at` lets the partial index be used. */
export const aheadOf = (
  { db }: Pick<GenerationDeps, 'db'>,
  { createdAt }: Pick<Generation, 'createdAt'>,
): Promise<number> =>
  db.$count(
    generations,
    and(
      stateIs('held'),
      isNotNull(generations.nextCheckAt),
      isNull(generations.lease),
      lt(generations.createdAt, createdAt),
    ),
  )

/** As many as fit into one message. */
const mostShown = 15

/** The newest orders of a user that have not ended. @param chatId leaves out other chats */
export const ordersUnderWay = (
  { db }: Pick<GenerationDeps, 'db'>,
  userId: bigint,
  chatId: number | undefined,
): Promise<Generation[]> =>
  db
    .select()
    .from(generations)
    .where(
      and(
        eq(generations.userId, userId),
        chatId === undefined ? undefined : eq(generations.chatId, chatId),
        isNull(generations.settledAt),
      ),
    )
    .orderBy(desc(generations.createdAt))
    .limit(mostShown)

/**
 * Cancels an order that waits for its submit. The row is taken from the worker that may have claimed it: without its lease, that worker
 * cannot begin the submit. The delivery of the order, which is repeated until it succeeds, tells the chat.
 * @returns undefined when the submit has begun, or the order has ended
 */
export async function cancelHeld(
  { db, clock }: Pick<GenerationDeps, 'db' | 'clock'>,
  order: Generation,
): Promise<Generation | undefined> {
  const ending = { captured: 0n, reason: 'withdrawn', said: null, artifacts: [] } as const
  const isOurs = stateIs(...statesBefore('withdraw'))
  return endOrder(db, order, { ...ending, state: 'canceled' }, isOurs, clock.now())
}

/** How long orders of a model usually take, from the confirmation to the delivery. */
export interface UsualTimes {
  /** The usual time in milliseconds; undefined while too few orders of the model have been delivered. */
  of(modelId: string): Promise<number | undefined>
}

/** The orders of a model that count (the last 50 within 30 days), and how many are needed. The result is kept for ten minutes. */
const lastOrders = 50
const fewestOrders = 3
const lastMs = 30 * dayMs
const freshMs = 10 * 60_000
/** For how long the result is kept while too few orders have been delivered. */
const unknownMs = 60_000

/** Each process reads the usual time of a model at most once in ten minutes. */
export function createUsualTimes({ db, clock }: Pick<GenerationDeps, 'db' | 'clock'>): UsualTimes {
  const remembered = createRemembered(clock, (usualMs: number | undefined) =>
    usualMs === undefined ? unknownMs : freshMs,
  )
  return { of: (modelId) => remembered(modelId, () => medianMs(db, modelId, clock.now())) }
}

async function medianMs(db: GenerationDeps['db'], modelId: string, now: Date): Promise<number | undefined> {
  const query = sql`
    select count(*) as orders, coalesce(percentile_cont(0.5) within group (order by seconds), 0) as seconds from (
      select extract(epoch from delivered_at - created_at) as seconds from ${generations}
      where model_id = ${modelId} and ${stateIs('succeeded')} and delivered_at is not null
        and settled_at > ${timestamp(now, -lastMs)}
      order by settled_at desc limit ${lastOrders}::integer
    ) last_orders`
  const schema = z.object({ orders: z.coerce.number(), seconds: z.coerce.number() })
  const { orders, seconds } = await oneRow(db, query, schema)
  return orders >= fewestOrders ? seconds * 1000 : undefined
}
