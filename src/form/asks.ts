// Finds the text that has to be asked for because a toggle was switched on: the description of a song cannot serve as its lyrics.

import { type Answers, isUserField, type TextField, type ToggleField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { readAnswer } from './answer.ts'
import { isOptional } from './fit.ts'
import { withSettings } from './reuse.ts'

interface Given {
  readonly answers: Answers
  readonly unfitPrompt: string | null
}

/** Undefined if the model needs no such text, or if a text that was kept becomes the answer. */
export function textAskedBy(
  model: Model,
  { answers, unfitPrompt }: Given,
  toggle: ToggleField,
): TextField | undefined {
  const text = model.fields.find(
    (field): field is TextField => field.name === toggle.asks && field.kind === 'text',
  )
  const switched = { ...answers, [toggle.name]: true }
  if (!text || isOptional(model, text, switched)) return undefined
  const isKept = unfitPrompt !== null && readAnswer(model, text, switched, unfitPrompt).ok
  return isKept ? undefined : text
}

/** A toggle that is switched on by the answer to its text. */
interface Asking {
  readonly toggle: ToggleField
  readonly text: TextField
}

/** The first toggle that these settings would switch on although the text that it asks for is missing. */
export function textAskedBySettings(model: Model, draft: Given, settings: Answers): Asking | undefined {
  const answers = withSettings(model, draft.answers, settings)
  const before = model.complete(draft.answers)
  const after = model.complete(answers)
  const switchedOn = model.fields
    .filter(isUserField)
    .filter((field) => field.kind === 'toggle')
    .filter(({ name }) => after[name] === true && before[name] !== true)
  for (const toggle of switchedOn) {
    const text = textAskedBy(model, { answers, unfitPrompt: draft.unfitPrompt }, toggle)
    if (text) return { toggle, text }
  }
  return undefined
}
