// The charge for the results of an order.

import type { Kopecks } from '../money.ts'

/** The charge for the results that came of those that were ordered for `amount`, rounded down. */
export const chargeFor = (amount: Kopecks, came: number, ordered: number): Kopecks =>
  (amount * BigInt(Math.min(came, ordered))) / BigInt(ordered)
