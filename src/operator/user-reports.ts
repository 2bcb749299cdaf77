// "Something is wrong with this result": at most one report of a generation, by whom it belongs to.

import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { generations, reports } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'

export type Report = typeof reports.$inferSelect

export const longestReport = 1000

interface NewReport {
  readonly generationId: string
  readonly userId: bigint
  readonly said: string
}

/** Undefined when it is not this user's paid result, or was reported before. */
export async function fileReport(
  { db, clock, ids }: { db: Database; clock: Clock; ids: Ids },
  { generationId, userId, said }: NewReport,
): Promise<Report | undefined> {
  const insert = sql`
    insert into ${reports} (id, generation_id, user_id, said, created_at)
    select ${ids.next()}, g.id, g.user_id, ${said}, ${timestamp(clock.now())}
    from ${generations} g
    where g.id = ${generationId} and g.user_id = ${userId}::bigint and g.state = 'succeeded' and g.captured > 0
    on conflict (generation_id) do nothing
    returning id`
  const [filed] = await rows(db, insert, z.object({ id: z.string() }))
  return filed && findReportOf(db, generationId)
}

export async function findReportOf(db: Database, generationId: string): Promise<Report | undefined> {
  const [found] = await db.select().from(reports).where(eq(reports.generationId, generationId))
  return found
}
