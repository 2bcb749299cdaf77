// The stored states of conversations, each under the key of its chat, topic and user.

import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { conversationStates } from '../db/schema.ts'

type State = typeof conversationStates.$inferSelect

/** @param topicId undefined outside of topics */
export const stateKey = (chatId: number, topicId: number | undefined, telegramId: number): string =>
  `${chatId}:${topicId ?? ''}:${telegramId}`

/** The same in SQL, outside of topics; null when one of the ids is null. */
export const stateKeyIn = (chatId: SQL, telegramId: SQL): SQL => sql`${chatId} || '::' || ${telegramId}`

export async function readState(db: Database, key: string): Promise<State['value'] | undefined> {
  const [row] = await db.select().from(conversationStates).where(eq(conversationStates.key, key))
  return row?.value
}

export async function writeState(db: Database, { key, ...row }: State): Promise<void> {
  await db
    .insert(conversationStates)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: conversationStates.key, set: row })
}

/** Writes nothing when there is no such state: its user may have had all data deleted. */
export async function replaceState(db: Database, { key, ...row }: State): Promise<void> {
  await db.update(conversationStates).set(row).where(eq(conversationStates.key, key))
}
