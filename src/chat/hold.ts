// A question is held for before it is asked: for the longest answer that the balance and the day's limit can bear.

import { eq, type SQL, sql } from 'drizzle-orm'
import type { Attachment } from '../catalog/attachment.ts'
import { type TextModel, tokenPrice } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import { turns } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { unchangedBalance } from '../ledger/balance-lock.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { holdTurn } from '../ledger/moves.ts'
import { ceilKopecks, type Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { leaseMs } from '../runtime/leases.ts'
import { isWithinDailyCap, type OverDailyCap, readDailyCap } from '../sales/daily-cap.ts'
import type { Thread, Turn } from './threads.ts'

export interface HoldDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  /** What one user may spend within 24 hours, answers and orders together; undefined without a limit. */
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
  | OverDailyCap

export type Refused = Extract<Begun, { readonly ok: false }>

/** Kopecks for so many tokens, rounded up; undefined without a price. */
export function costOf(model: TextModel, input: number, output: number): Kopecks | undefined {
  const price = tokenPrice(model, { input, output })
  return price && ceilKopecks(price)
}

/** A try fails only when this user's money moved between the look at it and the hold. */
const mostTries = 100

/** Holds; the turn is this process's under its lease. */
export async function beginTurn(deps: HoldDeps, question: Question): Promise<Begun> {
  const { model, inputTokens, leastOutput } = question
  const least = costOf(model, inputTokens, leastOutput)
  if (least === undefined || least <= 0n) return { ok: false, reason: 'unpriced' }
  for (let tries = 0; tries < mostTries; tries += 1) {
    const room = await roomFor(deps, question.userId, least)
    if (!room.ok) return room
    const maxOutput = affordable(model, inputTokens, leastOutput, room.amount)
    const amount = costOf(model, inputTokens, maxOutput) ?? least
    const turn = await holdFor(deps, question, amount)
    if (turn) return { ok: true, turn, maxOutput }
    if (await wasAsked(deps, question)) return { ok: false, reason: 'asked-before' }
  }
  throw new Error(`question ${question.id}: the balance of its user does not stand still`)
}

/** Whether any answer could be paid: of so many tokens, to the shortest question. */
export async function refusalOfAny(
  deps: HoldDeps,
  userId: bigint,
  model: TextModel,
  leastOutput: number,
): Promise<Refused | undefined> {
  const least = costOf(model, 0, leastOutput)
  if (least === undefined) return { ok: false, reason: 'unpriced' }
  const room = await roomFor(deps, userId, least)
  return room.ok ? undefined : room
}

/** The most that the answer may cost now. */
async function roomFor(
  deps: HoldDeps,
  userId: bigint,
  least: Kopecks,
): Promise<Refused | { readonly ok: true; readonly amount: Kopecks }> {
  const { available } = await readBalance(deps.db, userId)
  if (available < least) return { ok: false, reason: 'insufficient', missing: least - available }
  const cap = await readDailyCap(deps, userId)
  if (!cap) return { ok: true, amount: available }
  const left = cap.most - cap.spent
  if (left < least) return { ok: false, reason: 'daily-cap', ...cap }
  return { ok: true, amount: available < left ? available : left }
}

/** Undefined when the money has moved since, or the same update has asked before. */
async function holdFor(deps: HoldDeps, question: Question, amount: Kopecks): Promise<Turn | undefined> {
  const { id, userId } = question
  const guard = insertTurn(deps, question, amount)
  const posted = await post(deps.db, [holdTurn({ id, userId, amount })], deps.clock.now(), guard)
  if (!posted.ok) return undefined
  const [turn] = await deps.db.select().from(turns).where(eq(turns.id, id))
  if (!turn) throw new Error('a held turn is there')
  return turn
}

async function wasAsked({ db }: HoldDeps, { updateId }: Question): Promise<boolean> {
  const asked = await db.select({ id: turns.id }).from(turns).where(eq(turns.updateId, updateId))
  return asked.length > 0
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
function insertTurn({ clock, ids, limits }: HoldDeps, question: Question, amount: Kopecks): SQL {
  const { id, thread, userId, model, text, files, messageId, updateId } = question
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const isWithin = isWithinDailyCap({ clock, limits }, { userId, amount }, sql`b.held`)
  return sql`
    insert into ${turns} (id, thread_id, user_id, model_id, question, files, sources, state, amount,
      question_message_id, update_id, lease, lease_until, created_at)
    select ${id}, ${thread.id}, ${userId}::bigint, ${model.id}, ${text}, ${JSON.stringify(files)}::text::jsonb, '[]'::jsonb,
      'streaming', ${amount}::bigint, ${messageId}::integer, ${updateId}::bigint, ${ids.next()},
      ${timestamp(leaseUntil)}, ${timestamp(now)}
    from (${unchangedBalance(userId)}) b where ${isWithin}
    on conflict (update_id) do nothing
    returning id`
}
