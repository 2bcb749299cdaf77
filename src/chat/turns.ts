// The rows of questions and answers. The progress of an answer is saved while it streams, so that it is billed and delivered when its
// process dies. One statement settles an answer and queues its messages (see deliveries.ts).

import assert from 'node:assert/strict'
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { TokenRates } from '../catalog/text-models.ts'
import { type Database, oneRow, rows } from '../db/client.ts'
import { isHeld, leased } from '../db/queue.ts'
import {
  type AnswerPart,
  accounts,
  type CardPart,
  conversations,
  generations,
  type ProposedCard,
  transfers,
  turns,
} from '../db/schema.ts'
import { asStored, assignments, bigint, integer, isOneOf, jsonb, timestamp } from '../db/sql.ts'
import type { Source } from '../gateway/client.ts'
import { transferHash } from '../ledger/checksum.ts'
import { type Kopecks, lower } from '../money.ts'
import { type Clock, hourMs } from '../runtime/clock.ts'
import type { ConversationLocation, Turn } from './conversations.ts'
import { heldTurn } from './deliveries.ts'

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
  readonly failure: Turn['failure']
  readonly text: string
  readonly thinking: string
  readonly sources: readonly Source[]
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isEstimate: boolean
  /** The rates from which the captured amount is computed; null when the answer is free because the model is not sold any more. */
  readonly rates: TokenRates | null
  /** The price of the answer; at the settlement it is limited to the held amount. */
  readonly captured: Kopecks
}

interface Settlement {
  readonly outcome: Outcome
  readonly parts: readonly AnswerPart[]
  /** The lease under which the messages are sent at once. */
  readonly lease: string
}

/**
 * Captures the price of what was used, releases the rest of the hold and queues the messages, in one statement. It is idempotent, so it can
 * be repeated when the database's response was lost.
 * @param turn the current row; another process may have claimed it since
 * @returns the settled row; undefined when it was settled under another lease
 */
export async function settleAnswer(
  deps: Deps,
  turn: Turn,
  settlement: Settlement,
): Promise<Turn | undefined> {
  const change = changeBy(deps, turn, settlement)
  const isSettled = await settle(deps, turn, change)
  return isSettled ? { ...turn, ...change } : heldTurn(deps.db, { id: turn.id, lease: change.lease })
}

function changeBy({ clock }: Deps, { amount }: Turn, { outcome, parts, lease }: Settlement) {
  assert(parts.length > 0, 'an answer has at least one message')
  const now = clock.now()
  const { text: answer, sources, captured, ...rest } = outcome
  const cards = parts.flatMap((part) => (part.kind === 'card' ? [proposedCard(part)] : []))
  return {
    ...rest,
    answer,
    sources: asStored(sources),
    captured: lower(captured, amount),
    settledAt: now,
    delivery: 'pending',
    parts: asStored(parts),
    proposals: cards.length > 0 ? asStored(cards) : null,
    sendAt: now,
    ...leased(lease, now),
  } as const
}

const proposedCard = ({ kind: _, ...card }: CardPart): ProposedCard => card

/** Ends the answer, captures its price and releases the rest of the hold. @returns false when it was settled before */
async function settle({ db }: Deps, turn: Turn, change: ReturnType<typeof changeBy>): Promise<boolean> {
  const { sources, parts, proposals, rates, captured, settledAt } = change
  const written = {
    ...change,
    sources: jsonb(sources),
    parts: jsonb(parts),
    proposals: proposals && jsonb(proposals),
    rates: rates && jsonb(rates),
  }
  const statement = sql`with ended as (
      update ${turns} set ${assignments(turns, written)} where id = ${turn.id} and state = 'streaming'
      returning id, user_id, amount as price, spent_on as day
    ), moved (kind, account, amount) as (
      values ('capture', 'revenue', ${bigint(captured)}), ('release', 'available', ${bigint(turn.amount - captured)})
    ), posted as (
      insert into ${transfers} (key, kind, user_id, debit, credit, amount, turn_id, created_at)
      select kind || ':turn:' || id, kind, user_id, 'held', account, amount, id, ${timestamp(settledAt)}
      from ended, moved where amount > 0
      returning ${sql.raw(transferHash)} as hash
    )
    update ${accounts} a set available = a.available + released, held = a.held - price, owed = greatest(0, a.owed - released),
      checksum = a.checksum # (select bit_xor(hash) from posted),
      spent_today = a.spent_today - case when a.spent_on = day then released else 0 end
    from ended, (select amount from moved where kind = 'release') _ (released)
    where a.kind = 'user' and a.owner_id = ended.user_id
    returning a.id::text`
  const [settled] = await rows(db, statement, z.object({ id: z.string() }))
  return settled !== undefined
}

