// The local Telegram that methods and users' routes work on: its state, clock, events and queues, lookups in them, and the members of groups.

import { join } from 'node:path'
import type { ChatAdministratorRights, ChatMember, User, UserFromGetMe } from 'grammy/types'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { defined } from './defined.ts'
import type { Drafts } from './drafts.ts'
import type { Events, InlineAnswer } from './events.ts'
import type { Questions } from './questions.ts'
import { refuse } from './refusal.ts'
import { type BotChat, type ChatMessage, type ChatState, newChat, type State } from './state.ts'
import type { Updates, Webhook } from './updates.ts'

export interface TelegramServer {
  readonly state: State
  /** Must be called when the state has changed: it is written to the disk soon. */
  readonly changed: () => void
  /** `<bot id>:<secret>`, as BotFather issues it. */
  readonly token: string
  readonly botId: number
  readonly botUsername: string
  readonly clock: Clock
  readonly faults: Faults
  /** The time in the dates of messages. */
  readonly dates: () => Date
  readonly random: Random
  readonly folder: string
  readonly events: Events
  readonly drafts: Drafts
  readonly updates: Updates
  readonly webhook: Webhook
  readonly preCheckouts: Questions<{ ok: true } | { ok: false; error: string }>
  readonly inlineQueries: Questions<InlineAnswer>
  /** Aborts when the sandbox stops. */
  readonly closing: AbortSignal
}

export const nowSeconds = (server: TelegramServer): number => Math.floor(server.dates().getTime() / 1000)

export const filePath = (server: TelegramServer, path: string): string => join(server.folder, 'files', path)

/** The bot as the author of messages. */
export function botUser(server: TelegramServer): User {
  return { id: server.botId, is_bot: true, first_name: 'Sandbox bot', username: server.botUsername }
}

export function getMe(server: TelegramServer): UserFromGetMe {
  return {
    ...botUser(server),
    is_bot: true,
    username: server.botUsername,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: true,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  }
}

/** A chat id is a number or its decimal text; chats of the sandbox have no public usernames. */
export function chatOf(server: TelegramServer, chatId: number | string): ChatState {
  if (chatId === '') return refuse('chat_id is empty')
  const found = server.state.chats[Number(chatId)]
  return found?.started ? found : refuse('chat not found')
}

export const findMessage = (chat: ChatState, messageId: number): ChatMessage | undefined =>
  chat.messages.find((message) => message.message_id === messageId)

/** Finds a chat to which the bot may write. */
export function writableChat(server: TelegramServer, chatId: number | string): ChatState {
  const chat = chatOf(server, chatId)
  const { status } = chat.memberships[server.botId] ?? {}
  if (status === 'left' || status === 'kicked') refuse('bot is not a member of the supergroup chat', 403)
  return chat.blocked ? refuse('bot was blocked by the user', 403) : chat
}

/** Opens the bot's private chat with the user, or updates the user's name in it. */
export function openPrivateChat(server: TelegramServer, { id, first_name, username }: User): void {
  const chat: BotChat = { id, type: 'private', first_name, ...defined({ username }) }
  const known = server.state.chats[id]
  if (known) known.chat = chat
  else server.state.chats[id] = newChat(chat, [id], false)
}

const allRights = {
  is_anonymous: false,
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: true,
  can_change_info: true,
  can_invite_users: true,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_pin_messages: true,
  can_manage_topics: true,
  can_manage_tags: false,
  can_send_welcome_messages: false,
} satisfies ChatAdministratorRights

export const administrator = (user: User): ChatMember => ({
  status: 'administrator',
  user,
  can_be_edited: false,
  ...allRights,
})

export function memberOf(server: TelegramServer, chat: ChatState, userId: number): ChatMember {
  const user = userId === server.botId ? botUser(server) : server.state.users[userId]
  if (!user) return refuse('invalid user_id specified')
  const special = chat.memberships[userId]
  if (special) return { ...special, user }
  if (userId === server.botId) return { status: 'member', user }
  if (!chat.members.includes(userId)) return { status: 'left', user }
  const isCreator = chat.chat.type === 'supergroup' && chat.members[0] === userId
  return isCreator ? { status: 'creator', user, is_anonymous: false } : { status: 'member', user }
}

/** Somebody can be restricted without being a member. */
export const isIn = (one: ChatMember): boolean =>
  one.status === 'restricted' ? one.is_member : one.status !== 'left' && one.status !== 'kicked'

export const isAdmin = ({ status }: ChatMember): boolean => status === 'administrator' || status === 'creator'
