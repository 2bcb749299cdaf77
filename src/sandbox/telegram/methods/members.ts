// Members of groups: reading them, banning, restricting and promoting them; leaving.

import type { ChatMember } from 'grammy/types'
import { z } from 'zod'
import {
  administrator,
  allPermissions,
  allRights,
  granted,
  isAdmin,
  isIn,
  managedGroup,
  memberOf,
  setMembership,
} from '../members.ts'
import { type Methods, method } from '../method.ts'
import { bool, chatId, int, json, str } from '../params.ts'
import { refuse } from '../refusal.ts'
import { botUser, chatOf, type TelegramServer, writableChat } from '../server.ts'
import type { ChatState } from '../state.ts'

const place = { chat_id: chatId, user_id: int }
const inGroup = z.object({ chat_id: chatId })

const count = method(inGroup, (server, { chat_id }) => chatOf(server, chat_id).members.length + 1)

/** A member whom the bot may restrict: not itself, not the owner, not an administrator whom others have promoted. */
function restrictable(server: TelegramServer, chat: ChatState, userId: number): ChatMember {
  const member = memberOf(server, chat, userId)
  if (userId === server.botId) refuse("can't restrict self")
  if (member.status === 'creator') refuse("can't remove chat owner")
  if (isAdmin(member)) refuse('user is an administrator of the chat')
  return member
}

const ban = method(
  z.object({ ...place, until_date: int.default(0), revoke_messages: bool.optional() }),
  (server, { chat_id, user_id, until_date }) => {
    const chat = managedGroup(server, chat_id, 'can_restrict_members')
    const { user } = restrictable(server, chat, user_id)
    setMembership(server, chat, { status: 'kicked', user, until_date })
    return true as const
  },
)

export const members = {
  getChatMember: method(z.object(place), (server, { chat_id, user_id }) =>
    memberOf(server, writableChat(server, chat_id), user_id),
  ),

  getChatMemberCount: count,
  getChatMembersCount: count,

  getChatAdministrators: method(inGroup, (server, { chat_id }) => {
    const chat = chatOf(server, chat_id)
    if (chat.chat.type === 'private') refuse('there are no administrators in the private chat')
    const all = [...chat.members, server.botId].map((id) => memberOf(server, chat, id))
    return all.flatMap((one) => (one.status === 'creator' || one.status === 'administrator' ? [one] : []))
  }),

  banChatMember: ban,
  kickChatMember: ban,

  unbanChatMember: method(
    z.object({ ...place, only_if_banned: bool.optional() }),
    (server, { chat_id, user_id, only_if_banned }) => {
      const chat = managedGroup(server, chat_id, 'can_restrict_members')
      const member = restrictable(server, chat, user_id)
      if (member.status !== 'kicked' && only_if_banned) return true as const
      setMembership(server, chat, { status: 'left', user: member.user })
      return true as const
    },
  ),

  restrictChatMember: method(
    z.object({ ...place, permissions: json(z.looseObject({})), until_date: int.default(0) }),
    (server, { chat_id, user_id, permissions: given, until_date }) => {
      const permissions = { ...allPermissions, ...granted(allPermissions, given) }
      const chat = managedGroup(server, chat_id, 'can_restrict_members')
      const before = restrictable(server, chat, user_id)
      const { user } = before
      const is_member = isIn(before)
      const isFree = Object.values(permissions).every(Boolean)
      const restricted = { ...permissions, status: 'restricted' as const, user, is_member, until_date }
      const free: ChatMember = { status: is_member ? 'member' : 'left', user }
      setMembership(server, chat, isFree ? free : restricted)
      return true as const
    },
  ),

  promoteChatMember: method(z.looseObject(place), (server, { chat_id, user_id, ...given }) => {
    const chat = managedGroup(server, chat_id, 'can_promote_members')
    const { status, user } = memberOf(server, chat, user_id)
    if (user_id === server.botId) refuse("can't promote self")
    if (status === 'creator') refuse("can't remove chat owner")
    const rights = { ...allRights, ...granted(allRights, given) }
    const isPromoted = Object.values(rights).some(Boolean)
    setMembership(server, chat, isPromoted ? administrator(user, rights, true) : { status: 'member', user })
    return true as const
  }),

  setChatAdministratorCustomTitle: method(
    z.object({ ...place, custom_title: str.default('') }),
    (server, { chat_id, user_id, custom_title }) => {
      const chat = managedGroup(server, chat_id, 'can_promote_members')
      const member = memberOf(server, chat, user_id)
      if (member.status === 'creator') refuse('only the owner can edit their custom title')
      if (member.status !== 'administrator') return refuse('user is not an administrator')
      if ([...custom_title].length > 16) refuse('CUSTOM_TITLE_TOO_LONG')
      setMembership(server, chat, { ...member, custom_title })
      return true as const
    },
  ),

  leaveChat: method(inGroup, (server, { chat_id }) => {
    const chat = chatOf(server, chat_id)
    if (chat.chat.type === 'private') refuse("chat member status can't be changed in private chats")
    setMembership(server, chat, { status: 'left', user: botUser(server) })
    return true as const
  }),
} satisfies Methods
