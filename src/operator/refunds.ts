// Refunds of generations by an operator: all that was charged, or the rest of it if lost files were refunded before. One statement writes
// the transfer, the row of the log and the notice for the user, and closes the report about the generation.

import { eq, type SQL, sql } from 'drizzle-orm'
import { generations, reports } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { type Generation, unrefunded } from '../generations/generation.ts'
import { isGuarded, post, type Transfer } from '../ledger/ledger.ts'
import { refundOrder, refundRest } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { orderRefundedNoticeKey } from '../payments/notice-keys.ts'
import { insertGuardedNotice, type NewNotice } from '../payments/notices.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'

interface Refund {
  readonly by: Operator
  readonly generationId: string
  /** Shown in the user's statement. */
  readonly reason: string
  /** The refund is made only while this report is open. */
  readonly reportId?: string
}

export type Refunded =
  | { readonly ok: true; readonly generation: Generation; readonly amount: Kopecks }
  | { readonly ok: false; readonly reason: 'unknown-generation' }
  /** Nothing was captured, or the generation has not ended. */
  | { readonly ok: false; readonly reason: 'nothing-captured' }
  | { readonly ok: false; readonly reason: 'already' }

/** The amount that a refund would return now. */
export async function refundable(deps: Pick<OperatorDeps, 'db'>, generationId: string): Promise<Refunded> {
  const generation = await findGeneration(deps, generationId)
  if (!generation) return { ok: false, reason: 'unknown-generation' }
  if (generation.state !== 'succeeded' || !generation.captured)
    return { ok: false, reason: 'nothing-captured' }
  const amount = unrefunded(generation)
  return amount > 0n ? { ok: true, generation, amount } : { ok: false, reason: 'already' }
}

export async function refundGeneration(deps: OperatorDeps, refund: Refund): Promise<Refunded> {
  const found = await refundable(deps, refund.generationId)
  if (!found.ok) return found
  const { generation, amount } = found
  const { id, userId, walletId, refunded } = generation
  const now = deps.clock.now()
  const refundMove = refunded === null ? refundOrder : refundRest
  const move = refundMove({ id, userId, walletId, captured: amount }, refund.reason)
  const posted = await post(deps.db, [move], now, markRefunded(refund, refunded), [
    closeReport(refund, now),
    insertAction(actionOf(refund, userId, amount), now, isGuarded),
    insertGuardedNotice(noticeOf(generation, move), now),
  ])
  if (posted.ok) return { ok: true, generation, amount }
  // The delivery may have refunded lost files since the generation was read: then the rest is still owed.
  const current = await refundable(deps, refund.generationId)
  const isRestOwed = current.ok && current.generation.refunded !== refunded
  return isRestOwed ? refundGeneration(deps, refund) : { ok: false, reason: 'already' }
}

const noticeOf = ({ userId, chatId }: Generation, { key, amount }: Transfer): NewNotice => ({
  key: orderRefundedNoticeKey(key),
  kind: 'order-refunded',
  userId,
  chatId,
  amount,
})

async function findGeneration({ db }: Pick<OperatorDeps, 'db'>, id: string): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.id, id))
  return found
}

const isOpen = eq(reports.state, 'open')

/**
 * Locks the report, so that a decline at the same time happens entirely before or after the refund.
 * @param before the refunded amount from which the new refund was computed; it must be unchanged
 */
function markRefunded({ generationId, reportId }: Refund, before: Kopecks | null): SQL {
  const open = sql`id in (
    select generation_id from ${reports} where id = ${reportId ?? null}::text and ${isOpen} for update)`
  return sql`
    update ${generations} set refunded = captured
    where id = ${generationId} and refunded is not distinct from ${before}::bigint and ${eq(generations.state, 'succeeded')} and captured > 0
      and ${reportId === undefined ? sql`true` : open}
    returning id`
}

const closeReport = ({ generationId }: Refund, now: Date): SQL => sql`
  update ${reports} set state = 'refunded', closed_at = ${timestamp(now)}
  where generation_id = ${generationId} and ${isOpen} and ${isGuarded}`

const actionOf = ({ by, generationId, reason, reportId }: Refund, userId: bigint, amount: Kopecks) =>
  ({
    by,
    action: 'refund',
    subject: `generation:${generationId}`,
    reason,
    details: { user: `${userId}`, amount: `${amount}`, ...(reportId ? { report: reportId } : {}) },
  }) as const
