// What users do: they come and go, write and edit messages, press buttons, choose inline results, block the bot; and what the bot
// receives of it.

import type { ChatMember, InaccessibleMessage, InlineKeyboardButton, Message, User } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import type { AskedAnswer, Draft } from '../telegram/events.ts'
import { mimeOf, storeMedia } from '../telegram/media.ts'
import { keepAnswer } from '../telegram/methods/answers.ts'
import {
  addMessage,
  clientView,
  contentOf,
  openTopic,
  replace,
  without,
  withoutReply,
} from '../telegram/post.ts'
import type { Upload } from '../telegram/request.ts'
import {
  administrator,
  botUser,
  findMessage,
  isAdmin,
  isIn,
  memberOf,
  nowSeconds,
  openPrivateChat,
  type TelegramServer,
} from '../telegram/server.ts'
import { type ChatMessage, type ChatState, type MediaKind, mediaKinds, newChat } from '../telegram/state.ts'
import { findQuote, messageCaption, messageText, wholeQuote, wordsOf } from '../telegram/text.ts'
import type { Body, Place, TapResult } from './api.ts'
import { complain } from './route.ts'

/** The answer to an act that tells nothing but that it is done. */
export const done = { ok: true }

/** A user who acts in a chat. */
export interface Act {
  readonly server: TelegramServer
  readonly chat: ChatState
  readonly user: User
}

const userOf = (server: TelegramServer, id: number): User =>
  server.state.users[id] ?? complain(`there is no user ${id}`, 404)

export const chatState = (server: TelegramServer, id: string | number): ChatState =>
  server.state.chats[Number(id)] ?? complain(`there is no chat ${id}`, 404)

const messageIn = (chat: ChatState, id: number): ChatMessage =>
  findMessage(chat, id) ?? complain(`there is no message ${id}`, 404)

/** A user who takes part in the chat: a member, or anybody in an open group. */
export function member(server: TelegramServer, chat: ChatState, id: number): User {
  const user = userOf(server, id)
  const isThere = chat.isOpen || chat.members.includes(id)
  return isThere ? user : complain(`user ${id} is not in chat ${chat.chat.id}`)
}

/** Creates a user, or updates the user who has the given id. */
export function createUser(server: TelegramServer, { id: wanted, ...facts }: Body<'POST /api/users'>): User {
  if (wanted === server.botId) complain('this is the id of the bot')
  const { state } = server
  const id = wanted ?? state.nextUserId++
  const user: User = { id, is_bot: false, ...defined(facts) }
  state.users[id] = user
  openPrivateChat(server, user)
  server.events.emit({ type: 'people', data: {} })
  return user
}

function pushMembership({ server, chat: { chat }, user: from }: Act, before: ChatMember, after: ChatMember) {
  const change = { old_chat_member: before, new_chat_member: after }
  server.updates.push({ my_chat_member: { chat, from, date: nowSeconds(server), ...change } })
}

export function createGroup(server: TelegramServer, wanted: Body<'POST /api/chats'>): ChatState {
  const { title, members, forum, admin, open: isOpen } = wanted
  const [creator] = members.map((id) => userOf(server, id))
  if (!creator) return complain('a group needs at least one member')
  const id = -1_000_000_000_000 - server.state.nextGroupId
  server.state.nextGroupId += 1
  const group = { id, type: 'supergroup' as const, title, ...(forum && { is_forum: true as const }) }
  const chat = { ...newChat(group, members, true), isOpen }
  server.state.chats[id] = chat
  const user = botUser(server)
  const joined: ChatMember = admin ? administrator(user) : { status: 'member', user }
  if (admin) chat.memberships[server.botId] = joined
  pushMembership({ server, chat, user: creator }, { status: 'left', user }, joined)
  server.events.emit({ type: 'people', data: {} })
  return chat
}

export function createTopic({ server, chat, user }: Act, name: string): number {
  if (!chat.chat.is_forum) complain('this chat has no topics: create the group with forum: true')
  return openTopic(server, chat, user, name).message_thread_id
}

/** Changes the status of a member of a group: of the bot, which is told, or of a user. */
export function setMember(act: Act, wanted: Body<'POST /api/chats/:chatId/members'>) {
  const { server, chat } = act
  const { user_id: id, member } = wanted
  const before = memberOf(server, chat, id)
  const after = { ...member, user: before.user }
  chat.memberships[id] = after
  if (id === server.botId) pushMembership(act, before, after)
  else chat.members = [...chat.members.filter((one) => one !== id), ...(isIn(after) ? [id] : [])]
  return done
}

