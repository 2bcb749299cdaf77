// Stores the state of the conversations plugin in a table, so that a restart interrupts no conversation.

import type { ConversationData, ConversationStorage, VersionedState } from '@grammyjs/conversations'
import type { Database } from '../db/client.ts'
import type { Clock } from '../runtime/clock.ts'
import { deleteState, readState, writeState } from '../telegram/conversation-states.ts'
import type { Ctx } from './context.ts'

/** To be raised whenever a conversation stores something else than before: older states are discarded. */
const version = 2

/** One conversation for each user in each chat and topic. */
export function conversationStorage(db: Database, clock: Clock): ConversationStorage<Ctx, ConversationData> {
  return {
    type: 'key',
    version,
    getStorageKey: (ctx) =>
      ctx.chatId === undefined || !ctx.from
        ? undefined
        : `${ctx.chatId}:${ctx.msg?.message_thread_id ?? ''}:${ctx.from.id}`,
    adapter: {
      // Only the plugin writes these states, and it checks their version when it unpacks them.
      read: async (key) => (await readState(db, key)) as VersionedState<ConversationData> | undefined,
      write: (key, value) => writeState(db, { key, value, updatedAt: clock.now() }),
      delete: (key) => deleteState(db, key),
    },
  }
}
