// Changes a message of the bot after it was sent. An edit also replaces the inline keyboard; without a new one, the keyboard is removed.

import { isDeepStrictEqual } from 'node:util'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { defined } from './defined.ts'
import { checkInline, inlineOf } from './markup.ts'
import { clientView } from './post.ts'
import { refuse } from './refusal.ts'
import { findMessage, nowSeconds, type TelegramServer, writableChat } from './server.ts'
import type { ChatMessage, ChatState } from './state.ts'

interface EditParams {
  readonly chat_id: number | string
  readonly message_id: number
  readonly reply_markup?: InlineKeyboardMarkup | undefined
}

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current ' +
  'content and reply markup of the message'

interface EditTarget {
  readonly chat: ChatState
  readonly message: ChatMessage
}

export function editable(
  server: TelegramServer,
  params: EditParams,
  refusal = "message can't be edited",
): EditTarget {
  const chat = writableChat(server, params.chat_id)
  const message = findMessage(chat, params.message_id) ?? refuse('message to edit not found')
  // A message with a reply keyboard cannot be edited, like messages of others.
  const isClosed = message.from.id !== server.botId || chat.keyboards[message.message_id] !== undefined
  return isClosed ? refuse(refusal) : { chat, message }
}

type Removable = {
  [K in keyof ChatMessage]-?: Pick<Partial<ChatMessage>, K> extends Pick<ChatMessage, K> ? K : never
}[keyof ChatMessage]

export function without(message: ChatMessage, keys: readonly Removable[]): ChatMessage {
  const copy = { ...message }
  for (const key of keys) delete copy[key]
  return copy
}

export function rewrite(
  server: TelegramServer,
  params: EditParams,
  { chat, message }: EditTarget,
  dropped: readonly Removable[],
  content: Partial<Message>,
): ChatMessage {
  const reply_markup = inlineOf(params.reply_markup)
  checkInline(reply_markup, message.invoice !== undefined)
  const kept = without(message, [...dropped, 'reply_markup', 'edit_date'])
  const { from } = message
  const edited: ChatMessage = { ...kept, ...content, ...defined({ reply_markup }), from, chat: chat.chat }
  if (isDeepStrictEqual(edited, without(message, ['edit_date']))) refuse(notModified)
  const dated = { ...edited, edit_date: nowSeconds(server) }
  replace(server, chat, message, dated)
  return dated
}

/** Replaces the old message by the changed one. */
export function replace(
  server: TelegramServer,
  chat: ChatState,
  old: ChatMessage,
  changed: ChatMessage,
): void {
  chat.messages = chat.messages.map((one) => (one === old ? changed : one))
  server.events.emit({ type: 'edited', chat_id: chat.chat.id, data: clientView(chat, changed) })
}
