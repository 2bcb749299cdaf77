// Adds a message of the bot to a chat: checks its permission, thread, reply and keyboard.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import type { SeenMessage } from './events.ts'
import { type AnyMarkup, anyMarkup, checkInline, inlineOf, replyKeyboardOf } from './markup.ts'
import { bool, chatId, int, json } from './params.ts'
import { refuse } from './refusal.ts'
import { wordsOf } from './rich-words.ts'
import { botUser, findMessage, nowSeconds, type TelegramServer, writableChat } from './server.ts'
import type { BotChat, ChatMessage, ChatState } from './state.ts'

const generalTopic = 1

const replyParameters = z.object({ message_id: int, allow_sending_without_reply: bool.optional() })

/** The parameters of all sending methods. */
export const sendParams = {
  chat_id: chatId,
  message_thread_id: int.optional(),
  reply_parameters: json(replyParameters).optional(),
  reply_markup: anyMarkup.optional(),
}

type SendParams = z.output<z.ZodObject<typeof sendParams>>

interface Destination {
  chat: ChatState
  /** Fields of the message that its destination determines. */
  fields: Partial<Message>
  markup: AnyMarkup | undefined
}

function threadOf(chat: ChatState, threadId: number | undefined, replied: ChatMessage | undefined) {
  const wanted = threadId || (replied?.is_topic_message ? replied.message_thread_id : undefined)
  if (wanted === undefined || (wanted === generalTopic && chat.chat.is_forum)) return {}
  if (!chat.topics.includes(wanted)) return refuse('message thread not found')
  return { message_thread_id: wanted, is_topic_message: true }
}

function repliedTo(chat: ChatState, { reply_parameters: wanted }: SendParams): ChatMessage | undefined {
  if (!wanted) return undefined
  const found = findMessage(chat, wanted.message_id)
  return found ?? (wanted.allow_sending_without_reply ? undefined : refuse('message to be replied not found'))
}

type ReplyTarget = NonNullable<Message['reply_to_message']>

/**
 * The replied-to message, without its own reply. The cast is needed, since grammY's type requires the field to be present and undefined.
 */
export function withoutReply(message: ChatMessage): ReplyTarget {
  const copy = { ...message }
  delete copy.reply_to_message
  return copy as Message as ReplyTarget
}

export function destination(server: TelegramServer, params: SendParams, isInvoice = false): Destination {
  const chat = writableChat(server, params.chat_id)
  const markup = params.reply_markup
  const inline = inlineOf(markup)
  checkInline(inline, isInvoice)
  const replied = repliedTo(chat, params)
  const fields = defined({
    ...threadOf(chat, params.message_thread_id, replied),
    reply_to_message: replied && withoutReply(replied),
    reply_markup: inline,
  })
  return { chat, fields, markup }
}

type Author = ChatMessage['from']

/** In a supergroup a reply outside of topics names the first message of its chain of replies as its thread. */
function threadOfReply(
  { chat }: ChatState,
  { message_thread_id, reply_to_message: replied }: Partial<Message>,
) {
  if (chat.type !== 'supergroup' || message_thread_id !== undefined || !replied) return {}
  return { message_thread_id: replied.message_thread_id ?? replied.message_id }
}

/** Adds a message of the bot or of a user to the chat. */
export function addMessage(
  server: TelegramServer,
  state: ChatState,
  from: Author,
  content: Partial<Message>,
): ChatMessage {
  const chat: BotChat = state.chat
  const thread = threadOfReply(state, content)
  const message = {
    message_id: state.nextMessageId,
    from,
    date: nowSeconds(server),
    chat,
    ...thread,
    ...content,
  }
  const kept: ChatMessage = { ...message, from, chat }
  state.nextMessageId += 1
  state.messages.push(kept)
  return kept
}

/** Adds a message of the bot, emits its event and ends the draft of its thread. */
export function post(server: TelegramServer, to: Destination, content: Partial<Message>): ChatMessage {
  const message = addMessage(server, to.chat, botUser(server), { ...to.fields, ...content })
  const keyboard = replyKeyboardOf(to.markup)
  if (keyboard) to.chat.keyboards[message.message_id] = keyboard
  server.events.emit({ type: 'message', chat_id: to.chat.chat.id, data: clientView(to.chat, message) })
  server.drafts.end(to.chat.chat.id, message.message_thread_id)
  return message
}

/** A message as a client shows it; a rich message as a plain one. */
export function clientView(chat: ChatState, message: ChatMessage): SeenMessage {
  const keyboard = chat.keyboards[message.message_id]
  const given = Object.values(chat.userReactions[message.message_id] ?? {}).flat()
  const reactions = given.length > 0 ? given : undefined
  const receipt_message_id = chat.receipts[message.message_id]
  const plain = message.rich_message && { text: wordsOf(message).text }
  const seen = defined({ reactions, receipt_message_id, ...plain })
  return Object.assign({}, message, seen, keyboard && { reply_markup: keyboard })
}
