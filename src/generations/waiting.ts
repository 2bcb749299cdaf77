// Orders under way. One that waits for its submit has a place in the queue and can be cancelled by its user: nothing has been asked of the
// gateway yet, so the whole hold is returned.

import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { released, setLease } from '../db/leased-queue.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { postReading } from '../ledger/ledger.ts'
import { settle } from '../ledger/moves.ts'
import { type Generation, type GenerationDeps, generationRow, selectGuard, stateIs } from './generation.ts'

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
  const now = clock.now()
  const at = timestamp(now)
  const guard = sql`
    update ${generations} set state = 'canceled', captured = 0, reason = 'withdrawn', settled_at = ${at},
      delivery = 'pending', attempts = 0, next_check_at = ${at}, ${setLease(released)}
    where id = ${order.id} and ${stateIs('held')}
    returning *`
  const step = { db, moves: settle(order, 0n), now, guard }
  const posted = await postReading(step, selectGuard, generationRow)
  return posted.ok ? posted.row[0] : undefined
}
