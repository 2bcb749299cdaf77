// The figures of a period: sales, cost and margin, in total, by day, by model and by source; the changes of the money that is owed to users,
// and its parts at the end. The sums of the figures agree.

import { type SQL, sql } from 'drizzle-orm'
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
} from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { builtIn } from '../ledger/built-in-notes.ts'
import { correctionKey, likeKey, refundKey } from '../ledger/keys.ts'
import type { Kopecks } from '../money.ts'
import type { Provider } from '../payments/providers.ts'
import { startOfDay } from '../runtime/clock.ts'
import { barsOf, type Period } from './periods.ts'
import { countOpenReports } from './reports.ts'
import { partOf, within, withSold } from './sold.ts'

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

interface DayFigures extends Result {
  readonly day: string
}

export interface SourceFigures extends Result {
  /** `invited` and `direct` are not names of links. */
  readonly source: string
  /** The newcomers of the period, and how many of them have ordered or asked something that was charged, and how many have paid. */
  readonly came: number
  readonly ordered: number
  readonly paid: number
  readonly topUps: Kopecks
  /** The part of the revenue that is from the newcomers. */
  readonly newRevenue: Kopecks
}

/** The sum of `before` and all changes, with their signs, is `now`: the money that is owed at the end of the period. */
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
  readonly days: readonly DayFigures[]
  /** Those with the most newcomers first. */
  readonly sources: readonly SourceFigures[]
  /** The sums of the sources and of the models. */
  readonly total: Pick<SourceFigures, 'came' | 'ordered' | 'paid'> & Pick<ModelFigures, 'done' | 'failed'>
  readonly owed: Owed
  readonly activeUsers: number
  readonly openReports: number
  /** The bars of the chart. */
  readonly bars: readonly { readonly label: string; readonly revenue: Kopecks; readonly cost: Kopecks }[]
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
  const sources = found.sources.map(({ top_ups: topUps, new_revenue: newRevenue, ...one }) => ({
    ...one,
    topUps,
    newRevenue,
    ...resultOf(one),
  }))
  const { late, lost, estimated, uncosted } = found.notes
  const count = <Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name) =>
    all.reduce((sum, one) => sum + one[name], 0)
  return {
    ...result,
    margin: result.margin - commissions.known,
    commissions,
    mediaCost: cost - textCost,
    textCost,
    late,
    lost,
    estimated,
    uncosted,
    topUps: found.paid.map(({ provider, count, credit }) => ({ provider: provider ?? '?', count, credit })),
    models,
    days: period.days.map((day, at) => ({ day, ...resultOf(found.days.find((one) => one.day === at)) })),
    sources,
    total: {
      came: count(sources, 'came'),
      ordered: count(sources, 'ordered'),
      paid: count(sources, 'paid'),
      done: count(models, 'done'),
      failed: count(models, 'failed'),
    },
    owed: owedOf(found),
    activeUsers: active,
    openReports,
    bars: barsOf(period).map(({ label }, at) => {
      const { revenue = 0n, cost = 0n } = found.bars.find(({ bar }) => bar === at) ?? {}
      return { label, revenue, cost }
    }),
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

const amountTo = ({ moved }: Read, account: string): Kopecks =>
  sumOf(moved, ({ credit, amount }) => (credit === account ? amount : 0n))
const amountFrom = ({ moved }: Read, account: string): Kopecks =>
  sumOf(moved, ({ debit, amount }) => (debit === account ? amount : 0n))

type Sums = Pick<Result, 'sales' | 'refunds' | 'cost'>

function resultOf({ sales, refunds, cost }: Sums = { sales: 0n, refunds: 0n, cost: 0n }): Result {
  const revenue = sales - refunds
  return { sales, refunds, revenue, cost, margin: revenue - cost }
}

function modelsOf(read: Read): readonly ModelFigures[] {
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

function owedOf(read: Read): Owed {
  const { available, held, groups } = read
  const changes = {
    topUps: amountFrom(read, 'provider'),
    paymentRefunds: amountFrom(read, 'refused') - amountTo(read, 'provider'),
    promotions: sumOf(read.moved.filter(isGift), ({ credit, amount }) => (isOwn(credit) ? amount : -amount)),
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
      came: count,
      ordered: count,
      paid: count,
      top_ups: whole,
      new_revenue: whole,
    }),
  ),
  bars: z.array(z.object({ bar: count, revenue: whole, cost: whole })),
  notes: z.object({
    late: counted,
    lost: counted,
    estimated: count,
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
  select source, came, ordered, paid, top_ups::text, new_revenue::text, coalesce(money.sales, '0') as sales,
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
