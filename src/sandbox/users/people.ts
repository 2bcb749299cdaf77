// Who is there: users, groups, topics, blocking the bot.

import type { ChatMember, User } from 'grammy/types'
import { defined } from '../telegram/defined.ts'
import { addMessage } from '../telegram/post.ts'
import type { BotChat, ChatState } from '../telegram/state.ts'
import { botUser, nowSeconds, type World } from '../telegram/world.ts'
import { complain } from './route.ts'

export const userOf = (world: World, id: number): User =>
  world.state.users[id] ?? complain(`there is no user ${id}`, 404)

export const chatState = (world: World, id: string | number): ChatState =>
  world.state.chats[Number(id)] ?? complain(`there is no chat ${id}`, 404)

/** A user who may act in the chat. */
export function member(world: World, chat: ChatState, id: number): User {
  const user = userOf(world, id)
  return chat.members.includes(id) ? user : complain(`user ${id} is not in chat ${chat.chat.id}`)
}

const newChat = (chat: BotChat, members: number[], started: boolean): ChatState => ({
  chat,
  members,
  started,
  blocked: false,
  // The first message of a group is its creation, and 1 is the id of the topic "General".
  nextMessageId: chat.type === 'private' ? 1 : 2,
  messages: [],
  keyboards: {},
  reactions: {},
  invoices: {},
  topics: [],
  answers: [],
})

export interface NewUser {
  id?: number | undefined
  first_name: string
  username?: string | undefined
  language_code?: string | undefined
}

/** The same id again is the same user, with what is new about them. */
export function createUser(world: World, { id: wanted, ...facts }: NewUser): User {
  if (wanted === world.botId) complain('this id is the bot')
  const id = wanted ?? world.state.nextUserId
  if (wanted === undefined) world.state.nextUserId += 1
  const user: User = { id, is_bot: false, ...defined(facts) }
  const { first_name, username } = user
  const chat: BotChat = { id, type: 'private', first_name, ...defined({ username }) }
  world.state.users[id] = user
  const known = world.state.chats[id]
  if (known) known.chat = chat
  else world.state.chats[id] = newChat(chat, [id], false)
  return user
}

function tellMembership(
  world: World,
  chat: ChatState,
  from: User,
  before: ChatMember,
  after: ChatMember,
): void {
  const date = nowSeconds(world)
  world.updates.push({
    my_chat_member: { chat: chat.chat, from, date, old_chat_member: before, new_chat_member: after },
  })
}

export function createGroup(world: World, title: string, members: number[], isForum: boolean): ChatState {
  const [creator] = members.map((id) => userOf(world, id))
  if (!creator) return complain('a group needs at least one member')
  const id = -1_000_000_000_000 - world.state.nextGroupId
  world.state.nextGroupId += 1
  const forum = isForum ? { is_forum: true as const } : {}
  const chat = newChat({ id, type: 'supergroup', title, ...forum }, members, true)
  world.state.chats[id] = chat
  const user = botUser(world)
  tellMembership(world, chat, creator, { status: 'left', user }, { status: 'member', user })
  return chat
}

/** A topic's id is the id of the message that opened it. */
export function createTopic(world: World, chat: ChatState, from: User, name: string): number {
  if (!chat.chat.is_forum) complain('this chat has no topics: create the group with forum: true')
  const message_thread_id = chat.nextMessageId
  const message = addMessage(world, chat, from, {
    message_thread_id,
    is_topic_message: true,
    forum_topic_created: { name, icon_color: 0x6fb9f0 },
  })
  chat.topics.push(message_thread_id)
  world.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  world.updates.push({ message })
  return message_thread_id
}

export function setBlocked(world: World, chat: ChatState, from: User, blocked: boolean): void {
  if (chat.chat.type !== 'private') complain('only a private chat can be blocked')
  if (chat.blocked === blocked) return
  chat.blocked = blocked
  const user = botUser(world)
  const member: ChatMember = { status: 'member', user }
  const kicked: ChatMember = { status: 'kicked', user, until_date: 0 }
  tellMembership(world, chat, from, blocked ? member : kicked, blocked ? kicked : member)
}
