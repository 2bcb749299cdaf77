// The smallest answers that make a request, for any model.

import type { Answers } from '../../src/catalog/field.ts'
import type { Model } from '../../src/catalog/model.ts'

/** @param length the most characters a text may have here */
export function sampleAnswers(model: Model, length = 12): Answers {
  const required = model.fields.flatMap((field) =>
    field.kind === 'text' && field.required ? [[field.name, 'a'.repeat(Math.min(field.max, length))]] : [],
  )
  return Object.fromEntries(required)
}
