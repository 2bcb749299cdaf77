// Inserts users with a balance by SQL, with matching transfers, so that the audit stays clean.

import type { Sql } from 'postgres'
import { firstPerson } from '../outside/updates.ts'

const kopecks = 100_000_00

/** Inserts users with the same data as in the updates, so that the app does not update their rows. */
export async function seedPeople(sql: Sql, count: number): Promise<void> {
  await sql`
    with person as (
      insert into users (telegram_id, telegram_language, name, created_at, greeted_at, answers_accepted_at)
      select ${firstPerson}::bigint + n, 'en', 'P', now(), now(), now() from generate_series(0, ${count}::integer - 1) n
      returning id
    ),
    balance as (
      insert into balances (user_id, available) select id, ${kopecks}::bigint from person returning user_id
    )
    insert into transfers (key, kind, user_id, debit, credit, amount, created_at)
    select 'welcome:' || user_id, 'promotion', user_id, 'promotions', 'available', ${kopecks}::bigint, now() from balance`
}
