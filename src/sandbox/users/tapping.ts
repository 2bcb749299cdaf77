// Taps of users: an inline button sends the bot a callback query; the Stop button of a draft stops the draft.

import type { InaccessibleMessage, InlineKeyboardButton, User } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import type { Draft } from '../telegram/events.ts'
import { findMessage, type TelegramServer } from '../telegram/server.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import type { TapResult } from './api.ts'
import { complain } from './route.ts'

function sendCallbackQuery(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  message: ChatMessage | InaccessibleMessage,
  data: string,
): TapResult {
  const id = randomDigits(server.random, 18)
  const askedAt = server.clock.now().getTime()
  server.state.callbacks.push({ id, chatId: chat.chat.id, userId: from.id, askedAt })
  const chat_instance = `-${Math.abs(chat.chat.id)}00`
  const update_id = server.updates.push({
    callback_query: { id, from, message, chat_instance, data },
  })
  return { callback_query_id: id, ...defined({ update_id }) }
}

function tapInline(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  message: ChatMessage,
  button: InlineKeyboardButton,
) {
  if ('callback_data' in button) return sendCallbackQuery(server, chat, from, message, button.callback_data)
  if ('url' in button) return { url: button.url }
  if ('copy_text' in button) return { copied: button.copy_text.text }
  if ('pay' in button) return { pay: true as const }
  if ('switch_inline_query_current_chat' in button)
    return { inline_query: button.switch_inline_query_current_chat }
  return complain(`the sandbox does not support this button: ${JSON.stringify(button)}`)
}

/** Compares labels. Scripts write an ordinary space where a button has a no-break space. */
const isLabelled = ({ text }: { text: string }, label: string): boolean =>
  text.replaceAll('\u00a0', ' ') === label.replaceAll('\u00a0', ' ')

/** Taps the button with this label. */
export function tapLabel(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  messageId: number,
  label: string,
): TapResult {
  const message = findMessage(chat, messageId) ?? complain(`there is no message ${messageId}`, 404)
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  const button = buttons.find((one) => isLabelled(one, label))
  if (button) return tapInline(server, chat, from, message, button)
  const there = buttons.map((one) => one.text).join(' | ') || 'none'
  return complain(`no button "${label}" on message ${messageId}; there are: ${there}`, 404)
}

/**
 * Sends any data for any message, whether or not the message has such a button, as a modified client can. For a message that has
 * been deleted the bot receives only its chat and id.
 */
export function tapData(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  messageId: number,
  data: string,
): TapResult {
  const message = findMessage(chat, messageId)
  if (!message && messageId >= chat.nextMessageId) complain(`there was no message ${messageId}`, 404)
  return sendCallbackQuery(
    server,
    chat,
    from,
    message ?? { chat: chat.chat, message_id: messageId, date: 0 },
    data,
  )
}

/** Presses Stop on this draft, or on the newest draft that has the button, and sends the bot an update about it. */
export function stopDraft(server: TelegramServer, { chat }: ChatState, draftId: number | undefined): Draft {
  if (chat.type !== 'private') return complain('drafts are only in private chats')
  const which = draftId === undefined ? 'no draft' : `no draft ${draftId}`
  const draft =
    server.drafts.stop(chat.id, draftId) ?? complain(`${which} with a Stop button is in this chat now`, 404)
  server.updates.push({ stopped_message_generation: { chat, draft_id: draft.draft_id } })
  return draft
}
