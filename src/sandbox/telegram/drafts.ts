// Drafts: previews of messages that the bot is still writing. A thread of a private chat shows one at a time: the same id updates
// it, another id replaces it, any message of the bot in the thread ends it, and so do 30 seconds without an update. Drafts are not
// messages and are not kept over a restart.

import type { Clock } from '../../runtime/clock.ts'
import type { Draft, Events } from './events.ts'

const shownMs = 30_000
const keptStates = 200

/** What pressing the Stop button does to a draft. */
type StopRule = 'keep' | 'remove'

interface Shown {
  readonly chatId: number
  readonly draft: Draft
  readonly onStop: StopRule
  readonly ended: AbortController
}

export interface Drafts {
  show(chatId: number, draft: Draft, onStop: StopRule): void
  /** Ends the draft of a thread, because a message of the bot has been added. */
  end(chatId: number, threadId: number | undefined): void
  /** Presses Stop on this draft, or on the newest draft that has the button. @returns undefined when no draft has it */
  stop(chatId: number, draftId?: number): Draft | undefined
  /** The drafts in the chat now, oldest first. */
  now(chatId: number): Draft[]
  /** The newest states of all drafts of the chat, including ended drafts, oldest first. */
  history(chatId: number): readonly Draft[]
}

export function createDrafts(parts: { clock: Clock; events: Events; closing: AbortSignal }): Drafts {
  const { clock, events, closing } = parts
  const threads = new Map<string, Shown>()
  const history = new Map<number, Draft[]>()
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

  /** Puts the draft at the end of the map, which is ordered by age. */
  function put(key: string, shown: Shown): void {
    threads.delete(key)
    threads.set(key, shown)
    history.set(shown.chatId, [...(history.get(shown.chatId) ?? []), shown.draft].slice(-keptStates))
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
      // A kept draft loses its button; its timer continues.
      if (found.onStop === 'keep') put(key, { ...found, draft: stopped })
      else remove(key)
      return found.draft
    },
    now: (chatId) => inChat(chatId).map((one) => one.draft),
    history: (chatId) => history.get(chatId) ?? [],
  }
}
