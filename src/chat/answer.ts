// One answer: requested, shown while it streams, and settled, however it ends. A stopped answer is billed for its question and what was
// written; an answer that the service broke off, or without visible content, costs nothing.

import type { Family } from '../catalog/text-fields.ts'
import { ratesOf, type TextModel } from '../catalog/text-models.ts'
import { throughOutages } from '../db/outage.ts'
import type { AnswerPart } from '../db/schema.ts'
import type { Ids } from '../runtime/ids.ts'
import type { ChatRequest } from './bodies.ts'
import type { Turn } from './conversations.ts'
import { billedTokens } from './dialogue.ts'
import { separated } from './format/thinking.ts'
import { costOf, longestOutput } from './hold.ts'
import {
  type AnswerTexts,
  type Cut,
  cutBy,
  type Failure,
  failureBy,
  hasContent,
  type Note,
  partOfRewriting,
  partsOf,
  type Shown,
  shownOf,
} from './parts.ts'
import { type LiveAnswer, type Read, type ReadDeps, readAnswer } from './reading.ts'
import { billedTokensIn, tokensIn } from './tokens.ts'
import { type Proposal, proposalsIn } from './tools.ts'
import { type Outcome, settleAnswer } from './turns.ts'

interface AnswerDeps extends ReadDeps {
  readonly ids: Ids
}

export interface SettledAnswer {
  /** The settled turn, whose messages are queued under its lease; undefined when another process has settled it. */
  readonly turn: Turn | undefined
  /** Why the answer ended early or produced nothing. */
  readonly failure: Failure | undefined
}

/** Requests, shows and settles an answer. It is settled while the last progress is still being shown; `live` is closed. */
export async function answer(
  deps: AnswerDeps,
  turn: Turn,
  request: ChatRequest,
  live: LiveAnswer,
  texts: AnswerTexts,
  stop: AbortSignal,
): Promise<SettledAnswer> {
  const received = await readAnswer(deps, turn, request, live, stop)
  const usage = usageOf(request, received)
  const read = withRefusal(received)
  const shownAnswer = shownAnswerOf(turn, request, read, texts)
  const settlement = {
    outcome: outcomeOf(
      request.model,
      { ...read.progress, sources: read.finished?.sources ?? [] },
      shownAnswer,
      usage,
    ),
    parts: partsOfAnswer(deps, turn, shownAnswer, texts),
    lease: turn.lease ?? deps.ids.next(),
  }
  // Repeated during an outage of the database: no other process has the text.
  const settled = await throughOutages(deps, () => settleAnswer(deps, turn, settlement))
  if (settled && shownAnswer.failure?.reason === 'paused')
    await deps.refusals.stop(shownAnswer.failure.refusal)
  return { turn: settled, failure: shownAnswer.failure }
}

const refusalIn = (finished: Read['finished']): string | undefined =>
  finished && ['refusal', 'filter'].includes(finished.end.how) ? finished.refusal : undefined

/** The words of a refusal are an answer, or belong to it. */
function withRefusal(read: Read): Read {
  const refusal = refusalIn(read.finished)?.replaceAll('\0', '')
  if (!refusal) return read
  const text = isBlank(read.progress.text) ? refusal : `${read.progress.text}\n\n${refusal}`
  return { ...read, progress: { ...read.progress, text } }
}

const isBlank = (text: string): boolean => text.trim() === ''

/** An answer as it is shown and settled, whether it was finished or not. */
interface ShownAnswer {
  readonly state: Outcome['state']
  readonly shown: Shown
  readonly proposals: readonly Proposal[]
  readonly failure: Failure | undefined
  /** What ended the text of a finished answer too early. */
  readonly cut?: Cut | undefined
  readonly rewritten?: string
}

/** Whether an answer was stopped, broke off, or was cut, for example at the longest output of the model. */
const isUnfinished = (finished: Read['finished']): boolean =>
  !finished || !['complete', 'unknown'].includes(finished.end.how)

/** An incomplete rewritten prompt is useless, so it costs nothing. */
function shownRewritingOf({ progress, finished, failure }: Read, shown: Shown): ShownAnswer {
  const words = separated(progress).answer.trim()
  const isWhole = !isUnfinished(finished) && words !== ''
  if (!isWhole) return { state: 'failed', shown, proposals: [], failure: failure ?? emptyBy(finished) }
  return { state: 'done', shown, proposals: [], failure, rewritten: words }
}

function partsOfAnswer(
  { ids }: Pick<AnswerDeps, 'ids'>,
  { draftId }: Turn,
  shownAnswer: ShownAnswer,
  texts: AnswerTexts,
): AnswerPart[] {
  if (draftId !== null) return [partOfRewriting(draftId, shownAnswer.rewritten, texts)]
  return partsOf(shownAnswer.shown, noteOf(shownAnswer), shownAnswer.proposals, texts, ids)
}

