// Messages, edits and deletions of users, also the results of inline queries that they choose; and whether the bot receives them.

import type { InlineQuery, Message, User } from 'grammy/types'
import type { z } from 'zod'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import { keepAnswer } from '../telegram/inline.ts'
import type { AskedAnswer, InlineAnswer } from '../telegram/inline-answer.ts'
import { mimeOf, storeMedia } from '../telegram/media.ts'
import {
  addMessage,
  clientView,
  contentOf,
  removeMessages,
  replace,
  without,
  withoutReply,
} from '../telegram/post.ts'
import {
  botUser,
  findMessage,
  isAdmin,
  memberOf,
  nowSeconds,
  type TelegramServer,
} from '../telegram/server.ts'
import { type ChatMessage, type ChatState, type MediaKind, mediaKinds } from '../telegram/state.ts'
import { findQuote, messageCaption, messageText, wholeQuote, wordsOf } from '../telegram/text.ts'
import { chatState, userOf } from './people.ts'
import { complain } from './route.ts'
import type { fileInJson, Place } from './schemas.ts'

/** A file with facts that the client states, as Telegram's own clients do. Telegram passes them on. */
export interface SentFile extends Omit<z.output<typeof fileInJson>, 'base64'> {
  bytes: Buffer
}

/**
 * Whether the bot receives the message. In privacy mode, in a group where it is no administrator, it receives commands that are not for
 * another bot, mentions of itself, messages sent by its inline mode and replies to its own messages. Telegram's description of the mode
 * does not list mentions; an operator whose bot does not receive them turns the mode off.
 */
function reachesBot(server: TelegramServer, chat: ChatState, message: ChatMessage): boolean {
  if (chat.chat.type === 'private' || isAdmin(memberOf(server, chat, server.botId))) return true
  if (message.reply_to_message?.from?.id === server.botId || message.via_bot?.id === server.botId) return true
  const { text, entities } = wordsOf(message)
  return entities.some(({ type, offset, length }) => {
    const [, addressee] = text.slice(offset, offset + length).split('@')
    const isOurs = addressee?.toLowerCase() === server.botUsername.toLowerCase()
    return type === 'mention' ? isOurs : type === 'bot_command' && (addressee === undefined || isOurs)
  })
}

/** The fields of a message in a topic. If it replies to no other message, it replies to the message that opened the topic. */
function topicFields(chat: ChatState, { thread_id }: Place): Partial<Message> {
  if (thread_id === undefined) return {}
  if (!chat.topics.includes(thread_id)) complain(`there is no topic ${thread_id}`, 404)
  const opening = findMessage(chat, thread_id)
  const topic = { message_thread_id: thread_id, is_topic_message: true as const }
  return { ...topic, ...defined({ reply_to_message: opening && withoutReply(opening) }) }
}

function replyFields(server: TelegramServer, chat: ChatState, place: Place): Partial<Message> {
  const { reply_to, reply_chat = chat.chat.id, quote: part } = place
  if (reply_to === undefined) return {}
  const there = chatState(server, reply_chat)
  const replied = findMessage(there, reply_to) ?? complain(`there is no message ${reply_to} to reply to`, 404)
  const quote = part === undefined ? undefined : findQuote(replied, part)
  if (part !== undefined && !quote) complain(`message ${reply_to} does not contain "${part}"`)
  if (there === chat) return { reply_to_message: withoutReply(replied), ...defined({ quote }) }
  const { from: sender_user, date } = replied
  const content = contentOf(without(replied, words))
  const external_reply = { ...content, origin: { type: 'user' as const, sender_user, date } }
  return { external_reply, ...defined({ quote: quote ?? wholeQuote(replied) }) }
}

/** The fields about the origin of a message. A forwarded message cannot be a reply. */
function originFields(
  server: TelegramServer,
  { reply_to, forwarded_from, via_bot, album }: Place,
): Partial<Message> {
  if (forwarded_from !== undefined && reply_to !== undefined)
    complain('a forwarded message cannot be a reply')
  const origin = forwarded_from === undefined ? undefined : userOf(server, forwarded_from)
  return defined({
    forward_origin: origin && { type: 'user' as const, sender_user: origin, date: nowSeconds(server) },
    via_bot:
      via_bot === undefined
        ? undefined
        : { id: server.botId + 1, is_bot: true, first_name: via_bot, username: via_bot },
    media_group_id: album,
  })
}

/** Telegram's service user, in whose name the posts of a channel appear in its discussion group. */
const channelPoster = 777_000

/** Sends a message with any content. */
export function send(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  place: Place,
  content: Partial<Message>,
): ChatMessage {
  if (chat.blocked) complain('this user has blocked the bot: unblock it first')
  const message = addMessage(server, chat, from, {
    ...topicFields(chat, place),
    ...replyFields(server, chat, place),
    ...originFields(server, place),
    ...(from.id === channelPoster ? { is_automatic_forward: true } : {}),
    ...content,
  })
  chat.started = true
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: clientView(chat, message) })
  if (reachesBot(server, chat, message)) server.updates.push({ message })
  return message
}

