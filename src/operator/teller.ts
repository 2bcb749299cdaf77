// How a user learns of what an operator did, whichever way the operator did it. Each answers false when they could not be
// told.

import type { Generation } from '../generations/generation.ts'
import type { Kopecks } from '../money.ts'

export interface Teller {
  /** @param change below zero was taken */
  corrected(userId: bigint, change: Kopecks, available: Kopecks, reason: string): Promise<boolean>
  unbanned(userId: bigint): Promise<boolean>
  refunded(generation: Generation, amount: Kopecks, reason: string): Promise<boolean>
}
