// The figures of a period: sales, cost and margin, in total and by model; the changes of the money that is owed to users, and its present
// parts. The sums of the figures agree.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { drafts, payments, turns, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import type { Provider } from '../payments/providers.ts'
import { type Read, readPeriod } from './figures-query.ts'
import type { Period } from './periods.ts'
import { countOpenReports } from './reports.ts'

/** Revenue is sales minus refunds; margin is revenue minus cost, and in total also minus the commissions on top-ups. */
interface Result {
  /** The captured amounts. */
  readonly sales: Kopecks
  /** The refunds of orders and answers that had been charged. */
  readonly refunds: Kopecks
  readonly revenue: Kopecks
  /** The charges of the gateway, as far as they are known. */
  readonly cost: Kopecks
  readonly margin: Kopecks
}

export interface ModelFigures extends Result {
  /** Undefined for money that belongs to no order or answer; the audit reports such money. */
  readonly modelId: string | undefined
  readonly done: number
  readonly failed: number
}

/** The sum of `before` and all changes, with their signs, is `now`: the money that is owed now. */
interface Owed {
  readonly before: Kopecks
  readonly topUps: Kopecks
  /** Refunds of payments, without those that the provider refused. */
  readonly paymentRefunds: Kopecks
  readonly promotions: Kopecks
  readonly grants: Kopecks
  readonly debits: Kopecks
  readonly sales: Kopecks
  readonly refunds: Kopecks
  readonly now: Kopecks
  /** The parts of `now`: the available and the held money of users, and all money in wallets of groups. */
  readonly available: Kopecks
  readonly held: Kopecks
  readonly groups: Kopecks
}

export interface Figures extends Result {
  readonly mediaCost: Kopecks
  readonly textCost: Kopecks
  /** Results that arrived after the refund: delivered free, charged by the gateway. Their cost is part of `mediaCost`. */
  readonly late: { readonly count: number; readonly cost: Kopecks }
  /** Results that could not be downloaded: refunded, charged by the gateway. Their cost is part of `mediaCost`. */
  readonly lost: { readonly count: number; readonly cost: Kopecks }
  /** Answers for which the gateway reported no usage: their cost is that of estimated tokens. */
  readonly estimated: number
  /** Answers that were stored without the rates of the gateway, such as those of earlier versions: their cost is missing in all sums. */
  readonly uncosted: { readonly count: number; readonly sales: Kopecks }
  readonly topUps: readonly { readonly provider: string; readonly count: number; readonly credit: Kopecks }[]
  readonly commissions: Commissions
  readonly models: readonly ModelFigures[]
  readonly owed: Owed
  readonly newUsers: number
  readonly activeUsers: number
  readonly openReports: number
  /** The revenue and the cost of each step of the period. */
  readonly revenueSteps: readonly Kopecks[]
  readonly costSteps: readonly Kopecks[]
}

/** The credit of the period's top-ups minus what the operator gets for them. */
interface Commissions {
  readonly known: Kopecks
  /** The providers with top-ups whose commissions are not known, so that the margin is before them. */
  readonly unknown: readonly string[]
}

/** @param providers those whose commissions may be known */
export async function readFigures(
  db: Database,
  period: Period,
  providers: readonly Pick<Provider, 'id' | 'worth'>[] = [],
): Promise<Figures> {
  const [read, people, openReports] = await Promise.all([
    readPeriod(db, period),
    peopleOf(db, period),
    countOpenReports(db),
  ])
  const models = modelsOf(read)
  const mediaIds = new Set([...read.sold, ...read.late].map(({ model }) => model))
  const cost = sumOf(models, (one) => one.cost)
  const mediaCost = sumOf(models, ({ modelId, cost }) => (modelId && mediaIds.has(modelId) ? cost : 0n))
  const commissions = commissionsOf(read, providers)
  const result = resultOf(amountTo(read, 'revenue'), amountFrom(read, 'revenue'), cost)
  return {
    ...result,
    margin: result.margin - commissions.known,
    commissions,
    mediaCost,
    textCost: cost - mediaCost,
    late: countedOf(read.late),
    lost: countedOf(read.lost),
    estimated: read.answered.reduce((sum, one) => sum + one.estimated, 0),
    uncosted: {
      count: read.answered.reduce((sum, one) => sum + one.uncosted, 0),
      sales: sumOf(read.answered, (one) => one.uncosted_sales),
    },
    topUps: read.paid.map(({ provider, count, credit }) => ({ provider: provider ?? '?', count, credit })),
    models,
    owed: owedOf(read),
    ...people,
    openReports,
    revenueSteps: period.starts.map((_, step) => {
      const there = { moved: read.moved.filter((one) => one.step === step) }
      return amountTo(there, 'revenue') - amountFrom(there, 'revenue')
    }),
    costSteps: period.starts.map((_, step) =>
      rounded(sumOf(costsOf(read), (one) => (one.step === step ? one.cost : 0n))),
    ),
  }
}

