// Tables of a period for spreadsheets. What an accountant needs: every payment, its refund, every gift and correction, with what the operator
// got for it, and their sums by provider and by kind of gift. And the figures by day, by model and by source.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { topUps, transfers } from '../db/schema.ts'
import { correctionKey } from '../ledger/keys.ts'
import type { Kopecks } from '../money.ts'
import type { Provider } from '../payments/providers.ts'
import { localSecond } from '../runtime/clock.ts'
import { type CsvDecimal, csv, csvAmount } from '../runtime/csv.ts'
import { type Figures, type ModelFigures, refusedRefund, type SourceFigures, within } from './figures.ts'
import type { Period } from './periods.ts'

const row = z.object({
  at: z.string().transform((time) => new Date(time)),
  /** A refund that its provider refused returns the credit: it is a refund that adds to the balance. */
  what: z.enum(['payment', 'refund', 'promotion', 'correction']),
  /** The id of the payment provider; of gifts their kind, with which their keys begin: `welcome`, `promo`. */
  by: z.string(),
  top_up: z.string().nullable(),
  user: z.string(),
  /** What it added to the balance, negative when it took. */
  change: z.string().transform(BigInt),
  /** What the provider charged, in the smallest unit of its currency; negative when it was given back. */
  charge: z.string().transform(BigInt).nullable(),
  currency: z.string().nullable(),
})

interface Entry extends z.output<typeof row> {
  /** What the operator gets of a payment; undefined when the settings do not say. */
  readonly income: Kopecks | undefined
}

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
    select to_json(t.created_at) #>> '{}' as at, t.user_id::text as user, coalesce(t.top_up_id, back.top_up_id) as top_up, t.what,
      case t.what when 'correction' then t.what when 'promotion' then split_part(t.key, ':', 1) else coalesce(p.provider, '?') end as by,
      (t.amount * t.sign)::text as change, p.currency, round(p.charge::numeric * t.amount * t.sign / p.credit)::text as charge
    from (
      select *, case when key like ${refusedRefund} then substr(key, ${correctionKey('').length + 1}::int) end as refused,
        case when debit = 'provider' then 'payment' when credit = 'provider' or key like ${refusedRefund} then 'refund'
          when 'corrections' in (debit, credit) then 'correction' else 'promotion' end as what,
        case when credit in ('available', 'group') then 1 else -1 end as sign
      from ${transfers}
      where ${within('created_at', period)}
        and not (debit in (${ownAccounts}, 'revenue') and credit in (${ownAccounts}, 'revenue'))
    ) t left join ${transfers} back on back.key = t.refused
      left join ${topUps} p on p.id = coalesce(t.top_up_id, back.top_up_id) and t.what in ('payment', 'refund')
    order by t.id`
  return (await rows(db, asked, row)).map((one) => {
    const income = one.what === 'payment' && providers.find(({ id }) => id === one.by)?.worth.income
    return { ...one, income: income && one.charge ? (one.charge * income.num) / income.den : undefined }
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
    const sum = (amount: (one: Entry) => bigint | null | undefined) =>
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

const columns = 'time what provider top-up user change charge currency income commission kind'.split(' ')

export function entriesCsv(entries: readonly Entry[], zone: string, decimal: CsvDecimal = '.'): string {
  const amount = (kopecks: Kopecks | null | undefined) => (kopecks == null ? '' : csvAmount(kopecks, decimal))
  const cells = entries.map(({ at, what, by, top_up, user, change, charge, currency, income }) => {
    const isPayment = what === 'payment' || what === 'refund'
    return [
      localSecond(at, zone),
      what,
      isPayment ? by : '',
      top_up ?? '',
      user,
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

const figureColumns =
  'by,name,came,ordered,paid,top-ups,revenue from newcomers,done,failed,sales,refunds,revenue,cost,margin before commissions'

/** The rows of each kind add up to the same total. */
export function figuresCsv(
  { days, models, sources }: Pick<Figures, 'days' | 'models' | 'sources'>,
  by: readonly ('day' | 'model' | 'source')[],
  decimal: CsvDecimal = '.',
): string {
  const count = (value?: number) => value?.toString() ?? ''
  const sum = (value?: Kopecks) => (value === undefined ? '' : csvAmount(value, decimal))
  const row = (name: string, one: Partial<SourceFigures & ModelFigures>) => [
    name,
    ...[one.came, one.ordered, one.paid].map(count),
    ...[one.topUps, one.newRevenue].map(sum),
    ...[one.done, one.failed].map(count),
    ...[one.sales, one.refunds, one.revenue, one.cost, one.margin].map(sum),
  ]
  const rowsBy = {
    day: days.map((one) => row(one.day, one)),
    model: models.map((one) => row(one.modelId ?? '', one)),
    source: sources.map((one) => row(one.source, one)),
  }
  const cells = by.flatMap((kind) => rowsBy[kind].map((one) => [kind, ...one]))
  return csv([figureColumns.split(','), ...cells], decimal)
}
