// A group that becomes a supergroup gets another id. All rows of the chat are changed to the new id. Its messages are not moved:
// their ids are removed, since in the new chat they would refer to nothing or to other messages.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Database, violatedConstraint } from '../db/client.ts'
import {
  accounts,
  conversationStates,
  conversations,
  drafts,
  generations,
  messageNotes,
  movedChats,
  turns,
} from '../db/schema.ts'
import { bigint, integer } from '../db/sql.ts'

/** Unique constraints that are violated when a row of the new chat is inserted while a statement runs. */
const racedConstraints = ['threads_open', 'accounts_group_on', 'accounts_group', 'conversation_states_pkey']
const maxTries = 3

/**
 * Moves the rows of a chat to its new id. Every statement may be repeated, so the whole is tried again if a conflicting row of the new chat
 * is inserted meanwhile, and after a crash.
 */
export async function moveChat(db: Database, from: number, to: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await moveOrders(db, from, to)
      await moveConversations(db, from, to)
      await db.delete(messageNotes).where(eq(messageNotes.chatId, from))
      const set = { toId: to }
      await db
        .insert(movedChats)
        .values({ fromId: from, ...set })
        .onConflictDoUpdate({ target: movedChats.fromId, set })
      return
    } catch (error) {
      if (tries >= maxTries || !racedConstraints.includes(violatedConstraint(error) ?? '')) throw error
    }
  }
}

/** The present id of a chat that is named by its id in the settings. */
export async function presentChat(db: Database, id: number): Promise<number> {
  const [moved] = await db.select().from(movedChats).where(eq(movedChats.fromId, id))
  return moved?.toId ?? id
}

/** The ids of groups are negative, and the indexes of the large tables include only negative ids. */
async function moveOrders(db: Database, from: number, to: number): Promise<void> {
  for (const [table, message] of [
    [generations, { statusMessageId: null }],
    [drafts, { cardMessageId: null }],
  ] as const) {
    const isHere = and(eq(table.chatId, from), sql`${table.chatId} < 0`)
    await db
      .update(table)
      .set({ chatId: to, ...message })
      .where(isHere)
  }
  await db.execute(sql`
    update ${accounts} w set chat_id = ${bigint(to)} where w.kind = 'group' and w.chat_id = ${bigint(from)}
      and not exists (
        select from ${accounts} o
        where o.kind = 'group' and o.chat_id = ${bigint(to)} and (o.owner_id = w.owner_id or o.is_on and w.is_on))`)
}

async function moveConversations(db: Database, from: number, to: number): Promise<void> {
  const here = db.select({ id: conversations.id }).from(conversations).where(eq(conversations.chatId, from))
  await db
    .update(turns)
    .set({ questionMessageId: null, answerMessageId: null })
    .where(inArray(turns.conversationId, here))
  await db.execute(sql`
    update ${conversations} t set chat_id = ${bigint(to)}, closed_at = coalesce(t.closed_at, (
      select max(o.created_at) from ${conversations} o
      where o.chat_id = ${bigint(to)} and o.topic_id = t.topic_id and o.closed_at is null))
    where t.chat_id = ${bigint(from)}`)
  const start = `${from}:`
  const key = sql`${`${to}:`} || substr(c.key, ${integer(start.length + 1)})`
  await db.execute(sql`
    update ${conversationStates} c set key = ${key} where starts_with(c.key, ${start})
      and not exists (select from ${conversationStates} o where o.key = ${key})`)
}
