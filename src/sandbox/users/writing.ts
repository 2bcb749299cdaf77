// Messages, edits and deletions of users, also the results of inline queries that they choose; and whether the bot receives them.

import type { InlineQuery, Message } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import type { AskedAnswer } from '../telegram/events.ts'
import { mimeOf, storeMedia } from '../telegram/media.ts'
import { keepAnswer } from '../telegram/methods/answers.ts'
import {
  addMessage,
  clientView,
  contentOf,
  removeMessages,
  replace,
  without,
  withoutReply,
} from '../telegram/post.ts'
import type { Upload } from '../telegram/request.ts'
import { botUser, findMessage, isAdmin, memberOf, nowSeconds } from '../telegram/server.ts'
import { type ChatMessage, type ChatState, type MediaKind, mediaKinds } from '../telegram/state.ts'
import { findQuote, messageCaption, messageText, wholeQuote, wordsOf } from '../telegram/text.ts'
import type { Body, Place } from './api.ts'
import { type Act, chatState, done, messageIn, userOf } from './people.ts'
import { complain } from './route.ts'

/**
 * Whether the bot receives the message. In privacy mode, in a group where it is no administrator, it receives commands that are not for
 * another bot, mentions of itself, messages sent by its inline mode and replies to its own messages. Telegram's description of the mode
 * does not list mentions; an operator whose bot does not receive them turns the mode off.
 */
function reachesBot({ server, chat }: Act, message: ChatMessage): boolean {
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

function replyFields({ server, chat }: Act, place: Place): Partial<Message> {
  const { reply_to, reply_chat = chat.chat.id, quote: part } = place
  if (reply_to === undefined) return {}
  const there = chatState(server, reply_chat)
  const replied = messageIn(there, reply_to)
  const quote = part === undefined ? undefined : findQuote(replied, part)
  if (part !== undefined && !quote) complain(`message ${reply_to} does not contain "${part}"`)
  if (there === chat) return { reply_to_message: withoutReply(replied), ...defined({ quote }) }
  const { from: sender_user, date } = replied
  const content = contentOf(without(replied, words))
  const external_reply = { ...content, origin: { type: 'user' as const, sender_user, date } }
  return { external_reply, ...defined({ quote: quote ?? wholeQuote(replied) }) }
}

/** The fields about the origin of a message. A forwarded message cannot be a reply. */
function originFields({ server }: Act, { reply_to, forwarded_from, via_bot: name, album }: Place) {
  if (forwarded_from !== undefined && reply_to !== undefined)
    complain('a forwarded message cannot be a reply')
  const sender_user = forwarded_from === undefined ? undefined : userOf(server, forwarded_from)
  const origin = { type: 'user' as const, date: nowSeconds(server) }
  const inlineBot = { id: server.botId + 1, is_bot: true }
  return defined({
    forward_origin: sender_user && { ...origin, sender_user },
    via_bot: name === undefined ? undefined : { ...inlineBot, first_name: name, username: name },
    media_group_id: album,
  })
}

/** Telegram's service user, in whose name the posts of a channel appear in its discussion group. */
const channelPoster = 777_000

/** Sends a message with any content. */
function send(act: Act, place: Place, content: Partial<Message>): ChatMessage {
  const { server, chat, user } = act
  if (chat.blocked) complain('this user has blocked the bot: unblock it first')
  const message = addMessage(server, chat, user, {
    ...topicFields(chat, place),
    ...replyFields(act, place),
    ...originFields(act, place),
    ...(user.id === channelPoster ? { is_automatic_forward: true } : {}),
    ...content,
  })
  chat.started = true
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: clientView(chat, message) })
  if (reachesBot(act, message)) server.updates.push({ message })
  return message
}

/** Longer than the 4096 characters at which clients split a text, so that the bot's own limits can be tried. */
const typedLimit = 32_000

