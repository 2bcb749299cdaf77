// Finds the text that has to be asked for because a toggle was switched on: the description of a song cannot serve as its lyrics.

import type { Answers, TextField, ToggleField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { readAnswer } from './answer.ts'
import { isOptional } from './fit.ts'

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
