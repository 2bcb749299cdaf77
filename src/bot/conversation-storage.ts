// Stores the state of the conversations plugin in a table, so that a restart interrupts no conversation.

import type { ConversationData, ConversationStorage, VersionedState } from '@grammyjs/conversations'
import { deleteState, readState, stateKey, writeState } from '../telegram/conversation-states.ts'
import type { BotDeps, Ctx } from './context.ts'
import { knownOf } from './known.ts'

/** To be raised whenever a conversation stores something else than before: older states are discarded. */
const version = 2

type Deps = Pick<BotDeps, 'db' | 'clock'>

/** One conversation for each user in each chat and topic; none for updates without a chat or user. */
export function conversationStorage({ db, clock }: Deps): ConversationStorage<Ctx, ConversationData> {
  return {
    type: 'context',
    version,
    adapter: {
      // Only the plugin writes these states, and it checks their version when it unpacks them.
      read: async (ctx) => (await readAt(db, ctx)) as VersionedState<ConversationData> | undefined,
      async write(ctx, value) {
        const key = keyOf(ctx)
        if (key !== undefined) await writeState(db, { key, value, updatedAt: clock.now() })
      },
      async delete(ctx) {
        const key = keyOf(ctx)
        if (key !== undefined) await deleteState(db, key)
      },
    },
  }
}

const keyOf = ({ chatId, from, msg }: Ctx): string | undefined =>
  chatId === undefined || !from ? undefined : stateKey(chatId, msg?.message_thread_id, from.id)

async function readAt(db: Deps['db'], ctx: Ctx): Promise<unknown> {
  const key = keyOf(ctx)
  const known = knownOf(ctx)?.conversation
  if (known && known.key === key) return known.value
  return key === undefined ? undefined : readState(db, key)
}
