// The operator's surcharges: which of them apply to a request, their labels, and the checks of their conditions.

import { type Field, type Flat, type Json, type Label, meantBy, sameInAll } from './field.ts'
import { sizeOf } from './fields.ts'
import { noField } from './issue-words.ts'
import { type Model, minimalAnswers } from './model.ts'
import type { AppliedSurcharge } from './price.ts'
import { nest } from './request.ts'
import type { ModelSettings, Surcharge } from './settings.ts'

type Wanted = Surcharge['when'][string]

export function surchargesOf(
  model: Model,
  surcharges: readonly Surcharge[],
  body: Record<string, unknown>,
): AppliedSurcharge[] {
  const values = model.meaning(body)
  const borne = surcharges.filter(({ when }) =>
    Object.entries(when).every(([path, wanted]) => fits(wanted, values[path])),
  )
  return borne.map(({ when, label, multiplier, add, per }) => ({
    label: label ?? Object.keys(when).map((path) => labelAt(model, path, values)),
    multiplier,
    add,
    per,
  }))
}

function fits(wanted: Wanted, value: Json | undefined): boolean {
  if (value === undefined) return false
  if (typeof wanted !== 'object') return value === wanted
  return 'min' in wanted ? sizeOf(value) >= wanted.min : wanted.some((one) => one === value)
}

/** The label of the chosen option with this value, else of the field. */
function labelAt({ fields }: Model, path: string, values: Flat): Label {
  const writing = fields.filter(({ shape }) => shape[path])
  const options = writing.flatMap((field) => (field.kind === 'choice' ? field.options : []))
  // A preset comes before its pairs, which are written in its place.
  const chosen = options.findLast(({ set, means }) => {
    const all = Object.entries({ ...means, ...set })
    return all.some(([own]) => own === path) && all.every(([own, value]) => values[own] === value)
  })
  return (chosen ?? writing[0])?.label ?? sameInAll(path)
}

/** Finds mistakes in surcharges: conditions that can never apply are reported. */
export function wrongSurcharges(model: Model, { surcharges, request: fixed }: ModelSettings): string[] {
  return surcharges.flatMap(({ when, per }) => [
    ...Object.entries(when).flatMap(([path, wanted]) => neverBeside(model, path, wanted, fixed)),
    ...Object.entries(when).flatMap(([path, wanted]) => wrongCondition(model, path, wanted)),
    ...(per === 'second' && !isSoldBySecond(model)
      ? ['not sold by the second: write "result" or "request" for "per"']
      : []),
  ])
}

function wrongCondition({ fields }: Model, path: string, wanted: Wanted): string[] {
  const schemas = fields.flatMap(({ shape }) => shape[path] ?? [])
  if (schemas.length === 0) return [noField(path)]
  if (typeof wanted === 'object' && 'min' in wanted) {
    const isReachable = fields.some((field) => field.shape[path] && mostOf(field) >= wanted.min)
    return isReachable ? [] : [`"${path}" never reaches ${wanted.min}: correct or remove it`]
  }
  const impossible = [wanted].flat().filter((one) => !schemas.some((schema) => schema.safeParse(one).success))
  return impossible.map((one) => `"${path}" is never ${JSON.stringify(one)}: correct or remove it`)
}

/** The largest number, length or count that an answer to the field has. */
function mostOf(field: Field): number {
  switch (field.kind) {
    case 'number':
    case 'text':
    case 'media':
      return field.max
    case 'choice':
      return Number.POSITIVE_INFINITY
    case 'toggle':
      return 0
  }
}

/** Reports a condition that never applies because the operator has fixed another value. */
function neverBeside({ fields }: Model, path: string, wanted: Wanted, fixed: Flat): string[] {
  const touched = fields.filter(({ shape }) => Object.keys(shape).some((one) => fixed[one] !== undefined))
  const value = { ...meantBy(touched, fixed), ...fixed }[path]
  if (value === undefined || fits(wanted, value)) return []
  return [
    `"${path}" is always ${JSON.stringify(value)} ("request"), so this surcharge never applies: remove it`,
  ]
}

function isSoldBySecond(model: Model): boolean {
  const sample = nest({ ...model.write(minimalAnswers(model)), model: model.id })
  return model.request.safeParse(sample).success && model.cost(sample).unit === 'second'
}
