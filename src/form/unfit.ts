// A prompt that the model does not accept together with the other answers: too long, or in another language. It stays in the draft until it
// fits.

import type { Answers, TextField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { type Refusal, readAnswer } from './answer.ts'
import { fitAnswers } from './fit.ts'

interface Settled {
  readonly answers: Answers
  /** The prompt that does not fit; null when the answers have a prompt, or there is none. */
  readonly unfitPrompt: string | null
}

interface Prompted extends Settled {
  /** The user's own text, if the prompt was rewritten. */
  readonly writtenPrompt: string | null
}

export const promptField = ({ fields }: Model): TextField | undefined =>
  fields.find((field): field is TextField => field.audience === 'asked' && field.kind === 'text')

/** The text of the prompt, whether it fits or not. */
export function promptOfDraft(model: Model, { answers, unfitPrompt }: Settled): string | null {
  const answer = answers[promptField(model)?.name ?? '']
  return typeof answer === 'string' ? answer : unfitPrompt
}

/** Puts a prompt into the answers if they have none and the prompt fits them; else keeps it as unfit. */
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

/** Keeps the prompt of a draft when the answers change. The user's own text replaces the rewritten prompt if it fits. */
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

/** How a text model can rewrite a prompt that does not fit. */
export type Rewriting = { readonly to: 'translate' } | { readonly to: 'shorten'; readonly max: number }

export function rewritingFor(refusal: Refusal): Rewriting | undefined {
  if (refusal.reason === 'needs-english') return { to: 'translate' }
  return refusal.reason === 'too-long' ? { to: 'shorten', max: refusal.max } : undefined
}

/** Why a prompt does not fit; undefined when it fits. */
export function whyUnfit(model: Model, answers: Answers, words: string): Refusal | undefined {
  const field = promptField(model)
  const read = field && readAnswer(model, field, answers, words)
  return read && !read.ok ? read.refusal : undefined
}
