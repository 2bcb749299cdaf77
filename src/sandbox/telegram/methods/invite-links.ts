// Invite links of groups. Users of the sandbox cannot join by them: `POST /api/chats` gives a group its members.

import type { ChatInviteLink } from 'grammy/types'
import { z } from 'zod'
import { randomText } from '../../random.ts'
import { defined } from '../defined.ts'
import { managedGroup } from '../members.ts'
import { type Methods, method } from '../method.ts'
import { bool, chatId, int, str } from '../params.ts'
import { refuse } from '../refusal.ts'
import { botUser, type TelegramServer } from '../server.ts'
import type { ChatState } from '../state.ts'

const linkParams = {
  chat_id: chatId,
  name: str.optional(),
  expire_date: int.optional(),
  member_limit: int.optional(),
  creates_join_request: bool.default(false),
}
type LinkParams = z.output<z.ZodObject<typeof linkParams>>

const named = { chat_id: chatId, invite_link: str.default('') }

function newLink(server: TelegramServer, is_primary: boolean, params: Partial<LinkParams>): ChatInviteLink {
  const { name, expire_date, member_limit, creates_join_request = false } = params
  if (creates_join_request && member_limit) {
    refuse("member limit can't be specified for links requiring administrator approval")
  }
  const invite_link = `https://t.me/+${randomText(server.random, 16)}`
  const facts = { creates_join_request, is_primary, is_revoked: false, creator: botUser(server) }
  return { invite_link, ...facts, ...defined({ name, expire_date, member_limit }) }
}

function changeLink(chat: ChatState, address: string, change: Partial<ChatInviteLink>): ChatInviteLink {
  const known = chat.inviteLinks.find((one) => one.invite_link === address)
  const changed = { ...(known ?? refuse('INVITE_HASH_EXPIRED')), ...change }
  chat.inviteLinks = chat.inviteLinks.map((one) => (one === known ? changed : one))
  return changed
}

const invitable = (server: TelegramServer, chatId: number | string) =>
  managedGroup(server, chatId, 'can_invite_users')

export const inviteLinks = {
  exportChatInviteLink: method(z.object({ chat_id: chatId }), (server, { chat_id }) => {
    const chat = invitable(server, chat_id)
    const link = newLink(server, true, {})
    chat.inviteLinks = [...chat.inviteLinks.filter((one) => !one.is_primary), link]
    return link.invite_link
  }),

  createChatInviteLink: method(z.object(linkParams), (server, params) => {
    const link = newLink(server, false, params)
    invitable(server, params.chat_id).inviteLinks.push(link)
    return link
  }),

  editChatInviteLink: method(z.object({ ...linkParams, ...named }), (server, params) => {
    const { name, expire_date, member_limit, creates_join_request } = params
    const change = { creates_join_request, ...defined({ name, expire_date, member_limit }) }
    return changeLink(invitable(server, params.chat_id), params.invite_link, change)
  }),

  revokeChatInviteLink: method(z.object(named), (server, { chat_id, invite_link }) =>
    changeLink(invitable(server, chat_id), invite_link, { is_revoked: true }),
  ),
} satisfies Methods
