// What happens in the chats, as the web page and the tests watch it. Nothing is kept: a late listener reads the
// chat.

import type { Message, MessageEntity, ReactionType } from 'grammy/types'
import type { CallbackAnswer } from './state.ts'

export type ChatEvent =
  | { type: 'message' | 'edited'; chat_id: number; data: Message }
  | { type: 'deleted'; chat_id: number; data: { message_ids: number[] } }
  | { type: 'reaction'; chat_id: number; data: { message_id: number; reaction: ReactionType[] } }
  | { type: 'action'; chat_id: number; data: { action: string; message_thread_id?: number } }
  | { type: 'draft'; chat_id: number; data: { draft_id: number; text: string; entities: MessageEntity[] } }
  | { type: 'answer'; chat_id: number; data: CallbackAnswer }
  | { type: 'error'; chat_id?: number; data: { method: string; error_code: number; description: string } }

export type Listener = (event: ChatEvent) => void

export interface Events {
  emit(event: ChatEvent): void
  /** Returns the way to stop listening. */
  on(listener: Listener): () => void
}

export function createEvents(): Events {
  const listeners = new Set<Listener>()
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
