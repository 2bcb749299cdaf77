// The rows of questions and answers. The progress of an answer is saved while it streams, so that it is billed and delivered when its process
// dies. One statement settles an answer and queues its messages (see deliveries.ts).

import assert from 'node:assert/strict'
import { and, desc, eq, lt, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { isHeld, leased } from '../db/leased-queue.ts'
import { type AnswerPart, turns } from '../db/schema.ts'
import { isOneOf, jsonb } from '../db/sql.ts'
import type { Source } from '../gateway/client.ts'
import { post } from '../ledger/ledger.ts'
import { settleTurn } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Turn } from './conversations.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Saves what has been shown so far.
 * @returns false when the lease was lost
 */
export async function saveProgress(
  { db }: Pick<Deps, 'db'>,
  { id, lease }: Turn,
  { text, thinking }: { readonly text: string; readonly thinking: string },
): Promise<boolean> {
  const isOurs = and(isHeld(turns, { id, lease }), eq(turns.state, 'streaming'))
  const saved = await db
    .update(turns)
    .set({ answer: text, thinking })
    .where(isOurs)
    .returning({ id: turns.id })
  return saved.length > 0
}

export interface Outcome {
  readonly state: 'done' | 'stopped' | 'failed'
  readonly text: string
  readonly thinking: string
  readonly sources: readonly Source[]
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isEstimate: boolean
  /** Limited to the held amount when it is settled. */
  readonly captured: Kopecks
}

interface Settlement {
  readonly outcome: Outcome
  /** Its messages. */
  readonly parts: readonly AnswerPart[]
  /** The lease under which they are sent at once. */
  readonly lease: string
}

/**
 * Captures the price of what was used, releases the rest of the hold and queues the messages, in one statement. It is idempotent, so it can
 * be repeated when the database's response was lost.
 * @returns undefined when it was settled under another lease
 */
export async function endTurn(deps: Deps, turn: Turn, settlement: Settlement): Promise<Turn | undefined> {
  return settle(deps, turn, settlement)
}

/** Settles an answer whose lease expired. @returns undefined when its process is alive or another one has settled it */
export async function endAbandoned(
  deps: Deps,
  turn: Turn,
  settlement: Settlement,
): Promise<Turn | undefined> {
  return settle(deps, turn, settlement, lt(turns.leaseUntil, deps.clock.now()))
}

async function settle(
  { db, clock }: Deps,
  turn: Turn,
  { outcome, parts, lease }: Settlement,
  condition?: SQL,
): Promise<Turn | undefined> {
  assert(parts.length > 0, 'an answer has at least one message')
  const now = clock.now()
  const captured = outcome.captured < turn.amount ? outcome.captured : turn.amount
  const ended = db
    .update(turns)
    .set({
      state: outcome.state,
      answer: outcome.text,
      thinking: outcome.thinking,
      sources: jsonb(outcome.sources),
      captured,
      inputTokens: outcome.inputTokens,
      outputTokens: outcome.outputTokens,
      isEstimate: outcome.isEstimate,
      settledAt: now,
      delivery: 'pending',
      parts: jsonb(parts),
      sendAt: now,
      ...leased(lease, now),
    })
    .where(and(eq(turns.id, turn.id), isOneOf(turns.state, 'streaming'), condition))
    .returning({ id: turns.id })
  await post(db, settleTurn(turn, captured), now, ended.getSQL())
  const [settled] = await db
    .select()
    .from(turns)
    .where(and(isHeld(turns, { id: turn.id, lease }), eq(turns.delivery, 'pending')))
  return settled
}

/** Answers whose process died while they were streaming. */
export async function abandonedTurns({ db, clock }: Deps, most: number): Promise<Turn[]> {
  return db
    .select()
    .from(turns)
    .where(and(eq(turns.state, 'streaming'), lt(turns.leaseUntil, clock.now())))
    .orderBy(turns.leaseUntil)
    .limit(most)
}

export async function findTurn(db: Database, id: string, userId: bigint): Promise<Turn | undefined> {
  const [found] = await db
    .select()
    .from(turns)
    .where(and(eq(turns.id, id), eq(turns.userId, userId)))
  return found
}

/** Sets the placeholder message that will contain the answer. */
export async function setAnswerMessage(db: Database, id: string, answerMessageId: number): Promise<void> {
  await db.update(turns).set({ answerMessageId }).where(eq(turns.id, id))
}

/** The user's newest question in a conversation. */
export async function lastTurnOf(
  db: Database,
  conversationId: string,
  userId: bigint,
): Promise<Turn | undefined> {
  const [found] = await db
    .select()
    .from(turns)
    .where(and(eq(turns.conversationId, conversationId), eq(turns.userId, userId)))
    .orderBy(desc(turns.createdAt))
    .limit(1)
  return found
}
