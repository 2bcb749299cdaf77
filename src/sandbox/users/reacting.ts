// Reactions of users to messages, and their votes in polls.

import type { Poll, ReactionType, User } from 'grammy/types'
import { isAdmin, memberOf } from '../telegram/members.ts'
import { vote } from '../telegram/polls.ts'
import { mayReact } from '../telegram/reactions.ts'
import { findMessage, nowSeconds, type TelegramServer } from '../telegram/server.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import { complain } from './route.ts'

const messageIn = (chat: ChatState, id: number): ChatMessage =>
  findMessage(chat, id) ?? complain(`there is no message ${id}`, 404)

/** @param options the indexes of the chosen options; an empty list retracts the vote */
export function castVote(
  server: TelegramServer,
  chat: ChatState,
  user: User,
  { message_id, options }: { message_id: number; options: number[] },
): Poll {
  const message = messageIn(chat, message_id)
  const poll = message.poll ?? complain(`message ${message_id} is not a poll`)
  if (poll.is_closed) complain('this poll is closed')
  if (options.length > 1 && !poll.allows_multiple_answers) complain('this poll takes one answer')
  if (options.some((one) => !poll.options[one])) complain('this poll has no such option')
  if (chat.votes[message_id]?.[user.id]?.length && !poll.allows_revoting) complain('this user has voted')
  return vote(server, chat, user, { message, poll }, options)
}

/** Replaces the user's reactions to the message. In a group, the bot is told of them only if it is an administrator. */
export function react(
  server: TelegramServer,
  state: ChatState,
  user: User,
  { message_id, reaction }: { message_id: number; reaction: ReactionType[] },
): void {
  messageIn(state, message_id)
  if (!reaction.every(mayReact)) complain('Telegram does not have this reaction')
  const { chat } = state
  const given = state.userReactions[message_id] ?? {}
  const old_reaction = given[user.id] ?? []
  state.userReactions[message_id] = { ...given, [user.id]: reaction }
  if (chat.type !== 'private' && !isAdmin(memberOf(server, state, server.botId))) return
  const date = nowSeconds(server)
  server.updates.push({
    message_reaction: { chat, message_id, user, date, old_reaction, new_reaction: reaction },
  })
}
