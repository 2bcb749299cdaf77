// Telegram Stars: the way Telegram allows for digital goods. Source: telegram.md, section 3.

import { decimal } from '../../money.ts'
import type { HistoryPage, Provider, RefundOutcome } from '../provider.ts'

/** What the bot's account of Stars can do; whoever knows Telegram makes it. */
export interface StarAccount {
  refund(telegramId: number, chargeId: string): Promise<RefundOutcome>
  /** In chronological order, which never changes. */
  transactions(offset: number): Promise<HistoryPage>
}

/** @param roublesPerStar what one Star credits, a decimal like `"1.20"` */
export function createStars(roublesPerStar: string, account: StarAccount): Provider {
  const rate = decimal(roublesPerStar)
  return {
    id: 'stars',
    /** Whole Stars, rounded up. */
    charge(credit) {
      const perStar = rate.num * 100n
      return { currency: 'XTR', amount: (credit * rate.den + perStar - 1n) / perStar }
    },
    way: { by: 'invoice', token: '', extras: () => ({}) },
    async refund({ telegramId, chargeId }) {
      if (telegramId === null) return { is: 'refused', said: 'the person has been forgotten' }
      return account.refund(telegramId, chargeId)
    },
    history: (offset) => account.transactions(offset),
  }
}
