// Recognises an order that comes from a second tap on one button.

import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import { jsonb, timestamp } from '../db/sql.ts'
import type { Generation, GenerationDeps } from './generation.ts'

/** Two taps on one button within this time, or one tap that was sent twice, count as a repetition. */
export const repeatedWithinMs = 5000

const sinceAt = (now: Date): Date => new Date(now.getTime() - repeatedWithinMs)

/**
 * A condition on the row `q` of `quotes`: its user has not ordered the same a moment ago. It belongs to the statement that holds the money,
 * because two updates of one user may be handled at the same time after a pause of the process.
 * @param repeated the id of the order that is repeated
 */
export const isNoRepetition = (repeated: string, now: Date): SQL => sql`not exists (
  select from ${generations} one where one.user_id = q.user_id and one.created_at > ${timestamp(sinceAt(now))}
    and one.id <> ${repeated} and one.request = q.request)`

/**
 * Whether the user of an order has ordered the same a moment ago.
 * @param request what would be ordered now; it differs from that of the order when values of the operator have changed since
 */
export async function isRepeatedNow(
  { db, clock }: Pick<GenerationDeps, 'db' | 'clock'>,
  { id, userId }: Generation,
  request: Generation['request'],
): Promise<boolean> {
  const isSame = and(
    eq(generations.userId, userId),
    gt(generations.createdAt, sinceAt(clock.now())),
    ne(generations.id, id),
    sql`${generations.request} = ${jsonb(request)}`,
  )
  return (await db.$count(generations, isSame)) > 0
}
