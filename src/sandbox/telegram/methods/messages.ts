// Sending text messages, deleting messages of any kind, chat actions and reactions.

import { z } from 'zod'
import { type Methods, method } from '../method.ts'
import { bool, chatId, int, json, messageId, str, textParams } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import { mayReact, reaction } from '../reactions.ts'
import { refuse } from '../refusal.ts'
import { removeMessages } from '../remove.ts'
import { findMessage, nowSeconds, type TelegramServer, writableChat } from '../server.ts'
import type { ChatMessage } from '../state.ts'
import { messageText } from '../text.ts'

const twoDays = 48 * 3600

const actions = new Set(
  `typing upload_photo record_video upload_video record_voice upload_voice record_audio upload_audio upload_document
   choose_sticker find_location pick_up_location record_video_note upload_video_note`.split(/\s+/),
)

function checkDeletable(server: TelegramServer, message: ChatMessage): ChatMessage {
  return nowSeconds(server) - message.date > twoDays
    ? refuse("message can't be deleted for everyone")
    : message
}

export const messages = {
  sendMessage: method(z.object({ ...sendParams, ...textParams }), (server, params) =>
    post(server, destination(server, params), messageText(server, params)),
  ),

  deleteMessage: method(z.object({ chat_id: chatId, message_id: messageId }), (server, params) => {
    const chat = writableChat(server, params.chat_id)
    if (params.message_id === 0) refuse('message identifier is not specified')
    const message = findMessage(chat, params.message_id) ?? refuse('message to delete not found')
    removeMessages(server, chat, [checkDeletable(server, message)])
    return true as const
  }),

  deleteMessages: method(z.object({ chat_id: chatId, message_ids: json(z.array(int)) }), (server, params) => {
    if (params.message_ids.length === 0) refuse('message identifiers are not specified')
    if (params.message_ids.length > 100) refuse('too many message identifiers specified')
    const chat = writableChat(server, params.chat_id)
    const found = chat.messages.filter((message) => params.message_ids.includes(message.message_id))
    removeMessages(
      server,
      chat,
      found.map((message) => checkDeletable(server, message)),
    )
    return true as const
  }),

  sendChatAction: method(
    z.object({ chat_id: chatId, action: str.default(''), message_thread_id: int.optional() }),
    (server, { chat_id, action, message_thread_id }) => {
      const { chat } = writableChat(server, chat_id)
      if (!actions.has(action)) refuse('wrong parameter action in request')
      const data = message_thread_id ? { action, message_thread_id } : { action }
      server.events.emit({ type: 'action', chat_id: chat.id, data })
      return true as const
    },
  ),

  setMessageReaction: method(
    z.object({
      chat_id: chatId,
      message_id: messageId,
      reaction: json(z.array(reaction)).default([]),
      is_big: bool.optional(),
    }),
    (server, params) => {
      const chat = writableChat(server, params.chat_id)
      const { message_id } = findMessage(chat, params.message_id) ?? refuse('message to react not found')
      if (params.reaction.length > 1) refuse('REACTIONS_TOO_MANY')
      if (!params.reaction.every(mayReact)) refuse('REACTION_INVALID')
      chat.reactions[message_id] = params.reaction
      const data = { message_id, reaction: params.reaction }
      server.events.emit({ type: 'reaction', chat_id: chat.chat.id, data })
      return true as const
    },
  ),
} satisfies Methods
