// Adds a message of the bot to a chat: checks its permission, thread, reply and keyboard.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import type { SeenMessage } from './events.ts'
import { type AnyMarkup, anyMarkup, checkInline, inlineOf, replyKeyboardOf } from './markup.ts'
import { bool, chatId, entities, int, json, str } from './params.ts'
import { refuse } from './refusal.ts'
import { findQuote, keptInQuotes } from './reply-quote.ts'
import { wordsOf } from './rich-words.ts'
import { botUser, findMessage, nowSeconds, type TelegramServer, writableChat } from './server.ts'
import type { BotChat, ChatMessage, ChatState } from './state.ts'
import { formatted } from './text.ts'

const generalTopic = 1

const replyParameters = z.looseObject({
  message_id: int.optional(),
  chat_id: z.union([z.number(), z.string()]).optional(),
  allow_sending_without_reply: bool.optional(),
  quote: str.optional(),
  quote_parse_mode: str.optional(),
  quote_entities: entities.optional(),
  quote_position: int.optional(),
})

/** The parameters of all sending methods. */
export const sendParams = {
  business_connection_id: str.optional(),
  chat_id: chatId,
  message_thread_id: int.optional(),
  reply_parameters: json(replyParameters).optional(),
  reply_to_message_id: int.optional(),
  allow_sending_without_reply: bool.optional(),
  protect_content: bool.optional(),
  message_effect_id: str.optional(),
  reply_markup: anyMarkup.optional(),
}

type SendParams = z.output<z.ZodObject<typeof sendParams>>

export interface Destination {
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

function repliedTo(chat: ChatState, params: SendParams): ChatMessage | undefined {
  const id = params.reply_parameters?.message_id ?? params.reply_to_message_id
  if (!id) return undefined
  const found = findMessage(chat, id)
  const optional = params.reply_parameters?.allow_sending_without_reply ?? params.allow_sending_without_reply
  return found ?? (optional ? undefined : refuse('message to be replied not found'))
}

function quoteIn(server: TelegramServer, replied: ChatMessage | undefined, params: SendParams) {
  const { quote = '', quote_parse_mode, quote_entities, quote_position } = params.reply_parameters ?? {}
  if (!replied || quote === '') return undefined
  const { text, entities } = formatted(server, {
    text: quote,
    parse_mode: quote_parse_mode,
    entities: quote_entities,
  })
  const wanted = { text, entities: keptInQuotes(entities), position: quote_position }
  return findQuote(replied, wanted) ?? refuse('QUOTE_TEXT_INVALID')
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
  if (params.business_connection_id) refuse('business connection not found')
  const chat = writableChat(server, params.chat_id)
  const markup = params.reply_markup
  const inline = inlineOf(markup)
  checkInline(inline, isInvoice)
  const replied = repliedTo(chat, params)
  const fields = defined({
    ...threadOf(chat, params.message_thread_id, replied),
    reply_to_message: replied && withoutReply(replied),
    quote: quoteIn(server, replied, params),
    has_protected_content: params.protect_content ? (true as const) : undefined,
    effect_id: chat.chat.type === 'private' ? params.message_effect_id : undefined,
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

/** Adds a service message about an action of the bot. */
export function announce(server: TelegramServer, chat: ChatState, content: Partial<Message>): void {
  const message = addMessage(server, chat, botUser(server), content)
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
}

/** A message as a client shows it; a rich message as a plain one. */
export function clientView(chat: ChatState, message: ChatMessage): SeenMessage {
  const keyboard = chat.keyboards[message.message_id]
  const reactions = chat.reactions[message.message_id]
  const receipt_message_id = chat.receipts[message.message_id]
  const plain = message.rich_message && { text: wordsOf(message).text }
  const seen = defined({ reactions, receipt_message_id, ...plain })
  return Object.assign({}, message, seen, keyboard && { reply_markup: keyboard })
}
