// Telegram Stars: the currency that Telegram's terms require for digital goods. Source: telegram.md, section 3.

import { z } from 'zod'
import { decimal } from '../../money.ts'
import { defineProvider, type ProviderMethods, type StarAccount } from '../provider.ts'

/**
 * A Star is sold for one to two roubles. Rates outside of this range are probably written in kopecks, or have a misplaced decimal point.
 */
const [lowestRate, highestRate] = [0.1, 20]
const roublesLike = `write what one Star credits in roubles, from ${lowestRate} to ${highestRate}, like 1.20`

const invoiceCurrency = 'XTR'

export const stars = defineProvider({
  invoiceCurrency,
  environment: z
    .object({
      TOPUP_ROUBLES_PER_STAR: z
        .string()
        .regex(/^\d{1,6}(\.\d{1,6})?$/, roublesLike)
        .refine((text) => Number(text) >= lowestRate && Number(text) <= highestRate, roublesLike)
        .optional(),
    })
    .transform(({ TOPUP_ROUBLES_PER_STAR: roublesPerStar }) => roublesPerStar),
  secrets: () => [],
  create: (roublesPerStar, { starAccount }) => createStars(roublesPerStar, starAccount),
})

/** @param roublesPerStar what one Star credits, a decimal like `"1.20"` */
function createStars(roublesPerStar: string, account: StarAccount): ProviderMethods {
  const rate = decimal(roublesPerStar)
  return {
    /** The price in whole Stars, rounded up. */
    charge(credit) {
      const kopecksPerStar = rate.num * 100n
      return { currency: invoiceCurrency, amount: (credit * rate.den + kopecksPerStar - 1n) / kopecksPerStar }
    },
    way: { by: 'invoice', token: '', extras: () => ({}) },
    async refund({ telegramId, chargeId }) {
      if (telegramId === null) return { is: 'refused', said: "the user's data was deleted" }
      return account.refund(telegramId, chargeId)
    },
    history: (offset) => account.transactions(offset),
  }
}
