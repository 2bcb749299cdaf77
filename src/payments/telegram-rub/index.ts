// A Telegram invoice in roubles, through a payment provider's token. Telegram's terms keep it from being the default for
// digital goods: it is on only when the operator sets a token. Telegram has no method to refund it: the operator does that
// in the provider's cabinet.

import type { Provider } from '../provider.ts'
import { receiptItems } from '../receipt.ts'

/** @param vatCode of the fiscal receipt (54-FZ), whose address Telegram asks for and hands on; undefined sends none */
export const createTelegramRub = (token: string, vatCode: number | undefined): Provider => ({
  id: 'telegram-rub',
  charge: (credit) => ({ currency: 'RUB', amount: credit }),
  way: {
    by: 'invoice',
    token,
    extras(charge, item) {
      if (vatCode === undefined) return {}
      const receipt = { items: receiptItems(charge, item, vatCode) }
      const provider_data = JSON.stringify({ receipt })
      return { provider_data, need_email: true, send_email_to_provider: true }
    },
  },
})
