// Stores the state of the conversations plugin in a table, so that a restart interrupts no conversation.
//
// The plugin stores the state when an update is handled, a moment before the inbox stores that it is done. If the process dies in that
// moment, the update is handled again. A message that answered a question would then be the answer to the next one, or a paid question to a
// text model. So the state contains the id of the update that made it, and that update is dropped when it comes again.
//
// The plugin also ends a conversation whose function throws. Its user is asked to try again, so the question stays open after the first
// failure, unless a handler had closed it before.
//
// A process that was paused past its lease does not overwrite the state that another process has stored meanwhile.

import type { ConversationData, ConversationStorage, VersionedState } from '@grammyjs/conversations'
import type { MiddlewareFn } from 'grammy'
import { z } from 'zod'
import { readState, replaceState, stateKey, writeState } from '../telegram/message-notes.ts'
import { topicOf } from '../telegram/send.ts'
import { type BotDeps, type Ctx, isRetried } from './context.ts'

/** Must be raised whenever the stored data of a conversation change: states of other versions are discarded. */
const version = 3

type Deps = Pick<BotDeps, 'db' | 'clock'>

/** A state without a version has no open conversation. */
const shape = z.looseObject({
  version: z.unknown().optional(),
  updateId: z.int().optional(),
  hasFailed: z.boolean().optional(),
})

/** Keeps one conversation per user in each chat and topic; none for updates without a chat or user. */
export function conversationStorage({ db, clock }: Deps): ConversationStorage<Ctx, ConversationData> {
  const change = async (ctx: Ctx, next: object, put: typeof writeState) => {
    const key = keyOf(ctx)
    const { outcome, isClosed, madeBy } = ctx.stored
    // The state stays as it was when the update is handled again.
    if (key === undefined || outcome === 'retried') return
    const updateId = ctx.update.update_id
    const isUndone = outcome === 'failed' && !isClosed
    const value = isUndone ? afterFailure(await readState(db, key), next) : { ...next, updateId }
    await put(db, { key, value, updatedAt: clock.now() }, [madeBy, updateId])
  }
  return {
    type: 'context',
    version,
    adapter: {
      async read(ctx) {
        const key = keyOf(ctx)
        const state = key === undefined ? undefined : await readState(db, key)
        const { version: written, updateId } = shape.safeParse(state).data ?? {}
        // The column is JSON of any type. Only the plugin writes values with a version, which it compares before it uses them.
        const versioned = written === undefined ? undefined : (state as VersionedState<ConversationData>)
        ctx.stored = { madeBy: updateId }
        if (updateId === ctx.update.update_id) ctx.stored.outcome = 'done-before'
        return versioned
      },
      write: (ctx, value) => change(ctx, value, writeState),
      delete: (ctx) => change(ctx, {}, replaceState),
    },
  }
}

/** The state before the failure. If that state had failed too, the state after it: a state that cannot be resumed would fail for ever. */
function afterFailure(before: unknown, after: object): object {
  const { version: written, hasFailed, ...rest } = shape.safeParse(before).data ?? {}
  return written === undefined || hasFailed ? after : { ...rest, version: written, hasFailed: true }
}

/** Installed after the plugin: drops an update that was done before, and tells the storage of failures. */
export const oncePerUpdate: MiddlewareFn<Ctx> = async (ctx, next) => {
  if (ctx.stored.outcome === 'done-before') return
  try {
    await next()
  } catch (error) {
    ctx.stored.outcome = isRetried(ctx.update, error) ? 'retried' : 'failed'
    throw error
  }
}

const keyOf = ({ chatId, from, msg }: Ctx): string | undefined =>
  chatId === undefined || !from ? undefined : stateKey(chatId, topicOf(msg), from.id)
