// Gauges for Prometheus that are read from the database: queues at every scrape, and sums over whole tables at most once a minute.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { alarms, balances, generations, salesStops, transfers, turns, updates, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isAwaited } from '../generations/generation.ts'
import type { Figures, ReadFigures } from '../metrics.ts'
import type { Clock } from '../runtime/clock.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

type Waiting = Omit<Figures, keyof Sums>
type Sums = Pick<Figures, 'money' | 'balances' | 'users' | 'generations'>

const sumsEveryMs = 60_000

export function createGauges({ db, clock }: Deps): ReadFigures {
  let sums: Promise<Sums> | undefined
  let readAt = 0
  const sumsNow = () => {
    const now = clock.now().getTime()
    if (sums && now - readAt < sumsEveryMs) return sums
    readAt = now
    const reading = readSums(db)
    sums = reading
    reading.catch(() => {
      if (sums === reading) sums = undefined
    })
    return reading
  }
  return async () => {
    const [waiting, summed] = await Promise.all([readWaiting(db, clock.now()), sumsNow()])
    return { ...waiting, ...summed }
  }
}

const count = z.coerce.number()
const named = z.object({ name: z.string(), value: count })
const summed = named.extend({ what: z.string() })

const countsOf = (found: readonly z.output<typeof named>[]) =>
  Object.fromEntries(found.map(({ name, value }) => [name, value]))

/** One statement reads transfers and balances, so that they agree. */
const moneySums = sql`
  select 'money' as what, account as name, sum(amount) as value from (
    select credit as account, amount from ${transfers} union all select debit, -amount from ${transfers}
  ) moved group by account
  union all
  select 'balances', name, value from (
    select coalesce(sum(available), 0) as available, coalesce(sum(held), 0) as held from ${balances}
  ) sums, lateral (values ('available', available), ('held', held)) parts (name, value)`

const countSums = sql`
  select 'generations' as what, state as name, count(*) as value from ${generations} group by state
  union all select 'users', 'all', count(*) from ${users}`

async function readSums(db: Database): Promise<Sums> {
  const found = [...(await rows(db, moneySums, summed)), ...(await rows(db, countSums, summed))]
  const of = (what: string) => countsOf(found.filter((one) => one.what === what))
  return {
    money: of('money'),
    balances: of('balances'),
    users: of('users').all ?? 0,
    generations: of('generations'),
  }
}

const waitingRow = z.object({
  due: count,
  undelivered: count,
  update: count,
  updates: count,
})

/** Each part uses a partial index of waiting rows, so the states are literals and not parameters. */
async function readWaiting(db: Database, now: Date): Promise<Waiting> {
  const at = timestamp(now)
  const since = (time: string) =>
    sql`greatest(0, coalesce(extract(epoch from ${at} - min(${sql.raw(time)})), 0))`
  const found = sql`
    select
      (select ${since('next_check_at')} from ${generations}
        where next_check_at <= ${at} and (lease_until is null or lease_until <= ${at}) and not ${isAwaited}) as due,
      (select ${since('settled_at')} from (
        select coalesce(arrived_late_at, settled_at) as settled_at from ${generations}
        where next_check_at is not null and delivery = 'pending'
        union all select settled_at from ${turns} where delivery = 'pending'
      ) unsent) as undelivered,
      (select ${since('received_at')} from ${updates} where done_at is null) as update,
      (select count(*) from ${updates} where done_at is null) as updates`
  const open = sql`select split_part(name, ':', 1) as name, count(*) as value from ${alarms} group by 1`
  const stops = sql`select cause as name, 1 as value from ${salesStops} where until > ${at}`
  const [[waiting], openAlarms, openStops] = await Promise.all([
    rows(db, found, waitingRow),
    rows(db, open, named),
    rows(db, stops, named),
  ])
  if (!waiting) throw new Error('a query of sums returns a row')
  return {
    dueSeconds: waiting.due,
    undeliveredSeconds: waiting.undelivered,
    updateSeconds: waiting.update,
    waitingUpdates: waiting.updates,
    alarms: countsOf(openAlarms),
    salesStops: countsOf(openStops),
  }
}
