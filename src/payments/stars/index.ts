// Telegram Stars: the currency that Telegram's terms require for digital goods. Source: telegram.md, section 3.

import { z } from 'zod'
import { ceilDiv, decimal, type Fraction, times } from '../../money.ts'
import type { ProviderKind, ProviderMethods, StarAccount } from '../provider.ts'

/**
 * A Star is sold for one to two roubles. Rates outside of this range are probably written in kopecks, or have a misplaced decimal point.
 */
const [lowestRate, highestRate] = [0.1, 20]
const roubles = (what: string) => {
  const message = `write what ${what} in roubles, from ${lowestRate} to ${highestRate}, like 1.00`
  return z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, message)
    .refine((text) => Number(text) >= lowestRate && Number(text) <= highestRate, message)
    .optional()
}

const kopecks = (roubles: string): Fraction => times(decimal(roubles), decimal(100))

export const stars: ProviderKind = {
  invoiceCurrency: 'XTR',
  environment: z
    .object({
      TOPUP_ROUBLES_PER_STAR: roubles('one Star credits'),
      STAR_INCOME: roubles('you get for one Star'),
    })
    .transform(({ TOPUP_ROUBLES_PER_STAR, STAR_INCOME }) => {
      if (TOPUP_ROUBLES_PER_STAR === undefined) return undefined
      const credit = kopecks(TOPUP_ROUBLES_PER_STAR)
      const income = STAR_INCOME === undefined ? undefined : kopecks(STAR_INCOME)
      return {
        secrets: [],
        worth: { credit, income },
        create: ({ starAccount }) => createStars(credit, starAccount),
      }
    }),
}

function createStars(perStar: Fraction, account: StarAccount): ProviderMethods {
  return {
    /** The price in whole Stars, rounded up. */
    charge: (credit) => ({
      currency: 'XTR',
      amount: ceilDiv(credit * perStar.den, perStar.num),
    }),
    way: { by: 'invoice', token: '', extras: () => ({}) },
    async refund({ telegramId, chargeId }) {
      if (telegramId === null) return { is: 'refused', said: "the user's data was deleted" }
      return account.refund(telegramId, chargeId)
    },
    history: account.transactions,
  }
}