export function setBlocked(act: Act, blocked: boolean) {
  const { server, chat } = act
  if (chat.chat.type !== 'private') complain('only a private chat can be blocked')
  if (chat.blocked === blocked) return done
  chat.blocked = blocked
  const user = botUser(server)
  const member: ChatMember = { status: 'member', user }
  const kicked: ChatMember = { status: 'kicked', user, until_date: 0 }
  pushMembership(act, blocked ? member : kicked, blocked ? kicked : member)
  return done
}

type Tapped = ChatMessage | InaccessibleMessage

function sendCallbackQuery({ server, chat: { chat }, user: from }: Act, message: Tapped, data: string) {
  const id = randomDigits(server.random, 18)
  const askedAt = server.clock.now().getTime()
  server.state.callbacks.push({ id, chatId: chat.id, userId: from.id, askedAt })
  const chat_instance = `-${Math.abs(chat.id)}00`
  const update_id = server.updates.push({ callback_query: { id, from, message, chat_instance, data } })
  return { callback_query_id: id, ...defined({ update_id }) }
}

function tapInline(act: Act, message: ChatMessage, button: InlineKeyboardButton): TapResult {
  if ('callback_data' in button) return sendCallbackQuery(act, message, button.callback_data)
  if ('url' in button) return { url: button.url }
  if ('copy_text' in button) return { copied: button.copy_text.text }
  if ('pay' in button) return { pay: true }
  if ('switch_inline_query_current_chat' in button)
    return { inline_query: button.switch_inline_query_current_chat }
  return complain(`the sandbox does not support this button: ${JSON.stringify(button)}`)
}

type Tap = Body<'POST /api/chats/:chatId/taps'>

/** Taps the button with this label. Scripts write an ordinary space where a button has a no-break space. */
function tapLabel(act: Act, message_id: number, text: string): TapResult {
  const plain = (label: string) => label.replaceAll('\u00a0', ' ')
  const message = messageIn(act.chat, message_id)
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  const button = buttons.find((one) => plain(one.text) === plain(text))
  if (button) return tapInline(act, message, button)
  const there = buttons.map((one) => one.text).join(' | ') || 'none'
  return complain(`no button "${text}" on message ${message_id}; there are: ${there}`, 404)
}

/**
 * Sends any data for any message, whether or not the message has such a button, as a modified client can. For a message that has
 * been deleted the bot receives only its chat and id.
 */
function tapData(act: Act, message_id: number, data: string): TapResult {
  const { chat } = act
  const message = findMessage(chat, message_id)
  if (!message && message_id >= chat.nextMessageId) complain(`there was no message ${message_id}`, 404)
  return sendCallbackQuery(act, message ?? { chat: chat.chat, message_id, date: 0 }, data)
}

export const tap = (act: Act, one: Tap): TapResult =>
  'data' in one ? tapData(act, one.message_id, one.data) : tapLabel(act, one.message_id, one.text)

/** Presses Stop on this draft, or on the newest draft that has the button, and sends the bot an update about it. */
export function stopDraft({ server, chat: { chat } }: Act, draftId: number | undefined): Draft {
  if (chat.type !== 'private') return complain('drafts are only in private chats')
  const which = draftId === undefined ? 'no draft' : `no draft ${draftId}`
  const stopped = server.drafts.stop(chat.id, draftId)
  const draft = stopped ?? complain(`${which} with a Stop button is in this chat now`, 404)
  server.updates.push({ stopped_message_generation: { chat, draft_id: draft.draft_id } })
  return draft
}

// Messages.

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

export async function sendNew(
  act: Act,
  body: Body<'POST /api/chats/:chatId/messages'>,
): Promise<ChatMessage> {
  const { from: _, text, caption, content, file, ...place } = body
  if (file !== undefined) {
    const sent = { ...file, bytes: Buffer.from(file.base64, 'base64') }
    // Browsers state this type for a file of an unknown type.
    const mime = file.mime === 'application/octet-stream' ? undefined : file.mime || undefined
    const media = storeMedia(act.server, file.kind ?? guessKind(sent), sent, { ...file, mime })
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

/** Replaces the text of a message, the caption of a file, or the whole content. */
export function editMessage(act: Act, changed: Body<'POST /api/chats/:chatId/edits'>): ChatMessage {
  const { server, chat, user } = act
  const message = messageIn(chat, changed.message_id)
  if (message.from.id !== user.id) complain('users can edit only their own messages')
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

/** Asks the bot, also when it has answered the same query before. */
export async function askInline(
  { server, chat: { chat }, user: from }: Act,
  { query, offset }: Body<'POST /api/chats/:chatId/inline'>,
): Promise<AskedAnswer> {
  // A private chat here is always the one with the bot itself.
  const chat_type = chat.type === 'private' ? 'sender' : chat.type
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
