// The stored states of conversations, each under the key of its chat, topic and user.

import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { conversationStates } from '../db/schema.ts'

type State = typeof conversationStates.$inferSelect

/** @param topicId undefined outside of topics */
export const stateKey = (chatId: number, topicId: number | undefined, telegramId: number): string =>
  `${chatId}:${topicId ?? ''}:${telegramId}`

export async function readState(db: Database, key: string): Promise<State['value'] | undefined> {
  const [row] = await db.select().from(conversationStates).where(eq(conversationStates.key, key))
  return row?.value
}

/**
 * Writes nothing when an update other than these made the stored state: if a process was suspended for longer than its lease, another
 * process may have continued without it.
 * @param after the update that made the state that was read, undefined for none, and the update that makes this one
 */
export async function writeState(
  db: Database,
  { key, ...row }: State,
  after: readonly (number | undefined)[],
): Promise<void> {
  await db
    .insert(conversationStates)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: conversationStates.key, set: row, setWhere: isMadeBy(after) })
}

/** Like `writeState`, but also writes nothing when no state is stored: the user may have had all data deleted. */
export async function replaceState(
  db: Database,
  { key, ...row }: State,
  after: readonly (number | undefined)[],
): Promise<void> {
  await db
    .update(conversationStates)
    .set(row)
    .where(and(eq(conversationStates.key, key), isMadeBy(after)))
}

function isMadeBy(updateIds: readonly (number | undefined)[]): SQL {
  const updateId = sql`${conversationStates.value} ->> 'updateId'`
  const known = updateIds.flatMap((id) => (id === undefined ? [] : [String(id)]))
  return sql`coalesce(${updateId} in ${known}, true)`
}
