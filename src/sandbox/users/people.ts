// Users, groups and topics; blocking the bot; and what users press: reactions, inline buttons and the Stop button of a draft.

import type { ChatMember, InaccessibleMessage, InlineKeyboardButton, ReactionType, User } from 'grammy/types'
import { randomDigits } from '../random.ts'
import { defined } from '../telegram/defined.ts'
import type { Draft } from '../telegram/events.ts'
import { addMessage } from '../telegram/post.ts'
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
import { type ChatMessage, type ChatState, newChat } from '../telegram/state.ts'
import type { Body, TapResult } from './api.ts'
import { complain } from './route.ts'

/** The answer to an act that tells nothing but that it is done. */
export const done = { ok: true }

/** A user who acts in a chat. */
export interface Act {
  readonly server: TelegramServer
  readonly chat: ChatState
  readonly user: User
}

export const userOf = (server: TelegramServer, id: number): User =>
  server.state.users[id] ?? complain(`there is no user ${id}`, 404)

export const chatState = (server: TelegramServer, id: string | number): ChatState =>
  server.state.chats[Number(id)] ?? complain(`there is no chat ${id}`, 404)

export const messageIn = (chat: ChatState, id: number): ChatMessage =>
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
  const id = wanted ?? state.nextUserId
  if (wanted === undefined) state.nextUserId += 1
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

/** Creates a topic. Its id is the id of the message that opens it. */
export function createTopic({ server, chat, user }: Act, name: string): number {
  if (!chat.chat.is_forum) complain('this chat has no topics: create the group with forum: true')
  const message_thread_id = chat.nextMessageId
  const forum_topic_created = { name, icon_color: 0x6fb9f0 } as const
  const topic = { message_thread_id, is_topic_message: true as const, forum_topic_created }
  const message = addMessage(server, chat, user, topic)
  chat.topics.push(message_thread_id)
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  server.updates.push({ message })
  return message_thread_id
}

/** Changes the status of a member of a group: of the bot, which is told, or of a user. */
export function setMember(
  act: Act,
  { user_id: id, member: wanted }: Body<'POST /api/chats/:chatId/members'>,
) {
  const { server, chat } = act
  const before = memberOf(server, chat, id)
  const after = { ...wanted, user: before.user }
  chat.memberships[id] = after
  if (id === server.botId) pushMembership(act, before, after)
  if (id === server.botId) return done
  const others = chat.members.filter((one) => one !== id)
  if (!isIn(after)) chat.members = others
  else if (!chat.members.includes(id)) chat.members.push(id)
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

/** The only emoji with which the Bot API lets a message be reacted to. */
const reactionEmoji = new Set(
  `👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋
   🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡`.split(
    /\s+/,
  ),
)

/** Whether Telegram accepts the reaction. Clients send some emoji with a variation selector, which Telegram ignores. */
const mayReact = (reaction: ReactionType): boolean =>
  reaction.type === 'emoji' && reactionEmoji.has(reaction.emoji.replace(/\ufe0f/g, ''))

/** Replaces the user's reactions to the message. In a group, the bot is told of them only if it is an administrator. */
export function react(act: Act, { message_id, reaction }: Body<'POST /api/chats/:chatId/reactions'>) {
  const { server, chat: state, user } = act
  messageIn(state, message_id)
  if (!reaction.every(mayReact)) complain('Telegram does not have this reaction')
  const { chat } = state
  const given = state.userReactions[message_id] ?? {}
  const old_reaction = given[user.id] ?? []
  const all = { ...given, [user.id]: reaction }
  state.userReactions[message_id] = all
  const shown = { message_id, reaction: Object.values(all).flat() }
  server.events.emit({ type: 'reaction', chat_id: chat.id, data: shown })
  if (chat.type !== 'private' && !isAdmin(memberOf(server, state, server.botId))) return done
  const change = { old_reaction, new_reaction: reaction }
  server.updates.push({ message_reaction: { chat, message_id, user, date: nowSeconds(server), ...change } })
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

interface OfMessage {
  readonly message_id: number
}

/** Taps the button with this label. Scripts write an ordinary space where a button has a no-break space. */
export function tapLabel(act: Act, { message_id, text }: OfMessage & { readonly text: string }): TapResult {
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
export function tapData(act: Act, { message_id, data }: OfMessage & { readonly data: string }): TapResult {
  const { chat } = act
  const message = findMessage(chat, message_id)
  if (!message && message_id >= chat.nextMessageId) complain(`there was no message ${message_id}`, 404)
  return sendCallbackQuery(act, message ?? { chat: chat.chat, message_id, date: 0 }, data)
}

/** Presses Stop on this draft, or on the newest draft that has the button, and sends the bot an update about it. */
export function stopDraft({ server, chat: { chat } }: Act, draftId: number | undefined): Draft {
  if (chat.type !== 'private') return complain('drafts are only in private chats')
  const which = draftId === undefined ? 'no draft' : `no draft ${draftId}`
  const stopped = server.drafts.stop(chat.id, draftId)
  const draft = stopped ?? complain(`${which} with a Stop button is in this chat now`, 404)
  server.updates.push({ stopped_message_generation: { chat, draft_id: draft.draft_id } })
  return draft
}
