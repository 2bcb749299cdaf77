// The stored states of conversations, each under the key of its chat, topic and user.

import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { conversationStates } from '../db/schema.ts'

type State = typeof conversationStates.$inferSelect

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

export async function deleteState(db: Database, key: string): Promise<void> {
  await db.delete(conversationStates).where(eq(conversationStates.key, key))
}
