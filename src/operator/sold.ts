// What was sold in a period: a row for each order and answer that ended, each refund, and each result that came after its refund. All
// figures of sales are sums of these rows, so those by day, by model and by source agree.

import { eq, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { artifacts, generations, quotes, transfers, turns, users } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { deliveryIs } from '../orders/generation.ts'
import type { Period } from './periods.ts'
import { sourceOf } from './sources.ts'

/** A condition. @param time a column */
export const within = (time: string, { since, until }: Period): SQL =>
  sql`(${sql.raw(time)} >= ${timestamp(since)} and ${sql.raw(time)} < ${timestamp(until)})`

/** The number, from 0, of the part of a period that a time is in. @param starts when the parts begin */
export function partOf(time: string, starts: readonly Date[]): SQL {
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
const orders = (period: Period) => sql`
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

const move = alias(transfers, 't')

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
export const withSold = (period: Period, dayStarts: readonly Date[]): SQL => sql`
  with person as not materialized (${people(period)}),
  sold as materialized (
    ${orders(period)} union all ${answers(period)} union all ${lateResults(period)} union all ${refunds(period)}
  ),
  cells as materialized (
    select ${partOf('at', dayStarts)} as day, model, is_text, source, count(*) filter (where is_good) as done,
      count(*) filter (where not is_good) as failed, sum(sales) as sales, sum(refunds) as refunds, round(sum(cost) / 1000000) as cost
    from sold join person on person.id = user_id
    group by 1, 2, 3, 4
  )`
