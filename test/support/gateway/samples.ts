// The smallest set of answers with which a model can be requested.

import type { Answers } from '../../../src/catalog/field.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { missingField } from '../../../src/form/fit.ts'

/** @param length the most characters of a text */
export function sampleAnswers(model: Model, length = 12): Answers {
  return withMissing(model, {}, length)
}

/** Adds a sample text for every required field that has no answer. */
export function withMissing(model: Model, answers: Answers, length = 12): Answers {
  const field = missingField(model, answers)
  if (!field) return answers
  if (field.kind !== 'text') throw new Error(`${model.id} cannot be requested without ${field.name}`)
  const most = Math.min(field.max, model.limit(field, answers) ?? field.max, length)
  return withMissing(model, { ...answers, [field.name]: 'a'.repeat(most) }, length)
}
