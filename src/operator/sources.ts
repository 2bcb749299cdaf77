// Where users come from: the name in the link that brought a person first (`/start src_<name>`), and what those people ordered and paid.
// People without such a link came by an invitation or directly.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { generations, payments, quotes, turns, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { type CsvDecimal, csv, csvAmount } from '../runtime/csv.ts'
import { answerCost } from './figures.ts'

/** What the people did who came by one source since a day: at any time until now, so that the later money of a source counts, too. */
export interface SourceFigures {
  /** `invited` and `direct` are not names of links. */
  readonly source: string
  readonly came: number
  /** How many of them ordered or asked something that was charged, and how many paid. */
  readonly ordered: number
  readonly paid: number
  readonly topUps: Kopecks
  /** Charged and not refunded. */
  readonly revenue: Kopecks
  readonly refunds: Kopecks
  /** Revenue minus the charges of the gateway, before the commissions of payments. */
  readonly margin: Kopecks
}

/** The part of a link after `src_`, which Telegram keeps to these characters. */
export const sourceName = /^[A-Za-z0-9_-]{1,40}$/

/** Only the first source of a person counts. */
export async function setSource(db: Database, userId: bigint, source: string): Promise<void> {
  const set = sql`update ${users} set source = ${source} where id = ${userId}::bigint and source is null returning 1 as one`
  await rows(db, set, z.unknown())
}

const count = z.coerce.number()
const kopecks = z.string().transform(BigInt)
const row = z
  .object({
    source: z.string(),
    came: count,
    ordered: count,
    paid: count,
    top_ups: kopecks,
    sales: kopecks,
    refunds: kopecks,
    cost: kopecks,
  })
  .transform(({ top_ups: topUps, sales, refunds, cost, ...one }): SourceFigures => {
    const revenue = sales - refunds
    return { ...one, topUps, revenue, refunds, margin: revenue - cost }
  })

/** Where a user came from: the name of a link, `invited` or `direct`. */
export const sourceOf = sql`case when ${users.source} is not null then ${users.source}
  when ${users.referrerId} is not null then 'invited' else 'direct' end`

/** All sources, those with the most people first. */
export async function knownSources(db: Database): Promise<string[]> {
  const asked = sql`select ${sourceOf} as source from ${users} group by 1 order by count(*) desc, 1`
  return (await rows(db, asked, z.object({ source: z.string() }))).map(({ source }) => source)
}

/** @returns the sources with the most people first */
export function readSources(db: Database, since: Date): Promise<SourceFigures[]> {
  const asked = sql`
    with person as (
      select id, ${sourceOf} as source from ${users} where created_at >= ${timestamp(since)}
    ), sold as (
      select g.user_id, g.captured as sales, coalesce(g.refunded, 0) as refunds, q.gateway_cost * g.captured::numeric / g.amount as cost
      from ${generations} g join ${quotes} q on q.id = g.quote_id where g.captured > 0 and g.user_id in (select id from person)
      union all
      select user_id, captured, coalesce(refunded, 0), coalesce(${answerCost} / 1000000, 0)
      from ${turns} where captured > 0 and user_id in (select id from person)
    ), spent as (
      select user_id, sum(sales) as sales, sum(refunds) as refunds, sum(cost) as cost from sold group by 1
    ), topped as (
      select user_id, sum(credit) as credit from ${payments}
      where refunded_at is null and user_id in (select id from person) group by 1
    )
    select person.source, count(*) as came, count(spent.user_id) as ordered, count(topped.user_id) as paid,
      coalesce(sum(credit), 0)::text as top_ups, coalesce(sum(sales), 0)::text as sales,
      coalesce(sum(refunds), 0)::text as refunds, round(coalesce(sum(cost), 0))::text as cost
    from person left join spent on spent.user_id = person.id left join topped on topped.user_id = person.id
    group by 1 order by came desc, 1`
  return rows(db, asked, row)
}

export function sourcesCsv(found: readonly SourceFigures[], decimal: CsvDecimal = '.'): string {
  const head = ['source', 'came', 'ordered', 'paid', 'top-ups', 'revenue', 'refunds', 'margin']
  const cells = found.map(({ source, came, ordered, paid, topUps, revenue, refunds, margin }) => [
    source,
    ...[came, ordered, paid].map(String),
    ...[topUps, revenue, refunds, margin].map((amount) => csvAmount(amount, decimal)),
  ])
  return csv([head, ...cells], decimal)
}
