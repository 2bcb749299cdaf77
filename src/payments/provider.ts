// A way to pay: what a top-up costs through it, and which invoice asks for it. One file a provider, same shape.

import type { Kopecks } from '../money.ts'

export interface Charge {
  readonly currency: string
  /** In the currency's smallest unit. */
  readonly amount: bigint
}

export interface Provider {
  readonly id: 'stars' | 'telegram-rub'
  /** What must be paid for this credit. */
  charge(credit: Kopecks): Charge
  /** Telegram's token for it; empty for Stars. */
  readonly token: string
}
