// The previews of messages that the bot is still writing. One stands in a thread of a private chat: the same id changes it,
// another id takes its place, any message of the bot there ends it, and so do 30 seconds of silence. A preview is no
// message, so nothing of it outlives a restart.

import type { Clock } from '../../runtime/clock.ts'
import type { Draft, Events } from './events.ts'

const shownMs = 30_000
const keptSeen = 200

/** What a button "Stop" leaves standing. */
export type StopRule = 'keep' | 'remove'

interface Shown {
  readonly chatId: number
  readonly draft: Draft
  readonly onStop: StopRule
  readonly ended: AbortController
}

export interface Drafts {
  show(chatId: number, draft: Draft, onStop: StopRule): void
  /** A message of the bot has come into the thread. */
  end(chatId: number, threadId: number | undefined): void
  /** Presses "Stop" on this draft, or on the newest that has the button; undefined when there is none. */
  stop(chatId: number, draftId?: number): Draft | undefined
  /** What stands in the chat now, oldest first. */
  now(chatId: number): Draft[]
  /** Every state that drafts of the chat have shown, oldest first: they pass faster than one can look. */
  seen(chatId: number): readonly Draft[]
}

export function createDrafts(parts: { clock: Clock; events: Events; closing: AbortSignal }): Drafts {
  const { clock, events, closing } = parts
  const threads = new Map<string, Shown>()
  const seen = new Map<number, Draft[]>()
  const keyOf = (chatId: number, threadId = 0) => `${chatId} ${threadId}`
  const inChat = (chatId: number) => [...threads.values()].filter((one) => one.chatId === chatId)

  function remove(key: string): void {
    const shown = threads.get(key)
    if (!shown) return
    shown.ended.abort()
    threads.delete(key)
    const { draft_id, message_thread_id } = shown.draft
    const data = message_thread_id === undefined ? { draft_id } : { draft_id, message_thread_id }
    events.emit({ type: 'draft_ended', chat_id: shown.chatId, data })
  }

  /** Puts it at the end of the map, so that the newest is the last. */
  function put(key: string, shown: Shown): void {
    threads.delete(key)
    threads.set(key, shown)
    seen.set(shown.chatId, [...(seen.get(shown.chatId) ?? []), shown.draft].slice(-keptSeen))
    events.emit({ type: 'draft', chat_id: shown.chatId, data: shown.draft })
  }

  async function expire(key: string, ended: AbortController): Promise<void> {
    await clock.wait(shownMs, AbortSignal.any([ended.signal, closing]))
    if (!ended.signal.aborted && !closing.aborted) remove(key)
  }

  return {
    show(chatId, draft, onStop) {
      const key = keyOf(chatId, draft.message_thread_id)
      const before = threads.get(key)
      if (before && before.draft.draft_id !== draft.draft_id) remove(key)
      before?.ended.abort()
      const ended = new AbortController()
      put(key, { chatId, draft, onStop, ended })
      void expire(key, ended)
    },
    end: (chatId, threadId) => remove(keyOf(chatId, threadId)),
    stop(chatId, draftId) {
      const stoppable = inChat(chatId).filter((one) => one.draft.can_stop)
      const found = stoppable.findLast((one) => draftId === undefined || one.draft.draft_id === draftId)
      if (!found) return undefined
      const key = keyOf(chatId, found.draft.message_thread_id)
      const { can_stop: _, ...stopped } = found.draft
      // What is kept has no button any more, and no more time than it had.
      if (found.onStop === 'keep') put(key, { ...found, draft: stopped })
      else remove(key)
      return found.draft
    },
    now: (chatId) => inChat(chatId).map((one) => one.draft),
    seen: (chatId) => seen.get(chatId) ?? [],
  }
}
