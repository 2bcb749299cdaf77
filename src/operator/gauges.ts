// Gauges for Prometheus that are read from the database: queues at every scrape, sums over whole tables (sums.ts) at most once a minute.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree } from '../db/queue.ts'
import { alarms, generations, lastRuns, salesStops, turns, updates } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import type { Figures, ReadFigures } from '../metrics.ts'
import { deliveryIs, isAwaited } from '../orders/generation.ts'
import type { Clock } from '../runtime/clock.ts'
import { createSums, type Sums } from './sums.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

type Waiting = Omit<Figures, keyof Sums>

const sumsEveryMs = 60_000

export function createGauges({ db, clock }: Deps): ReadFigures {
  let sums: Promise<Sums> | undefined
  let readAt = 0
  const readSums = createSums({ db, clock })
  const sumsNow = () => {
    const now = clock.now().getTime()
    if (sums && now - readAt < sumsEveryMs) return sums
    readAt = now
    const reading = readSums()
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

const countsOf = (found: readonly z.output<typeof named>[]) =>
  Object.fromEntries(found.map(({ name, value }) => [name, value]))

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
        where next_check_at <= ${at} and ${isFree(generations, now)} and not ${isAwaited}) as due,
      (select ${since('settled_at')} from (
        select coalesce(arrived_late_at, settled_at) as settled_at from ${generations}
        where next_check_at is not null and ${deliveryIs('pending')}
        union all select settled_at from ${turns} where ${isOneOf(turns.delivery, 'pending')}
      ) unsent) as undelivered,
      (select ${since('received_at')} from ${updates} where done_at is null) as update,
      (select count(*) from ${updates} where done_at is null) as updates`
  const open = sql`select split_part(name, ':', 1) as name, count(*) as value from ${alarms} group by 1`
  const stops = sql`select split_part(cause, ':', 1) as name, count(*) as value from ${salesStops} where until > ${at} group by 1`
  const ages = sql`select name, extract(epoch from ${at} - done_at) as value from ${lastRuns} where done_at is not null`
  const [[waiting], openAlarms, openStops, runs] = await Promise.all([
    rows(db, found, waitingRow),
    rows(db, open, named),
    rows(db, stops, named),
    rows(db, ages, named),
  ])
  if (!waiting) throw new Error('a query of sums returns a row')
  return {
    dueSeconds: waiting.due,
    undeliveredSeconds: waiting.undelivered,
    updateSeconds: waiting.update,
    waitingUpdates: waiting.updates,
    alarms: countsOf(openAlarms),
    salesStops: countsOf(openStops),
    lastRuns: countsOf(runs),
  }
}
