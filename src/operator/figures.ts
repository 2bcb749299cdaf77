// The figures of a period: money in and out, failures, users; and the balances as of now.

import { eq, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import {
  artifacts,
  balances,
  drafts,
  generations,
  payments,
  quotes,
  turns,
  users,
  wallets,
} from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import type { Period } from './periods.ts'
import { countOpenReports } from './reports.ts'

export interface Figures {
  /** Captured less refunded. */
  readonly revenue: Kopecks
  /** What the gateway charged for generations, with those of late results; without chat answers. */
  readonly cost: Kopecks
  /** Results that came after the refund: given free, charged by the gateway. */
  readonly late: { readonly count: number; readonly cost: Kopecks }
  readonly topUps: readonly { readonly provider: string; readonly count: number; readonly credit: Kopecks }[]
  readonly models: readonly { readonly modelId: string; readonly done: number; readonly failed: number }[]
  readonly newUsers: number
  readonly activeUsers: number
  /** As of now. */
  readonly held: Kopecks
  readonly owed: Kopecks
  readonly openReports: number
  /** One for each step of the period. */
  readonly revenueSteps: readonly Kopecks[]
  readonly costSteps: readonly Kopecks[]
}

export async function readFigures(db: Database, period: Period): Promise<Figures> {
  const [revenueSteps, costSteps, late, topUps, models, people, balance, openReports] = await Promise.all([
    revenueOf(db, period),
    costOf(db, period),
    lateOf(db, period),
    topUpsOf(db, period),
    modelsOf(db, period),
    peopleOf(db, period),
    balancesOf(db),
    countOpenReports(db),
  ])
  const revenue = sumOf(revenueSteps)
  const cost = sumOf(costSteps)
  return { revenue, cost, late, topUps, models, ...people, ...balance, openReports, revenueSteps, costSteps }
}

const sumOf = (steps: readonly Kopecks[]) => steps.reduce((sum, one) => sum + one, 0n)

const stepRow = z.object({ step: z.coerce.number(), amount: z.coerce.bigint() })

const stepOf = (column: string, { since, stepMs }: Period) =>
  sql`floor(extract(epoch from ${sql.raw(column)} - ${timestamp(since)}) / ${stepMs / 1000}::integer)::integer`

function fill({ steps }: Period, found: readonly z.output<typeof stepRow>[]): Kopecks[] {
  const amounts = new Map(found.map(({ step, amount }) => [step, amount]))
  return Array.from({ length: steps }, (_, step) => amounts.get(step) ?? 0n)
}

async function revenueOf(db: Database, period: Period): Promise<Kopecks[]> {
  const found = sql`
    select ${stepOf('created_at', period)} as step,
      sum(case when credit = 'revenue' then amount else -amount end) as amount
    from transfers
    where created_at >= ${timestamp(period.since)} and (credit = 'revenue' or debit = 'revenue')
    group by step`
  return fill(period, await rows(db, found, stepRow))
}

/** For a partial result the gateway charges the results that arrived, so its cost shrinks like the captured amount. */
async function costOf(db: Database, period: Period): Promise<Kopecks[]> {
  const oldest = await oldestQuoteOf(db, period)
  const found = sql`
    select ${stepOf('g.settled_at', period)} as step,
      round(sum(q.gateway_cost::numeric * g.captured / g.amount)) as amount
    from ${generations} g join ${quotes} q on q.id = g.quote_id
    where g.settled_at >= ${timestamp(period.since)} and g.captured > 0 and q.created_at >= ${timestamp(oldest)}
    group by step
    union all
    select ${stepOf('arrived_late_at', period)}, sum(cost) from (${lateResults(period)}) late group by 1`
  const sums = sql`select step, sum(amount) as amount from (${found}) sums group by step`
  return fill(period, await rows(db, sums, stepRow))
}

/** Before this no quote of the period's results was made, so the others need not be read: a quote expires within the hour. */
async function oldestQuoteOf(db: Database, { since }: Period): Promise<Date> {
  const found = sql`
    select coalesce(min(created_at), ${timestamp(since)}) - interval '1 hour' as oldest from ${generations}
    where settled_at >= ${timestamp(since)}`
  const [first] = await rows(db, found, z.object({ oldest: z.coerce.date() }))
  return first?.oldest ?? since
}

/** The cost of the results that arrived, at most that of the order. */
const lateResults = ({ since }: Period) => sql`
  select g.arrived_late_at, round(q.gateway_cost::numeric * least(1, a.files::numeric / (q.parts ->> 'count')::numeric)) as cost
  from ${generations} g join ${quotes} q on q.id = g.quote_id,
    lateral (select count(*) as files from ${artifacts} where generation_id = g.id) a
  where g.arrived_late_at >= ${timestamp(since)}`

const lateRow = z.object({ count: z.coerce.number(), cost: z.coerce.bigint() })

async function lateOf(db: Database, period: Period): Promise<Figures['late']> {
  const found = sql`select count(*) as count, coalesce(sum(cost), 0) as cost from (${lateResults(period)}) late`
  const [sum] = await rows(db, found, lateRow)
  return sum ?? { count: 0, cost: 0n }
}

const topUpRow = z.object({ provider: z.string(), count: z.coerce.number(), credit: z.coerce.bigint() })

const topUpsOf = (db: Database, { since }: Period) =>
  rows(
    db,
    sql`
      select provider, count(*) as count, sum(credit) as credit from ${payments}
      where created_at >= ${timestamp(since)} and refunded_at is null
      group by provider order by credit desc`,
    topUpRow,
  )

const modelRow = z
  .object({ model_id: z.string(), done: z.coerce.number(), failed: z.coerce.number() })
  .transform(({ model_id, ...counts }) => ({ modelId: model_id, ...counts }))

const modelsOf = (db: Database, { since }: Period) =>
  rows(
    db,
    sql`
      select model_id, count(*) filter (where good) as done, count(*) filter (where not good) as failed
      from (
        select model_id, ${eq(generations.state, 'succeeded')} as good from ${generations} where settled_at >= ${timestamp(since)}
        union all
        select model_id, ${ne(turns.state, 'failed')} as good from ${turns} where settled_at >= ${timestamp(since)}
      ) ended
      group by model_id order by count(*) desc, model_id`,
    modelRow,
  )

const peopleRow = z
  .object({ new_users: z.coerce.number(), active_users: z.coerce.number() })
  .transform((one) => ({ newUsers: one.new_users, activeUsers: one.active_users }))

/** Active users have changed a card, asked a text model or paid. */
async function peopleOf(db: Database, { since }: Period) {
  const after = timestamp(since)
  const found = sql`
    select
      (select count(*) from ${users} where created_at >= ${after}) as new_users,
      (select count(*) from (
        select user_id from ${drafts} where updated_at >= ${after}
        union select user_id from ${turns} where created_at >= ${after}
        union select user_id from ${payments} where created_at >= ${after}
      ) active) as active_users`
  const [counts] = await rows(db, found, peopleRow)
  return counts ?? { newUsers: 0, activeUsers: 0 }
}

const balanceRow = z.object({ held: z.coerce.bigint(), owed: z.coerce.bigint() })

async function balancesOf(db: Database) {
  const found = sql`
    select coalesce(sum(held), 0) as held, coalesce(sum(available), 0) as owed from (
      select held, available from ${balances} union all select held, available from ${wallets}
    ) kept`
  const [sums] = await rows(db, found, balanceRow)
  return sums ?? { held: 0n, owed: 0n }
}
