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
import { readState, replaceState, stateKey, writeState } from '../telegram/conversation-states.ts'
import { topicOf } from '../telegram/send-into.ts'
import type { BotDeps, Ctx } from './context.ts'
import { isRetried } from './retried.ts'

/** Must be raised whenever the stored data of a conversation change: states of other versions are discarded. */
const version = 2

type Deps = Pick<BotDeps, 'db' | 'clock'>

/** A state without a version has no open conversation. */
const stored = z.looseObject({
  version: z.unknown().optional(),
  updateId: z.int().optional(),
  hasFailed: z.boolean().optional(),
})

type Outcome = 'done-before' | 'retried' | 'failed'
const outcomes = new WeakMap<Ctx, Outcome>()
const closed = new WeakSet<Ctx>()
/** The id of the update that made the state which was read. */
const readAfter = new WeakMap<Ctx, number>()

/** The state that was read: the conversations that were active before this update, unless it has another version. */
const readStates = new WeakMap<Ctx, VersionedState<ConversationData>>()

/** The arguments with which this conversation was entered; it must have been active before this update. */
export function enteredWith(ctx: Ctx, name: string): unknown {
  const args = readStates.get(ctx)?.state[name]?.at(-1)?.args
  return args === undefined ? undefined : JSON.parse(args)
}

/** Records that the handler of this update has closed the question and deletes its message: a later failure does not open it again. */
export const noteClosed = (ctx: Ctx): void => void closed.add(ctx)

/** Keeps one conversation per user in each chat and topic; none for updates without a chat or user. */
export function conversationStorage({ db, clock }: Deps): ConversationStorage<Ctx, ConversationData> {
  /** @returns undefined when the state stays as it was, since the update is handled again */
  const changeFor = async (ctx: Ctx, next: object) => {
    const key = keyOf(ctx)
    const outcome = outcomes.get(ctx)
    if (key === undefined || outcome === 'retried') return undefined
    const made = { ...next, updateId: ctx.update.update_id }
    const isUndone = outcome === 'failed' && !closed.has(ctx)
    const value = isUndone ? afterFailure(await readState(db, key), next) : made
    const after = [readAfter.get(ctx), ctx.update.update_id]
    return { row: { key, value, updatedAt: clock.now() }, after }
  }
  return {
    type: 'context',
    version,
    adapter: {
      async read(ctx) {
        const state = await readAt(db, ctx)
        const { version: written, updateId } = stored.safeParse(state).data ?? {}
        if (updateId !== undefined) readAfter.set(ctx, updateId)
        if (updateId === ctx.update.update_id) outcomes.set(ctx, 'done-before')
        if (written === undefined) return undefined
        // The column is JSON of any type. Only the plugin writes values with a version, which it compares before it uses them.
        const versioned = state as VersionedState<ConversationData>
        readStates.set(ctx, versioned)
        return versioned
      },
      async write(ctx, value) {
        const change = await changeFor(ctx, value)
        if (change) await writeState(db, change.row, change.after)
      },
      async delete(ctx) {
        const change = await changeFor(ctx, {})
        if (change) await replaceState(db, change.row, change.after)
      },
    },
  }
}

/** The state before the failure. If that state had failed too, the state after it: a state that cannot be resumed would fail for ever. */
function afterFailure(before: unknown, after: object): object {
  const { version: written, hasFailed, ...rest } = stored.safeParse(before).data ?? {}
  return written === undefined || hasFailed ? after : { ...rest, version: written, hasFailed: true }
}

/** Installed after the plugin: drops an update that was done before, and tells the storage of failures. */
export const oncePerUpdate: MiddlewareFn<Ctx> = async (ctx, next) => {
  if (outcomes.get(ctx) === 'done-before') return
  try {
    await next()
  } catch (error) {
    outcomes.set(ctx, isRetried(ctx.update, error) ? 'retried' : 'failed')
    throw error
  }
}

const keyOf = ({ chatId, from, msg }: Ctx): string | undefined =>
  chatId === undefined || !from ? undefined : stateKey(chatId, topicOf(msg), from.id)

async function readAt(db: Deps['db'], ctx: Ctx): Promise<unknown> {
  const key = keyOf(ctx)
  return key === undefined ? undefined : readState(db, key)
}
