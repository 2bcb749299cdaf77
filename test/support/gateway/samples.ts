// The smallest set of answers with which a model can be requested, and its fields by name and kind.

import type { Answers, Field } from '../../../src/catalog/field.ts'
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

type FieldOf<K extends Field['kind']> = Extract<Field, { readonly kind: K }>

export function fieldOf<K extends Field['kind']>(model: Model, name: string, kind: K): FieldOf<K> {
  const isIt = (field: Field): field is FieldOf<K> => field.name === name && field.kind === kind
  const found = model.fields.find(isIt)
  if (!found) throw new Error(`${model.id} has no ${kind} ${name}`)
  return found
}
