// Drafts: previews of messages that the bot is still writing. A private chat shows one at a time: the same id updates it, another id replaces
// it, any message of the bot in the chat ends it, and so do 30 seconds without an update. Drafts are not messages and are not kept over a
// restart.

import type { Clock } from '../../runtime/clock.ts'
import type { Draft, Events } from './events.ts'

const shownMs = 30_000
const keptStates = 200

export type Drafts = ReturnType<typeof createDrafts>

export function createDrafts(clock: Clock, events: Events, closing: AbortSignal) {
  const shown = new Map<number, { readonly draft: Draft; readonly ended: AbortController }>()
  const history = new Map<number, Draft[]>()

  function end(chatId: number): void {
    const { draft, ended } = shown.get(chatId) ?? {}
    if (!draft || !ended) return
    ended.abort()
    shown.delete(chatId)
    events.emit({ type: 'draft_ended', chat_id: chatId, data: { draft_id: draft.draft_id } })
  }

  async function expire(chatId: number, ended: AbortController): Promise<void> {
    await clock.wait(shownMs, AbortSignal.any([ended.signal, closing]))
    if (!ended.signal.aborted && !closing.aborted) end(chatId)
  }

  return {
    show(chatId: number, draft: Draft) {
      const before = shown.get(chatId)
      if (before && before.draft.draft_id !== draft.draft_id) end(chatId)
      before?.ended.abort()
      const ended = new AbortController()
      shown.set(chatId, { draft, ended })
      history.set(chatId, [...(history.get(chatId) ?? []), draft].slice(-keptStates))
      events.emit({ type: 'draft', chat_id: chatId, data: draft })
      void expire(chatId, ended)
    },
    /** Ends the draft of a chat, because a message of the bot has been added. */
    end,
    /** Presses Stop, which ends the draft. @returns undefined when no draft, or none of this id, has the button */
    stop(chatId: number, draftId?: number): Draft | undefined {
      const { draft } = shown.get(chatId) ?? {}
      if (!draft?.can_stop || (draftId !== undefined && draftId !== draft.draft_id)) return undefined
      end(chatId)
      return draft
    },
    /** The draft in the chat now, if there is one. */
    now: (chatId: number): Draft[] => [shown.get(chatId)?.draft ?? []].flat(),
    /** The newest states of all drafts of the chat, including ended drafts, oldest first. */
    history: (chatId: number): readonly Draft[] => history.get(chatId) ?? [],
  }
}