export async function findTurn(db: Database, id: string, userId: bigint): Promise<Turn | undefined> {
  const [found] = await db
    .select()
    .from(turns)
    .where(and(eq(turns.id, id), eq(turns.userId, userId)))
  return found
}

/** Sets the message that shows the answer, and will contain it; changes nothing when the lease was lost. */
export async function setAnswerMessage(db: Database, turn: Turn, answerMessageId: number): Promise<void> {
  await db.update(turns).set({ answerMessageId }).where(isHeld(turns, turn))
}

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

/** How long after a question the next words go on with its conversation. */
const freshMs = hourMs

/**
 * Whether words of the user go on with the open conversation: they reply to one of its answers, or its last question is fresh and nothing
 * was ordered in the chat since.
 */
export async function goesOn(
  { db, clock }: Deps,
  userId: bigint,
  { chatId, topicId }: ConversationLocation,
  repliedTo: number | undefined,
): Promise<boolean> {
  const since = timestamp(new Date(clock.now().getTime() - freshMs))
  const asked = sql`select exists (
    select from ${turns} t join ${conversations} c on c.id = t.thread_id
    where c.chat_id = ${chatId}::bigint and c.topic_id = ${topicId} and c.closed_at is null
      and t.user_id = ${bigint(userId)} and t.draft_id is null
      and (t.answer_message_id = ${integer(repliedTo ?? null)} or t.created_at > ${since} and not exists (
        select from ${generations} g
        where g.user_id = t.user_id and g.chat_id = c.chat_id and g.created_at > t.created_at))
  ) as yes`
  return (await oneRow(db, asked, z.object({ yes: z.boolean() }))).yes
}

export type AnswerUnderWay = Pick<Turn, 'id' | 'amount'>

/** The answers to the user that are being written, and the amounts held for them. @param chatId leaves out other chats */
export function answersBeingWritten(
  db: Database,
  userId: bigint,
  chatId?: number,
): Promise<AnswerUnderWay[]> {
  const isWritten = and(eq(turns.userId, userId), isOneOf(turns.state, 'streaming'))
  const isHere = chatId === undefined ? undefined : eq(conversations.chatId, chatId)
  return db
    .select({ id: turns.id, amount: turns.amount })
    .from(turns)
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .where(and(isWritten, isHere))
    .orderBy(desc(turns.createdAt))
}

// Stops of answers that are being written. The row of an answer says that its user asked to stop it, so that a stop is not lost with the
// nudge about it: the process that writes the answer reads it when it renews the lease, and another one when it settles the answer of a
// process that died.

/** The answer below which our Stop button is, or whose question was edited. */
interface OwnTurn {
  readonly turnId: string
  readonly userId: bigint
}

/** The answer whose draft Telegram's own Stop button ends. */
interface Drafted {
  readonly chatId: number
  /** The id of the draft, which is the message id of the question. An edited question keeps it, and so does its next answer. */
  readonly draftId: number
  /** The update that reports the tap. Answers to later updates did not exist at the tap. */
  readonly updateId: number
}

export type Stoppable = OwnTurn | Drafted

/** @returns the ids of the answers that are being written and should be stopped */
export async function askToStop({ db, clock }: Deps, which: Stoppable): Promise<string[]> {
  const asked = await db
    .update(turns)
    .set({ stopAt: clock.now() })
    .where(and(isOneOf(turns.state, 'streaming'), 'turnId' in which ? isOwn(which) : isDrafted(which)))
    .returning({ id: turns.id })
  return asked.map(({ id }) => id)
}

const isOwn = ({ turnId, userId }: OwnTurn): SQL | undefined =>
  and(eq(turns.id, turnId), eq(turns.userId, userId))

/** Few answers are written at any moment, so the chat is looked up for each of them, and not the answers of the chat. */
const isDrafted = ({ chatId, draftId, updateId }: Drafted): SQL | undefined =>
  and(
    eq(turns.questionMessageId, draftId),
    lt(turns.updateId, updateId),
    sql`(select chat_id from ${conversations} c where c.id = ${turns.conversationId}) = ${bigint(chatId)}`,
  )
