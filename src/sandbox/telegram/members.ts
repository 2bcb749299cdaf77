// Members of groups: who is a member, with which status, and what the bot may do with members.

import type { ChatAdministratorRights, ChatMember, ChatPermissions, User } from 'grammy/types'
import { bool } from './params.ts'
import { refuse } from './refusal.ts'
import { botUser, nowSeconds, type TelegramServer, writableChat } from './server.ts'
import type { ChatState } from './state.ts'

export const allRights = {
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

/** @param can_be_edited whether the bot has promoted this administrator */
export const administrator = (
  user: User,
  rights: ChatAdministratorRights = allRights,
  can_be_edited = false,
): ChatMember => ({ status: 'administrator', user, can_be_edited, ...allRights, ...rights })

/** All permissions, granted. */
export const allPermissions = {
  can_send_messages: true,
  can_send_audios: true,
  can_send_documents: true,
  can_send_photos: true,
  can_send_videos: true,
  can_send_video_notes: true,
  can_send_voice_notes: true,
  can_send_polls: true,
  can_send_other_messages: true,
  can_add_web_page_previews: true,
  can_change_info: true,
  can_invite_users: true,
  can_pin_messages: true,
  can_manage_topics: true,
  can_react_to_messages: true,
  can_edit_tag: true,
} satisfies Required<ChatPermissions>

/** For each named right, whether it is given. A right that is not mentioned is not given. */
export const granted = (
  names: Readonly<Record<string, boolean>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, boolean> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, bool.safeParse(given[name]).data === true]))

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

type Right = Extract<keyof typeof allRights, `can_${string}`>

const missingRight: Readonly<Partial<Record<Right, string>>> = {
  can_restrict_members: 'not enough rights to restrict/unrestrict chat member',
  can_promote_members: 'not enough rights',
  can_change_info: 'not enough rights to change chat info',
  can_pin_messages: 'not enough rights to manage pinned messages in the chat',
  can_manage_topics: 'not enough rights to manage chat topics',
  can_invite_users: 'not enough rights to manage chat invite link',
}

/** @throws Refusal unless the bot has the right in this group */
function checkRight(server: TelegramServer, chat: ChatState, right: Right): void {
  const own = memberOf(server, chat, server.botId)
  const allowed = own.status === 'administrator' && own[right] === true
  if (!allowed) refuse(missingRight[right] ?? 'not enough rights')
}

/** A group in which the bot has the right. */
export function managedGroup(server: TelegramServer, chatId: number | string, right: Right): ChatState {
  const chat = writableChat(server, chatId)
  if (chat.chat.type === 'private') refuse('method is available for supergroup and channel chats only')
  checkRight(server, chat, right)
  return chat
}

/** Changes the status of a user, and tells the bot if it wants to know. */
export function setMembership(server: TelegramServer, chat: ChatState, after: ChatMember): void {
  const { id } = after.user
  const before = memberOf(server, chat, id)
  const others = chat.members.filter((one) => one !== id)
  if (id !== server.botId)
    chat.members = isIn(after) ? (chat.members.includes(id) ? chat.members : [...others, id]) : others
  if (after.status === 'member') delete chat.memberships[id]
  else chat.memberships[id] = after
  const change = {
    chat: chat.chat,
    from: botUser(server),
    date: nowSeconds(server),
    old_chat_member: before,
    new_chat_member: after,
  }
  server.updates.push(id === server.botId ? { my_chat_member: change } : { chat_member: change })
}
