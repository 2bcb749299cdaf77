// The figures of a period: sales, cost and margin, in total, by day, by model and by source; the changes of the money that is owed to users,
// and its parts at the end. The sums of the figures agree.

import { eq, ne, type SQL, sql } from 'drizzle-orm'
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
import { startOfDay } from '../runtime/clock.ts'
import { barsOf, type Period } from './periods.ts'
import { countOpenReports } from './reports.ts'
import { sourceOf } from './sources.ts'

export type Figures = Awaited<ReturnType<typeof readFigures>>
export type ModelFigures = Figures['models'][number]
export type SourceFigures = Figures['sources'][number]

type Priced = readonly Pick<Provider, 'id' | 'worth'>[]

/** @param providers those whose commissions may be known */
export async function readFigures(db: Database, period: Period, providers: Priced = []) {
  const [found, active, openReports] = await Promise.all([
    readAll(db, period),
    activeUsers(db, period),
    countOpenReports(db),
  ])
  const models = modelsOf(found)
  const cost = sumOf(models, (one) => one.cost)
  const textCost = sumOf(found.models, (one) => (one.is_text ? one.cost : 0n))
  const commissions = commissionsOf(found, providers)
  const result = resultOf({ sales: amountTo(found, 'revenue'), refunds: amountFrom(found, 'revenue'), cost })
  const count = <Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name) =>
    all.reduce((sum, one) => sum + one[name], 0)
  return {
    ...result,
    /** In total also without the commissions on top-ups. */
    margin: result.margin - commissions.known,
    commissions,
    mediaCost: cost - textCost,
    textCost,
    ...found.notes,
    topUps: found.paid.map(({ provider, count, credit }) => ({ provider: provider ?? '?', count, credit })),
    models,
    days: period.days.map((day, at) => ({ day, ...resultOf(found.days.find((one) => one.day === at)) })),
    /** Those with the most newcomers first; `invited` and `direct` are not names of links. */
    sources: found.sources.map((one) => ({ ...one, ...resultOf(one) })),
    /** The sums of the sources and of the models. */
    total: {
      came: count(found.sources, 'came'),
      ordered: count(found.sources, 'ordered'),
      paid: count(found.sources, 'paid'),
      done: count(models, 'done'),
      failed: count(models, 'failed'),
    },
    owed: owedOf(found),
    activeUsers: active,
    openReports,
    /** The bars of the chart. */
    bars: barsOf(period).map(({ label }, at) => {
      const { revenue = 0n, cost = 0n } = found.bars.find(({ bar }) => bar === at) ?? {}
      return { label, revenue, cost }
    }),
  }
}

