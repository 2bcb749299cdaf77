// The generations table as a queue: due rows are claimed under a lease, and every write of a worker names that lease, so
// that one who was paused past it changes nothing.

import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations } from '../db/schema.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { leaseMs } from './pace.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'ids'>

export async function claimDue({ db, clock, ids }: Deps, limit: number): Promise<Generation[]> {
  const now = clock.now()
  const lease = ids.next()
  const until = (ms: number) => sql`${new Date(now.getTime() + ms)}::timestamptz`
  const claim = sql`
    update ${generations} set lease = ${lease}, lease_until = case
      when state in ('succeeded', 'failed', 'canceled') then ${until(leaseMs.delivery)} else ${until(leaseMs.work)} end
    where id in (
      select id from ${generations}
      where next_check_at <= ${now}::timestamptz and (lease_until is null or lease_until <= ${now}::timestamptz)
      order by next_check_at limit ${limit} for update skip locked
    )
    returning id`
  const claimed = await rows(db, claim, z.object({ id: z.string() }))
  if (claimed.length === 0) return []
  return db.select().from(generations).where(eq(generations.lease, lease))
}

type Change = PgUpdateSetSource<typeof generations>

/** Writes under the lease and hands it back; undefined when it was lost to another worker. */
export async function handBack(
  { db }: Deps,
  held: Generation,
  change: Change,
): Promise<Generation | undefined> {
  return write({ db }, held, { ...change, lease: null, leaseUntil: null })
}

/** Writes under the lease and keeps it. */
export async function write(
  { db }: Pick<Deps, 'db'>,
  held: Generation,
  change: Change,
): Promise<Generation | undefined> {
  const [changed] = await db
    .update(generations)
    .set(change)
    .where(and(eq(generations.id, held.id), sql`${generations.lease} = ${held.lease}`))
    .returning()
  return changed
}
