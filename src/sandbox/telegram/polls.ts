// Polls: votes of users and their count.

import type { Poll, User } from 'grammy/types'
import { replace } from './rewrite.ts'
import type { TelegramServer } from './server.ts'
import type { ChatMessage, ChatState } from './state.ts'

/** @returns the poll with its votes counted */
function counted(poll: Poll, votes: Readonly<Record<number, readonly number[]>>): Poll {
  const chosen = Object.values(votes).filter((one) => one.length > 0)
  const options = poll.options.map((option, index) => ({
    ...option,
    voter_count: chosen.filter((one) => one.includes(index)).length,
  }))
  return { ...poll, options, total_voter_count: chosen.length }
}

/** @param chosen the indexes of the options; an empty list retracts the vote */
export function vote(
  server: TelegramServer,
  chat: ChatState,
  user: User,
  { message, poll }: { message: ChatMessage; poll: Poll },
  chosen: number[],
): Poll {
  const votes = { ...chat.votes[message.message_id], [user.id]: chosen }
  chat.votes[message.message_id] = votes
  const changed = counted(poll, votes)
  replace(server, chat, message, { ...message, poll: changed })
  server.updates.push({ poll: changed })
  if (poll.is_anonymous) return changed
  const option_persistent_ids = chosen.flatMap((index) => poll.options[index]?.persistent_id ?? [])
  server.updates.push({ poll_answer: { poll_id: poll.id, user, option_ids: chosen, option_persistent_ids } })
  return changed
}
