// Telegram Stars: the way Telegram allows for digital goods. Source: telegram.md, section 3.

import { decimal } from '../money.ts'
import type { Provider } from './provider.ts'

/** @param roublesPerStar what one Star credits, a decimal like `"1.20"` */
export function createStars(roublesPerStar: string): Provider {
  const rate = decimal(roublesPerStar)
  return {
    id: 'stars',
    token: '',
    /** Whole Stars, rounded up. */
    charge(credit) {
      const perStar = rate.num * 100n
      return { currency: 'XTR', amount: (credit * rate.den + perStar - 1n) / perStar }
    },
  }
}
