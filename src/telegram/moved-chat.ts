// A group that becomes a supergroup gets another id. All rows of the chat are changed to the new id. Its messages are not moved:
// their ids are removed, since in the new chat they would refer to nothing or to other messages.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import {
  conversationStates,
  conversations,
  drafts,
  generations,
  messageNotes,
  notices,
  topUps,
  turns,
  wallets,
} from '../db/schema.ts'

/**
 * Moves a chat by one statement; idempotent. The ids of groups are negative, and the indexes of the large tables include only negative
 * ids.
 */
export async function moveChat(db: Database, from: number, to: number): Promise<void> {
  const there = sql`chat_id = ${to}::bigint`
  const here = sql`chat_id = ${from}::bigint`
  const start = `${from}:`
  const moved = sql`${`${to}:`} || substr(c.key, ${start.length + 1}::integer)`
  await rows(
    db,
    sql`
    with orders as (update ${generations} set ${there}, status_message_id = null where ${here} and chat_id < 0),
    cards as (update ${drafts} set ${there}, card_message_id = null where ${here} and chat_id < 0),
    said as (
      update ${turns} set question_message_id = null, answer_message_id = null
      where thread_id in (select id from ${conversations} where ${here})
    ),
    talks as (
      update ${conversations} t set ${there}, closed_at = coalesce(t.closed_at, (
        select max(o.created_at) from ${conversations} o
        where o.chat_id = ${to}::bigint and o.topic_id = t.topic_id and o.closed_at is null))
      where ${here}
    ),
    purses as (
      update ${wallets} w set ${there} where ${here}
        and not exists (select from ${wallets} o where o.chat_id = ${to}::bigint and (o.owner_id = w.owner_id or o.is_on and w.is_on))
    ),
    news as (update ${topUps} set ${there} where ${here}),
    told as (update ${notices} set ${there} where ${here}),
    notes as (delete from ${messageNotes} where ${here}),
    questions as (
      update ${conversationStates} c set key = ${moved} where starts_with(c.key, ${start})
        and not exists (select from ${conversationStates} o where o.key = ${moved})
    )
    select 1 as done`,
    z.object({ done: z.number() }),
  )
}
