// The queue of answers: of those whose process ended while it wrote them, and of settled ones that are not delivered yet. Every sent message
// is recorded before the next one is sent, and every write is conditional on the lease, so that a worker whose lease expired changes nothing.

import { and, eq, lte, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { claimed, isClaimable, isHeld, leasesOf, released, renewalOf } from '../db/queue.ts'
import { type AnswerPart, turns } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import { post } from '../ledger/ledger.ts'
import { refundTurn } from '../ledger/moves.ts'
import { type Kopecks, lower } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Claim } from '../runtime/queue-worker.ts'
import { messageLimit } from '../texts.ts'
import type { Turn } from './conversations.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** Rows of the queue. A partial index needs the states as literals. */
const isInProgress = or(isOneOf(turns.state, 'streaming'), isOneOf(turns.delivery, 'pending'))

/** Claims answers that are due to be sent, and those whose process ended while it wrote them; the ones that have waited longest first. */
export function claimAnswers(db: Database, claim: Claim): Promise<Turn[]> {
  const isDue = and(isOneOf(turns.delivery, 'pending'), lte(turns.sendAt, claim.now))
  const due = or(isOneOf(turns.state, 'streaming'), isDue)
  const order = sql`coalesce(${turns.sendAt}, ${turns.createdAt})`
  return db
    .update(turns)
    .set(claimed(turns, claim))
    .where(isClaimable(turns, { due, order }, claim))
    .returning()
}

/** An answer that this process is writing or sending. */
type TurnLease = Pick<Turn, 'id' | 'lease'>

/** Extends leases. @returns the ids of the answers whose users have asked to stop them */
export async function renewTurns(db: Database, held: readonly TurnLease[], until: Date): Promise<string[]> {
  const stopped = sql`
    with renewed as (${renewalOf(turns, held, until)} returning id, stop_at)
    select id from renewed where stop_at is not null`
  return (await rows(db, stopped, z.object({ id: z.string() }))).map(({ id }) => id)
}

export const turnLeases = (db: Database) => leasesOf<Turn>(db, turns, sql`(${isInProgress})`)

/** The current row; undefined when the lease was lost. */
export async function heldTurn(db: Database, held: TurnLease): Promise<Turn | undefined> {
  const [found] = await db.select().from(turns).where(isHeld(turns, held))
  return found
}

/** The columns of a turn with nothing left to send. */
const over = { parts: null, sendAt: null, ...released } as const

/**
 * Records how many parts were sent; the last one completes the delivery.
 * @param firstMessage the id of the message with the first part
 * @returns false when the lease was lost
 */
export async function markSent(
  db: Database,
  turn: Turn,
  sent: number,
  firstMessage: number | undefined,
): Promise<boolean> {
  const isLast = sent === (turn.parts?.length ?? 0)
  const marked = await db
    .update(turns)
    .set({
      sent,
      answerMessageId: firstMessage,
      ...(isLast ? { delivery: 'delivered', ...over } : {}),
    })
    .where(isHeld(turns, turn))
    .returning({ id: turns.id })
  return marked.length > 0
}

/** Releases the lease and schedules the next attempt. */
export async function putOffSending(
  db: Database,
  turn: TurnLease,
  attempts: number,
  sendAt: Date,
): Promise<void> {
  await db
    .update(turns)
    .set({ attempts, sendAt, ...released })
    .where(isHeld(turns, turn))
}

/** The part of an answer that the chat has shown while the answer was written, in characters. */
export interface Seen {
  readonly shown: number
  readonly of: number
}

/**
 * Ends the delivery because the remaining parts cannot be sent, and refunds their share of the price.
 * @param turn the current row
 * @param note text of the refund in the user's statement
 * @param seen is not refunded either
 * @returns the refunded amount
 */
export async function giveUpSending(
  { db, clock }: Deps,
  turn: Turn,
  attempts: number,
  note: string,
  seen?: Seen,
): Promise<Kopecks> {
  const amount = lower(priceOfUnsent(turn), priceOfUnshown(turn, seen))
  const change = { delivery: 'undeliverable', attempts, ...over } as const
  if (amount === 0n) {
    await db.update(turns).set(change).where(isHeld(turns, turn))
    return 0n
  }
  const ended = db
    .update(turns)
    .set({ ...change, refunded: amount })
    .where(and(isHeld(turns, turn), eq(turns.sent, turn.sent)))
    .returning({ id: turns.id })
  const posted = await post(db, refundTurn(turn, amount, note), clock.now(), ended.getSQL())
  return posted.ok ? amount : 0n
}

/** The captured price times the share of unsent characters; rounded up in the user's favour. */
export function priceOfUnsent({ captured, parts, sent }: Pick<Turn, 'captured' | 'parts' | 'sent'>): Kopecks {
  const price = captured ?? 0n
  if (sent === 0) return price
  const [all, unsent] = [lengthOf(parts ?? []), lengthOf((parts ?? []).slice(sent))]
  return all === 0n ? 0n : shareRoundedUp(price, unsent, all)
}

function priceOfUnshown({ captured }: Pick<Turn, 'captured'>, seen: Seen | undefined): Kopecks {
  const price = captured ?? 0n
  if (!seen?.of) return price
  return shareRoundedUp(price, BigInt(seen.of - seen.shown), BigInt(seen.of))
}

const shareRoundedUp = (price: Kopecks, part: bigint, whole: bigint): Kopecks =>
  (price * part + whole - 1n) / whole

const lengthOf = (parts: readonly AnswerPart[]): bigint =>
  BigInt(parts.reduce((sum, part) => sum + charactersOf(part), 0))

/** For a refund of unsent parts a picture counts as one full message of text; cards with proposals cost nothing. */
function charactersOf(part: AnswerPart): number {
  if (part.kind === 'card') return 0
  return part.kind === 'picture' ? messageLimit : part.text.length
}
