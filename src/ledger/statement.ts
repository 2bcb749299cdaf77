// The statement of a user's account: every transfer with the balance after it. One query computes the running sums, so the last line
// agrees with the balance.

import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { generations, transfers, turns } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { hasKeyOf, invitedKey, referralBackKey, referralKey, rewardKey, welcomeKey } from './keys.ts'

type LineKind =
  | Exclude<Row['kind'], 'promotion' | 'partner' | 'refund' | 'correction'>
  | ('welcome' | 'invited' | 'promo' | 'referral' | 'referral-back' | 'bonus-back')
  | ('refund-order' | 'refund-payment' | 'given' | 'taken')

export interface Line {
  readonly kind: LineKind
  readonly at: Date
  readonly amount: Kopecks
  /** Change of the available balance; 0 when a hold is captured. */
  readonly change: Kopecks
  /** The available and the held balance after the transfer. */
  readonly available: Kopecks
  readonly held: Kopecks
  readonly generationId: string | null
  /** The turn, for a transfer that belongs to an answer of a text model. */
  readonly turnId: string | null
  readonly modelId: string | null
  readonly topUpId: string | null
  /** A promo code, or an operator's reason. */
  readonly note: string | null
}

/** The lines of a user's statement, oldest first. @param last how many of the newest lines; undefined for all */
export async function statementOf(db: Database, userId: bigint, last?: number): Promise<Line[]> {
  const query = db
    .select({
      transfer: transfers,
      modelId: sql<string | null>`coalesce(${generations.modelId}, ${turns.modelId})`,
      available: runningSum('available'),
      held: runningSum('held'),
    })
    .from(transfers)
    // The condition includes the user, so that for many lines all orders of the user are read at once.
    .leftJoin(generations, and(eq(generations.id, transfers.generationId), eq(generations.userId, userId)))
    .leftJoin(turns, and(eq(turns.id, transfers.turnId), eq(turns.userId, userId)))
    .where(and(eq(transfers.userId, userId), isOwn))
    .orderBy(desc(transfers.id))
  const found = await (last === undefined ? query : query.limit(last))
  return found.toReversed().map(({ transfer, ...sums }) => ({ ...lineOf(transfer), ...sums }))
}

/** A condition: the transfer changed the user's balance. Orders that the wallet of a group paid did not. */
const isOwn = sql`(${transfers.walletId} is null or ${isOneOf(transfers.kind, 'fund', 'take-back')})`

const runningSum = (account: 'available' | 'held') =>
  sql`sum(case ${sql.raw(`'${account}'`)} when ${transfers.credit} then ${transfers.amount}
    when ${transfers.debit} then -${transfers.amount} else 0 end) over (order by ${transfers.id})`.mapWith(
    (sum) => BigInt(String(sum)),
  )

type Row = typeof transfers.$inferSelect

function lineOf(row: Row) {
  const { createdAt: at, amount, generationId, turnId, topUpId, note } = row
  const kind = kindOf(row)
  const change = row.credit === 'available' ? amount : row.debit === 'available' ? -amount : 0n
  return { kind, at, amount, change, generationId, turnId, topUpId, note }
}

/** The user's view of a transfer. */
function kindOf(row: Row): LineKind {
  const { kind, credit, topUpId } = row
  switch (kind) {
    case 'promotion':
    case 'bonus':
    case 'partner':
      return giftOf(row)
    case 'refund':
      return topUpId === null ? 'refund-order' : 'refund-payment'
    case 'correction':
      return credit === 'available' ? 'given' : 'taken'
    default:
      return kind
  }
}

/** Gifts of one kind differ by their keys (keys.ts). */
function giftOf({ kind, key, credit }: Row): LineKind {
  const isBack = credit === 'promotions'
  if (kind === 'bonus')
    return isBack ? 'bonus-back' : key.startsWith(rewardKey('code', '')) ? 'promo' : 'bonus'
  if (kind === 'partner' || hasKeyOf(referralKey, key) || hasKeyOf(referralBackKey, key))
    return isBack ? 'referral-back' : 'referral'
  if (hasKeyOf(welcomeKey, key)) return 'welcome'
  return hasKeyOf(invitedKey, key) ? 'invited' : 'promo'
}

/** The note of one transfer, such as an operator's reason. */
export async function noteOf(db: Database, key: string): Promise<string | null> {
  const [found] = await db.select({ note: transfers.note }).from(transfers).where(eq(transfers.key, key))
  return found?.note ?? null
}
