// The circuit: when the gateway refuses our key or has no money for us, nothing is sold for a while.

import { gt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { salesStops } from '../db/schema.ts'

export type StopCause = 'unauthorised' | 'out-of-balance'

const pauseMs = 5 * 60_000

export async function stopSales(db: Database, cause: StopCause, now: Date): Promise<void> {
  const until = new Date(now.getTime() + pauseMs)
  await db
    .insert(salesStops)
    .values({ cause, since: now, until })
    .onConflictDoUpdate({ target: salesStops.cause, set: { until: sql`excluded.until` } })
}

export async function salesStopped(db: Database, now: Date): Promise<boolean> {
  const [stop] = await db.select().from(salesStops).where(gt(salesStops.until, now)).limit(1)
  return stop !== undefined
}
