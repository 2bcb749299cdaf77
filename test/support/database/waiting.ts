// Waits until statements wait for a row that another transaction has locked.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../../../src/db/client.ts'

const asked = sql`
  select count(*)::integer as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** @param least the number of statements of this database that wait */
export async function lockWaits(db: Database, least = 1): Promise<void> {
  const row = z.object({ waiting: z.number() })
  while ((await oneRow(db, asked, row)).waiting < least);
}
