// Pinning messages.

import { z } from 'zod'
import { managedGroup } from '../members.ts'
import { type Methods, method } from '../method.ts'
import { bool, chatId, messageId } from '../params.ts'
import { announce } from '../post.ts'
import { refuse } from '../refusal.ts'
import { findMessage, type TelegramServer, writableChat } from '../server.ts'
import type { ChatState } from '../state.ts'

/** Finds the chat. A group in which the bot has no right to pin messages is refused. */
function pinnableChat(server: TelegramServer, chatId: number | string): ChatState {
  const chat = writableChat(server, chatId)
  return chat.chat.type === 'private' ? chat : managedGroup(server, chatId, 'can_pin_messages')
}

export const pins = {
  pinChatMessage: method(
    z.object({ chat_id: chatId, message_id: messageId, disable_notification: bool.optional() }),
    (server, { chat_id, message_id }) => {
      const chat = pinnableChat(server, chat_id)
      const message = findMessage(chat, message_id) ?? refuse('message to pin not found')
      const isNew = !chat.pinned.includes(message_id)
      chat.pinned = [...chat.pinned.filter((one) => one !== message_id), message_id]
      if (isNew) announce(server, chat, { pinned_message: message })
      return true as const
    },
  ),

  unpinChatMessage: method(z.object({ chat_id: chatId, message_id: messageId }), (server, params) => {
    const chat = pinnableChat(server, params.chat_id)
    const id = params.message_id || chat.pinned.at(-1)
    if (id === undefined || !findMessage(chat, id)) return refuse('message to unpin not found')
    chat.pinned = chat.pinned.filter((one) => one !== id)
    return true as const
  }),

  unpinAllChatMessages: method(z.object({ chat_id: chatId }), (server, { chat_id }) => {
    pinnableChat(server, chat_id).pinned = []
    return true as const
  }),
} satisfies Methods
