// The figures of a period: sales, cost and margin, in total and by model; the changes of the money that is owed to users, and its present
// parts. The sums of the figures agree.

import { eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import {
  accounts,
  artifacts,
  drafts,
  generations,
  payments,
  quotes,
  topUps,
  transfers,
  turns,
  users,
} from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { builtIn } from '../ledger/built-in-notes.ts'
import { correctionKey, likeKey, refundKey } from '../ledger/keys.ts'
import type { Kopecks } from '../money.ts'
import { deliveryIs } from '../orders/generation.ts'
import type { Provider } from '../payments/providers.ts'
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

// The data from which the figures are computed. One statement reads them, so that transfers, orders and balances are of one moment.

const count = z.coerce.number()
/** A whole number, written as text since JSON has no integers of that size. */
const whole = z.string().transform(BigInt)
/** Costs are exact: an answer may cost less than a kopeck. They are rounded once, where they are shown. */
const millionths = whole

const moved = z.object({ step: count, debit: z.string(), credit: z.string(), amount: whole })
const sold = z.object({ model: z.string(), step: count, sales: whole, cost: millionths })
const answered = sold.extend({ estimated: count, uncosted: count, uncosted_sales: whole })
const late = z.object({ model: z.string(), step: count, count, cost: millionths })
const lost = late.pick({ count: true, cost: true })
const refunded = z.object({ model: z.string().nullable(), amount: whole })
const ended = z.object({ model: z.string(), done: count, failed: count })
const paid = z.object({ provider: z.string().nullable(), count, credit: whole, charge: whole })

const read = z.object({
  moved: z.array(moved),
  sold: z.array(sold),
  answered: z.array(answered),
  late: z.array(late),
  lost: z.array(lost),
  refunded: z.array(refunded),
  ended: z.array(ended),
  paid: z.array(paid),
  available: z.coerce.bigint(),
  held: z.coerce.bigint(),
  groups: z.coerce.bigint(),
})

type Read = z.output<typeof read>

/** The key of the transfer that returns a credit, because the provider refused the refund of its payment. */
const refusedRefund = correctionKey(likeKey(refundKey))

async function readPeriod(db: Database, period: Period): Promise<Read> {
  const all = (statement: ReturnType<typeof sql>) =>
    sql`(select coalesce(json_agg(one), '[]') from (${statement}) one)`
  const statement = sql`
    select ${all(moves(period))} as moved, ${all(orders(period))} as sold, ${all(answers(period))} as answered,
      ${all(lateResults(period))} as late, ${all(lostResults(period))} as lost, ${all(refunds(period))} as refunded, ${all(endings(period))} as ended,
      ${all(deposits(period))} as paid, b.available, b.held, w.groups
    from (select coalesce(sum(available), 0) as available, coalesce(sum(held), 0) as held from ${accounts} where kind = 'user') b,
      (select coalesce(sum(available + held), 0) as groups from ${accounts} where kind = 'group') w`
  return oneRow(db, statement, read)
}

/** The number of the bar of the chart, from 0. */
const stepOf = (time: string, { starts }: Period) => {
  const list = `{${starts.map((start) => start.toISOString()).join(',')}}`
  return sql`width_bucket(${sql.raw(time)}, ${list}::text::timestamptz[]) - 1`
}

/** Movements between the accounts of users and the other accounts. */
const moves = (period: Period) => sql`
  select ${stepOf('created_at', period)} as step, case when key like ${refusedRefund} then 'refused' else debit end as debit,
    credit, sum(amount)::text as amount
  from ${transfers} where created_at >= ${timestamp(period.since)}
    and not ${isOneOf(transfers.kind, 'hold', 'release', 'fund', 'take-back')}
  group by 1, 2, 3`

/**
 * The orders of a period. For a partial result the gateway charges the results that arrived, so its cost shrinks like the captured
 * amount.
 */
const orders = (period: Period) => sql`
  select g.model_id as model, ${stepOf('g.settled_at', period)} as step, sum(g.captured)::text as sales,
    round(sum(q.gateway_cost::numeric * 1000000 * g.captured / g.amount))::text as cost
  from ${generations} g join ${quotes} q on q.id = g.quote_id
  where g.settled_at >= ${timestamp(period.since)} and g.captured > 0 and q.created_at >= ${oldestQuote(period)}
  group by 1, 2`

/** The earliest time of a quote of the period's results: a quote expires within the hour. Older quotes need not be read. */
const oldestQuote = ({ since }: Period) => sql`(
  select coalesce(min(created_at), ${timestamp(since)}) - interval '1 hour' from ${generations}
  where settled_at >= ${timestamp(since)})`

/** The cost of the results that arrived, at most that of the order. */
const lateResults = (period: Period) => sql`
  select g.model_id as model, ${stepOf('g.arrived_late_at', period)} as step, count(*) as count,
    round(sum(q.gateway_cost::numeric * 1000000 * least(1, a.files::numeric / (q.parts ->> 'count')::numeric)))::text as cost
  from ${generations} g join ${quotes} q on q.id = g.quote_id,
    lateral (select count(*) as files from ${artifacts} where generation_id = g.id) a
  where g.arrived_late_at >= ${timestamp(period.since)}
  group by 1, 2`

/** The orders of which a part or all was refunded since its files could not be downloaded. The cost is that part of the cost of the order. */
const lostResults = ({ since }: Period) => sql`
  select count(*) as count, round(q.gateway_cost::numeric * 1000000 * t.amount / g.amount)::text as cost
  from ${transfers} t join ${generations} g on g.id = t.generation_id join ${quotes} q on q.id = g.quote_id
    join ${artifacts} a on a.generation_id = g.id and a.lost is not null
  where t.created_at >= ${timestamp(since)} and ${isOneOf(move.kind, 'refund')} and t.note = ${builtIn('refund-lost')}
  group by t.id, t.amount, g.amount, q.gateway_cost`

/** A condition: the gateway answered. The tokens of a question that it refused are only our estimate. */
const isUsed = sql`(${ne(turns.state, 'failed')} or output_tokens > 0 or not is_estimate)`

/** The cost of an answer in millionths of a kopeck: the rates are roubles per million tokens. */
export const answerCost = sql.raw(
  `(input_tokens * (rates ->> 'input')::numeric + output_tokens * (rates ->> 'output')::numeric) * 100`,
)

const answers = (period: Period) => sql`
  select model_id as model, ${stepOf('settled_at', period)} as step, coalesce(sum(captured), 0)::text as sales,
    round(coalesce(sum(${answerCost}) filter (where ${isUsed}), 0))::text as cost,
    count(*) filter (where is_estimate and rates is not null and ${isUsed}) as estimated,
    count(*) filter (where rates is null and ${isUsed}) as uncosted,
    coalesce(sum(captured) filter (where rates is null and ${isUsed}), 0)::text as uncosted_sales
  from ${turns} where settled_at >= ${timestamp(period.since)}
  group by 1, 2`

const move = alias(transfers, 't')

const refunds = ({ since }: Period) => sql`
  select coalesce(g.model_id, a.model_id) as model, sum(t.amount)::text as amount
  from ${transfers} t left join ${generations} g on g.id = t.generation_id left join ${turns} a on a.id = t.turn_id
  where t.created_at >= ${timestamp(since)} and ${isOneOf(move.kind, 'refund')} and ${isOneOf(move.debit, 'revenue')}
  group by 1`

/** A condition on an order: something was made that could be downloaded. */
const isArrived = sql`(${eq(generations.state, 'succeeded')} and not (${deliveryIs('undeliverable')}
  and exists (select from ${artifacts} where generation_id = ${generations.id} and lost is not null)))`

const endings = ({ since }: Period) => sql`
  select model_id as model, count(*) filter (where good) as done, count(*) filter (where not good) as failed
  from (
    select model_id, ${isArrived} as good from ${generations} where settled_at >= ${timestamp(since)}
    union all
    select model_id, ${ne(turns.state, 'failed')} and failure is null as good from ${turns} where settled_at >= ${timestamp(since)}
  ) ended
  group by 1 order by count(*) desc, 1`

const deposits = ({ since }: Period) => sql`
  select p.provider, count(*) as count, sum(t.amount)::text as credit, coalesce(sum(p.charge), 0)::text as charge
  from ${transfers} t left join ${topUps} p on p.id = t.top_up_id
  where t.created_at >= ${timestamp(since)} and ${isOneOf(move.kind, 'deposit')}
  group by 1 order by sum(t.amount) desc, 1`
