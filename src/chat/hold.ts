// Holds money before a question is sent to the model: for the longest answer that the balance and the daily limit allow.

import assert from 'node:assert/strict'
import { and, eq, sql } from 'drizzle-orm'
import type { QuestionFile } from '../catalog/field.ts'
import { type TextModel, tokenPrice } from '../catalog/text-models.ts'
import { type Database, violatedConstraint } from '../db/client.ts'
import { leased } from '../db/queue.ts'
import { accounts, transfers, turns } from '../db/schema.ts'
import { bigint, columnsOf, integer, jsonb, readRows, timestamp } from '../db/sql.ts'
import { transferHash } from '../ledger/checksum.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import { ceilKopecks, type Kopecks } from '../money.ts'
import type { Ids } from '../runtime/ids.ts'
import { dayOf, type LimitDeps, type OverDailyCap, spentToday } from '../sales/limits.ts'
import type { Conversation, Turn } from './conversations.ts'

export interface HoldDeps extends LimitDeps {
  readonly db: Database
  readonly ids: Ids
}

interface Question {
  readonly id: string
  readonly conversation: Conversation
  readonly userId: bigint
  readonly model: TextModel
  readonly draftId?: string
  readonly text: string
  readonly files: readonly QuestionFile[]
  readonly messageId: number | null
  /** The update with the question; an update can ask only one question. */
  readonly updateId: number
  readonly inputTokens: number
  /** The length of an answer, in tokens, for which the money must suffice. */
  readonly leastOutput: number
}

type TooExpensive =
  | { readonly ok: false; readonly reason: 'insufficient'; readonly missing: Kopecks }
  | OverDailyCap

export type Begun =
  | { readonly ok: true; readonly turn: Turn; readonly maxOutput: number }
  | TooExpensive
  | { readonly ok: false; readonly reason: 'unpriced' }
  /** The same update has asked a question before. */
  | { readonly ok: false; readonly reason: 'asked-before' }

type Refused = TooExpensive | Extract<Begun, { readonly reason: 'unpriced' }>

/** The price of the tokens, rounded up; undefined when the model has no price. */
export function costOf(model: TextModel, input: number, output: number): Kopecks | undefined {
  const price = tokenPrice(model, { input, output })
  return price && ceilKopecks(price)
}

/** The most that fits into the context beside the input. */
export const longestOutput = ({ maxOutput, context }: TextModel, inputTokens: number): number =>
  Math.min(maxOutput, context - inputTokens)

/** Holds the money and creates the turn, under a lease of this process. */
export async function beginTurn(deps: HoldDeps, question: Question): Promise<Begun> {
  const { model, inputTokens, leastOutput, userId } = question
  const least = costOf(model, inputTokens, leastOutput)
  const longest = longestOutput(model, inputTokens)
  const most = costOf(model, inputTokens, Math.max(longest, leastOutput))
  if (least === undefined || most === undefined) return { ok: false, reason: 'unpriced' }
  const turn = await holdFor(deps, question, { least, most })
  if (turn) return { ok: true, turn, maxOutput: affordable(question, longest, turn.amount) }
  if (await wasAsked(deps, question)) return { ok: false, reason: 'asked-before' }
  // Without a refusal the obstacle has ended since, for instance by a payment.
  return tooExpensive(deps, await readFunds(deps, userId), least) ?? beginTurn(deps, question)
}

/** Checks whether an answer of `leastOutput` tokens to the shortest question can be paid. */
export function refusalOfAny(
  deps: Pick<HoldDeps, 'limits'>,
  funds: Funds,
  model: TextModel,
  leastOutput: number,
): Refused | undefined {
  const least = costOf(model, 0, leastOutput)
  if (least === undefined) return { ok: false, reason: 'unpriced' }
  return tooExpensive(deps, funds, least)
}

/**
 * Holds as much as the longest answer costs, or as the balance and the daily limit allow, and inserts the turn, in one statement. An earlier
 * question of the update is looked for first: the unique index would wait, with the account locked, for the settlement of its answer. The
 * account is written from its locked row: PostgreSQL first checks the constraints of an update against the row of the statement's snapshot.
 * @returns undefined when less than `least` is left, or the same update has asked before
 */
