// What only one process may do at a time, and another takes over when that one dies.

import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { duties } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import { leaseMs } from '../runtime/leases.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** Takes it up, or goes on with it. @returns false while somebody else has it */
export async function takeDuty({ db, clock }: Deps, name: string, holder: string): Promise<boolean> {
  const now = clock.now()
  const until = timestamp(now, leaseMs)
  const taken = sql`
    insert into ${duties} as d (name, holder, until) values (${name}, ${holder}, ${until})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where d.holder = excluded.holder or d.until <= ${timestamp(now)}
    returning name`
  return (await rows(db, taken, z.object({ name: z.string() }))).length > 0
}

export async function leaveDuty({ db }: Pick<Deps, 'db'>, name: string, holder: string): Promise<void> {
  await db.delete(duties).where(and(eq(duties.name, name), eq(duties.holder, holder)))
}
