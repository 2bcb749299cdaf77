// The operator's side of the catalog: real ids, paths, margins, surcharges, rates and on/off, from one JSON file (`CATALOG_FILE`).

import { z } from 'zod'
import { json } from './request.ts'

const roubles = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'a decimal in quotes, like "18.49"')

const scalar = z.union([z.string(), z.number(), z.boolean()])
const words = z.string().min(1).max(40)

/** More money for some requests: all of `when` must be so in the request, by path. */
const surcharge = z
  .strictObject({
    /** A value, one of some values, or `{"min": 2}` for numbers and for the length of lists and texts. */
    when: z.record(
      z.string(),
      z.union([scalar, z.array(scalar).min(1), z.strictObject({ min: z.number() })], {
        error: 'a value, a list of values, or {"min": 2}',
      }),
    ),
    /** What the user reads, by language; without it the label of the option itself. */
    label: z
      .record(z.string().regex(/^[a-z]{2,3}(-\w+)?$/, 'a language, like "ru"'), words)
      .refine((label) => Object.keys(label).length > 0, { error: 'in at least one language' })
      .exactOptional(),
    /** Times the price without other surcharges' additions; never below one. */
    multiplier: roubles.regex(/^0*[1-9]/, 'a surcharge never makes cheaper: write "1" or more').default('1'),
    /** Roubles of the user, not multiplied by anything but `per`. */
    add: roubles.default('0'),
    per: z.enum(['second', 'result', 'request']).default('request'),
  })
  .refine(({ when }) => Object.keys(when).length > 0, {
    path: ['when'],
    error: 'say when, like {"resolution": "4k"}',
  })

const modelSettings = z.strictObject({
  /** The real catalog id that is sent to the gateway; without it the label itself is sent. */
  gatewayId: z.string().min(1).optional(),
  path: z.string().startsWith('/').optional(),
  enabled: z.boolean().default(true),
  /** User price = gateway price x multiplier + surcharges, rounded up once. */
  multiplier: roubles.default('1'),
  /** The price is rounded up to a multiple of it, in roubles. */
  rounding: z
    .string()
    .regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,2})?$/, 'roubles in quotes, like "0.01", "0.10", "1" or "5"')
    .default('0.01'),
  surcharges: z.array(surcharge).max(10).default([]),
  /** Gateway rates that differ from the document's; null takes the price away, and with it the offer. */
  rates: z.record(z.string(), roubles.nullable()).default({}),
  /** Request values the operator sets for everybody, by path: `{"safety.mode": "fast"}`. */
  request: z.record(z.string(), json).default({}),
  /** Voices that are offered as buttons; any other id can be typed. */
  voices: z
    .array(
      z.strictObject({ id: z.string().min(1).max(200), label: z.string().min(1).max(40).exactOptional() }),
    )
    .max(60)
    .default([]),
})

export type Surcharge = z.output<typeof surcharge>
export type ModelSettings = z.output<typeof modelSettings>
export type CatalogSettings = Readonly<Record<string, ModelSettings>>

export const catalogSettings: z.ZodType<CatalogSettings> = z.record(z.string(), modelSettings)

export const defaultModelSettings: ModelSettings = modelSettings.parse({})
