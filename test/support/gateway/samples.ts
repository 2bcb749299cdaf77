// The smallest answers that make a request, for any model.

import type { Answers } from '../../../src/catalog/field.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { missingField } from '../../../src/form/fit.ts'

/** @param length the most characters a text may have here */
export function sampleAnswers(model: Model, length = 12): Answers {
  return withMissing(model, {}, length)
}

/** These answers, and a text for everything that the gateway would miss beside them. */
export function withMissing(model: Model, answers: Answers, length = 12): Answers {
  const field = missingField(model, answers)
  if (!field) return answers
  if (field.kind !== 'text') throw new Error(`${model.id} can not go without ${field.name}`)
  const most = Math.min(field.max, model.limit(field, answers) ?? field.max, length)
  return withMissing(model, { ...answers, [field.name]: 'a'.repeat(most) }, length)
}
