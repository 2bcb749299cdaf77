// Drafts: previews of messages that the bot is still writing. A private chat shows one at a time: the same id updates it, another id replaces
// it, any message of the bot in the chat ends it, and so do 30 seconds without an update. Drafts are not messages and are not kept over a
// restart.

import type { Clock } from '../../runtime/clock.ts'
import type { Draft, Events } from './events.ts'

const shownMs = 30_000
const keptStates = 200

export interface Drafts {
  show(chatId: number, draft: Draft): void
  /** Ends the draft of a chat, because a message of the bot has been added. */
  end(chatId: number): void
  /** Presses Stop, which ends the draft. @returns undefined when no draft, or none of this id, has the button */
  stop(chatId: number, draftId?: number): Draft | undefined
  /** The draft in the chat now, if there is one. */
  now(chatId: number): Draft[]
  /** The newest states of all drafts of the chat, including ended drafts, oldest first. */
  history(chatId: number): readonly Draft[]
}

export function createDrafts(parts: { clock: Clock; events: Events; closing: AbortSignal }): Drafts {
  const { clock, events, closing } = parts
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
    show(chatId, draft) {
      const before = shown.get(chatId)
      if (before && before.draft.draft_id !== draft.draft_id) end(chatId)
      before?.ended.abort()
      const ended = new AbortController()
      shown.set(chatId, { draft, ended })
      history.set(chatId, [...(history.get(chatId) ?? []), draft].slice(-keptStates))
      events.emit({ type: 'draft', chat_id: chatId, data: draft })
      void expire(chatId, ended)
    },
    end,
    stop(chatId, draftId) {
      const { draft } = shown.get(chatId) ?? {}
      if (!draft?.can_stop || (draftId !== undefined && draftId !== draft.draft_id)) return undefined
      end(chatId)
      return draft
    },
    now: (chatId) => [shown.get(chatId)?.draft ?? []].flat(),
    history: (chatId) => history.get(chatId) ?? [],
  }
}
