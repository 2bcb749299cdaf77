// Removes messages from a chat, with what the chat keeps about them.

import type { TelegramServer } from './server.ts'
import type { ChatMessage, ChatState } from './state.ts'

export function removeMessages(
  server: TelegramServer,
  chat: ChatState,
  messages: readonly ChatMessage[],
): void {
  chat.messages = chat.messages.filter((message) => !messages.includes(message))
  const message_ids = messages.map((message) => message.message_id)
  for (const id of message_ids) delete chat.keyboards[id]
  server.events.emit({ type: 'deleted', chat_id: chat.chat.id, data: { message_ids } })
}
