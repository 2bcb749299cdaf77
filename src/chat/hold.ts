// Holds money before a question is sent to the model: for the longest answer that the balance and the daily limit allow.

import { eq, type SQL, sql } from 'drizzle-orm'
import type { Attachment } from '../catalog/attachment.ts'
import { type TextModel, tokenPrice } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import { leased } from '../db/queue.ts'
import { turns } from '../db/schema.ts'
import { asStored, bigint, integer, jsonb, timestamp } from '../db/sql.ts'
import { unchangedBalance } from '../ledger/balance-lock.ts'
import { post } from '../ledger/ledger.ts'
import { holdTurn } from '../ledger/moves.ts'
import { ceilKopecks, type Kopecks } from '../money.ts'
import type { Ids } from '../runtime/ids.ts'
import { isWithinDailyCap } from '../sales/daily-cap.ts'
import type { Conversation, Turn } from './conversations.ts'
import { type Funds, type FundsDeps, readFunds, spendable, type TooExpensive } from './funds.ts'

export interface HoldDeps extends FundsDeps {
  readonly db: Database
  readonly ids: Ids
}

interface Question {
  readonly id: string
  readonly conversation: Conversation
  readonly userId: bigint
  readonly model: TextModel
  /** The draft whose prompt the answer rewrites. */
  readonly draftId?: string
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number | null
  /** The update with the question; an update can ask only one question. */
  readonly updateId: number
  /** The estimated tokens of the whole request. */
  readonly inputTokens: number
  /** The length of an answer, in tokens, for which the money must suffice. */
  readonly leastOutput: number
}

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

/** A try fails only when the user's balance changed between reading it and the hold. */
const mostTries = 100

/** Holds the money and creates the turn, under a lease of this process. @param known the funds, if they were read shortly before */
export async function beginTurn(deps: HoldDeps, question: Question, known?: Funds): Promise<Begun> {
  const { model, inputTokens, leastOutput } = question
  const least = costOf(model, inputTokens, leastOutput)
  if (least === undefined || least <= 0n) return { ok: false, reason: 'unpriced' }
  let funds = known
  for (let tries = 0; tries < mostTries; tries += 1) {
    const isKnown = funds !== undefined
    const limit = spendable(deps, funds ?? (await readFunds(deps, question.userId)), least)
    funds = undefined
    // A payment may have arrived since they were read, while the pictures of the question were downloaded.
    if (!limit.ok && isKnown) continue
    if (!limit.ok) return limit
    const smallest = { maxOutput: leastOutput, amount: least }
    const { maxOutput, amount } = affordable(model, inputTokens, smallest, limit.amount)
    const turn = await holdFor(deps, question, amount)
    if (turn) return { ok: true, turn, maxOutput }
    if (await wasAsked(deps, question)) return { ok: false, reason: 'asked-before' }
  }
  throw new Error(`question ${question.id}: the balance of its user changes too often`)
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
  const limit = spendable(deps, funds, least)
  return limit.ok ? undefined : limit
}

/** @returns undefined when the balance has changed since it was read, or the same update has asked before */
async function holdFor(deps: HoldDeps, question: Question, amount: Kopecks): Promise<Turn | undefined> {
  const turn = newTurn(deps, question, amount)
  const guard = insertTurn(deps, turn)
  const posted = await post(deps.db, [holdTurn(turn)], turn.createdAt, guard)
  return posted.ok ? turn : undefined
}

/** The row of a turn, as the statement inserts it. */
function newTurn({ clock, ids }: HoldDeps, question: Question, amount: Kopecks): Turn {
  const { id, conversation, userId, model, draftId = null, text, files, messageId, updateId } = question
  const now = clock.now()
  return {
    id,
    conversationId: conversation.id,
    userId,
    modelId: model.id,
    draftId,
    question: text,
    files: asStored(files),
    answer: '',
    thinking: '',
    sources: [],
    state: 'streaming',
    failure: null,
    amount,
    captured: null,
    refunded: null,
    inputTokens: null,
    outputTokens: null,
    isEstimate: false,
    rates: null,
    questionMessageId: messageId,
    updateId,
    answerMessageId: null,
    delivery: 'none',
    parts: null,
    sent: 0,
    attempts: 0,
    sendAt: null,
    ...leased(ids.next(), now),
    claims: 1,
    createdAt: now,
    stopAt: null,
    settledAt: null,
  }
}

async function wasAsked({ db }: HoldDeps, { updateId }: Question): Promise<boolean> {
  const asked = await db.select({ id: turns.id }).from(turns).where(eq(turns.updateId, updateId))
  return asked.length > 0
}

interface Affordable {
  /** Tokens. */
  readonly maxOutput: number
  readonly amount: Kopecks
}

/**
 * The largest number of output tokens that costs at most `available` and fits into the context beside the input; a binary search, because
 * prices are rounded up.
 */
function affordable(model: TextModel, input: number, smallest: Affordable, available: Kopecks): Affordable {
  let largest = smallest
  let most = Math.min(model.maxOutput, model.context - input)
  while (largest.maxOutput < most) {
    const maxOutput = Math.ceil((largest.maxOutput + most) / 2)
    const amount = costOf(model, input, maxOutput)
    if (amount !== undefined && amount <= available) largest = { maxOutput, amount }
    else most = maxOutput - 1
  }
  return largest
}

/**
 * Inserts nothing when the daily limit would be exceeded, when the balance changed since the statement read it, or when the update
 * has asked before. An earlier question of the update is looked for first: the check of the unique index would wait, with the balance
 * locked, for a settlement of the first answer, which waits for the balance, and that is a deadlock.
 */
function insertTurn({ clock, limits }: HoldDeps, turn: Turn): SQL {
  const { id, conversationId, userId, modelId, draftId, question, files, sources, state, amount } = turn
  const { questionMessageId, updateId, lease, leaseUntil, claims, createdAt } = turn
  const isWithin = isWithinDailyCap({ clock, limits }, turn, sql`b.held`)
  return sql`
    insert into ${turns} (id, thread_id, user_id, model_id, draft_id, question, files, sources, state, amount,
      question_message_id, update_id, lease, lease_until, claims, created_at)
    select ${id}, ${conversationId}, ${bigint(userId)}, ${modelId}, ${draftId}::text, ${question}, ${jsonb(files)}, ${jsonb(sources)},
      ${state}, ${bigint(amount)}, ${integer(questionMessageId)}, ${bigint(updateId)}, ${lease},
      ${timestamp(leaseUntil)}, ${integer(claims)}, ${timestamp(createdAt)}
    from (${unchangedBalance(userId)}) b
    where ${isWithin} and not exists (select from ${turns} where update_id = ${bigint(updateId)})
    on conflict (update_id) do nothing
    returning id`
}
