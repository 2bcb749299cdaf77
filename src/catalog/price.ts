// The price of a request: the gateway's price, the operator's multiplier and surcharges, computed exactly and rounded up once. A quote
// stores the parts of its price, from which the amount can be computed again.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, type Kopecks, plus, times } from '../money.ts'
import type { BareKey } from '../text-keys.ts'
import { type Flat, type Json, type Label, sameInAll } from './field.ts'
import { sizeOf } from './fields.ts'
import { exactPrice, type Model, minimalAnswers } from './model.ts'
import { nest } from './request.ts'
import { type ModelSettings, noField, type Surcharge } from './settings.ts'

/** A stored key is not checked: if it is no longer in the locale files, `say.label` returns the key itself. */
const label = z.union([
  z.custom<BareKey>((value) => typeof value === 'string'),
  z.record(z.string(), z.string()),
])

const appliedSurcharge = z.object({
  /** Several labels when the condition names several options. */
  label: z.union([label, z.array(label).readonly()]),
  multiplier: z.string(),
  add: z.string(),
  per: z.enum(['second', 'result', 'request']),
})

const priceParts = z.object({
  unit: z.enum(['second', 'character', 'image', 'request']),
  /** Units per result. */
  quantity: z.number(),
  /** The ordered quantity is less, but this minimum is charged. */
  isMinimum: z.boolean().default(false),
  /** Number of results. */
  count: z.number(),
  /** The gateway's rate in roubles. */
  rate: z.object({ roubles: z.string(), per: z.number() }),
  multiplier: z.string(),
  // Earlier quotes have neither `isMinimum` nor the next two fields.
  surcharges: z.array(appliedSurcharge).readonly().default([]),
  rounding: z.string().default('0.01'),
})

/** `count` x `quantity` x `rate` x the multipliers + the additions of the surcharges. */
export type PriceParts = Readonly<z.output<typeof priceParts>>
type AppliedSurcharge = Readonly<z.output<typeof appliedSurcharge>>

export interface Price extends PriceParts {
  readonly amount: Kopecks
  /** The gateway's charge. */
  readonly gatewayCost: Kopecks
}

/** Parses stored parts, including those of old quotes. */
export const readParts = (stored: unknown): PriceParts => priceParts.parse(stored)

/** The price without additions, in roubles. */
function exactBase(parts: PriceParts): Fraction {
  const { rate, multiplier, surcharges } = parts
  const factors = [multiplier, ...surcharges.map((one) => one.multiplier)]
  return times(exactPrice({ ...parts, rate: '' }, rate), ...factors.map(decimal))
}

/** The addition of one surcharge, in roubles. */
export function exactAddition({ quantity, count }: PriceParts, { add, per }: AppliedSurcharge): Fraction {
  const results = per === 'request' ? 1 : count
  return times(decimal(add), decimal(results), decimal(per === 'second' ? quantity : 1))
}

/** The price in roubles before rounding. */
export const exactAmount = (parts: PriceParts): Fraction =>
  plus(exactBase(parts), ...parts.surcharges.map((one) => exactAddition(parts, one)))

export const amountOf = (parts: PriceParts): Kopecks =>
  ceilKopecks(exactAmount(parts), ceilKopecks(decimal(parts.rounding)))

// The operator's surcharges: which of them apply to a request, their labels, and the checks of their conditions.

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

/** Finds conditions of surcharges that no request can meet. */
export function wrongSurcharges(model: Model, { surcharges }: ModelSettings): string[] {
  return surcharges.flatMap(({ when, per }) => [
    ...Object.entries(when).flatMap(([path, wanted]) => wrongCondition(model, path, wanted)),
    ...(per === 'second' && !isSoldBySecond(model)
      ? ['not sold by the second: write "result" or "request" for "per"']
      : []),
  ])
}

function wrongCondition({ fields }: Model, path: string, wanted: Wanted): string[] {
  const schemas = fields.flatMap(({ shape }) => shape[path] ?? [])
  if (schemas.length === 0) return [noField(path)]
  if (typeof wanted === 'object' && 'min' in wanted) return []
  const impossible = [wanted].flat().filter((one) => !schemas.some((schema) => schema.safeParse(one).success))
  return impossible.map((one) => `"${path}" is never ${JSON.stringify(one)}: correct or remove it`)
}

function isSoldBySecond(model: Model): boolean {
  const sample = nest({ ...model.write(minimalAnswers(model)), model: model.id })
  return model.request.safeParse(sample).success && model.cost(sample).unit === 'second'
}
