// Finds the rows of a seeded database that the cases work with.

import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Found } from './cases.ts'

const row = z.object({
  now: z.date(),
  heavyUser: z.coerce.bigint(),
  heavyTelegramId: z.coerce.number(),
  ordinaryUser: z.coerce.bigint(),
  openQuoteId: z.string(),
  endedGenerationId: z.string(),
  callbackToken: z.string(),
  threadId: z.string(),
  topUp: z.object({ id: z.string(), charge: z.coerce.bigint() }),
  chargeId: z.string(),
})

/** Finds the rows; inserts the open draft of the heavy user if it does not exist. */
export async function findRows(sql: Sql): Promise<Found> {
  await sql`
    insert into drafts (id, user_id, chat_id, model_id, answers, created_at, updated_at)
    select 'growth-draft', user_id, chat_id, model_id, answers, updated_at, updated_at from drafts where user_id = 2
    order by updated_at desc limit 1
    on conflict do nothing`
  await sql`
    insert into quotes (id, draft_id, revision, user_id, model_id, request, amount, gateway_cost, parts, created_at, expires_at)
    select 'growth-quote', 'growth-draft', 1, user_id, model_id, request, 100, 50, parts, created_at, now() + interval '10 years'
    from quotes where draft_id = (select draft_id from generations where user_id = 2 order by created_at desc limit 1) limit 1
    on conflict do nothing`
  const [found] = await sql`
    select (select received_at from updates order by id desc limit 1) + interval '30 seconds' as now, id::text as "heavyUser",
      telegram_id::text as "heavyTelegramId", (select max(id) / 2 from users)::text as "ordinaryUser", 'growth-quote' as "openQuoteId",
      (select id from generations where user_id = 2 and state = 'succeeded' order by created_at limit 1) as "endedGenerationId",
      (select callback_token from generations where state = 'running' limit 1) as "callbackToken",
      (select id from threads where user_id = 2 limit 1) as "threadId",
      (select json_build_object('id', id, 'charge', charge) from top_ups where user_id = 2 and state = 'paid' limit 1) as "topUp",
      (select charge_id from payments where user_id = 2 limit 1) as "chargeId"
    from users where id = 2`
  return row.parse(found)
}
