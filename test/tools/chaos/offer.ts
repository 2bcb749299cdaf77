// The operator's settings for a run (models, prices, bonuses, promo codes): the processes get them, and the harness's model knows them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { TextModel } from './model/answers.ts'
import type { PromoCode } from './model/balances.ts'
import type { Settings } from './settings.ts'

export const catalogFile = join(import.meta.dirname, 'catalog.json')

const catalog = z.object({
  textModels: z.array(
    z.object({
      id: z.string(),
      rates: z.object({ input: z.string(), output: z.string() }),
      abilities: z.array(z.string()),
    }),
  ),
})

/** The text models on sale. The first one answers until a person chooses another. */
export const textModels = (): readonly TextModel[] =>
  catalog
    .parse(JSON.parse(readFileSync(catalogFile, 'utf8')))
    .textModels.map(({ id, rates, abilities }) => ({ id, rates, seesPictures: abilities.includes('vision') }))

/** The inviter's bonus for each invited friend who pays, in kopecks. */
export const referralBonus = 1100

/** The promo code whose credit lets the owner of a wallet fill it at once. */
export const ownersCode = 'OWNERS'

/** The promo codes: one for every person, one with two uses, one that has expired, and one that only owners of wallets know. */
export const promoCodes: readonly (PromoCode & { readonly weight: number })[] = [
  { weight: 6, code: 'CHAOS', amount: 2500, mostUses: 1_000_000, isOver: false },
  { weight: 3, code: 'FEW', amount: 700, mostUses: 2, isOver: false },
  { weight: 0, code: ownersCode, amount: 25_000, mostUses: 1_000_000, isOver: false },
  { weight: 1, code: 'LATE', amount: 900, mostUses: 1_000_000, isOver: true },
]

/** The most that a person may spend in a day, in kopecks. */
export const capOf = ({
  welcomeCredit,
  capASecond,
  seconds,
}: Pick<Settings, 'welcomeCredit' | 'capASecond' | 'seconds'>): number =>
  Math.round((welcomeCredit + capASecond * seconds) * 100)
