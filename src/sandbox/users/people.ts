// Users, groups and topics; blocking the bot.

import type { ChatMember, User } from 'grammy/types'
import { defined } from '../telegram/defined.ts'
import { addMessage } from '../telegram/post.ts'
import { botUser, nowSeconds, type TelegramServer } from '../telegram/server.ts'
import type { BotChat, ChatState } from '../telegram/state.ts'
import { complain } from './route.ts'

export const userOf = (server: TelegramServer, id: number): User =>
  server.state.users[id] ?? complain(`there is no user ${id}`, 404)

export const chatState = (server: TelegramServer, id: string | number): ChatState =>
  server.state.chats[Number(id)] ?? complain(`there is no chat ${id}`, 404)

/** A user who is a member of the chat. */
export function member(server: TelegramServer, chat: ChatState, id: number): User {
  const user = userOf(server, id)
  return chat.members.includes(id) ? user : complain(`user ${id} is not in chat ${chat.chat.id}`)
}

const newChat = (chat: BotChat, members: number[], started: boolean): ChatState => ({
  chat,
  members,
  started,
  blocked: false,
  // The first message of a group reports its creation, and 1 is the id of the topic "General".
  nextMessageId: chat.type === 'private' ? 1 : 2,
  messages: [],
  keyboards: {},
  reactions: {},
  invoices: {},
  topics: [],
  answers: [],
})

interface NewUser {
  id?: number | undefined
  first_name: string
  username?: string | undefined
  language_code?: string | undefined
}

/** A known id updates its user. */
export function createUser(server: TelegramServer, { id: wanted, ...facts }: NewUser): User {
  if (wanted === server.botId) complain('this is the id of the bot')
  const id = wanted ?? server.state.nextUserId
  if (wanted === undefined) server.state.nextUserId += 1
  const user: User = { id, is_bot: false, ...defined(facts) }
  const { first_name, username } = user
  const chat: BotChat = { id, type: 'private', first_name, ...defined({ username }) }
  server.state.users[id] = user
  const known = server.state.chats[id]
  if (known) known.chat = chat
  else server.state.chats[id] = newChat(chat, [id], false)
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
  isForum: boolean,
): ChatState {
  const [creator] = members.map((id) => userOf(server, id))
  if (!creator) return complain('a group needs at least one member')
  const id = -1_000_000_000_000 - server.state.nextGroupId
  server.state.nextGroupId += 1
  const forum = isForum ? { is_forum: true as const } : {}
  const chat = newChat({ id, type: 'supergroup', title, ...forum }, members, true)
  server.state.chats[id] = chat
  const user = botUser(server)
  pushMembership(server, chat, creator, { status: 'left', user }, { status: 'member', user })
  return chat
}

/** The id of a topic is the id of the message that opens it. */
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

export function setBlocked(server: TelegramServer, chat: ChatState, from: User, blocked: boolean): void {
  if (chat.chat.type !== 'private') complain('only a private chat can be blocked')
  if (chat.blocked === blocked) return
  chat.blocked = blocked
  const user = botUser(server)
  const member: ChatMember = { status: 'member', user }
  const kicked: ChatMember = { status: 'kicked', user, until_date: 0 }
  pushMembership(server, chat, from, blocked ? member : kicked, blocked ? kicked : member)
}