/** White space, empty tags and calls of functions that were not offered do not count as an answer. */
function shownAnswerOf({ draftId }: Turn, request: ChatRequest, read: Read, texts: AnswerTexts): ShownAnswer {
  const { progress, pictures, finished, failure } = read
  const said = { ...progress, pictures, sources: finished?.sources ?? [] }
  const shown = shownOf(said, texts, isUnfinished(finished))
  if (draftId !== null) return shownRewritingOf(read, shown)
  const proposals = proposalsIn(finished?.toolCalls ?? [])
  const hasAnswer = hasContent(shown) || proposals.length > 0
  // It is free, so its thinking is not sent: a question can have the model write everything as thinking.
  if (finished && !hasAnswer)
    return { state: 'failed', shown: { ...shown, thinking: [] }, proposals, failure: emptyBy(finished) }
  const broken = finished ? failureBy(finished.end.how) : failure
  const state = stateOf(hasAnswer || shown.thinking.length > 0, finished !== undefined && !broken)
  return { state, shown, proposals, failure: broken, cut: cutOf(request, read) }
}

/** @param read with the words of its refusal: after these alone a note would say nothing new */
function cutOf(
  { model, dialogue, maxOutput, modes }: ChatRequest,
  { progress, finished }: Read,
): Cut | undefined {
  if (!finished || progress.text === refusalIn(finished)) return undefined
  const longest = longestOutput(model, dialogue.tokens)
  return cutBy(
    finished.end.how,
    maxOutput < longest ? 'money' : modes.length === 'short' ? 'chosen' : 'length',
  )
}

/** Why a finished answer has no content. */
function emptyBy(finished: Read['finished']): Failure {
  const how = finished?.end.how ?? 'incomplete'
  return how === 'refusal' ? { reason: 'declined' } : (failureBy(how) ?? { reason: 'empty' })
}

function stateOf(hasContent: boolean, isWhole: boolean): Outcome['state'] {
  if (!hasContent) return 'failed'
  return isWhole ? 'done' : 'stopped'
}

function noteOf({ state, shown, proposals, failure, cut }: ShownAnswer): Note | undefined {
  if (state === 'failed') return failure ? { about: 'failed', failure } : { about: 'stopped' }
  if (failure && failure.reason !== 'declined') return { about: 'broken' }
  if (!hasContent(shown)) return proposals.length > 0 ? { about: 'proposes' } : undefined
  if (state === 'stopped' && !failure) return { about: 'cut' }
  return cut && { about: 'ended', by: cut }
}

interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly isEstimate: boolean
}

function usageOf({ model: { family }, dialogue }: ChatRequest, { progress, finished }: Read): Usage {
  if (finished?.usage) return { ...finished.usage, isEstimate: false }
  // A refusal need not have been billed at all.
  if (refusalIn(finished) && isBlank(progress.text)) return noUsage
  return estimated(family, billedTokens(family, dialogue), progress.text + progress.thinking)
}

const noUsage: Usage = { inputTokens: 0, outputTokens: 0, isEstimate: true }

const estimated = (family: Family, inputTokens: number, said: string): Usage => ({
  inputTokens,
  outputTokens: billedTokensIn(family, said),
  isEstimate: true,
})

/** @param model undefined when it is no longer sold: the answer is free */
function outcomeOf(
  model: TextModel | undefined,
  said: Pick<Outcome, 'text' | 'thinking' | 'sources'>,
  { state, failure }: ShownAnswer,
  usage: Usage,
): Outcome {
  const isFree = !model || state === 'failed' || failure !== undefined
  // The model had a price when the answer was requested; if an operator has removed it since, the answer is free.
  const captured = isFree ? 0n : (costOf(model, usage.inputTokens, usage.outputTokens) ?? 0n)
  const rates = model ? ratesOf(model) : null
  return { state, failure: failure?.reason ?? null, ...said, ...usage, captured, rates }
}

/**
 * Settles an answer whose process died: the saved part is queued for delivery and free. If its user had asked to stop it, it ends as a
 * stopped answer.
 * @param turn claimed by this process
 * @param model undefined when it is no longer sold
 * @returns undefined when another process has settled it
 */
export async function settleAbandoned(
  deps: Pick<AnswerDeps, 'db' | 'clock' | 'ids'>,
  turn: Turn,
  model: TextModel | undefined,
  texts: AnswerTexts,
): Promise<Turn | undefined> {
  const { answer: text, thinking, sources, question } = turn
  const shown = shownOf({ text, thinking, sources, pictures: [] }, texts, true)
  const isLost = shown.answer.length === 0 || turn.draftId !== null
  const state = isLost ? 'failed' : 'stopped'
  const failure: Failure | undefined = turn.stopAt ? undefined : { reason: 'unavailable' }
  const shownAnswer: ShownAnswer = { state, shown, proposals: [], failure }
  const usage = model ? estimated(model.family, tokensIn(model.family, question), text + thinking) : noUsage
  return settleAnswer(deps, turn, {
    outcome: outcomeOf(model, { text, thinking, sources }, shownAnswer, usage),
    parts: partsOfAnswer(deps, turn, shownAnswer, texts),
    lease: turn.lease ?? deps.ids.next(),
  })
}
