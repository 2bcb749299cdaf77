// Recognises an order that comes from a second tap on one button.

import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import { jsonb } from '../db/sql.ts'
import type { Generation, GenerationDeps } from './generation.ts'

/** Two taps on one button within this time, or one tap that was sent twice, count as a repetition. */
const momentMs = 5000

/**
 * Whether the user of an order has ordered the same a moment ago.
 * @param request what would be ordered now; it differs from that of the order when values of the operator have changed since
 */
export async function isRepeatedNow(
  { db, clock }: Pick<GenerationDeps, 'db' | 'clock'>,
  { id, userId }: Generation,
  request: Generation['request'],
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - momentMs)
  const isSame = and(
    eq(generations.userId, userId),
    gt(generations.createdAt, since),
    ne(generations.id, id),
    sql`${generations.request} = ${jsonb(request)}`,
  )
  return (await db.$count(generations, isSame)) > 0
}
