// The answers of an order that repeats or varies an earlier one.

import type { Answers, Field } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { seedField } from '../../delivery/seeds.ts'
import { fitAnswers } from '../../form/fit.ts'
import type { Generation } from '../../generations/generation.ts'

/** Request paths that contain the number of results. */
const countPaths = ['n', 'numberResults', 'numberOfImages']
const usualVariations = 4

const countField = ({ fields }: Model) =>
  fields
    .filter((field) => field.kind === 'number')
    .find(({ shape }) => countPaths.some((path) => path in shape))

/** Whether variations of the order would differ from repeating it. */
export const isVaried = (model: Model, { request }: Generation): boolean =>
  countField(model) !== undefined || request[seedField] !== undefined

/** Other results of the same request: without its seed, and several at once where the model makes several. */
export function variationsOf(model: Model, answers: Answers): Answers {
  const { [seedField]: _, ...others } = answers
  const field = countField(model)
  if (!field) return others
  const most = model.limit(field, others) ?? field.max ?? usualVariations
  return fitAnswers(model, { ...others, [field.name]: Math.min(usualVariations, most) }, field.name)
}

/** The answers that make one of several results again. */
export function onlyWith(model: Model, answers: Answers, seed: number): Answers {
  const field = countField(model)
  return { ...answers, [seedField]: seed, ...(field ? { [field.name]: 1 } : {}) }
}

/** The answers without another user's styles and videos, which only their owner may use. */
export function sharedAnswers(model: Model, answers: Answers): Answers {
  const own = new Set(model.fields.filter(isOfOwner).map(({ name }) => name))
  return fitAnswers(model, Object.fromEntries(Object.entries(answers).filter(([name]) => !own.has(name))))
}

const isOfOwner = (field: Field): boolean =>
  field.kind === 'text' && (field.source === 'styles' || field.source === 'videos')
