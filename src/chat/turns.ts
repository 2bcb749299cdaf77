// A question is held for before it is asked, and settled by what its answer used. What is shown is kept as it comes, so
// that an answer whose process died is billed and given, not lost.

import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Attachment } from '../catalog/attachment.ts'
import { type TextModel, tokenPrice } from '../catalog/text-models.ts'
import type { Clock } from '../clock.ts'
import { type Database, rows } from '../db/client.ts'
import { balances, turns } from '../db/schema.ts'
import type { Source } from '../gateway/client.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { holdTurn, settleTurn } from '../ledger/moves.ts'
import { capturedSince, dayMs, unmoved } from '../ledger/spending.ts'
import { ceilKopecks, type Kopecks } from '../money.ts'
import type { Thread, Turn } from './threads.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** With what one user may spend within 24 hours, answers and orders together; undefined without a limit. */
export interface TurnDeps extends Deps {
  readonly limits: { readonly dailySpend: Kopecks | undefined }
}

export interface Question {
  readonly id: string
  readonly thread: Thread
  readonly userId: bigint
  readonly model: TextModel
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number | null
  /** Which asks it: at most once. */
  readonly updateId: number
  /** Estimated, of everything that is sent. */
  readonly inputTokens: number
  /** An answer shorter than this is not worth asking for. */
  readonly leastOutput: number
}

export type Begun =
  | { readonly ok: true; readonly turn: Turn; readonly maxOutput: number }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | { readonly ok: false; readonly reason: 'unpriced' }
  /** The same update has asked this before. */
  | { readonly ok: false; readonly reason: 'asked-before' }
  | { readonly ok: false; readonly reason: 'daily-cap'; readonly most: Kopecks; readonly spent: Kopecks }

/** Who writes an answer says so this often; see `keep`. */
export const leaseMs = 90_000

/** Kopecks for so many tokens, rounded up; undefined without a price. */
export function costOf(model: TextModel, input: number, output: number): Kopecks | undefined {
  const price = tokenPrice(model, { input, output })
  return price && ceilKopecks(price)
}

/** Holds for the longest answer that the balance, and the day's limit, can bear. */
export async function beginTurn(deps: TurnDeps, question: Question, tries = 3): Promise<Begun> {
  const { model, inputTokens, leastOutput, userId } = question
  const least = costOf(model, inputTokens, leastOutput)
  if (least === undefined || least <= 0n) return { ok: false, reason: 'unpriced' }
  const { available } = await readBalance(deps.db, userId)
  if (available < least) return { ok: false, reason: 'insufficient', missing: least - available }
  const most = deps.limits.dailySpend
  const spent = most === undefined ? 0n : await spentToday(deps, userId)
  if (most !== undefined && spent + least > most) return { ok: false, reason: 'daily-cap', most, spent }
  const room = most === undefined || available < most - spent ? available : most - spent
  const maxOutput = affordable(model, inputTokens, leastOutput, room)
  const amount = costOf(model, inputTokens, maxOutput) ?? least
  const hold = holdTurn({ id: question.id, userId, amount })
  const posted = await post(deps.db, [hold], deps.clock.now(), insertTurn(deps, question, amount))
  if (!posted.ok && (await wasAsked(deps, question))) return { ok: false, reason: 'asked-before' }
  // The money moved while we looked: look again.
  if (!posted.ok && tries > 1) return beginTurn(deps, question, tries - 1)
  if (!posted.ok) return { ok: false, reason: 'insufficient', missing: amount }
  const [turn] = await deps.db.select().from(turns).where(eq(turns.id, question.id))
  if (!turn) throw new Error('a held turn is there')
  return { ok: true, turn, maxOutput }
}

async function wasAsked({ db }: Deps, { updateId }: Question): Promise<boolean> {
  const asked = await db.select({ id: turns.id }).from(turns).where(eq(turns.updateId, updateId))
  return asked.length > 0
}

const sinceOf = (clock: Clock) => new Date(clock.now().getTime() - dayMs)

async function spentToday({ db, clock }: Deps, userId: bigint): Promise<Kopecks> {
  const query = sql`select b.held + (${capturedSince(userId, sinceOf(clock))}) as spent
    from ${balances} b where b.user_id = ${userId}::bigint`
  const [found] = await rows(db, query, z.object({ spent: z.coerce.bigint() }))
  return found?.spent ?? 0n
}

