// Rouble invoices in the sandbox: they are paid at the local Telegram, which accepts every provider token.

import type { DoubleKind } from './double.ts'

const token = '4242:TEST:sandbox'

export const telegramRub: DoubleKind = {
  secrets: [token],
  create: () => ({ env: { TOPUP_RUB_PROVIDER_TOKEN: token } }),
}
