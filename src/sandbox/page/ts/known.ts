// The users, the chats and the bot of the sandbox, as they were last read.

import { api, type Bot, type Chat, type Message, type User } from './api.ts'

interface Known {
  readonly users: readonly User[]
  readonly chats: readonly Chat[]
  /** undefined before the first reading */
  readonly bot?: Bot
}

export const nothingKnown: Known = { users: [], chats: [] }

export async function readKnown(): Promise<Known> {
  const [users, chats, bot] = await Promise.all([api.users(), api.chats(), api.bot()])
  return { users, chats, bot }
}

/** The user's chats, newest first. */
export const chatsOf = ({ chats }: Known, user: User): Chat[] =>
  chats.filter((chat) => chat.members.includes(user.id)).sort((a, b) => b.id - a.id)

/** Sets the newest message of a chat that is no longer open, for the list of chats; it is valid until the chats are read again. */
export function withLastMessage(known: Known, { id }: Chat, last_message: Message | undefined): Known {
  if (!last_message) return known
  return { ...known, chats: known.chats.map((one) => (one.id === id ? { ...one, last_message } : one)) }
}
