// Members of groups: who is a member, with which status.

import type { ChatAdministratorRights, ChatMember, User } from 'grammy/types'
import { refuse } from './refusal.ts'
import { botUser, type TelegramServer } from './server.ts'
import type { ChatState } from './state.ts'

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
