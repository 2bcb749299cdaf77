// What the operator of a run sells, and at what prices: the settings that the processes get, as the model knows them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Rates } from './model/rates.ts'
import type { Settings } from './settings.ts'

export const catalogFile = join(import.meta.dirname, 'catalog.json')

const catalog = z.object({
  textModels: z.tuple([z.object({ rates: z.object({ input: z.string(), output: z.string() }) })]),
})

/** Of the only text model. */
export const textRates = (): Rates =>
  catalog.parse(JSON.parse(readFileSync(catalogFile, 'utf8'))).textModels[0].rates

/** In kopecks. */
export const promoCredit = 2500

/** What a person may spend in a day, in kopecks. */
export const capOf = ({
  welcomeCredit,
  capASecond,
  seconds,
}: Pick<Settings, 'welcomeCredit' | 'capASecond' | 'seconds'>): number =>
  Math.round((welcomeCredit + capASecond * seconds) * 100)
