// The arithmetic of a price: what the gateway takes for the request, the operator's multiplier and surcharges, exact to the
// end and rounded up once. A price is stored with its parts, and the parts alone give the amount again.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, type Kopecks, plus, times } from '../money.ts'
import type { BareKey } from '../text-keys.ts'
import { exactPrice } from './model.ts'

/** A key is taken as it was stored: `say.label` shows one that is no longer in the locale files as it is. */
const label = z.union([
  z.custom<BareKey>((value) => typeof value === 'string'),
  z.record(z.string(), z.string()),
])

const appliedSurcharge = z.object({
  /** Several where the condition names several options. */
  label: z.union([label, z.array(label).readonly()]),
  multiplier: z.string(),
  add: z.string(),
  per: z.enum(['second', 'result', 'request']),
})

const priceParts = z.object({
  unit: z.enum(['second', 'character', 'image', 'request']),
  /** Units of one result. */
  quantity: z.number(),
  /** Results. */
  count: z.number(),
  /** The gateway's, in roubles. */
  rate: z.object({ roubles: z.string(), per: z.number() }),
  multiplier: z.string(),
  // Quotes of the time before surcharges have neither.
  surcharges: z.array(appliedSurcharge).readonly().default([]),
  rounding: z.string().default('0.01'),
})

/** `count` x `quantity` units at `rate` roubles, times `multiplier` and those of the surcharges, and what they add. */
export type PriceParts = Readonly<z.output<typeof priceParts>>
export type AppliedSurcharge = Readonly<z.output<typeof appliedSurcharge>>

export interface Price extends PriceParts {
  readonly amount: Kopecks
  /** What the gateway will charge us. */
  readonly gatewayCost: Kopecks
}

/** The parts as a quote keeps them, today's and those of old quotes. */
export const readParts = (stored: unknown): PriceParts => priceParts.parse(stored)

/** What is multiplied, in roubles. */
function exactBase(parts: PriceParts): Fraction {
  const { rate, multiplier, surcharges } = parts
  const factors = [multiplier, ...surcharges.map((one) => one.multiplier)]
  return times(exactPrice({ ...parts, rate: '' }, rate), ...factors.map(decimal))
}

/** What one surcharge adds, in roubles. */
export function exactAddition({ quantity, count }: PriceParts, { add, per }: AppliedSurcharge): Fraction {
  const results = per === 'request' ? 1 : count
  return times(decimal(add), decimal(results), decimal(per === 'second' ? quantity : 1))
}

/** Roubles, before rounding. */
export const exactAmount = (parts: PriceParts): Fraction =>
  plus(exactBase(parts), ...parts.surcharges.map((one) => exactAddition(parts, one)))

export const amountOf = (parts: PriceParts): Kopecks =>
  ceilKopecks(exactAmount(parts), ceilKopecks(decimal(parts.rounding)))
