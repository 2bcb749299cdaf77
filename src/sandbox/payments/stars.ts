// Telegram Stars in the sandbox: invoices are paid at the local Telegram.

import type { DoubleKind } from './double.ts'

export const stars: DoubleKind = {
  secrets: [],
  create: () => ({ env: { TOPUP_ROUBLES_PER_STAR: '1.20' } }),
}
