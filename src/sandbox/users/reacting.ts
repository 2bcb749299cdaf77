// Reactions of users to messages.

import type { ReactionType, User } from 'grammy/types'
import { isAdmin, memberOf } from '../telegram/members.ts'
import { mayReact } from '../telegram/reactions.ts'
import { findMessage, nowSeconds, type TelegramServer } from '../telegram/server.ts'
import type { ChatState } from '../telegram/state.ts'
import { complain } from './route.ts'

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