/** @param upload the file of a form */
export async function sendNew(
  act: Act,
  body: Body<'POST /api/chats/:chatId/messages'>,
  upload: Upload | undefined,
): Promise<ChatMessage> {
  const { from: _, text, caption, content, kind, file, ...place } = body
  if (file !== undefined) {
    const inForm = () => ({ kind, mime: undefined, ...(upload ?? complain('the form has no file')) })
    const sent = typeof file === 'string' ? inForm() : { ...file, bytes: Buffer.from(file.base64, 'base64') }
    // Browsers state this type for a file of an unknown type.
    const mime = sent.mime === 'application/octet-stream' ? undefined : sent.mime || undefined
    const media = storeMedia(act.server, sent.kind ?? guessKind(sent), sent, { ...sent, mime })
    return send(act, place, { ...(await media), ...messageCaption(act.server, { caption }) })
  }
  const words = text ?? (content ? '' : complain('a message needs a text, a file or other content'))
  return send(act, place, content ?? messageText(act.server, { text: words }, typedLimit))
}

function guessKind({ bytes, name }: Upload): MediaKind {
  const mime = mimeOf(bytes, name)
  if (mime === 'audio/ogg') return 'voice'
  const [family] = mime.split('/')
  const kind = family === 'image' ? 'photo' : family
  return mediaKinds.find((one) => one === kind) ?? 'document'
}

/** The fields with the words of a message. */
const words = ['text', 'entities', 'caption', 'caption_entities', 'rich_message'] as const

function ownMessage({ chat, user }: Act, id: number, act: string): ChatMessage {
  const message = messageIn(chat, id)
  return message.from.id === user.id ? message : complain(`users can ${act} only their own messages`)
}

/** Replaces the text of a message, the caption of a file, or the whole content. */
export function editMessage(act: Act, changed: Body<'POST /api/chats/:chatId/edits'>): ChatMessage {
  const { server, chat, user } = act
  const message = ownMessage(act, changed.message_id, 'edit')
  const isFile = mediaKinds.some((kind) => message[kind] !== undefined)
  const written = (text: string) =>
    isFile ? messageCaption(server, { caption: text }) : messageText(server, { text })
  const content = 'content' in changed ? changed.content : written(changed.text)
  const edit_date = nowSeconds(server)
  const place = { from: user, chat: chat.chat, edit_date }
  const edited: ChatMessage = { ...without(message, words), ...content, ...place }
  replace(server, chat, message, edited)
  if (reachesBot(act, edited)) server.updates.push({ edited_message: { ...edited, edit_date } })
  return edited
}

/** The bot is not told: Telegram has no update for it. */
export function deleteMessage(act: Act, id: number) {
  removeMessages(act.server, act.chat, [ownMessage(act, id, 'delete')])
  return done
}

interface Query {
  readonly query: string
  readonly offset: string
}

/** The type of the chat for the bot. A private chat here is always the one with the bot itself. */
const chatTypeOf = ({ chat }: ChatState): NonNullable<InlineQuery['chat_type']> =>
  chat.type === 'private' ? 'sender' : chat.type

/** Asks the bot, also when it has answered the same query before. */
export async function askInline(
  { server, chat, user: from }: Act,
  { query, offset }: Query,
): Promise<AskedAnswer> {
  const chat_type = chatTypeOf(chat)
  const answer = await server.inlineQueries.ask((id) =>
    server.updates.push({ inline_query: { id, from, query, offset, chat_type } }),
  )
  if (!answer) return complain('the bot did not answer the inline query in 10 seconds')
  const kept = { ...answer, query_id: randomDigits(server.random, 18), userId: from.id, query }
  keepAnswer(server, kept)
  return kept
}

/** Sends the result as a message of the user. */
export function chooseInline(act: Act, choice: Body<'POST /api/chats/:chatId/choices'>): ChatMessage {
  const { query_id, result_id, reply_to, thread_id } = choice
  const { server, user } = act
  const asked = server.state.inlineAnswers.find((one) => one.query_id === query_id && one.userId === user.id)
  const result = asked?.results.find(({ id }) => id === result_id)
  if (!result) return complain(`there is no result "${result_id}" to the query ${query_id}`, 404)
  const { content, reply_markup } = result
  const made = { ...content, via_bot: botUser(server), ...(reply_markup && { reply_markup }) }
  return send(act, { reply_to, thread_id }, made)
}
