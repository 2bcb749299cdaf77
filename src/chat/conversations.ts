// Conversations: at most one is open in a chat or topic. Their content is stored as turns (past.ts).

import assert from 'node:assert/strict'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { conversations, turns } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'

export type Conversation = typeof conversations.$inferSelect
export type Turn = typeof turns.$inferSelect

export interface ConversationLocation {
  readonly chatId: number
  /** 0 outside of topics. */
  readonly topicId: number
}

export const isOpenAt = ({ chatId, topicId }: ConversationLocation): SQL | undefined =>
  and(eq(conversations.chatId, chatId), eq(conversations.topicId, topicId), isNull(conversations.closedAt))

export async function findConversation(
  db: Database,
  where: ConversationLocation,
): Promise<Conversation | undefined> {
  const [found] = await db.select().from(conversations).where(isOpenAt(where))
  return found
}

export async function findConversationById(db: Database, id: string): Promise<Conversation | undefined> {
  const [found] = await db.select().from(conversations).where(eq(conversations.id, id))
  return found
}

type NewConversation = ConversationLocation &
  Pick<Conversation, 'id' | 'userId' | 'modelId' | 'system' | 'modes'>

/** Returns the open conversation, or opens one. Concurrent calls open only one. */
export async function openConversation(
  db: Database,
  conversation: NewConversation,
  now: Date,
): Promise<Conversation> {
  await db
    .insert(conversations)
    .values({ ...conversation, createdAt: now })
    .onConflictDoNothing()
  const found = await findConversation(db, conversation)
  if (!found) throw new Error('the conversation that was just opened does not exist')
  return found
}

/** Creates a conversation that is never open, so that its turns are not part of the chat's conversation. */
export async function closedConversation(
  db: Database,
  conversation: NewConversation,
  now: Date,
): Promise<Conversation> {
  const row = { ...conversation, createdAt: now, closedAt: now }
  await db.insert(conversations).values(row)
  return row
}

/** Replaces a conversation by a new one with the same owner, model, modes and persona. Concurrent calls open only one. */
export async function startOver(
  db: Database,
  { id }: Conversation,
  freshId: string,
  now: Date,
): Promise<void> {
  const at = timestamp(now)
  const statement = sql`
    with closed as (
      update ${conversations} set closed_at = ${at} where id = ${id} and closed_at is null returning *
    )
    insert into ${conversations} (id, user_id, chat_id, topic_id, model_id, system, modes, created_at)
    select ${freshId}, user_id, chat_id, topic_id, model_id, system, modes, ${at} from closed`
  await db.execute(statement)
}

type Change = Partial<Pick<Conversation, 'modelId' | 'system' | 'modes'>>

export async function changeConversation(
  db: Database,
  id: string,
  change: Change,
): Promise<Conversation | undefined> {
  const [changed] = await db
    .update(conversations)
    .set(change)
    .where(and(eq(conversations.id, id), isNull(conversations.closedAt)))
    .returning()
  return changed
}

interface Spent {
  readonly turns: number
  readonly captured: bigint
  readonly inputTokens: number
  readonly outputTokens: number
}

export async function spentIn(db: Database, conversationId: string): Promise<Spent> {
  const [sum] = await db
    .select({
      turns: sql`count(*)`.mapWith(Number),
      captured: sql`coalesce(sum(${turns.captured} - coalesce(${turns.refunded}, 0)), 0)`.mapWith((sum) =>
        BigInt(String(sum)),
      ),
      inputTokens: sql`coalesce(sum(${turns.inputTokens}), 0)`.mapWith(Number),
      outputTokens: sql`coalesce(sum(${turns.outputTokens}), 0)`.mapWith(Number),
    })
    .from(turns)
    .where(eq(turns.conversationId, conversationId))
  assert(sum, 'a sum is one row')
  return sum
}
