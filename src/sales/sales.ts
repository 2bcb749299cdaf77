// Why and until when nothing is sold: the gateway refuses our key, has no money for us, or cannot be reached. The stops are
// rows of a table, so that they apply to every process at once.

import { eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { salesStops } from '../db/schema.ts'
import { GatewayOutOfBalance, GatewayUnauthorised } from '../gateway/errors.ts'
import { minuteMs } from '../runtime/durations.ts'

type StopCause = 'unauthorised' | 'out-of-balance' | 'unreachable'

/**
 * How long a stop lasts. Only the next order shows whether a refusal has ended; a single look at a task shows whether an outage has
 * ended.
 */
export const pauseMs: Readonly<Record<StopCause, number>> = {
  unauthorised: 5 * minuteMs,
  'out-of-balance': 5 * minuteMs,
  unreachable: minuteMs / 2,
}

export async function stopSales(db: Database, cause: StopCause, now: Date): Promise<void> {
  const until = new Date(now.getTime() + pauseMs[cause])
  await db
    .insert(salesStops)
    .values({ cause, since: now, until })
    .onConflictDoUpdate({ target: salesStops.cause, set: { until: sql`excluded.until` } })
}

/** A condition on a row of `sales_stops`. */
export const isUnreachable = eq(salesStops.cause, 'unreachable' satisfies StopCause)

/** A condition on any statement: sales are stopped. */
export const isStopped = (now: Date): SQL<boolean> =>
  sql<boolean>`exists (select from ${salesStops} where ${gt(salesStops.until, now)})`

export async function salesStopped(db: Database, now: Date): Promise<boolean> {
  const [stop] = await db.select().from(salesStops).where(gt(salesStops.until, now)).limit(1)
  return stop !== undefined
}

/** Whether an error of the gateway concerns our account, so that no other request would succeed either. */
export function refusalOfUs(error: unknown): Exclude<StopCause, 'unreachable'> | undefined {
  if (error instanceof GatewayUnauthorised) return 'unauthorised'
  return error instanceof GatewayOutOfBalance ? 'out-of-balance' : undefined
}