async function holdFor(
  deps: HoldDeps,
  question: Question,
  { least, most }: { readonly least: Kopecks; readonly most: Kopecks },
): Promise<Turn | undefined> {
  const { id, conversation, userId, model, draftId = null, text, files, messageId, updateId } = question
  const now = deps.clock.now()
  const [at, today] = [timestamp(now), sql`${dayOf(deps)}::date`]
  const { lease, leaseUntil } = leased(deps.ids.next(), now)
  const statement = sql`with payer as (
      select a.id, a.available, a.held, a.checksum, amount, greatest(a.spent_on, ${today}) as day, spent
      from ${accounts} a, lateral (select case when a.spent_on >= ${today} then a.spent_today else 0 end) s (spent),
        lateral (select least(${bigint(most)}, a.available, ${bigint(deps.limits.dailySpend ?? null)} - spent)) _ (amount)
      where a.kind = 'user' and a.owner_id = ${bigint(userId)} and a.is_on and amount >= ${bigint(least)}
        and not exists (select from ${turns} where update_id = ${bigint(updateId)})
      for no key update of a
    ), asked as (
      insert into ${turns} (id, thread_id, user_id, model_id, draft_id, question, files, sources, state, amount, spent_on,
        question_message_id, update_id, lease, lease_until, claims, created_at)
      select ${id}, ${conversation.id}, ${bigint(userId)}, ${model.id}, ${draftId}::text, ${text}, ${jsonb(files)}, '[]', 'streaming',
        amount, day, ${integer(messageId)}, ${bigint(updateId)}, ${lease}, ${timestamp(leaseUntil)}, 1, ${at}
      from payer
      returning *
    ), posted as (
      insert into ${transfers} (key, kind, user_id, debit, credit, amount, turn_id, created_at)
      select 'hold:turn:' || id, 'hold', user_id, 'available', 'held', amount, id, created_at from asked
      returning amount as price, ${sql.raw(transferHash)} as hash
    ), changed as (
      update ${accounts} a set available = payer.available - price, held = payer.held + price, checksum = payer.checksum # hash,
        spent_on = day, spent_today = spent + price
      from posted, payer where a.id = payer.id
    )
    select ${columnsOf(turns, 'asked')} from asked`
  try {
    const [held] = await readRows(deps.db, turns, statement)
    return held
  } catch (error) {
    // The same update was handled at the same time, and its question waited for the account.
    if (violatedConstraint(error) === 'turns_update_id_key') return undefined
    throw error
  }
}

export async function wasAsked(
  { db }: Pick<HoldDeps, 'db'>,
  { updateId }: Pick<Question, 'updateId'>,
): Promise<boolean> {
  const asked = await db.select({ id: turns.id }).from(turns).where(eq(turns.updateId, updateId))
  return asked.length > 0
}

/**
 * The largest number of output tokens that costs at most `amount`; a binary search, because prices are rounded up.
 * @param longest see `longestOutput`
 */
function affordable({ model, inputTokens, leastOutput }: Question, longest: number, amount: Kopecks): number {
  let [least, most] = [leastOutput, longest]
  while (least < most) {
    const maxOutput = Math.ceil((least + most) / 2)
    const price = costOf(model, inputTokens, maxOutput)
    if (price !== undefined && price <= amount) least = maxOutput
    else most = maxOutput - 1
  }
  return least
}

// The money that a user can spend on an answer: the balance, within the rest of the daily limit.

export interface Funds {
  readonly available: Kopecks
  /** What the orders and answers of today cost. */
  readonly spent: Kopecks
}

export const fundsColumns = (deps: LimitDeps) => ({
  available: accounts.available,
  spent: spentToday(deps),
})

export async function readFunds(deps: LimitDeps & { readonly db: Database }, userId: bigint): Promise<Funds> {
  const isOpen = and(isAccountOf(userId), accounts.isOn)
  const [found] = await deps.db.select(fundsColumns(deps)).from(accounts).where(isOpen)
  assert(found, 'the account was not closed meanwhile')
  return found
}

/** Why an answer that costs at least this cannot be paid; undefined when it can. */
function tooExpensive(
  { limits }: Pick<LimitDeps, 'limits'>,
  { available, spent }: Funds,
  least: Kopecks,
): TooExpensive | undefined {
  if (available < least) return { ok: false, reason: 'insufficient', missing: least - available }
  const { dailySpend: most } = limits
  return most !== undefined && spent + least > most
    ? { ok: false, reason: 'daily-cap', most, spent }
    : undefined
}
