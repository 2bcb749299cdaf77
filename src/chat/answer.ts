// One answer: requested, shown while it streams, and settled, however it ends. A stopped or interrupted answer is billed for what was
// shown; an answer without visible content costs nothing.

import type { TextModel } from '../catalog/text-models.ts'
import { throughOutages } from '../db/outage.ts'
import type { Ids } from '../runtime/ids.ts'
import { stopSales } from '../sales/sales.ts'
import type { ChatRequest } from './bodies.ts'
import type { Turn } from './conversations.ts'
import { tokensIn } from './dialogue.ts'
import { costOf } from './hold.ts'
import { type AnswerTexts, type Failure, type Note, partsOf, type Shown, shownOf } from './parts.ts'
import { type LiveAnswer, type Read, type ReadDeps, readAnswer } from './reading.ts'
import { type Proposal, proposalsIn } from './tools.ts'
import { endAbandoned, endTurn, type Outcome } from './turns.ts'

export interface AnswerDeps extends ReadDeps {
  readonly ids: Ids
}

interface Answered {
  /** Settled, with its messages queued under the turn's lease; undefined when another process has settled it. */
  readonly turn: Turn | undefined
  /** Why it ended early or produced nothing. */
  readonly failure: Failure | undefined
}

/** Settled while the last progress is still being shown; `live` is closed. */
export async function answer(
  deps: AnswerDeps,
  turn: Turn,
  request: ChatRequest,
  live: LiveAnswer,
  texts: AnswerTexts,
  stop: AbortSignal,
): Promise<Answered> {
  const read = await readAnswer(deps, turn, request, live, stop)
  const ended = endOf(read, texts)
  const settlement = {
    outcome: outcomeOf(request, read, ended),
    parts: partsOf(ended.shown, noteOf(ended), ended.proposals, texts, deps.ids),
    lease: turn.lease ?? deps.ids.next(),
  }
  // The answer exists only in this process.
  const settled = await throughOutages(deps, () => endTurn(deps, turn, settlement))
  if (ended.failure?.reason === 'paused') await stopSales(deps.db, ended.failure.cause, deps.clock.now())
  return { turn: settled, failure: ended.failure }
}

/** A finished answer as it is shown and settled. */
interface Ended {
  readonly state: Outcome['state']
  readonly shown: Shown
  readonly proposals: readonly Proposal[]
  readonly failure: Failure | undefined
}

/** White space, empty tags and calls of functions that were not offered do not count as an answer. */
function endOf({ progress, end, failure }: Read, texts: AnswerTexts): Ended {
  const shown = shownOf({ ...progress, sources: end?.sources ?? [] }, texts)
  const proposals = proposalsIn(end?.toolCalls ?? [])
  const hasAnswer = shown.answer.length > 0 || proposals.length > 0
  if (end && !hasAnswer) return { state: 'failed', shown, proposals, failure: { reason: 'empty' } }
  const isEmpty = !hasAnswer && shown.thinking.length === 0
  return { state: isEmpty ? 'failed' : end ? 'done' : 'stopped', shown, proposals, failure }
}

function noteOf({ state, shown, proposals, failure }: Ended): Note | undefined {
  if (failure) return state === 'failed' ? { about: 'failed', failure } : { about: 'broken' }
  if (shown.answer.length > 0) return undefined
  if (proposals.length > 0) return { about: 'proposals' }
  return shown.thinking.length === 0 ? { about: 'stopped' } : undefined
}

function outcomeOf({ model, dialogue }: ChatRequest, { progress, end }: Read, { state }: Ended): Outcome {
  const { text, thinking } = progress
  const { usage, sources = [] } = end ?? {}
  const inputTokens = usage?.inputTokens ?? dialogue.tokens
  const outputTokens = usage?.outputTokens ?? tokensIn(text) + tokensIn(thinking)
  const captured = state === 'failed' ? 0n : priceOf(model, inputTokens, outputTokens)
  return {
    state,
    text,
    thinking,
    sources,
    inputTokens,
    outputTokens,
    isEstimate: usage === undefined,
    captured,
  }
}

/** The model had a price when the answer was requested; if an operator has removed it since, the answer is free. */
const priceOf = (model: TextModel, input: number, output: number) => costOf(model, input, output) ?? 0n

/**
 * Settles an answer whose process died: the saved part is billed and queued for delivery.
 * @param model undefined when it is no longer sold
 * @returns undefined when another process has settled it
 */
export async function settleAbandoned(
  deps: Pick<AnswerDeps, 'db' | 'clock' | 'ids'>,
  turn: Turn,
  model: TextModel | undefined,
  texts: AnswerTexts,
): Promise<Turn | undefined> {
  const { answer: text, thinking, sources } = turn
  const shown = shownOf({ text, thinking, sources }, texts)
  const state = shown.answer.length === 0 ? 'failed' : 'stopped'
  const ended: Ended = { state, shown, proposals: [], failure: { reason: 'unavailable' } }
  return endAbandoned(deps, turn, {
    outcome: outcomeOfAbandoned(turn, model, state),
    parts: partsOf(shown, noteOf(ended), [], texts, deps.ids),
    lease: deps.ids.next(),
  })
}

function outcomeOfAbandoned(turn: Turn, model: TextModel | undefined, state: Outcome['state']): Outcome {
  const { answer: text, thinking, question, sources } = turn
  const [inputTokens, outputTokens] = [tokensIn(question), tokensIn(text) + tokensIn(thinking)]
  const captured = state === 'failed' || !model ? 0n : priceOf(model, inputTokens, outputTokens)
  return { state, text, thinking, sources, inputTokens, outputTokens, isEstimate: true, captured }
}
