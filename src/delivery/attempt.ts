// One attempt of the delivery of a claimed generation, by which the limits of telegram/delivery-attempts.ts are applied.

import type { Generation } from '../generations/generation.ts'
import { claimedAt } from '../runtime/leases.ts'
import { type Attempt, isLast } from '../telegram/delivery-attempts.ts'

/** The time since which there is something to deliver. */
export const sinceOf = ({ arrivedLateAt, settledAt, createdAt }: Generation): Date =>
  arrivedLateAt ?? settledAt ?? createdAt

/** It depends on the claimed row alone, so that the end of the attempt applies the same limits as its beginning. */
export const attemptOf = (generation: Generation): Attempt => ({
  earlier: generation.attempts,
  since: sinceOf(generation),
  startedAt: claimedAt(generation),
})

/** Whether no other attempt follows if this one fails. */
export const isLastAttempt = (generation: Generation): boolean => isLast(attemptOf(generation))
