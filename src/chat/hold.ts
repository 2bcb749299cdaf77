// Holds money before a question is sent to the model: for the longest answer that the balance and the daily limit allow.

import { eq, type SQL, sql } from 'drizzle-orm'
import type { Attachment } from '../catalog/attachment.ts'
import { type TextModel, tokenPrice } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import { turns } from '../db/schema.ts'
import { bigint, integer, jsonb, timestamp } from '../db/sql.ts'
import { unchangedBalance } from '../ledger/balance-lock.ts'
import { post, readBalance } from '../ledger/ledger.ts'
import { holdTurn } from '../ledger/moves.ts'
import { ceilKopecks, type Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { leaseMs } from '../runtime/leases.ts'
import { isWithinDailyCap, type OverDailyCap, readDailyCap } from '../sales/daily-cap.ts'
import type { Conversation, Turn } from './conversations.ts'

export interface HoldDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  /** Limit of what one user can spend on answers and orders within 24 hours; undefined means no limit. */
  readonly limits: { readonly dailySpend: Kopecks | undefined }
}

interface Question {
  readonly id: string
  readonly conversation: Conversation
  readonly userId: bigint
  readonly model: TextModel
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number | null
  /** The update with the question; it can ask only one. */
  readonly updateId: number
  /** Estimate for the whole request. */
  readonly inputTokens: number
  /** In tokens; the money must suffice for an answer of this length. */
  readonly leastOutput: number
}

export type Begun =
  | { readonly ok: true; readonly turn: Turn; readonly maxOutput: number }
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | { readonly ok: false; readonly reason: 'unpriced' }
  /** The same update has asked before. */
  | { readonly ok: false; readonly reason: 'asked-before' }
  | OverDailyCap

type Refused = Extract<Begun, { readonly ok: false }>

/** The price of the tokens, rounded up; undefined when the model has no price. */
export function costOf(model: TextModel, input: number, output: number): Kopecks | undefined {
  const price = tokenPrice(model, { input, output })
  return price && ceilKopecks(price)
}

/** A try fails only when the user's balance changed between reading it and the hold. */
const mostTries = 100

/** Holds the money and creates the turn, under a lease of this process. */
export async function beginTurn(deps: HoldDeps, question: Question): Promise<Begun> {
  const { model, inputTokens, leastOutput } = question
  const least = costOf(model, inputTokens, leastOutput)
  if (least === undefined || least <= 0n) return { ok: false, reason: 'unpriced' }
  for (let tries = 0; tries < mostTries; tries += 1) {
    const limit = await spendable(deps, question.userId, least)
    if (!limit.ok) return limit
    const maxOutput = affordable(model, inputTokens, leastOutput, limit.amount)
    const amount = costOf(model, inputTokens, maxOutput) ?? least
    const turn = await holdFor(deps, question, amount)
    if (turn) return { ok: true, turn, maxOutput }
    if (await wasAsked(deps, question)) return { ok: false, reason: 'asked-before' }
  }
  throw new Error(`question ${question.id}: the balance of its user changes too often`)
}

/** Checks whether an answer of `leastOutput` tokens to the shortest question can be paid. */
export async function refusalOfAny(
  deps: HoldDeps,
  userId: bigint,
  model: TextModel,
  leastOutput: number,
): Promise<Refused | undefined> {
  const least = costOf(model, 0, leastOutput)
  if (least === undefined) return { ok: false, reason: 'unpriced' }
  const limit = await spendable(deps, userId, least)
  return limit.ok ? undefined : limit
}

/** The most that an answer may cost at the moment. */
async function spendable(
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

/** @returns undefined when the balance has changed since it was read, or the same update has asked before */
async function holdFor(deps: HoldDeps, question: Question, amount: Kopecks): Promise<Turn | undefined> {
  const { id, userId } = question
  const guard = insertTurn(deps, question, amount)
  const posted = await post(deps.db, [holdTurn({ id, userId, amount })], deps.clock.now(), guard)
  if (!posted.ok) return undefined
  const [turn] = await deps.db.select().from(turns).where(eq(turns.id, id))
  if (!turn) throw new Error('the turn that was just held does not exist')
  return turn
}

async function wasAsked({ db }: HoldDeps, { updateId }: Question): Promise<boolean> {
  const asked = await db.select({ id: turns.id }).from(turns).where(eq(turns.updateId, updateId))
  return asked.length > 0
}

/** The largest number of output tokens that costs at most `available`; a binary search, because prices are rounded up. */
function affordable(model: TextModel, input: number, least: number, available: Kopecks): number {
  let [from, to] = [least, Math.max(least, model.maxOutput)]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if ((costOf(model, input, middle) ?? available + 1n) <= available) from = middle
    else to = middle - 1
  }
  return from
}

const streaming: Turn['state'] = 'streaming'

/** Inserts nothing when the daily limit would be exceeded, or when the balance changed since the statement read it. */
function insertTurn({ clock, ids, limits }: HoldDeps, question: Question, amount: Kopecks): SQL {
  const { id, conversation, userId, model, text, files, messageId, updateId } = question
  const now = clock.now()
  const isWithin = isWithinDailyCap({ clock, limits }, { userId, amount }, sql`b.held`)
  return sql`
    insert into ${turns} (id, thread_id, user_id, model_id, question, files, sources, state, amount,
      question_message_id, update_id, lease, lease_until, created_at)
    select ${id}, ${conversation.id}, ${bigint(userId)}, ${model.id}, ${text}, ${jsonb(files)}, ${jsonb([])},
      ${streaming}, ${bigint(amount)}, ${integer(messageId)}, ${bigint(updateId)}, ${ids.next()},
      ${timestamp(now, leaseMs)}, ${timestamp(now)}
    from (${unchangedBalance(userId)}) b where ${isWithin}
    on conflict (update_id) do nothing
    returning id`
}
