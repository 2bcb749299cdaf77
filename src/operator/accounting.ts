// Tables of a period for spreadsheets. What an accountant needs: every payment, its refund, every gift and correction, with what the operator
// got for it, and their sums by provider and by kind of gift. And the figures by day, by model and by source.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { topUps, transfers } from '../db/schema.ts'
import type { Kopecks } from '../money.ts'
import type { Provider } from '../payments/providers.ts'
import { localSecond } from '../runtime/clock.ts'
import { type CsvDecimal, csv, csvAmount } from '../runtime/csv.ts'
import {
  type DayFigures,
  type Figures,
  type ModelFigures,
  refusedRefund,
  type SourceFigures,
} from './figures.ts'
import type { Period } from './periods.ts'
import { within } from './sold.ts'

interface Entry {
  readonly at: Date
  /** A refund that its provider refused returns the credit: it is a refund that adds to the balance. */
  readonly what: 'payment' | 'refund' | 'promotion' | 'correction'
  /** The id of the payment provider; of gifts their kind, with which their keys begin: `welcome`, `promo`. */
  readonly by: string
  readonly topUpId: string | undefined
  readonly userId: string
  /** What it added to the balance, negative when it took. */
  readonly change: Kopecks
  /** What the provider charged, in the smallest unit of its currency; negative when it was given back, undefined for gifts. */
  readonly charge: bigint | undefined
  readonly currency: string | undefined
  /** What the operator gets of the charge; undefined when the settings do not say. */
  readonly income: Kopecks | undefined
}

const row = z
  .object({
    at: z.string().transform((time) => new Date(time)),
    what: z.enum(['payment', 'refund', 'promotion', 'correction']),
    by: z.string(),
    top_up: z.string().nullable(),
    user: z.string(),
    change: z.string().transform(BigInt),
    charge: z.string().transform(BigInt).nullable(),
    currency: z.string().nullable(),
  })
  .transform(({ user, top_up, charge, currency, ...one }) => ({
    ...one,
    userId: user,
    topUpId: top_up ?? undefined,
    charge: charge ?? undefined,
    currency: currency ?? undefined,
  }))

/**
 * The entries of the period, the earliest first. Whatever moves money of users from or to another account than revenue, and is neither a
 * payment nor a correction, is a gift.
 * @param providers those whose commissions may be known
 */
export async function entriesOf(
  db: Database,
  period: Period,
  providers: readonly Pick<Provider, 'id' | 'worth'>[],
): Promise<readonly Entry[]> {
  const asked = sql`
    select to_json(t.created_at) #>> '{}' as at, t.user_id::text as user, p.id as top_up, t.what,
      case when t.what = 'correction' then t.what when t.what = 'promotion' then split_part(t.key, ':', 1)
        else coalesce(p.provider, split_part(t.key, ':', case when t.is_refused then 3 else 2 end)) end as by,
      (t.amount * t.sign)::text as change, p.currency, round(p.charge::numeric * t.amount * t.sign / p.credit)::text as charge
    from (
      select *, key like ${refusedRefund} as is_refused,
        case when debit = 'provider' then 'payment' when credit = 'provider' or key like ${refusedRefund} then 'refund'
          when 'corrections' in (debit, credit) then 'correction' else 'promotion' end as what,
        case when credit in ('available', 'group') then 1 else -1 end as sign
      from ${transfers}
      where ${within('created_at', period)}
        and not (debit in (${ownAccounts}, 'revenue') and credit in (${ownAccounts}, 'revenue'))
    ) t left join ${topUps} p on p.id = t.top_up_id
    order by t.id`
  return (await rows(db, asked, row)).map((one) => {
    const income = providers.find(({ id }) => id === one.by)?.worth.income
    const { what, charge } = one
    const isPaid = what === 'payment' && charge !== undefined
    return { ...one, income: income && isPaid ? (charge * income.num) / income.den : undefined }
  })
}

const ownAccounts = sql.raw(`'available', 'held', 'group', 'group-held'`)

export interface Sum extends Pick<Entry, 'what' | 'by' | 'currency'> {
  readonly count: number
  readonly change: Kopecks
  /** In the smallest unit of the currency. */
  readonly charge: bigint
  /** Undefined when it is not known for all of them. */
  readonly income: Kopecks | undefined
}

/** The sums by kind and provider, as they come first. */
export function sumsOf(entries: readonly Entry[]): readonly Sum[] {
  const groups = Map.groupBy(entries, ({ what, by, currency }) => `${what} ${by} ${currency}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { what, by, currency } = first
    const sum = (amount: (one: Entry) => bigint | undefined) =>
      group.reduce((so, one) => so + (amount(one) ?? 0n), 0n)
    return {
      what,
      by,
      currency,
      count: group.length,
      change: sum((one) => one.change),
      charge: sum((one) => one.charge),
      income: group.every(({ income }) => income !== undefined) ? sum((one) => one.income) : undefined,
    }
  })
}

const columns = [
  'time',
  'what',
  'provider',
  'top-up',
  'user',
  'change',
  'charge',
  'currency',
  'income',
  'commission',
  'kind',
]

export function entriesCsv(entries: readonly Entry[], zone: string, decimal: CsvDecimal = '.'): string {
  const amount = (kopecks: Kopecks | undefined) => (kopecks === undefined ? '' : csvAmount(kopecks, decimal))
  const cells = entries.map(({ at, what, by, topUpId, userId, change, charge, currency, income }) => {
    const isPayment = what === 'payment' || what === 'refund'
    return [
      localSecond(at, zone),
      what,
      isPayment ? by : '',
      topUpId ?? '',
      userId,
      amount(change),
      // Roubles are charged in kopecks, Stars in whole Stars.
      currency === 'RUB' ? amount(charge) : (charge?.toString() ?? ''),
      currency ?? '',
      amount(income),
      amount(income === undefined ? undefined : change - income),
      isPayment ? '' : by,
    ]
  })
  return csv([columns, ...cells], decimal)
}

const figureColumns = [
  'by',
  'name',
  'came',
  'ordered',
  'paid',
  'top-ups',
  'revenue from newcomers',
  'done',
  'failed',
  'sales',
  'refunds',
  'revenue',
  'cost',
  'margin before commissions',
]

/** The rows of each kind add up to the same total. */
export function figuresCsv(
  { days, models, sources }: Pick<Figures, 'days' | 'models' | 'sources'>,
  by: readonly ('day' | 'model' | 'source')[],
  decimal: CsvDecimal = '.',
): string {
  const row = (kind: string, name: string, one: Partial<SourceFigures & ModelFigures> & DayResult) => [
    kind,
    name,
    ...[one.came, one.ordered, one.paid].map((count) => count?.toString() ?? ''),
    ...[one.topUps, one.newRevenue].map((sum) => (sum === undefined ? '' : csvAmount(sum, decimal))),
    ...[one.done, one.failed].map((count) => count?.toString() ?? ''),
    ...[one.sales, one.refunds, one.revenue, one.cost, one.margin].map((sum) => csvAmount(sum, decimal)),
  ]
  const kinds = {
    day: () => days.map((one) => row('day', one.day, one)),
    model: () => models.map((one) => row('model', one.modelId ?? '', one)),
    source: () => sources.map((one) => row('source', one.source, one)),
  }
  return csv([figureColumns, ...by.flatMap((kind) => kinds[kind]())], decimal)
}

type DayResult = Omit<DayFigures, 'day'>
