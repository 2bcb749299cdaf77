// Problem reports: a user files at most one about each of their results, and an operator closes it once.

import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { generations, problemReasons, reports } from '../db/schema.ts'
import { isOneOf, readRows, timestamp } from '../db/sql.ts'
import { type Generation, stateIs } from '../orders/generation.ts'
import { eventOf, insertGuardedNotice, type Notice } from '../payments/notices.ts'
import type { Ids } from '../runtime/ids.ts'
import { changeAndLog, type Operator, type OperatorDeps } from './actions.ts'
import { type Allowance, type Refunded, refundGeneration } from './refunds.ts'

export type Report = typeof reports.$inferSelect

/** The problems that a user can choose instead of a description in words. */
export const pickableReasons: readonly NonNullable<Report['reason']>[] = problemReasons

/** The state is written into the statements as a constant, since the index of open reports is partial. */
const isOpen = isOneOf(reports.state, 'open')

export const longestReport = 1000

interface NewReport {
  readonly generationId: string
  readonly userId: bigint
  /** The problem that the user has chosen; undefined when the user has described it in words. */
  readonly reason?: NonNullable<Report['reason']> | undefined
  readonly said: string
}

/** @returns undefined when the generation is not a paid result of this user, or was reported before */
export async function fileReport(
  { db, clock, ids }: OperatorDeps & { readonly ids: Ids },
  { generationId, userId, reason, said }: NewReport,
): Promise<Report | undefined> {
  const insert = sql`
    insert into ${reports} (id, generation_id, user_id, reason, said, created_at)
    select ${ids.next()}, id, user_id, ${reason ?? null}, ${said}, ${timestamp(clock.now())}
    from ${generations}
    where id = ${generationId} and user_id = ${userId}::bigint and ${stateIs('succeeded')} and captured > coalesce(refunded, 0)
    on conflict (generation_id) do nothing
    returning *`
  return (await readRows(db, reports, insert))[0]
}

export async function findReportOf(db: Database, generationId: string): Promise<Report | undefined> {
  const [found] = await db.select().from(reports).where(eq(reports.generationId, generationId))
  return found
}

/** @returns `closed` when another operator has closed the report */
export async function refundReport(
  deps: OperatorDeps,
  by: Operator,
  report: Report,
  reason: string,
  allowance?: Allowance,
): Promise<Refunded | 'closed'> {
  if (report.state !== 'open') return 'closed'
  const { id: reportId, generationId } = report
  const refunded = await refundGeneration(deps, { by, allowance, generationId, reason, reportId })
  if (refunded.ok) return refunded
  const current = await findReport(deps.db, reportId)
  return current?.state === 'open' ? refunded : 'closed'
}

/** One statement closes the report and writes the notice for the user. @returns false when the report was closed before */
export function declineReport(
  deps: OperatorDeps,
  by: Operator,
  { id, userId }: Pick<Report, 'id' | 'userId'>,
): Promise<boolean> {
  const now = deps.clock.now()
  const notice = { kind: 'declined', event: id, userId, amount: 0n } as const
  const change = sql`
    update ${reports} set state = ${'declined' satisfies Report['state']}, closed_at = ${timestamp(now)}
    where id = ${id} and ${isOpen} returning id`
  const told = sql`, told as (${insertGuardedNotice(notice, now)})`
  return changeAndLog(deps, { by, action: 'decline', subject: `report:${id}` }, change, told)
}

/** The order whose report was declined; undefined when it is no longer stored. */
export async function declinedOrder(db: Database, notice: Notice): Promise<Generation | undefined> {
  const [found] = await db
    .select({ generation: generations })
    .from(reports)
    .innerJoin(generations, eq(generations.id, reports.generationId))
    .where(eq(reports.id, eventOf(notice)))
  return found?.generation
}

export async function findReport(db: Database, id: string): Promise<Report | undefined> {
  const [found] = await db.select().from(reports).where(eq(reports.id, id))
  return found
}

/** The oldest first. */
export const openReports = (db: Database, limit: number): Promise<Report[]> =>
  db.select().from(reports).where(isOpen).orderBy(asc(reports.createdAt)).limit(limit)

export const countOpenReports = (db: Database): Promise<number> => db.$count(reports, isOpen)
