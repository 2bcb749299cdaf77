// Telegram Stars: the currency that Telegram's terms require for digital goods. Source: telegram.md, section 3.

import { z } from 'zod'
import { decimal } from '../../money.ts'
import { defineProvider, type ProviderMethods, type StarAccount } from '../provider.ts'

export const stars = defineProvider({
  environment: z
    .object({
      TOPUP_ROUBLES_PER_STAR: z
        .string()
        .regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,6})?$/, 'write what one Star credits in roubles, like 1.20')
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
    /** Whole Stars, rounded up. */
    charge(credit) {
      const kopecksPerStar = rate.num * 100n
      return { currency: 'XTR', amount: (credit * rate.den + kopecksPerStar - 1n) / kopecksPerStar }
    },
    way: { by: 'invoice', token: '', extras: () => ({}) },
    async refund({ telegramId, chargeId }) {
      if (telegramId === null) return { is: 'refused', said: "the user's data was deleted" }
      return account.refund(telegramId, chargeId)
    },
    history: (offset) => account.transactions(offset),
  }
}
