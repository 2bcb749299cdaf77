// How long orders of a model usually take, from the confirmation to the delivery.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRow } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs } from '../runtime/durations.ts'
import { createRemembered } from '../runtime/remembered.ts'
import { type GenerationDeps, stateIs } from './generation.ts'

export interface UsualTimes {
  /** The usual time in milliseconds; undefined while too few orders of the model have been delivered. */
  of(modelId: string): Promise<number | undefined>
}

/** The orders of a model that count (the last 50 within 30 days), and how many are needed. The result is kept for ten minutes. */
const lastOrders = 50
const fewestOrders = 3
const lastMs = 30 * dayMs
const freshMs = 10 * 60_000
/** For how long the result is kept while too few orders have been delivered. */
const unknownMs = 60_000

/** Each process reads the usual time of a model at most once in ten minutes. */
export function createUsualTimes({ db, clock }: Pick<GenerationDeps, 'db' | 'clock'>): UsualTimes {
  const remembered = createRemembered(clock, (usualMs: number | undefined) =>
    usualMs === undefined ? unknownMs : freshMs,
  )
  return { of: (modelId) => remembered(modelId, () => medianMs(db, modelId, clock.now())) }
}

async function medianMs(db: GenerationDeps['db'], modelId: string, now: Date): Promise<number | undefined> {
  const query = sql`
    select count(*) as orders, coalesce(percentile_cont(0.5) within group (order by seconds), 0) as seconds from (
      select extract(epoch from delivered_at - created_at) as seconds from ${generations}
      where model_id = ${modelId} and ${stateIs('succeeded')} and delivered_at is not null
        and settled_at > ${timestamp(now, -lastMs)}
      order by settled_at desc limit ${lastOrders}::integer
    ) last_orders`
  const schema = z.object({ orders: z.coerce.number(), seconds: z.coerce.number() })
  const { orders, seconds } = await oneRow(db, query, schema)
  return orders >= fewestOrders ? seconds * 1000 : undefined
}