function commissionsOf({ paid }: Read, providers: readonly Pick<Provider, 'id' | 'worth'>[]): Commissions {
  const found = paid.map(({ provider, credit, charge }) => {
    const income = providers.find(({ id }) => id === provider)?.worth.income
    return { provider: provider ?? '?', taken: income && credit - (charge * income.num) / income.den }
  })
  return {
    known: sumOf(found, ({ taken = 0n }) => taken),
    unknown: found.flatMap(({ provider, taken }) => (taken === undefined ? [provider] : [])),
  }
}

const sumOf = <T>(all: readonly T[], amount: (one: T) => Kopecks): Kopecks =>
  all.reduce((sum, one) => sum + amount(one), 0n)

const countedOf = (all: Read['late' | 'lost']) => ({
  count: all.reduce((sum, one) => sum + one.count, 0),
  cost: rounded(sumOf(all, (one) => one.cost)),
})

type Moved = Pick<Read, 'moved'>
const amountTo = ({ moved }: Moved, account: string): Kopecks =>
  sumOf(moved, ({ credit, amount }) => (credit === account ? amount : 0n))
const amountFrom = ({ moved }: Moved, account: string): Kopecks =>
  sumOf(moved, ({ debit, amount }) => (debit === account ? amount : 0n))

const costsOf = ({ sold, answered, late }: Read) => [...sold, ...answered, ...late]

/** Rounds a cost from millionths of a kopeck to kopecks. */
const rounded = (cost: bigint): Kopecks => (cost + 500_000n) / 1_000_000n

function resultOf(sales: Kopecks, refunds: Kopecks, cost: Kopecks): Result {
  const revenue = sales - refunds
  return { sales, refunds, revenue, cost, margin: revenue - cost }
}

function modelsOf(read: Read): readonly ModelFigures[] {
  const ids = new Set([...read.ended, ...costsOf(read), ...read.refunded].flatMap(({ model }) => model ?? []))
  const known = [...ids].map((id) => modelOf(read, id))
  const sales = amountTo(read, 'revenue') - sumOf(known, (one) => one.sales)
  const refunds = amountFrom(read, 'revenue') - sumOf(known, (one) => one.refunds)
  if (sales === 0n && refunds === 0n) return known
  return [...known, { modelId: undefined, done: 0, failed: 0, ...resultOf(sales, refunds, 0n) }]
}

function modelOf(read: Read, id: string): ModelFigures {
  const isIts = ({ model }: { readonly model: string | null }) => model === id
  const { done = 0, failed = 0 } = read.ended.find(isIts) ?? {}
  const sales = sumOf([...read.sold, ...read.answered].filter(isIts), (one) => one.sales)
  const refunds = sumOf(read.refunded.filter(isIts), ({ amount }) => amount)
  const cost = rounded(sumOf(costsOf(read).filter(isIts), (one) => one.cost))
  return { modelId: id, done, failed, ...resultOf(sales, refunds, cost) }
}

function owedOf(read: Read): Owed {
  const { available, held, groups } = read
  const changes = {
    topUps: amountFrom(read, 'provider'),
    paymentRefunds: amountFrom(read, 'refused') - amountTo(read, 'provider'),
    promotions: amountFrom(read, 'promotions') - amountTo(read, 'promotions'),
    grants: amountFrom(read, 'corrections'),
    debits: -amountTo(read, 'corrections'),
    sales: -amountTo(read, 'revenue'),
    refunds: amountFrom(read, 'revenue'),
  }
  const now = available + held + groups
  return {
    before: now - sumOf(Object.values(changes), (one) => one),
    ...changes,
    now,
    available,
    held,
    groups,
  }
}

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
  return oneRow(db, found, peopleRow)
}
