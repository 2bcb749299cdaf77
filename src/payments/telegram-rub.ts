// A Telegram invoice in roubles, through a payment provider's token. Telegram's terms keep it from being the default for
// digital goods: it is on only when the operator sets a token.

import type { Provider } from './provider.ts'

export const createTelegramRub = (token: string): Provider => ({
  id: 'telegram-rub',
  token,
  charge: (credit) => ({ currency: 'RUB', amount: credit }),
})
