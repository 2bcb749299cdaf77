// Metrics of answers of text models: endings, tokens, deliveries.

import { Counter, Histogram, type Registry } from 'prom-client'
import { type Delivered, deliverBuckets, deliveryOutcomes } from './orders.ts'
import { type LabelValues, startAtZero } from './start-at-zero.ts'

interface Ended {
  readonly modelId: string
  /** `done`, `stopped` or `failed`. */
  readonly state: string
  /** Null in a failed answer that its user stopped before the first word. */
  readonly failure: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

export interface AnswerMetrics {
  ended(turn: Ended): void
  /** @param sinceMs time since the answer was settled */
  delivered(outcome: Delivered, sinceMs: number): void
}

/** An answer that failed or broke off ends for its reason, so that an alert can leave out reasons that are no fault of the model. */
const endings = ['done', 'stopped', 'refused', 'paused', 'unavailable', 'empty', 'declined']
const endingOf = ({ state, failure }: Ended): string => failure ?? (state === 'failed' ? 'stopped' : state)

export function createAnswerMetrics(registry: Registry, { textModels }: LabelValues): AnswerMetrics {
  const registers = [registry]
  const answers = new Counter({
    name: 'bot_answers_total',
    help: 'Finished answers of text models, by ending: done, stopped, or the reason of a failure',
    labelNames: ['model', 'ending'],
    registers,
  })
  const tokens = new Counter({
    name: 'bot_answer_tokens_total',
    help: 'Tokens of questions (input) and answers (output)',
    labelNames: ['model', 'side'],
    registers,
  })
  const deliveries = new Counter({
    name: 'bot_answer_deliveries_total',
    help: 'Attempts to deliver an answer of a text model',
    labelNames: ['outcome'],
    registers,
  })
  const deliverSeconds = new Histogram({
    name: 'bot_answer_deliver_seconds',
    help: 'From the end of an answer to its last message in the chat',
    buckets: deliverBuckets,
    registers,
  })
  startAtZero(answers, { model: textModels, ending: endings })
  startAtZero(tokens, { model: textModels, side: ['input', 'output'] })
  startAtZero(deliveries, { outcome: deliveryOutcomes })
  return {
    ended(turn) {
      const { modelId: model, inputTokens, outputTokens } = turn
      answers.inc({ model, ending: endingOf(turn) })
      tokens.inc({ model, side: 'input' }, inputTokens ?? 0)
      tokens.inc({ model, side: 'output' }, outputTokens ?? 0)
    },
    delivered(outcome, sinceMs) {
      deliveries.inc({ outcome })
      if (outcome === 'delivered') deliverSeconds.observe(sinceMs / 1000)
    },
  }
}
