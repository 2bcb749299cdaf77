// The price of a request: the gateway's price, the operator's multiplier and surcharges, computed exactly and rounded up once. A quote
// stores the parts of its price, from which the amount can be computed again.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, type Kopecks, plus, times } from '../money.ts'
import type { BareKey } from '../text-keys.ts'
import { exactPrice } from './model.ts'

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
export type AppliedSurcharge = Readonly<z.output<typeof appliedSurcharge>>

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
