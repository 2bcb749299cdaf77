// Why and until when nothing is sold: the gateway refuses our key, has no money for us, or can not be reached. In a table, so
// that every process stops at once.

import { gt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { salesStops } from '../db/schema.ts'
import { GatewayOutOfBalance, GatewayUnauthorised } from '../gateway/errors.ts'

export type StopCause = 'unauthorised' | 'out-of-balance' | 'unreachable'

const minute = 60_000
/** Refusals are found out by orders, an outage by a single look. */
export const pauseMs: Readonly<Record<StopCause, number>> = {
  unauthorised: 5 * minute,
  'out-of-balance': 5 * minute,
  unreachable: minute / 2,
}

export async function stopSales(db: Database, cause: StopCause, now: Date): Promise<void> {
  const until = new Date(now.getTime() + pauseMs[cause])
  await db
    .insert(salesStops)
    .values({ cause, since: now, until })
    .onConflictDoUpdate({ target: salesStops.cause, set: { until: sql`excluded.until` } })
}

export async function salesStopped(db: Database, now: Date): Promise<boolean> {
  const [stop] = await db.select().from(salesStops).where(gt(salesStops.until, now)).limit(1)
  return stop !== undefined
}

/** What an answer of the gateway says against selling. */
export function refusalOfUs(error: unknown): StopCause | undefined {
  if (error instanceof GatewayUnauthorised) return 'unauthorised'
  return error instanceof GatewayOutOfBalance ? 'out-of-balance' : undefined
}
