// Users, groups and topics; reactions of users; blocking the bot.

import type { ChatMember, ReactionType, User } from 'grammy/types'
import type { z } from 'zod'
import { defined } from '../telegram/defined.ts'
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
import { type ChatState, newChat } from '../telegram/state.ts'
import { complain } from './route.ts'
import { mayReact, type newUser } from './schemas.ts'

export const userOf = (server: TelegramServer, id: number): User =>
  server.state.users[id] ?? complain(`there is no user ${id}`, 404)

export const chatState = (server: TelegramServer, id: string | number): ChatState =>
  server.state.chats[Number(id)] ?? complain(`there is no chat ${id}`, 404)

/** A user who takes part in the chat: a member, or anybody in an open group. */
export function member(server: TelegramServer, chat: ChatState, id: number): User {
  const user = userOf(server, id)
  return chat.isOpen || chat.members.includes(id)
    ? user
    : complain(`user ${id} is not in chat ${chat.chat.id}`)
}

/** Creates a user, or updates the user who has the given id. */
export function createUser(server: TelegramServer, { id: wanted, ...facts }: z.output<typeof newUser>): User {
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

function pushMembership(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  before: ChatMember,
  after: ChatMember,
): void {
  const date = nowSeconds(server)
  server.updates.push({
    my_chat_member: { chat: chat.chat, from, date, old_chat_member: before, new_chat_member: after },
  })
}

export function createGroup(
  server: TelegramServer,
  title: string,
  members: number[],
  { forum: isForum, admin: isAdmin, open: isOpen }: { forum: boolean; admin: boolean; open: boolean },
): ChatState {
  const [creator] = members.map((id) => userOf(server, id))
  if (!creator) return complain('a group needs at least one member')
  const id = -1_000_000_000_000 - server.state.nextGroupId
  server.state.nextGroupId += 1
  const forum = isForum ? { is_forum: true as const } : {}
  const chat = { ...newChat({ id, type: 'supergroup', title, ...forum }, members, true), isOpen }
  server.state.chats[id] = chat
  const user = botUser(server)
  const joined: ChatMember = isAdmin ? administrator(user) : { status: 'member', user }
  if (isAdmin) chat.memberships[server.botId] = joined
  pushMembership(server, chat, creator, { status: 'left', user }, joined)
  server.events.emit({ type: 'people', data: {} })
  return chat
}

/** Creates a topic. Its id is the id of the message that opens it. */
export function createTopic(server: TelegramServer, chat: ChatState, from: User, name: string): number {
  if (!chat.chat.is_forum) complain('this chat has no topics: create the group with forum: true')
  const message_thread_id = chat.nextMessageId
  const message = addMessage(server, chat, from, {
    message_thread_id,
    is_topic_message: true,
    forum_topic_created: { name, icon_color: 0x6fb9f0 },
  })
  chat.topics.push(message_thread_id)
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  server.updates.push({ message })
  return message_thread_id
}

/** Changes the status of a member of a group: of the bot, which is told, or of a user. */
export function setMember(
  server: TelegramServer,
  chat: ChatState,
  from: User,
  id: number,
  wanted: ChatMember,
): void {
  const before = memberOf(server, chat, id)
  const after = { ...wanted, user: before.user }
  chat.memberships[id] = after
  if (id === server.botId) {
    pushMembership(server, chat, from, before, after)
    return
  }
  const isListed = chat.members.includes(id)
  if (isIn(after) && !isListed) chat.members.push(id)
  if (!isIn(after)) chat.members = chat.members.filter((one) => one !== id)
}

export function setBlocked(server: TelegramServer, chat: ChatState, from: User, blocked: boolean): void {
  if (chat.chat.type !== 'private') complain('only a private chat can be blocked')
  if (chat.blocked === blocked) return
  chat.blocked = blocked
  const user = botUser(server)
  const member: ChatMember = { status: 'member', user }
  const kicked: ChatMember = { status: 'kicked', user, until_date: 0 }
  pushMembership(server, chat, from, blocked ? member : kicked, blocked ? kicked : member)
}

/** Replaces the user's reactions to the message. In a group, the bot is told of them only if it is an administrator. */
export function react(
  server: TelegramServer,
  state: ChatState,
  user: User,
  { message_id, reaction }: { message_id: number; reaction: ReactionType[] },
): void {
  if (!findMessage(state, message_id)) complain(`there is no message ${message_id}`, 404)
  if (!reaction.every(mayReact)) complain('Telegram does not have this reaction')
  const { chat } = state
  const given = state.userReactions[message_id] ?? {}
  const old_reaction = given[user.id] ?? []
  const all = { ...given, [user.id]: reaction }
  state.userReactions[message_id] = all
  const shown = { message_id, reaction: Object.values(all).flat() }
  server.events.emit({ type: 'reaction', chat_id: chat.id, data: shown })
  if (chat.type !== 'private' && !isAdmin(memberOf(server, state, server.botId))) return
  const date = nowSeconds(server)
  server.updates.push({
    message_reaction: { chat, message_id, user, date, old_reaction, new_reaction: reaction },
  })
}
