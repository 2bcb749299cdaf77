// Leader leases, for work that only one process does at a time. When that process dies, another one takes over.

import { and, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { leaderLeases } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import { leaseMs } from '../runtime/queue-worker.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** Takes or renews the lease. @returns false while another process holds it */
export async function takeLeaderLease(
  { db, clock }: Deps,
  name: string,
  holder: string,
  forMs = leaseMs,
): Promise<boolean> {
  const now = clock.now()
  const lease = { holder, until: new Date(now.getTime() + forMs) }
  const taken = await db
    .insert(leaderLeases)
    .values({ name, ...lease })
    .onConflictDoUpdate({
      target: leaderLeases.name,
      set: lease,
      setWhere: sql`${eq(leaderLeases.holder, holder)} or ${lte(leaderLeases.until, now)}`,
    })
    .returning({ name: leaderLeases.name })
  return taken.length > 0
}

export async function releaseLeaderLease(
  { db }: Pick<Deps, 'db'>,
  name: string,
  holder: string,
): Promise<void> {
  await db.delete(leaderLeases).where(and(eq(leaderLeases.name, name), eq(leaderLeases.holder, holder)))
}