/** The credit of the top-ups minus what the operator gets for them. `unknown` are the providers whose commissions are not known. */
function commissionsOf({ paid }: Read, providers: Priced) {
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

const amountTo = ({ moved }: Read, account: string): Kopecks =>
  sumOf(moved, ({ credit, amount }) => (credit === account ? amount : 0n))
const amountFrom = ({ moved }: Read, account: string): Kopecks =>
  sumOf(moved, ({ debit, amount }) => (debit === account ? amount : 0n))

/**
 * Revenue is sales minus refunds; margin is revenue minus cost.
 * @param sales the captured amounts @param refunds of orders and answers that had been charged @param cost the known charges of the gateway
 */
function resultOf({ sales, refunds, cost }: z.output<typeof sums> = { sales: 0n, refunds: 0n, cost: 0n }) {
  const revenue = sales - refunds
  return { sales, refunds, revenue, cost, margin: revenue - cost }
}

/** The last one, without an id, has money that belongs to no order or answer; the audit reports such money. */
function modelsOf(read: Read) {
  const known = read.models.map(({ model, done, failed, ...sums }) => ({
    modelId: model ?? undefined,
    done,
    failed,
    ...resultOf(sums),
  }))
  const sales = amountTo(read, 'revenue') - sumOf(known, (one) => one.sales)
  const refunds = amountFrom(read, 'revenue') - sumOf(known, (one) => one.refunds)
  if (sales === 0n && refunds === 0n) return known
  return [...known, { modelId: undefined, done: 0, failed: 0, ...resultOf({ sales, refunds, cost: 0n }) }]
}

const isOwn = (account: string) => account === 'available' || account === 'group'
/** Whatever is no sale, no payment and no correction. */
const isGift = ({ debit, credit }: Read['moved'][number]) =>
  ![debit, credit].some((one) => ['revenue', 'provider', 'refused', 'corrections'].includes(one))

/** The sum of `before` and all changes, with their signs, is `now`: the money that is owed at the end of the period. */
function owedOf(read: Read) {
  const { available, held, groups } = read
  const changes = {
    topUps: amountFrom(read, 'provider'),
    /** Without those that the provider refused. */
    paymentRefunds: amountFrom(read, 'refused') - amountTo(read, 'provider'),
    promotions: sumOf(read.moved.filter(isGift), ({ credit, amount }) => (isOwn(credit) ? amount : -amount)),
    grants: amountFrom(read, 'corrections'),
    debits: -amountTo(read, 'corrections'),
    sales: -amountTo(read, 'revenue'),
    refunds: amountFrom(read, 'revenue'),
  }
  const now = available + held + groups
  const before = now - sumOf(Object.values(changes), (one) => one)
  return { before, ...changes, now, available, held, groups }
}

/** The users who changed a card, asked a text model or paid. A card counts from its first change to its last one. */
async function activeUsers(db: Database, period: Period): Promise<number> {
  const found = sql`
    select count(*) as count from (
      select user_id from ${drafts} where updated_at >= ${timestamp(period.since)} and created_at < ${timestamp(period.until)}
      union select user_id from ${turns} where ${within('created_at', period)}
      union select user_id from ${payments} where ${within('created_at', period)}
    ) active`
  return (await oneRow(db, found, z.object({ count: z.coerce.number() }))).count
}

// The data from which the figures are computed. One statement reads them, so that transfers, orders and balances are of one moment.

const count = z.coerce.number()
/** A whole number, written as text since JSON has no integers of that size. */
const whole = z.string().transform(BigInt)

const sums = z.object({ sales: whole, refunds: whole, cost: whole })
const counted = z.object({ count, cost: whole })

const read = z.object({
  models: z.array(
    sums.extend({ model: z.string().nullable(), is_text: z.boolean(), done: count, failed: count }),
  ),
  days: z.array(sums.extend({ day: count })),
  sources: z.array(
    sums.extend({
      source: z.string(),
      /** The newcomers of the period, and how many of them have ordered or asked something that was charged, and how many have paid. */
      came: count,
      ordered: count,
      paid: count,
      topUps: whole,
      /** The part of the revenue that is from the newcomers. */
      newRevenue: whole,
    }),
  ),
  bars: z.array(z.object({ bar: count, revenue: whole, cost: whole })),
  notes: z.object({
    /** Results that arrived after the refund: delivered free, charged by the gateway. Their cost is part of `mediaCost`. */
    late: counted,
    /** Results that could not be downloaded: refunded, charged by the gateway. Their cost is part of `mediaCost`. */
    lost: counted,
    /** Answers for which the gateway reported no usage: their cost is that of estimated tokens. */
    estimated: count,
    /** Answers that were stored without the rates of the gateway: their cost is missing in all sums. */
    uncosted: z.object({ count, sales: whole }),
  }),
  moved: z.array(z.object({ debit: z.string(), credit: z.string(), amount: whole })),
  paid: z.array(z.object({ provider: z.string().nullable(), count, credit: whole, charge: whole })),
  available: z.coerce.bigint(),
  held: z.coerce.bigint(),
  groups: z.coerce.bigint(),
})

type Read = z.output<typeof read>

async function readAll(db: Database, period: Period): Promise<Read> {
  const all = (statement: SQL) => sql`(select coalesce(json_agg(one), '[]') from (${statement}) one)`
  const starts = period.days.map((day) => startOfDay(day, period.zone))
  const statement = sql`${withSold(period, starts)},
    later as (${changesAfter(period)})
    select ${all(byModel)} as models, ${all(byDay)} as days, ${all(bySource(period))} as sources, ${all(byBar(period))} as bars,
      ${notes(period)} as notes, ${all(moves(period))} as moved, ${all(deposits(period))} as paid,
      b.available - later.available as available, b.held - later.held as held, b.groups - later.groups as groups
    from (
      select coalesce(sum(available) filter (where kind = 'user'), 0) as available,
        coalesce(sum(held) filter (where kind = 'user'), 0) as held,
        coalesce(sum(available + held) filter (where kind = 'group'), 0) as groups
      from ${accounts}
    ) b, later`
  return oneRow(db, statement, read)
}

/** How the money of users and of groups has changed since the period. */
const changesAfter = (period: Period) => {
  const change = (...own: readonly (typeof transfers.debit.enumValues)[number][]) =>
    sql`coalesce(sum(case when ${isOneOf(transfers.credit, ...own)} then amount else 0 end
      - case when ${isOneOf(transfers.debit, ...own)} then amount else 0 end), 0)`
  return sql`
    select ${change('available')} as available, ${change('held')} as held, ${change('group', 'group-held')} as groups
    from ${transfers} where created_at >= ${timestamp(period.until)}`
}

const cellSums = sql.raw('sum(sales)::text as sales, sum(refunds)::text as refunds, sum(cost)::text as cost')

const byModel = sql`
  select model, bool_or(is_text) as is_text, sum(done) as done, sum(failed) as failed, ${cellSums}
  from cells group by 1 order by sum(done + failed) desc, 1`

const byDay = sql`select day, ${cellSums} from cells group by 1`

const bySource = (period: Period) => sql`
  select source, came, ordered, paid, top_ups::text as "topUps", new_revenue::text as "newRevenue", coalesce(money.sales, '0') as sales,
    coalesce(money.refunds, '0') as refunds, coalesce(money.cost, '0') as cost
  from (
    select source, count(*) filter (where is_new) as came, count(*) filter (where is_new and sales > 0) as ordered,
      count(*) filter (where is_new and credit > 0) as paid, coalesce(sum(credit), 0) as top_ups,
      coalesce(sum(sales - refunds) filter (where is_new), 0) as new_revenue
    from person
      left join (select user_id, sum(sales) as sales, sum(refunds) as refunds from sold group by 1) spent on spent.user_id = id
      left join (
        select user_id, sum(amount) as credit from ${transfers}
        where ${within('created_at', period)} and ${isOneOf(transfers.kind, 'deposit')} group by 1
      ) topped on topped.user_id = id
    where is_new or spent.user_id is not null or topped.user_id is not null
    group by 1
  ) came left join (select source, ${cellSums} from cells group by 1) money using (source)
  order by came desc, source`

const byBar = (period: Period) => sql`
  select ${partOf(
    'at',
    barsOf(period).map(({ start }) => start),
  )} as bar, sum(sales - refunds)::text as revenue, round(sum(cost) / 1000000)::text as cost
  from sold group by 1`

/** What is remarkable about the cost. */
const notes = (period: Period) => sql`(
  select json_build_object(
    'late', json_build_object('count', count(*) filter (where is_late),
      'cost', round(coalesce(sum(cost) filter (where is_late), 0) / 1000000)::text),
    'lost', (${lostResults(period)}),
    'estimated', count(*) filter (where is_estimated),
    'uncosted', json_build_object('count', count(*) filter (where is_uncosted),
      'sales', coalesce(sum(sales) filter (where is_uncosted), 0)::text))
  from sold)`

const move = alias(transfers, 't')

/** Orders refunded, in part or in full, because files could not be downloaded. The cost is the refunded share of the gateway's price. */
const lostResults = (period: Period) => sql`
  select json_build_object('count', count(*), 'cost', round(coalesce(sum(cost), 0))::text) from (
    select q.gateway_cost::numeric * t.amount / g.amount as cost
    from ${transfers} t join ${generations} g on g.id = t.generation_id join ${quotes} q on q.id = g.quote_id
    where ${within('t.created_at', period)} and ${isOneOf(move.kind, 'refund')} and t.note = ${builtIn('refund-lost')}
      and exists (select from ${artifacts} where generation_id = g.id and lost is not null)
  ) refunded`

/** The key of the transfer that returns a credit, because the provider refused the refund of its payment. */
export const refusedRefund = correctionKey(likeKey(refundKey))

/** Movements between the accounts of users and the other accounts. */
const moves = (period: Period) => sql`
  select case when key like ${refusedRefund} then 'refused' else debit end as debit, credit, sum(amount)::text as amount
  from ${transfers} where ${within('created_at', period)}
    and not ${isOneOf(transfers.kind, 'hold', 'release', 'fund', 'take-back')}
  group by 1, 2`

const deposits = (period: Period) => sql`
  select p.provider, count(*) as count, sum(t.amount)::text as credit, coalesce(sum(p.charge), 0)::text as charge
  from ${transfers} t left join ${topUps} p on p.id = t.top_up_id
  where ${within('t.created_at', period)} and ${isOneOf(move.kind, 'deposit')}
  group by 1 order by sum(t.amount) desc, 1`

// What was sold in a period: a row for each order and answer that ended, each refund, and each result that came after its refund. All
// figures of sales are sums of these rows, so those by day, by model and by source agree.

/** A condition. @param time a column */
export const within = (time: string, { since, until }: Period): SQL =>
  sql`(${sql.raw(time)} >= ${timestamp(since)} and ${sql.raw(time)} < ${timestamp(until)})`

/** The number, from 0, of the part of a period that a time is in. @param starts when the parts begin */
function partOf(time: string, starts: readonly Date[]): SQL {
  const list = `{${starts.map((start) => start.toISOString()).join(',')}}`
  return sql`width_bucket(${sql.raw(time)}, ${list}::text::timestamptz[]) - 1`
}

/** A condition on an order: something was made that could be downloaded. */
const isArrived = sql`(${eq(generations.state, 'succeeded')} and not (${deliveryIs('undeliverable')}
  and exists (select from ${artifacts} where generation_id = ${generations.id} and lost is not null)))`

/**
 * The orders that ended in a period. For a partial result the gateway charges the results that arrived, so its cost shrinks like the
 * captured amount. Costs are in millionths of a kopeck, since an answer may cost less than a kopeck.
 */
const ordersOf = (period: Period) => sql`
  select generations.user_id, generations.model_id as model, false as is_text, settled_at as at, ${isArrived} as is_good,
    coalesce(captured, 0) as sales, 0 as refunds, coalesce(q.gateway_cost::numeric * 1000000 * captured / generations.amount, 0) as cost,
    false as is_late, false as is_estimated, false as is_uncosted
  from ${generations} join ${quotes} q on q.id = quote_id
  where ${within('settled_at', period)} and q.created_at >= ${oldestQuote(period)}`

/** The earliest time of a quote of the period's results: a quote expires within the hour. Older quotes need not be read. */
const oldestQuote = (period: Period) => sql`(
  select coalesce(min(created_at), ${timestamp(period.since)}) - interval '1 hour' from ${generations}
  where ${within('settled_at', period)})`

/** The cost of the results that arrived, at most that of the order. */
const lateResults = (period: Period) => sql`
  select g.user_id, g.model_id, false, g.arrived_late_at, null, 0, 0,
    q.gateway_cost::numeric * 1000000 * least(1, a.files::numeric / (q.parts ->> 'count')::numeric), true, false, false
  from ${generations} g join ${quotes} q on q.id = g.quote_id,
    lateral (select count(*) as files from ${artifacts} where generation_id = g.id) a
  where ${within('g.arrived_late_at', period)}`

/** A condition: the gateway answered. The tokens of a question that it refused are only our estimate. */
const isUsed = sql`(${ne(turns.state, 'failed')} or output_tokens > 0 or not is_estimate)`

/** The cost of an answer: the rates are roubles per million tokens. */
const answerCost = sql.raw(
  `(input_tokens * (rates ->> 'input')::numeric + output_tokens * (rates ->> 'output')::numeric) * 100`,
)

const answers = (period: Period) => sql`
  select user_id, model_id, true, settled_at, ${ne(turns.state, 'failed')} and failure is null, coalesce(captured, 0), 0,
    case when ${isUsed} then coalesce(${answerCost}, 0) else 0 end,
    false, is_estimate and rates is not null and ${isUsed}, rates is null and ${isUsed}
  from ${turns} where ${within('settled_at', period)}`

const refunds = (period: Period) => sql`
  select t.user_id, coalesce(g.model_id, a.model_id), t.turn_id is not null, t.created_at, null, 0, t.amount, 0, false, false, false
  from ${transfers} t left join ${generations} g on g.id = t.generation_id left join ${turns} a on a.id = t.turn_id
  where ${within('t.created_at', period)} and ${isOneOf(move.kind, 'refund')} and ${isOneOf(move.debit, 'revenue')}`

const people = (period: Period) => sql`
  select id, ${sourceOf} as source, ${within('created_at', period)} as is_new from ${users}`

/**
 * The common table expressions that a query of figures starts with. `sold` holds the sales and refunds; `cells` holds their sums by day,
 * model and source. Costs are rounded to kopecks only in `cells`, so that the figures of days add up to those of a month.
 */
const withSold = (period: Period, dayStarts: readonly Date[]): SQL => sql`
  with person as not materialized (${people(period)}),
  sold as materialized (
    ${ordersOf(period)} union all ${answers(period)} union all ${lateResults(period)} union all ${refunds(period)}
  ),
  cells as materialized (
    select ${partOf('at', dayStarts)} as day, model, is_text, source, count(*) filter (where is_good) as done,
      count(*) filter (where not is_good) as failed, sum(sales) as sales, sum(refunds) as refunds, round(sum(cost) / 1000000) as cost
    from sold join person on person.id = user_id
    group by 1, 2, 3, 4
  )`
