// Settled answers that are not in their chats yet, as a queue: due ones are claimed under a lease, each message that was sent
// is written down before the next, and every write names the lease, so that a worker that was paused past it changes nothing.

import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { turns } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { post } from '../ledger/ledger.ts'
import { refundTurn } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { leaseMs } from '../runtime/leases.ts'
import type { AnswerPart } from './part.ts'
import type { Turn } from './threads.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** Takes up to so many of what is due, what waits longest first. */
export async function claimAnswers(
  { db, clock, ids }: Deps & { readonly ids: Ids },
  most: number,
): Promise<Turn[]> {
  const now = clock.now()
  const at = timestamp(now)
  const lease = ids.next()
  const claim = sql`
    update ${turns} set lease = ${lease}, lease_until = ${timestamp(now, leaseMs)}
    where id in (
      select id from ${turns}
      where delivery = 'pending' and send_at <= ${at} and (lease_until is null or lease_until <= ${at})
      order by send_at limit ${most}::integer for update skip locked
    )
    returning id`
  const claimed = (await rows(db, claim, z.object({ id: z.string() }))).map(({ id }) => id)
  if (claimed.length === 0) return []
  const isOurs = and(inArray(turns.id, claimed), eq(turns.lease, lease))
  return db.select().from(turns).where(isOurs).orderBy(turns.sendAt)
}

/** What a process holds: an answer that is being written or sent. */
export type Claimed = Pick<Turn, 'id' | 'lease'>

const isHeld = ({ id, lease }: Claimed) =>
  and(
    eq(turns.id, id),
    eq(turns.lease, lease ?? ''),
    or(eq(turns.state, 'streaming'), eq(turns.delivery, 'pending')),
  )

/** For as long as they are worked on; see leases.ts. */
export async function renewTurns(
  db: Database,
  held: readonly Claimed[],
  leases: readonly string[],
  until: Date,
): Promise<void> {
  const ids = held.map(({ id }) => id)
  await db
    .update(turns)
    .set({ leaseUntil: until })
    .where(and(inArray(turns.id, ids), inArray(turns.lease, [...leases])))
}

/** A process that ends leaves these to the others at once. */
export async function letGoOfTurns({ db, clock }: Deps, held: readonly Claimed[]): Promise<void> {
  const past = new Date(clock.now().getTime() - 1)
  for (const one of held) await db.update(turns).set({ leaseUntil: past }).where(isHeld(one))
}

/** As it is now; undefined when the lease was lost. */
export async function heldTurn(db: Database, held: Claimed): Promise<Turn | undefined> {
  const [found] = await db.select().from(turns).where(isHeld(held))
  return found
}

/** Nothing is left to send. */
const over = { parts: null, sendAt: null, lease: null, leaseUntil: null }

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
    .where(isHeld(turn))
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
  await db.update(turns).set({ attempts, sendAt, lease: null, leaseUntil: null }).where(isHeld(turn))
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
  if (amount === 0n) {
    await db
      .update(turns)
      .set({ delivery: 'undeliverable', attempts, ...over })
      .where(isHeld(turn))
    return 0n
  }
  const ended = sql`
    update ${turns} set delivery = 'undeliverable', attempts = ${attempts}::integer, refunded = ${amount}::bigint,
      parts = null, send_at = null, lease = null, lease_until = null
    where id = ${turn.id} and lease = ${turn.lease} and delivery = 'pending' and sent = ${turn.sent}::integer
    returning id`
  const posted = await post(db, [refundTurn(turn, amount, note)], clock.now(), ended)
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
