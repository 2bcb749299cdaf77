// Settled answers that are not in their chats yet, as a queue: due ones are claimed under a lease, each message that was sent
// is written down before the next, and every write names the lease, so that a worker that was paused past it changes nothing.

import { and, eq, lte, or } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { isClaimable, isHeld, leased, released } from '../db/leased-queue.ts'
import { type AnswerPart, turns } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import { post } from '../ledger/ledger.ts'
import { refundTurn } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Turn } from './conversations.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** Claims due answers, those that have waited longest first. */
export async function claimAnswers(
  { db, clock, ids }: Deps & { readonly ids: Ids },
  most: number,
): Promise<Turn[]> {
  const now = clock.now()
  const due = and(isOneOf(turns.delivery, 'pending'), lte(turns.sendAt, now))
  const claimed = await db
    .update(turns)
    .set(leased(ids.next(), now))
    .where(isClaimable(turns, { due, order: turns.sendAt, most, now }))
    .returning()
  return claimed.sort((a, b) => (a.sendAt?.getTime() ?? 0) - (b.sendAt?.getTime() ?? 0))
}

/** An answer that this process is writing or sending. */
export type Claimed = Pick<Turn, 'id' | 'lease'>

const isInProgress = or(isOneOf(turns.state, 'streaming'), isOneOf(turns.delivery, 'pending'))
const isOurs = (held: Claimed) => and(isHeld(turns, held), isInProgress)

/** A process that ends leaves these to the others at once. */
export async function letGoOfTurns({ db, clock }: Deps, held: readonly Claimed[]): Promise<void> {
  const past = new Date(clock.now().getTime() - 1)
  for (const one of held) await db.update(turns).set({ leaseUntil: past }).where(isOurs(one))
}

/** As it is now; undefined when the lease was lost. */
export async function heldTurn(db: Database, held: Claimed): Promise<Turn | undefined> {
  const [found] = await db.select().from(turns).where(isOurs(held))
  return found
}

/** Nothing is left to send. */
const over = { parts: null, sendAt: null, ...released } as const

/**
 * So many of its parts were sent; with the last of them the delivery is over.
 * @param firstMessage the message that the first part went into
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
      ...(firstMessage === undefined ? {} : { answerMessageId: firstMessage }),
      ...(isLast ? { delivery: 'delivered', ...over } : {}),
    })
    .where(isOurs(turn))
    .returning({ id: turns.id })
  return marked.length > 0
}

/** Hands it back until then. */
export async function putOffSending(
  db: Database,
  turn: Claimed,
  attempts: number,
  sendAt: Date,
): Promise<void> {
  await db
    .update(turns)
    .set({ attempts, sendAt, ...released })
    .where(isOurs(turn))
}

/**
 * The rest can never be sent: the delivery is over, and the price of what was not shown is given back.
 * @param turn as it is now
 * @param note what the statement says of the refund
 * @returns what was given back
 */
export async function giveUpSending(
  { db, clock }: Deps,
  turn: Turn,
  attempts: number,
  note: string,
): Promise<Kopecks> {
  const amount = priceOfUnsent(turn)
  const change = { delivery: 'undeliverable', attempts, ...over } as const
  if (amount === 0n) {
    await db.update(turns).set(change).where(isOurs(turn))
    return 0n
  }
  const ended = db
    .update(turns)
    .set({ ...change, refunded: amount })
    .where(and(isHeld(turns, turn), isOneOf(turns.delivery, 'pending'), eq(turns.sent, turn.sent)))
    .returning({ id: turns.id })
  const posted = await post(db, [refundTurn(turn, amount, note)], clock.now(), ended.getSQL())
  return posted.ok ? amount : 0n
}

/** The share of the captured price that the unsent characters are of all; rounded up, so that nothing unsent is charged. */
export function priceOfUnsent({ captured, parts, sent }: Pick<Turn, 'captured' | 'parts' | 'sent'>): Kopecks {
  const price = captured ?? 0n
  if (sent === 0) return price
  const [all, unsent] = [lengthOf(parts ?? []), lengthOf((parts ?? []).slice(sent))]
  return all === 0n ? 0n : (price * unsent + all - 1n) / all
}

/** What is proposed on cards is free. */
const lengthOf = (parts: readonly AnswerPart[]): bigint =>
  BigInt(parts.reduce((sum, part) => sum + (part.kind === 'card' ? 0 : part.text.length), 0))
