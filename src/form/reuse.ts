// Applies settings of the last order or of a preset to a draft. The prompt and the files of the draft stay.

import {
  type Answer,
  type Answers,
  type Field,
  isUserField,
  type TextField,
  type ToggleField,
} from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { readAnswer } from './answer.ts'
import { fitAnswers, isOptional } from './fit.ts'

/** Whether a field is a setting, in contrast to the inputs: the prompt, the files and the user's own videos. */
const isSetting = (field: Field): boolean =>
  isUserField(field) &&
  field.audience !== 'asked' &&
  field.kind !== 'media' &&
  !(field.kind === 'text' && field.source === 'videos')

const chosen = (model: Model, answers: Answers, isWanted: (field: Field) => boolean): Answers => {
  const pairs = model.fields.filter(isWanted).flatMap(({ name }): [string, Answer][] => {
    const answer = answers[name]
    return answer === undefined ? [] : [[name, answer]]
  })
  return Object.fromEntries(pairs)
}

export const settingsIn = (model: Model, answers: Answers): Answers => chosen(model, answers, isSetting)

/** The draft's answers with other settings; those that contradict the prompt or the files are left out. */
export function withSettings(model: Model, answers: Answers, settings: Answers): Answers {
  const kept = chosen(model, answers, (field) => !isSetting(field))
  return fitAnswers(model, { ...kept, ...settingsIn(model, settings) })
}

/** Whether these settings would change the order. */
export function wouldChange(model: Model, answers: Answers, settings: Answers): boolean {
  const before = model.complete(answers)
  const after = model.complete(withSettings(model, answers, settings))
  return model.fields.filter(isSetting).some(({ name }) => before[name] !== after[name])
}

// Finds the text that has to be asked for because a toggle was switched on: the description of a song cannot serve as its lyrics.

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
