// Tapping buttons: an inline button asks the bot, a reply keyboard's button writes its own label.

import type { InaccessibleMessage, InlineKeyboardButton, User } from 'grammy/types'
import { randomDigits } from '../telegram/ids.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import { findMessage, type World } from '../telegram/world.ts'
import type { TapResult } from './api.ts'
import { complain } from './route.ts'
import { sayText } from './writing.ts'

function ask(
  world: World,
  chat: ChatState,
  from: User,
  message: ChatMessage | InaccessibleMessage,
  data: string,
): TapResult {
  const id = randomDigits(world.random, 18)
  world.state.callbacks.push({ id, chatId: chat.chat.id, askedAt: world.clock.now().getTime() })
  const chat_instance = `-${Math.abs(chat.chat.id)}00`
  world.updates.push({ callback_query: { id, from, message, chat_instance, data } })
  return { callback_query_id: id }
}

function tapInline(
  world: World,
  chat: ChatState,
  from: User,
  message: ChatMessage,
  button: InlineKeyboardButton,
) {
  if ('callback_data' in button) return ask(world, chat, from, message, button.callback_data)
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
  world: World,
  chat: ChatState,
  from: User,
  messageId: number,
  label: string,
): TapResult {
  const message = findMessage(chat, messageId) ?? complain(`there is no message ${messageId}`, 404)
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  const button = buttons.find((one) => one.text === label)
  if (button) return tapInline(world, chat, from, message, button)
  const labels = replyLabels(chat, messageId)
  if (labels.includes(label)) {
    const { message_thread_id: thread_id } = message
    return { message: sayText(world, chat, from, { thread_id }, label) }
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
  world: World,
  chat: ChatState,
  from: User,
  messageId: number,
  data: string,
): TapResult {
  const message = findMessage(chat, messageId)
  if (!message && messageId >= chat.nextMessageId) complain(`there was no message ${messageId}`, 404)
  return ask(world, chat, from, message ?? { chat: chat.chat, message_id: messageId, date: 0 }, data)
}
