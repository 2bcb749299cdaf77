// A table of which the next inserts fail, as on a full disk.

import { sql } from 'drizzle-orm'
import type { Database } from '../../../src/db/client.ts'

/** Makes the next inserts into this table fail, this number of times. */
export async function failsToInsert(db: Database, table: string, times = 1): Promise<void> {
  await db.execute(sql`create sequence if not exists inserts`)
  await db.execute(sql`
    create or replace function fail_first() returns trigger language plpgsql as $$ begin
      if nextval('inserts') <= ${sql.raw(String(times))} then raise exception 'cannot be saved'; end if;
      return new;
    end $$`)
  await db.execute(sql`
    create or replace trigger fails before insert on ${sql.identifier(table)}
    for each row execute function fail_first()`)
  await db.execute(sql`alter sequence inserts restart`)
}
