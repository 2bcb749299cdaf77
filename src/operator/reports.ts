// Problem reports: what an operator decides about each, once.

import { asc, count, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { reports } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'
import { type Refunded, refundGeneration } from './refunds.ts'

export type Report = typeof reports.$inferSelect

/** @returns `closed` when somebody was first */
export async function refundReport(
  deps: OperatorDeps,
  by: Operator,
  report: Report,
  reason: string,
): Promise<Refunded | 'closed'> {
  if (report.state !== 'open') return 'closed'
  const { id: reportId, generationId } = report
  const refunded = await refundGeneration(deps, { by, generationId, reason, reportId })
  if (refunded.ok) return refunded
  const now = await findReport(deps.db, reportId)
  return now?.state === 'open' ? refunded : 'closed'
}

/** @returns false when it was closed before */
export async function declineReport({ db, clock }: OperatorDeps, by: Operator, id: string): Promise<boolean> {
  const now = clock.now()
  const action = { by, action: 'decline', subject: `report:${id}` } as const
  const statement = sql`
    with closed as (
      update ${reports} set state = 'declined', closed_at = ${timestamp(now)}
      where id = ${id} and state = 'open' returning id
    )
    ${insertAction(action, now, sql`exists (select from closed)`)}`
  const written = await rows(db, statement, z.object({ id: z.coerce.bigint() }))
  return written.length > 0
}

export async function findReport(db: Database, id: string): Promise<Report | undefined> {
  const [found] = await db.select().from(reports).where(eq(reports.id, id))
  return found
}

/** The oldest first. */
export const openReports = (db: Database, limit: number): Promise<Report[]> =>
  db.select().from(reports).where(eq(reports.state, 'open')).orderBy(asc(reports.createdAt)).limit(limit)

export async function countOpenReports(db: Database): Promise<number> {
  const [found] = await db.select({ open: count() }).from(reports).where(eq(reports.state, 'open'))
  return found?.open ?? 0
}
