// A group that becomes a supergroup gets another id. All rows of the chat are changed to the new id. Its messages are not moved:
// their ids are removed, since in the new chat they would refer to nothing or to other messages.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows, violatedConstraint } from '../db/client.ts'
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

/** Unique constraints that are violated when a row of the new chat was inserted while the statement ran. */
const racedConstraints = ['threads_open', 'wallets_on', 'wallets_of_owner', 'conversation_states_pkey']
const mostTries = 3

/**
 * Moves the rows of a chat to its new id; idempotent. It is tried again if a conflicting row of the new chat is inserted meanwhile, since
 * only a new statement sees that row.
 */
export async function moveChat(db: Database, from: number, to: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rows(db, moveAll(from, to), z.object({ done: z.number() }))
      return
    } catch (error) {
      if (tries >= mostTries || !racedConstraints.includes(violatedConstraint(error) ?? '')) throw error
    }
  }
}

/**
 * The ids of groups are negative, and the indexes of the large tables include only negative ids. Orders are locked before wallets, and
 * wallets before drafts, as in the statements that confirm and settle an order.
 */
function moveAll(from: number, to: number): SQL {
  const there = sql`chat_id = ${to}::bigint`
  const here = sql`chat_id = ${from}::bigint`
  const start = `${from}:`
  const moved = sql`${`${to}:`} || substr(c.key, ${start.length + 1}::integer)`
  return sql`
    with generations_moved as (
      update ${generations} set ${there}, status_message_id = null where ${here} and chat_id < 0 returning id
    ),
    wallets_moved as (
      update ${wallets} w set ${there} from (select count(*) from generations_moved) locked
      where ${here}
        and not exists (select from ${wallets} o where o.chat_id = ${to}::bigint and (o.owner_id = w.owner_id or o.is_on and w.is_on))
      returning w.id
    ),
    drafts_moved as (
      update ${drafts} set ${there}, card_message_id = null from (select count(*) from wallets_moved) locked
      where ${here} and chat_id < 0
    ),
    turns_without_ids as (
      update ${turns} set question_message_id = null, answer_message_id = null
      where thread_id in (select id from ${conversations} where ${here})
    ),
    conversations_moved as (
      update ${conversations} t set ${there}, closed_at = coalesce(t.closed_at, (
        select max(o.created_at) from ${conversations} o
        where o.chat_id = ${to}::bigint and o.topic_id = t.topic_id and o.closed_at is null))
      where ${here}
    ),
    top_ups_moved as (update ${topUps} set ${there} where ${here}),
    notices_moved as (update ${notices} set ${there} where ${here}),
    notes_deleted as (delete from ${messageNotes} where ${here}),
    questions_moved as (
      update ${conversationStates} c set key = ${moved} where starts_with(c.key, ${start})
        and not exists (select from ${conversationStates} o where o.key = ${moved})
    )
    select 1 as done`
}
