// Applies settings of the last order or of a preset to a draft. The prompt and the files of the draft stay.

import { type Answer, type Answers, type Field, isUserField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { fitAnswers } from './fit.ts'

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
