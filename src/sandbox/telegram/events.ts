// Events in the chats, for the chat page and the tests. They are not stored: a listener that comes later reads the chat itself.

import type { ForceReply, InlineKeyboardMarkup, Message, MessageEntity, ReactionType } from 'grammy/types'

/** A message as a client sees it: with its forced reply, the bot's reactions and its receipt, which Bot API messages do not carry. */
export type SeenMessage = Omit<Message, 'reply_markup'> & {
  reply_markup?: InlineKeyboardMarkup | ForceReply
  reactions?: ReactionType[]
  /** The id of the message about the payment of this invoice. */
  receipt_message_id?: number
}

export interface CallbackAnswer {
  callback_query_id: string
  text?: string
  show_alert?: boolean
  url?: string
}

export type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }

/** A message that is still being written, as a client sees it. */
export interface Draft {
  draft_id: number
  /** Empty when the bot has not written anything yet. */
  text: string
  entities: MessageEntity[]
  can_stop?: boolean
}

/** A result as a client lists it, with the content of its message. */
export interface OfferedResult {
  id: string
  type: string
  title: string
  description?: string
  content: Partial<Message>
  reply_markup?: InlineKeyboardMarkup
}

export interface InlineAnswer {
  results: OfferedResult[]
  next_offset: string
  /** A button above the results that opens the private chat with the bot. */
  button?: { text: string; start_parameter: string }
}

export interface AskedAnswer extends InlineAnswer {
  query_id: string
  userId: number
  query: string
}

export type ChatEvent =
  | { type: 'message' | 'edited'; chat_id: number; data: SeenMessage }
  | { type: 'deleted'; chat_id: number; data: { message_ids: number[] } }
  | { type: 'reaction'; chat_id: number; data: { message_id: number; reaction: ReactionType[] } }
  | { type: 'action'; chat_id: number; data: { action: string; message_thread_id?: number } }
  | { type: 'draft'; chat_id: number; data: Draft }
  | { type: 'draft_ended'; chat_id: number; data: { draft_id: number } }
  /** The answer to a tap of this user. */
  | { type: 'answer'; chat_id: number; user_id: number; data: CallbackAnswer }
  /** A user or a group was created, or a user's name has changed. */
  | { type: 'people'; chat_id?: undefined; data: Record<string, never> }
  | { type: 'error'; chat_id?: number; data: { method: string; error_code: number; description: string } }

/** An event that a client of one chat receives. On request it also receives notices about other chats. */
export type StreamEvent = ChatEvent | { type: 'elsewhere'; data: { chat_id: number } }

export type Events = ReturnType<typeof createEvents>

export function createEvents() {
  const listeners = new Set<(event: ChatEvent) => void>()
  return {
    emit(event: ChatEvent) {
      for (const listener of listeners) listener(event)
    },
    /** Returns a function that removes the listener. */
    on(listener: (event: ChatEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
