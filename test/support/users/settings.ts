// Arbitrary operator settings and prices for any model, and arbitrary complete answers, for property tests.

import fc from 'fast-check'
import { type Answer, type Answers, type Field, isUserField, type Json } from '../../../src/catalog/field.ts'
import type { Model } from '../../../src/catalog/model.ts'
import type { CatalogSettings } from '../../../src/catalog/settings.ts'
import { fitAnswers } from '../../../src/form/fit.ts'
import { catalogSettings } from '../catalog-settings.ts'
import { withMissing } from '../gateway/samples.ts'

const digits = (whole: number, part: number) =>
  fc
    .tuple(fc.nat(10 ** whole - 1), fc.nat(10 ** part - 1))
    .map(([a, b]) => `${a}.${String(b).padStart(part, '0')}`)

export const multiplier = fc.oneof(
  fc.constantFrom('1', '1.1', '1.30', '2', '0.5'),
  digits(1, 6).filter((text) => Number(text) > 0),
)
export const rising = fc.oneof(
  fc.constantFrom('1', '1.5', '2'),
  digits(1, 4).map((text) => `1${text}`),
)
export const roubles = fc.oneof(fc.constantFrom('0', '0.01', '10.00', '50'), digits(3, 3))
export const rounding = fc.constantFrom('0.01', '0.05', '0.10', '0.50', '1', '5', '10', '100', '0.07')

/** All pairs of a request path and a value that an answer can write to it. */
function writable(model: Model): { path: string; value: Json }[] {
  const written = model.fields.flatMap((field) =>
    isUserField(field) ? answersTo(field).map((answer) => field.write(answer, model.complete({}))) : [],
  )
  return written.flatMap((flat) => Object.entries(flat).map(([path, value]) => ({ path, value })))
}

function answersTo(field: Field): readonly Answer[] {
  if (field.kind === 'choice') return field.options.map(({ value }) => value)
  if (field.kind === 'number') return [...field.suggestions, field.min]
  return field.kind === 'toggle' ? [true, false] : []
}

/** Conditions of surcharges that at least one answer fulfils. */
function conditions(model: Model): object[] {
  const scalars = writable(model).filter(({ value }) => typeof value !== 'object')
  return scalars.flatMap(({ path, value }) => [
    { [path]: value },
    ...(typeof value === 'number' ? [{ [path]: { min: value } }] : []),
  ])
}

const surcharge = (model: Model) =>
  fc.record({
    when: fc.constantFrom(...conditions(model)),
    label: fc.constant({ ru: 'наценка', en: 'extra' }),
    multiplier: rising,
    add: roubles,
    per: fc.constantFrom('request', 'result', ...(model.modality === 'video' ? ['second'] : [])),
  })

/** @param factor the multiplier of the price; by default any that the schema accepts */
export function settingsFor(model: Model, factor = multiplier): fc.Arbitrary<CatalogSettings> {
  const surcharges =
    conditions(model).length > 0 ? fc.array(surcharge(model), { maxLength: 3 }) : fc.constant([])
  const own = fc.record({ multiplier: factor, rounding, surcharges })
  return own.map((settings) => catalogSettings.parse({ [model.id]: settings }))
}

/** Complete, compatible answers: random choices, numbers and switches, texts of the maximum length. */
export function answersFor(model: Model): fc.Arbitrary<Answers> {
  const fields = model.fields.filter((field) => isUserField(field) && answersTo(field).length > 0)
  const some = fields.map((field) =>
    fc.option(fc.constantFrom(...answersTo(field)), { nil: undefined }).map((answer) => [field.name, answer]),
  )
  return fc.tuple(fc.tuple(...some), fc.integer({ min: 1, max: 3000 })).map(([pairs, length]) => {
    const given = pairs.filter(([, answer]) => answer !== undefined)
    return withMissing(model, fitAnswers(model, Object.fromEntries(given)), length)
  })
}
