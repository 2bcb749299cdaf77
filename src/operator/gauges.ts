// Gauges for Prometheus that are read from the database: queues at every scrape, sums over whole tables at most once a minute.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, type DbDeps, oneRow } from '../db/client.ts'
import { isFree } from '../db/queue.ts'
import {
  accounts,
  alarms,
  generations,
  lastRuns,
  salesStops,
  transfers,
  turns,
  updates,
  users,
} from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import type { Figures, ReadFigures } from '../metrics.ts'
import { deliveryIs, isAwaited } from '../orders/generation.ts'
import { minuteMs } from '../runtime/clock.ts'

type Sums = Pick<Figures, 'money' | 'balances' | 'users' | 'generations'>

export function createGauges({ db, clock }: DbDeps): ReadFigures {
  let sums: Promise<Sums> | undefined
  let dueAt = 0
  return async () => {
    const now = clock.now()
    if (!sums || now.getTime() >= dueAt) {
      dueAt = now.getTime() + minuteMs
      sums = readSums(db)
      // A failure is not kept for the next scrape.
      sums.catch(() => {
        sums = undefined
      })
    }
    const [waiting, summed] = await Promise.all([readWaiting(db, now), sums])
    return { ...waiting, ...summed }
  }
}

const count = z.coerce.number()
const counts = z.record(z.string(), count)

/** @param named a query of a `name` and a `value` for each row */
const countsOf = (named: SQL): SQL =>
  sql`(select coalesce(json_object_agg(name, value), '{}') from (${named}) named)`

const sumsRow = z
  .object({ money: counts, available: count, held: count, users: count, generations: counts })
  .transform(({ available, held, ...sums }): Sums => ({ ...sums, balances: { available, held } }))

/** One statement, so that transfers and balances agree. */
function readSums(db: Database): Promise<Sums> {
  const moved = sql`
    select side.name, sum(side.amount) as value
    from (select credit, debit, sum(amount) as amount from ${transfers} group by credit, debit) t,
      lateral (values (t.credit, t.amount), (t.debit, -t.amount)) side (name, amount)
    group by side.name`
  const states = sql`select state as name, count(*) as value from ${generations} group by state`
  const found = sql`
    select ${countsOf(moved)} as money, ${countsOf(states)} as generations, (select count(*) from ${users}) as users,
      coalesce(sum(available), 0) as available, coalesce(sum(held), 0) as held
    from ${accounts} where kind = 'user'`
  return oneRow(db, found, sumsRow)
}

const waitingRow = z.object({
  dueSeconds: count,
  undeliveredSeconds: count,
  updateSeconds: count,
  waitingUpdates: count,
  alarms: counts,
  salesStops: counts,
  lastRuns: counts,
})

/** Each part uses a partial index of waiting rows, so the states are literals and not parameters. */
function readWaiting(db: Database, now: Date): Promise<Omit<Figures, keyof Sums>> {
  const at = timestamp(now)
  const since = (time: string) =>
    sql`greatest(0, coalesce(extract(epoch from ${at} - min(${sql.raw(time)})), 0))`
  const open = sql`select split_part(name, ':', 1) as name, count(*) as value from ${alarms} group by 1`
  const stops = sql`select split_part(cause, ':', 1) as name, count(*) as value from ${salesStops} where until > ${at} group by 1`
  const ages = sql`select name, extract(epoch from ${at} - done_at) as value from ${lastRuns} where done_at is not null`
  const found = sql`
    select
      (select ${since('next_check_at')} from ${generations}
        where next_check_at <= ${at} and ${isFree(generations, now)} and not ${isAwaited}) as "dueSeconds",
      (select ${since('settled_at')} from (
        select coalesce(arrived_late_at, settled_at) as settled_at from ${generations}
        where next_check_at is not null and ${deliveryIs('pending')}
        union all select settled_at from ${turns} where ${isOneOf(turns.delivery, 'pending')}
      ) unsent) as "undeliveredSeconds",
      (select ${since('received_at')} from ${updates} where done_at is null) as "updateSeconds",
      (select count(*) from ${updates} where done_at is null) as "waitingUpdates",
      ${countsOf(open)} as alarms, ${countsOf(stops)} as "salesStops", ${countsOf(ages)} as "lastRuns"`
  return oneRow(db, found, waitingRow)
}
