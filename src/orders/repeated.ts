// Recognises a second tap on the button that repeats an order. The account of the user keeps the last repetition, so the statement that
// holds the money refuses another one of this moment, also when two updates of one user are handled at the same time.

import { and, eq, gt } from 'drizzle-orm'
import { accounts } from '../db/schema.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import type { GenerationDeps } from './generation.ts'

/** Two taps on one button within this time, or one tap that was sent twice, count as a repetition. */
export const repeatedWithinMs = 5000

/** Whether the user has repeated this order a moment ago. */
export async function isRepeatedNow(
  { db, clock }: Pick<GenerationDeps, 'db' | 'clock'>,
  repeatedId: string,
  userId: bigint,
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - repeatedWithinMs)
  const isSame = and(isAccountOf(userId), eq(accounts.repeatedId, repeatedId), gt(accounts.repeatedAt, since))
  return (await db.$count(accounts, isSame)) > 0
}
