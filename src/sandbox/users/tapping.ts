// Taps of users: an inline button sends the bot a callback query; a button of a reply keyboard sends its label, or what it asks for, as a
// message; the Stop button of a draft stops the draft.

import type { Contact, InaccessibleMessage, InlineKeyboardButton, KeyboardButton, User } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import type { Draft } from '../telegram/events.ts'
import { findMessage, type TelegramServer } from '../telegram/server.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import type { TapResult } from './api.ts'
import { complain } from './route.ts'
import type { Place } from './schemas.ts'
import { send, sendText } from './writing.ts'

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
  if ('web_app' in button) return { url: button.web_app.url }
  if ('login_url' in button) return { url: button.login_url.url }
  if ('copy_text' in button) return { copied: button.copy_text.text }
  if ('pay' in button) return { pay: true as const }
  if ('switch_inline_query' in button) return { inline_query: button.switch_inline_query }
  if ('switch_inline_query_current_chat' in button)
    return { inline_query: button.switch_inline_query_current_chat }
  return complain(`the sandbox does not support this button: ${JSON.stringify(button)}`)
}

type ReplyButton = Exclude<KeyboardButton, string>

function replyButtons(chat: ChatState, messageId: number): ReplyButton[] {
  const keyboard = chat.keyboards[messageId]
  if (!keyboard || !('keyboard' in keyboard)) return []
  return keyboard.keyboard.flat().map((button) => (typeof button === 'string' ? { text: button } : button))
}

/** Sends the label as a text, or what the button asks for: the user's own contact, or a place in Moscow. */
function tapReply(server: TelegramServer, chat: ChatState, from: User, place: Place, button: ReplyButton) {
  if ('request_contact' in button && button.request_contact) {
    return send(server, chat, from, place, { contact: ownContact(from) })
  }
  if ('request_location' in button && button.request_location) {
    return send(server, chat, from, place, { location: { latitude: 55.7539, longitude: 37.6208 } })
  }
  const special = Object.keys(button).find((key) =>
    /^(request_(users|chat|poll|managed_bot)|web_app)$/.test(key),
  )
  if (special) complain(`the sandbox does not support buttons with ${special}`)
  return sendText(server, chat, from, place, button.text)
}

const ownContact = ({ id, first_name }: User): Contact => ({
  phone_number: `+7900${String(id % 10_000_000).padStart(7, '0')}`,
  first_name,
  user_id: id,
})

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
  const replies = replyButtons(chat, messageId)
  const reply = replies.find((one) => isLabelled(one, label))
  if (reply) {
    const { message_thread_id: thread_id, message_id } = message
    const isRequest = 'request_contact' in reply || 'request_location' in reply
    const place = isRequest ? { thread_id, reply_to: message_id } : { thread_id }
    return { message: tapReply(server, chat, from, place, reply) }
  }
  const there = [...buttons, ...replies].map((one) => one.text)
  return complain(
    `no button "${label}" on message ${messageId}; there are: ${there.join(' | ') || 'none'}`,
    404,
  )
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
  const { draft_id, message_thread_id } = draft
  server.updates.push({ stopped_message_generation: { chat, draft_id, ...defined({ message_thread_id }) } })
  return draft
}
