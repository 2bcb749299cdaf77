// How users read a balance: one below zero is a debt.

import type { Kopecks } from '../money.ts'
import type { Say } from '../texts.ts'

/** HTML. */
export const balanceText = (say: Say, available: Kopecks): string =>
  available < 0n
    ? say.html('balance-owed', { owed: say.roubles(-available) })
    : say.html('balance', { available: say.roubles(available) })

/** What is missing for a price, and how much of it is a debt. */
export const missingText = (say: Say, missing: Kopecks, available: Kopecks): string =>
  available < 0n
    ? say.plain('missing-with-debt', { missing: say.roubles(missing), owed: say.roubles(-available) })
    : say.roubles(missing)
