// The bot's answer to an inline query, as a client sees it and as it is kept.

import type { InlineKeyboardMarkup, Message } from 'grammy/types'

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

/** An answer that Telegram gives to the repeated query of the same user itself. */
export interface CachedAnswer {
  answer: InlineAnswer
  /** In milliseconds of the clock. */
  until: number
}

export interface AskedAnswer extends InlineAnswer {
  query_id: string
  userId: number
  query: string
}
