// Answers of text models and the tokens that they used.

import { Counter, type Registry } from 'prom-client'

export interface AnswerMetrics {
  /** @param ending `done`, `stopped` or `failed` */
  ended(model: string, ending: string, tokens: { readonly input: number; readonly output: number }): void
}

export function createAnswerMetrics(registry: Registry): AnswerMetrics {
  const registers = [registry]
  const answers = new Counter({
    name: 'bot_answers_total',
    help: 'Answers of text models that ended, by how',
    labelNames: ['model', 'ending'],
    registers,
  })
  const tokens = new Counter({
    name: 'bot_answer_tokens_total',
    help: 'Tokens of questions (input) and answers (output)',
    labelNames: ['model', 'side'],
    registers,
  })
  return {
    ended(model, ending, { input, output }) {
      answers.inc({ model, ending })
      tokens.inc({ model, side: 'input' }, input)
      tokens.inc({ model, side: 'output' }, output)
    },
  }
}
