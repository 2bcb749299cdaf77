// A prompt that the model does not take beside the other answers: in another language, too long. It stays in the draft until it fits.

import type { Answers, TextField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { type Refusal, readAnswer } from './answer.ts'
import { fitAnswers } from './fit.ts'

interface Settled {
  readonly answers: Answers
  /** Null when the answers have a prompt, or there is none. */
  readonly unfitPrompt: string | null
}

interface Prompted extends Settled {
  /** What the user wrote, where the prompt was rewritten. */
  readonly writtenPrompt: string | null
}

const promptField = ({ fields }: Model): TextField | undefined =>
  fields.find((field): field is TextField => field.audience === 'asked' && field.kind === 'text')

/** What the user wrote for the prompt, whether it fits or not. */
export function promptOf(model: Model, { answers, unfitPrompt }: Settled): string | null {
  const answer = answers[promptField(model)?.name ?? '']
  return typeof answer === 'string' ? answer : unfitPrompt
}

/** Puts the words into the answers if these have no prompt and take them; else keeps them. */
export function withPrompt(model: Model, answers: Answers, words: string | null): Settled {
  const field = promptField(model)
  if (!field || words === null || answers[field.name] !== undefined) return { answers, unfitPrompt: null }
  const read = readAnswer(model, field, answers, words)
  if (!read.ok) return { answers, unfitPrompt: words }
  return {
    answers: fitAnswers(model, { ...answers, [field.name]: read.answer }, field.name),
    unfitPrompt: null,
  }
}

/** Keeps the prompt of a draft beside other answers. What the user wrote takes the place of what was made of it, where it fits. */
export function keepPrompt(
  model: Model,
  answers: Answers,
  prompt: string | null,
  written: string | null,
): Prompted {
  if (written !== null) {
    const { [promptField(model)?.name ?? '']: _, ...others } = answers
    const restored = withPrompt(model, others, written)
    if (restored.unfitPrompt === null) return { ...restored, writtenPrompt: null }
  }
  return { ...withPrompt(model, answers, prompt), writtenPrompt: written }
}

/** What a text model can make of words that do not fit. */
export type Rewriting = { readonly to: 'translate' } | { readonly to: 'shorten'; readonly max: number }

export function rewritingFor(refusal: Refusal): Rewriting | undefined {
  if (refusal.reason === 'needs-english') return { to: 'translate' }
  return refusal.reason === 'too-long' ? { to: 'shorten', max: refusal.max } : undefined
}

/** Why the words are no answer; undefined when they are one. */
export function whyUnfit(model: Model, answers: Answers, words: string): Refusal | undefined {
  const field = promptField(model)
  const read = field && readAnswer(model, field, answers, words)
  return read && !read.ok ? read.refusal : undefined
}