/** Longer than the 4096 characters at which clients split a text, so that the bot's own limits can be tried. */
const typedLimit = 32_000

export const sendText = (
  server: TelegramServer,
  chat: ChatState,
  from: User,
  place: Place,
  text: string,
): ChatMessage => send(server, chat, from, place, messageText(server, { text }, typedLimit))

/** Whether the type is the one that browsers state for a file of an unknown type. */
const isUnknown = (mime: string | undefined) => mime === '' || mime === 'application/octet-stream'

function guessKind(file: SentFile): MediaKind {
  const mime = mimeOf(file.bytes, file.name)
  if (mime === 'audio/ogg') return 'voice'
  const [family] = mime.split('/')
  const kind = family === 'image' ? 'photo' : family
  return mediaKinds.find((one) => one === kind) ?? 'document'
}

export async function sendFile(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  place: Place,
  { file, caption }: { file: SentFile; caption: string },
): Promise<ChatMessage> {
  const { width, height, duration, mime } = file
  const stated = { width, height, duration, mime: isUnknown(mime) ? undefined : mime }
  const content = await storeMedia(server, file.kind ?? guessKind(file), file, stated)
  return send(server, chat, from, place, { ...content, ...messageCaption(server, { caption }) })
}

/** The fields with the words of a message. */
const words = ['text', 'entities', 'caption', 'caption_entities', 'rich_message'] as const

/** Replaces the text of a message, the caption of a file, or the whole content. */
export function editMessage(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  id: number,
  changed: { text: string } | { content: Partial<Message> },
): ChatMessage {
  const message = findMessage(chat, id) ?? complain(`there is no message ${id}`, 404)
  if (message.from.id !== from.id) complain('users can edit only their own messages')
  const content = changedContent(server, message, changed)
  const edit_date = nowSeconds(server)
  const edited: ChatMessage = { ...without(message, words), ...content, from, chat: chat.chat, edit_date }
  replace(server, chat, message, edited)
  if (reachesBot(server, chat, edited)) server.updates.push({ edited_message: { ...edited, edit_date } })
  return edited
}

function changedContent(
  server: TelegramServer,
  message: ChatMessage,
  changed: { text: string } | { content: Partial<Message> },
): Partial<Message> {
  if ('content' in changed) return changed.content
  const isFile = mediaKinds.some((kind) => message[kind] !== undefined)
  return isFile
    ? messageCaption(server, { caption: changed.text })
    : messageText(server, { text: changed.text })
}

/** The bot is not told: Telegram has no update for it. */
export function deleteMessage(server: TelegramServer, chat: ChatState, from: User, id: number): void {
  const message = findMessage(chat, id) ?? complain(`there is no message ${id}`, 404)
  if (message.from.id !== from.id) complain('users can delete only their own messages')
  removeMessages(server, chat, [message])
}

interface Query {
  readonly query: string
  readonly offset: string
}

const keyOf = ({ query, offset }: Query, userId: number) => JSON.stringify([query, offset, userId])

function cachedAnswer(server: TelegramServer, user: User, query: Query): InlineAnswer | undefined {
  const found = server.inlineCache.get(keyOf(query, user.id))
  return found && found.until > server.clock.now().getTime() ? found.answer : undefined
}

/** The type of the chat for the bot. A private chat here is always the one with the bot itself. */
const chatTypeOf = ({ chat }: ChatState): NonNullable<InlineQuery['chat_type']> =>
  chat.type === 'private' ? 'sender' : chat.type

async function askBot(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  asked: Query,
): Promise<InlineAnswer> {
  const chat_type = chatTypeOf(chat)
  const given = await server.inlineQueries.ask((id) =>
    server.updates.push({ inline_query: { id, from, ...asked, chat_type } }),
  )
  if (!given) return complain('the bot did not answer the inline query in 10 seconds')
  const { cacheSeconds, ...answer } = given
  const until = server.clock.now().getTime() + cacheSeconds * 1000
  server.inlineCache.set(keyOf(asked, from.id), { answer, until })
  return answer
}

export async function askInline(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  asked: Query,
): Promise<AskedAnswer> {
  const answer = cachedAnswer(server, from, asked) ?? (await askBot(server, chat, from, asked))
  const query_id = randomDigits(server.random, 18)
  const kept = { ...answer, query_id, userId: from.id, query: asked.query }
  keepAnswer(server, kept)
  return kept
}

/** Sends the result as a message of the user. */
export function chooseInline(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  place: Place,
  { query_id, result_id }: { query_id: string; result_id: string },
): ChatMessage {
  const asked = server.state.inlineAnswers.find((one) => one.query_id === query_id && one.userId === from.id)
  const result = asked?.results.find(({ id }) => id === result_id)
  if (!asked || !result) return complain(`there is no result "${result_id}" to the query ${query_id}`, 404)
  const { content, reply_markup } = result
  const via_bot = botUser(server)
  return send(server, chat, from, place, { ...content, via_bot, ...(reply_markup && { reply_markup }) })
}
