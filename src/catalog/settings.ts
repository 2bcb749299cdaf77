// The operator's side of the catalog: real ids, paths, margins, rates and on/off, from one JSON file (`CATALOG_FILE`).

import { z } from 'zod'
import { json } from './request.ts'

const roubles = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'a decimal in quotes, like "18.49"')

const modelSettings = z.strictObject({
  /** The real catalog id that is sent to the gateway; without it the label itself is sent. */
  gatewayId: z.string().min(1).optional(),
  path: z.string().startsWith('/').optional(),
  enabled: z.boolean().default(true),
  /** User price = gateway price x multiplier, rounded up to a kopeck. */
  multiplier: roubles.default('1'),
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

export type ModelSettings = z.output<typeof modelSettings>
export type CatalogSettings = Readonly<Record<string, ModelSettings>>

export const catalogSettings: z.ZodType<CatalogSettings> = z.record(z.string(), modelSettings)

export const defaultModelSettings: ModelSettings = modelSettings.parse({})
