// What an accountant needs of a calendar period: every payment, its refund, every gift and correction, with what the operator got for it,
// and their sums by provider.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { topUps, transfers } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import type { Provider } from '../payments/providers.ts'
import { dayAfter, localDay, localSecond, startOfDay } from '../runtime/clock.ts'
import { type CsvDecimal, csv, csvAmount } from '../runtime/csv.ts'

interface CalendarPeriod {
  readonly since: Date
  readonly until: Date
  /** The first and the last day, like `2026-10-01`. */
  readonly firstDay: string
  readonly lastDay: string
}

/**
 * @param words a year, a month, a day, or two of these with `..` between; the present month without words
 * @returns undefined when they are no such period
 */
export function calendarPeriod(words: string, now: Date, zone: string): CalendarPeriod | undefined {
  const typed = words.trim() || localDay(now, zone).slice(0, 7)
  const [from = '', to = from, ...more] = typed.split('..').map((part) => part.trim())
  const firstDay = dayIn(from, '-01-01', '-01')
  const lastStart = dayIn(to, '-12-01', '-01')
  if (!firstDay || !lastStart || more.length > 0) return undefined
  const lastDay = to.length === 10 ? lastStart : lastOfMonth(lastStart)
  if (lastDay < firstDay) return undefined
  return {
    since: startOfDay(firstDay, zone),
    until: startOfDay(dayAfter(lastDay, 1), zone),
    firstDay,
    lastDay,
  }
}

/** A whole date; undefined when there is no such day. */
function dayIn(typed: string, ofYear: string, ofMonth: string): string | undefined {
  if (!/^20\d\d(-\d\d(-\d\d)?)?$/.test(typed)) return undefined
  const day = typed + (typed.length === 4 ? ofYear : typed.length === 7 ? ofMonth : '')
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? undefined : day
}

const lastOfMonth = (firstDay: string): string => dayAfter(`${dayAfter(firstDay, 31).slice(0, 7)}-01`, -1)

interface Entry {
  readonly at: Date
  readonly what: 'payment' | 'refund' | 'promotion' | 'correction'
  readonly provider: string | undefined
  readonly topUpId: string | undefined
  readonly userId: string
  /** What it added to the balance, negative when it took. */
  readonly change: Kopecks
  /** What the provider charged, in the smallest unit of its currency; of payments only. */
  readonly charge: bigint | undefined
  readonly currency: string | undefined
  /** What the operator gets of the charge; undefined when the settings do not say. */
  readonly income: Kopecks | undefined
}

const row = z.object({
  at: z.string().transform((time) => new Date(time)),
  what: z.enum(['payment', 'refund', 'promotion', 'correction']),
  provider: z.string().nullable(),
  top_up: z.string().nullable(),
  user: z.string(),
  change: z.string().transform(BigInt),
  charge: z.string().transform(BigInt).nullable(),
  currency: z.string().nullable(),
})

type WithWorth = Pick<Provider, 'id' | 'worth'>

/** The entries of the period, the earliest first. @param providers those whose commissions may be known */
export async function entriesOf(
  db: Database,
  { since, until }: CalendarPeriod,
  providers: readonly WithWorth[],
): Promise<readonly Entry[]> {
  const asked = sql`
    select to_json(t.created_at) #>> '{}' as at, t.user_id::text as user, p.provider, p.id as top_up,
      case when t.debit = 'provider' then 'payment' when t.credit = 'provider' then 'refund'
        when 'promotions' in (t.debit, t.credit) then 'promotion' else 'correction' end as what,
      (case when t.credit in ('available', 'group') then t.amount else -t.amount end)::text as change,
      case when t.debit = 'provider' then p.charge::text end as charge, case when t.debit = 'provider' then p.currency end as currency
    from ${transfers} t left join ${topUps} p on p.id = t.top_up_id
    where t.created_at >= ${timestamp(since)} and t.created_at < ${timestamp(until)}
      and (t.debit in ('provider', 'promotions', 'corrections') or t.credit in ('provider', 'promotions', 'corrections'))
    order by t.id`
  return (await rows(db, asked, row)).map(({ user, top_up, provider, charge, currency, ...one }) => {
    const income = providers.find(({ id }) => id === provider)?.worth.income
    return {
      ...one,
      userId: user,
      topUpId: top_up ?? undefined,
      provider: provider ?? undefined,
      charge: charge ?? undefined,
      currency: currency ?? undefined,
      income: income && charge !== null ? (charge * income.num) / income.den : undefined,
    }
  })
}

export interface Sum {
  /** The id of the payment provider; for gifts and corrections, the kind of the entry. */
  readonly name: string
  readonly what: Entry['what']
  readonly count: number
  readonly change: Kopecks
  /** Undefined when it is not known for all of them. */
  readonly income: Kopecks | undefined
}

/** The sums by kind and provider. */
export function sumsOf(entries: readonly Entry[]): readonly Sum[] {
  const groups = Map.groupBy(entries, ({ what, provider }) => `${what} ${provider ?? ''}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const incomes = group.map(({ income }) => income)
    return {
      name: first.provider ?? first.what,
      what: first.what,
      count: group.length,
      change: group.reduce((sum, one) => sum + one.change, 0n),
      income: incomes.reduce<Kopecks | undefined>(
        (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
        0n,
      ),
    }
  })
}

const columns = ['time', 'what', 'provider', 'top-up', 'user', 'change', 'charge', 'currency', 'income']

export function entriesCsv(entries: readonly Entry[], zone: string, decimal: CsvDecimal = '.'): string {
  const amount = (kopecks: Kopecks | undefined) => (kopecks === undefined ? '' : csvAmount(kopecks, decimal))
  const cells = entries.map(({ at, what, provider, topUpId, userId, change, charge, currency, income }) => [
    localSecond(at, zone),
    what,
    provider ?? '',
    topUpId ?? '',
    userId,
    amount(change),
    // Roubles are charged in kopecks, Stars in whole Stars.
    currency === 'RUB' ? amount(charge) : (charge?.toString() ?? ''),
    currency ?? '',
    amount(income),
  ])
  return csv([columns, ...cells], decimal)
}
