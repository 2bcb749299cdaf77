// Refunds of generations by an operator: a part of what was charged, or all of it that was not refunded before. One statement writes the
// transfer, the row of the log and the notice for the user, and closes the report about the generation.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type Database, violatedConstraint } from '../db/client.ts'
import { generations, refundDays, reports, transfers } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { nameIn, refundKey } from '../ledger/keys.ts'
import { isGuarded, post, type Transfer } from '../ledger/ledger.ts'
import { refundOrder } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { type Generation, unrefunded } from '../orders/generation.ts'
import { eventOf, insertGuardedNotice, type NewNotice, type Notice } from '../payments/notices.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'

/** A part of an order. It is refunded only while the sum of the earlier refunds is the one that the operator has seen. */
interface Part {
  readonly amount: Kopecks
  readonly before: Kopecks
}
type Wanted = Pick<Part, 'amount'> & Partial<Part>

/** What an operator with a limit may refund in a day. */
export interface Allowance {
  readonly operatorId: number
  readonly day: string
  readonly most: Kopecks
}

interface Refund {
  readonly by: Operator
  /** Undefined for operators without a limit. */
  readonly allowance?: Allowance | undefined
  readonly generationId: string
  /** Undefined refunds all that was not refunded before. */
  readonly part?: Part | undefined
  /** Shown in the user's statement. */
  readonly reason: string
  /** The refund is made only while this report is open. */
  readonly reportId?: string
}

/**
 * - `nothing-captured`: or the generation has not ended
 * - `too-much`: the part is larger than what is left
 * - `in-delivery`: the delivery may still refund lost files, whose share is computed from the whole price
 * - `changed`: something else was refunded since the operator looked
 * - `over-limit`: more than the operator may still refund today, which is `left`
 */
export type Refunded =
  | { readonly ok: true; readonly generation: Generation; readonly amount: Kopecks }
  | { readonly ok: false; readonly reason: Refusal; readonly left?: Kopecks }
type Refusal =
  | 'unknown-generation'
  | 'nothing-captured'
  | 'already'
  | 'too-much'
  | 'in-delivery'
  | 'changed'
  | 'over-limit'

/** The amount that a refund would return now. */
export async function refundable(
  deps: Pick<OperatorDeps, 'db'>,
  generationId: string,
  part?: Wanted,
  allowance?: Allowance,
): Promise<Refunded> {
  const generation = await findGeneration(deps, generationId)
  if (!generation) return { ok: false, reason: 'unknown-generation' }
  if (generation.state !== 'succeeded' || !generation.captured)
    return { ok: false, reason: 'nothing-captured' }
  const rest = unrefunded(generation)
  if (rest <= 0n) return { ok: false, reason: 'already' }
  const amount = part?.amount ?? rest
  const obstacle = part && obstacleTo(part, generation)
  if (obstacle) return { ok: false, reason: obstacle }
  const left = allowance && (await leftOf(deps.db, allowance))
  if (left !== undefined && amount > left) return { ok: false, reason: 'over-limit', left }
  return { ok: true, generation, amount }
}

/** What an operator may still refund. The statement that refunds decides. */
export async function leftOf(db: Database, { operatorId, day, most }: Allowance): Promise<Kopecks> {
  const isTheirs = and(eq(refundDays.operatorId, operatorId), eq(refundDays.day, day))
  const [found] = await db.select().from(refundDays).where(isTheirs)
  const left = most - (found?.refunded ?? 0n)
  return left > 0n ? left : 0n
}

function obstacleTo({ amount, before }: Wanted, generation: Generation) {
  if (generation.delivery === 'pending') return 'in-delivery'
  if (before !== undefined && before !== (generation.refunded ?? 0n)) return 'changed'
  return amount > unrefunded(generation) ? 'too-much' : undefined
}

export async function refundGeneration(deps: OperatorDeps, refund: Refund): Promise<Refunded> {
  const { generationId, part, allowance } = refund
  const found = await refundable(deps, generationId, part, allowance)
  if (!found.ok) return found
  const { generation, amount } = found
  const { userId, refunded } = generation
  const now = deps.clock.now()
  const move = refundOrder({ ...generation, amount }, refund.reason)
  const posted = await post(deps.db, move, now, markRefunded(refund, amount, refunded), [
    closeReport(refund, now),
    insertAction(actionOf(refund, userId, amount), now, isGuarded),
    insertGuardedNotice(noticeOf(generation, move), now),
    ...(allowance ? [spend(allowance, amount)] : []),
  ]).catch((error: unknown) => {
    if (violatedConstraint(error) === 'refund_days_within_limit') return { ok: false } as const
    throw error
  })
  if (posted.ok) return { ok: true, generation, amount }
  // Another refund may have used up the limit, or something may have been refunded since the generation was read, such as lost files by the
  // delivery: then the rest is still owed.
  const current = await refundable(deps, generationId, part, allowance)
  if (!current.ok) return current
  const isRestOwed = current.generation.refunded !== refunded
  return isRestOwed ? refundGeneration(deps, refund) : { ok: false, reason: 'already' }
}

const noticeOf = ({ userId }: Generation, { key, amount }: Transfer): NewNotice => ({
  kind: 'order-refunded',
  event: nameIn(refundKey, key),
  userId,
  amount,
})

interface RefundedOrder {
  readonly generation: Generation
  readonly reason: string
}

/** The refunded order and the reason; undefined when the order is no longer stored. */
export async function refundedOrder(db: Database, notice: Notice): Promise<RefundedOrder | undefined> {
  const [found] = await db
    .select({ generation: generations, note: transfers.note })
    .from(transfers)
    .innerJoin(generations, eq(generations.id, transfers.generationId))
    .where(eq(transfers.key, refundKey(eventOf(notice))))
  return found && { generation: found.generation, reason: found.note ?? '' }
}

async function findGeneration({ db }: Pick<OperatorDeps, 'db'>, id: string): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.id, id))
  return found
}

const isOpen = eq(reports.state, 'open')

/**
 * Locks the report, so that a decline at the same time happens entirely before or after the refund.
 * @param before the refunded amount from which the new refund was computed; it must be unchanged
 */
function markRefunded(
  { generationId, reportId, part }: Refund,
  amount: Kopecks,
  before: Kopecks | null,
): SQL {
  const open = sql`id in (
    select generation_id from ${reports} where id = ${reportId ?? null}::text and ${isOpen} for update)`
  return sql`
    update ${generations} set refunded = coalesce(refunded, 0) + ${amount}::bigint
    where id = ${generationId} and refunded is not distinct from ${before}::bigint and ${eq(generations.state, 'succeeded')}
      and coalesce(refunded, 0) + ${amount}::bigint <= captured and ${part ? ne(generations.delivery, 'pending') : sql`true`}
      and ${reportId === undefined ? sql`true` : open}
    returning id`
}

const spend = ({ operatorId, day, most }: Allowance, amount: Kopecks): SQL => sql`
  insert into ${refundDays} as d (operator_id, day, refunded, most)
  select ${operatorId}::bigint, ${day}::date, ${amount}::bigint, ${most}::bigint where ${isGuarded}
  on conflict (operator_id, day) do update set refunded = d.refunded + excluded.refunded, most = excluded.most`

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