/** The most output tokens, by halves: prices round up. */
function affordable(model: TextModel, input: number, least: number, available: Kopecks): number {
  let [from, to] = [least, Math.max(least, model.maxOutput)]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if ((costOf(model, input, middle) ?? available + 1n) <= available) from = middle
    else to = middle - 1
  }
  return from
}

/** Nothing is inserted when it would be over the day's limit, or the money has moved since this statement looked. */
function insertTurn({ clock, limits }: TurnDeps, question: Question, amount: Kopecks): SQL {
  const { id, thread, userId, model, text, files, messageId, updateId } = question
  const now = clock.now()
  const most = limits.dailySpend
  const isWithin =
    most === undefined
      ? sql`true`
      : sql`b.held + (${capturedSince(userId, sinceOf(clock))}) + ${amount}::bigint <= ${most}::bigint`
  return sql`
    insert into ${turns} (id, thread_id, user_id, model_id, question, files, sources, state, amount,
      question_message_id, update_id, lease_until, created_at)
    select ${id}, ${thread.id}, ${userId}::bigint, ${model.id}, ${text}, ${JSON.stringify(files)}::text::jsonb, '[]'::jsonb,
      'streaming', ${amount}::bigint, ${messageId}::integer, ${updateId}::bigint, ${new Date(now.getTime() + leaseMs)}::timestamptz,
      ${now}::timestamptz
    from (${unmoved(userId)}) b where ${isWithin}
    on conflict (update_id) do nothing
    returning id`
}

/** Writes down what has been shown so far. */
export async function keep(
  { db, clock }: Deps,
  { id }: Turn,
  { text, thinking }: { readonly text: string; readonly thinking: string },
): Promise<void> {
  const leaseUntil = new Date(clock.now().getTime() + leaseMs)
  await db
    .update(turns)
    .set({ answer: text, thinking, leaseUntil })
    .where(and(eq(turns.id, id), eq(turns.state, 'streaming')))
}

export interface Outcome {
  readonly state: 'done' | 'stopped' | 'failed'
  readonly text: string
  readonly thinking: string
  readonly sources: readonly Source[]
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isEstimate: boolean
  /** Never above the hold, whatever the usage says. */
  readonly captured: Kopecks
}

/** @returns undefined when somebody else settled it */
export async function endTurn(deps: Deps, turn: Turn, outcome: Outcome): Promise<Turn | undefined> {
  const captured = outcome.captured < turn.amount ? outcome.captured : turn.amount
  const ended = sql`
    update ${turns} set state = ${outcome.state}, answer = ${outcome.text}, thinking = ${outcome.thinking},
      sources = ${JSON.stringify(outcome.sources)}::text::jsonb, captured = ${captured}::bigint,
      input_tokens = ${outcome.inputTokens}::integer, output_tokens = ${outcome.outputTokens}::integer,
      is_estimate = ${outcome.isEstimate}, lease_until = null, settled_at = ${deps.clock.now()}::timestamptz
    where id = ${turn.id} and state = 'streaming'
    returning id`
  const posted = await post(deps.db, settleTurn(turn, captured), deps.clock.now(), ended)
  if (!posted.ok) return undefined
  const [settled] = await deps.db.select().from(turns).where(eq(turns.id, turn.id))
  return settled
}

/** Answers whose process died while it wrote them. */
export async function abandonedTurns({ db, clock }: Deps): Promise<Turn[]> {
  return db
    .select()
    .from(turns)
    .where(and(eq(turns.state, 'streaming'), lt(turns.leaseUntil, clock.now())))
    .limit(50)
}

export async function findTurn(db: Database, id: string, userId: bigint): Promise<Turn | undefined> {
  const [found] = await db
    .select()
    .from(turns)
    .where(and(eq(turns.id, id), eq(turns.userId, userId)))
  return found
}

export async function setAnswerMessage(db: Database, id: string, answerMessageId: number): Promise<void> {
  await db.update(turns).set({ answerMessageId }).where(eq(turns.id, id))
}

/** The newest question of somebody in a conversation. */
export async function lastTurnOf(db: Database, threadId: string, userId: bigint): Promise<Turn | undefined> {
  const [found] = await db
    .select()
    .from(turns)
    .where(and(eq(turns.threadId, threadId), eq(turns.userId, userId)))
    .orderBy(desc(turns.createdAt))
    .limit(1)
  return found
}
