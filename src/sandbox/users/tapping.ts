// Tapping buttons: an inline button asks the bot, a reply keyboard's button writes its own label.

import type { InaccessibleMessage, InlineKeyboardButton, User } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import type { Draft } from '../telegram/events.ts'
import { findMessage, type TelegramServer } from '../telegram/server.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import { complain } from './route.ts'
import { sayText } from './writing.ts'

export type Tapped =
  | { callback_query_id: string }
  | { message: ChatMessage }
  | { url: string }
  | { copied: string }
  | { pay: true }

function ask(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  message: ChatMessage | InaccessibleMessage,
  data: string,
): Tapped {
  const id = randomDigits(server.random, 18)
  server.state.callbacks.push({ id, chatId: chat.chat.id, askedAt: server.clock.now().getTime() })
  const chat_instance = `-${Math.abs(chat.chat.id)}00`
  server.updates.push({ callback_query: { id, from, message, chat_instance, data } })
  return { callback_query_id: id }
}

function tapInline(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  message: ChatMessage,
  button: InlineKeyboardButton,
) {
  if ('callback_data' in button) return ask(server, chat, from, message, button.callback_data)
  if ('url' in button) return { url: button.url }
  if ('copy_text' in button) return { copied: button.copy_text.text }
  if ('pay' in button) return { pay: true as const }
  return complain(`nothing happens on this button in the sandbox: ${JSON.stringify(button)}`)
}

function replyLabels(chat: ChatState, messageId: number): string[] {
  const keyboard = chat.keyboards[messageId]
  if (!keyboard || !('keyboard' in keyboard)) return []
  return keyboard.keyboard.flat().map((button) => (typeof button === 'string' ? button : button.text))
}

/** Taps by label, as a person does. */
export function tapLabel(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  messageId: number,
  label: string,
): Tapped {
  const message = findMessage(chat, messageId) ?? complain(`there is no message ${messageId}`, 404)
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  const button = buttons.find((one) => one.text === label)
  if (button) return tapInline(server, chat, from, message, button)
  const labels = replyLabels(chat, messageId)
  if (labels.includes(label)) {
    const { message_thread_id: thread_id } = message
    return { message: sayText(server, chat, from, { thread_id }, label) }
  }
  const there = [...buttons.map((one) => one.text), ...labels]
  return complain(
    `no button "${label}" on message ${messageId}; there are: ${there.join(' | ') || 'none'}`,
    404,
  )
}

/**
 * Taps with any data, as a changed client can: on any message, whether it shows such a button, another or none. Of a message
 * that was deleted meanwhile the bot learns only where it was.
 */
export function tapData(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  messageId: number,
  data: string,
): Tapped {
  const message = findMessage(chat, messageId)
  if (!message && messageId >= chat.nextMessageId) complain(`there was no message ${messageId}`, 404)
  return ask(server, chat, from, message ?? { chat: chat.chat, message_id: messageId, date: 0 }, data)
}

/** Presses the button "Stop" of this draft, or of the newest draft that has one, and sends the bot an update about it. */
export function stopDraft(server: TelegramServer, { chat }: ChatState, draftId: number | undefined): Draft {
  if (chat.type !== 'private') return complain('drafts are only in private chats')
  const which = draftId === undefined ? 'no draft' : `no draft ${draftId}`
  const draft =
    server.drafts.stop(chat.id, draftId) ?? complain(`${which} with a Stop button is in this chat now`, 404)
  const { draft_id, message_thread_id } = draft
  server.updates.push({ stopped_message_generation: { chat, draft_id, ...defined({ message_thread_id }) } })
  return draft
}
