// Where the conversations plugin keeps its state: a table, so that a restart interrupts nobody.

import type { ConversationData, ConversationStorage, VersionedState } from '@grammyjs/conversations'
import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { conversationStates } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ctx } from './context.ts'

/** Raised whenever the conversation's code changes what it stores. */
const version = 2

/** One conversation per person in each chat and topic. */
export function conversationStorage(db: Database, clock: Clock): ConversationStorage<Ctx, ConversationData> {
  return {
    type: 'key',
    version,
    getStorageKey: (ctx) =>
      ctx.chatId === undefined || !ctx.from
        ? undefined
        : `${ctx.chatId}:${ctx.msg?.message_thread_id ?? ''}:${ctx.from.id}`,
    adapter: {
      async read(key) {
        const [row] = await db.select().from(conversationStates).where(eq(conversationStates.key, key))
        // The plugin's own writing, checked by its version when it is unpacked.
        return row?.value as VersionedState<ConversationData> | undefined
      },
      async write(key, value) {
        const row = { value, updatedAt: clock.now() }
        await db
          .insert(conversationStates)
          .values({ key, ...row })
          .onConflictDoUpdate({ target: conversationStates.key, set: row })
      },
      async delete(key) {
        await db.delete(conversationStates).where(eq(conversationStates.key, key))
      },
    },
  }
}
