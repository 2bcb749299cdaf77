// One answer: asked for, shown as it comes, settled at its end, whatever the end is. Stopped and broken answers are billed
// for what was shown; nothing shown costs nothing.

import { operationFor, type TextModel } from '../catalog/text-models.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/client.ts'
import type { ChatEnd, ChatStream, Gateway, ToolCall } from '../gateway/client.ts'
import {
  GatewayError,
  GatewayOutOfBalance,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
} from '../gateway/errors.ts'
import type { Log } from '../log.ts'
import { chatBody, messagesBody, nativeBody, type Order, responsesBody } from './bodies.ts'
import type { Turn } from './threads.ts'
import { tokensIn } from './tokens.ts'
import { costOf, endTurn, keep, type Outcome } from './turns.ts'

export interface AnswerDeps {
  readonly db: Database
  readonly gateway: Gateway
  readonly clock: Clock
  readonly log: Log
}

/** What is known of an answer while it comes. */
export interface Progress {
  readonly text: string
  readonly thinking: string
}

export type Failure =
  | { readonly reason: 'refused'; readonly said: string }
  /** Our account at the gateway: nothing is sold for the moment. */
  | { readonly reason: 'paused'; readonly cause: 'unauthorised' | 'out-of-balance' }
  | { readonly reason: 'unavailable' }
  | { readonly reason: 'empty' }

export interface Answered {
  /** Undefined when it was settled by somebody else meanwhile. */
  readonly turn: Turn | undefined
  readonly toolCalls: readonly ToolCall[]
  /** Why it ended early, or never began. */
  readonly failure: Failure | undefined
}

const keepEveryMs = 5000

/** Why an answer ends that nobody stopped: the app is going down. */
export const interrupted = Symbol('interrupted')

/** @param show called with everything so far, whenever there is more; it must not take long */
export async function answer(
  deps: AnswerDeps,
  turn: Turn,
  order: Order,
  show: (progress: Progress) => void,
  stop: AbortSignal,
): Promise<Answered> {
  const keepSometimes = createKeeper(deps, turn)
  let progress: Progress = { text: '', thinking: '' }
  let end: ChatEnd | undefined
  let failure: Failure | undefined
  try {
    for await (const piece of streamOf(deps.gateway, order, stop)) {
      if ('text' in piece || 'thinking' in piece) {
        progress = grown(progress, piece)
        show(progress)
        await keepSometimes(progress)
      } else end = piece
    }
  } catch (error) {
    failure = failureIn(error, stop)
    if (failure) deps.log.warn({ turn: turn.id, error }, 'answer broken off')
  }
  const toolCalls = end?.toolCalls ?? []
  if (end && progress.text === '' && toolCalls.length === 0) failure = { reason: 'empty' }
  const outcome = outcomeOf(order, progress, end, failure)
  return { turn: await endTurn(deps, turn, outcome), toolCalls, failure }
}

function grown({ text, thinking }: Progress, piece: { text: string } | { thinking: string }): Progress {
  if ('text' in piece) return { text: text + storable(piece.text), thinking }
  return { text, thinking: thinking + storable(piece.thinking) }
}

/** Writes down once in a while what has been shown, in case this process does not live to the end. */
function createKeeper(deps: AnswerDeps, turn: Turn): (progress: Progress) => Promise<void> {
  let keptAt = deps.clock.now().getTime()
  return async (progress) => {
    const now = deps.clock.now().getTime()
    if (now - keptAt < keepEveryMs) return
    keptAt = now
    await keep(deps, turn, progress)
  }
}

/** Undefined when a person stopped it: that is no failure. @throws whatever is not the gateway's */
function failureIn(error: unknown, stop: AbortSignal): Failure | undefined {
  if (!(error instanceof GatewayError)) throw error
  return stop.aborted && stop.reason !== interrupted ? undefined : failureOf(error)
}

/** PostgreSQL has no text with this in it. */
const storable = (text: string): string => text.replaceAll('\0', '')

function streamOf(gateway: Gateway, order: Order, signal: AbortSignal): ChatStream {
  switch (operationFor(order.model, order.modes)) {
    case 'chat':
      return gateway.chatStream(chatBody(order), signal)
    case 'messages':
      return gateway.messagesStream(messagesBody(order), signal)
    case 'responses':
      return gateway.responsesStream(responsesBody(order), signal)
    case 'native':
      return atOnce(gateway, order)
  }
}

/** The native pass-through does not stream. */
async function* atOnce(gateway: Gateway, order: Order): ChatStream {
  const {
    text,
    thinking,
    raw: _,
    ...end
  } = await gateway.generateContent(order.model.nativeVendor, nativeBody(order))
  if (thinking) yield { thinking }
  if (text) yield { text }
  yield end
}

function failureOf(error: GatewayError): Failure {
  if (error instanceof GatewayRefused) return { reason: 'refused', said: error.said }
  if (error instanceof GatewayUnauthorised) return { reason: 'paused', cause: 'unauthorised' }
  if (error instanceof GatewayOutOfBalance) return { reason: 'paused', cause: 'out-of-balance' }
  if (error instanceof GatewayUnavailable) return { reason: 'unavailable' }
  return { reason: 'unavailable' }
}

function outcomeOf(
  { model, dialogue }: Order,
  { text, thinking }: Progress,
  end: ChatEnd | undefined,
  failure: Failure | undefined,
): Outcome {
  const shown = { text, thinking, sources: end?.sources ?? [] }
  const isNothing = text === '' && thinking === '' && (end?.toolCalls ?? []).length === 0
  const { usage } = end ?? {}
  const inputTokens = usage?.inputTokens ?? dialogue.tokens
  const outputTokens = usage?.outputTokens ?? tokensIn(text) + tokensIn(thinking)
  const state = isNothing || failure?.reason === 'empty' ? 'failed' : end ? 'done' : 'stopped'
  const cost = priceOf(model, inputTokens, outputTokens)
  const counted = { inputTokens, outputTokens, isEstimate: usage === undefined }
  return { state, ...shown, ...counted, captured: state === 'failed' ? 0n : cost }
}

/** The model had a price when it was asked; an operator who has taken it away since gets nothing. */
const priceOf = (model: TextModel, input: number, output: number) => costOf(model, input, output) ?? 0n

/** An answer whose process died: billed for what had been kept. */
export function outcomeOfAbandoned(turn: Turn, model: TextModel | undefined): Outcome {
  const { answer: text, thinking, question } = turn
  const [inputTokens, outputTokens] = [tokensIn(question), tokensIn(text) + tokensIn(thinking)]
  const isNothing = text === ''
  const captured = isNothing || !model ? 0n : priceOf(model, inputTokens, outputTokens)
  const counted = { inputTokens, outputTokens, isEstimate: true }
  return {
    state: isNothing ? 'failed' : 'stopped',
    text,
    thinking,
    sources: turn.sources,
    ...counted,
    captured,
  }
}
