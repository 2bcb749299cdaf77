// All methods of the local Telegram. A new one is an entry in one of these files.

import type { Method } from '../method.ts'
import { callbacks } from './callbacks.ts'
import { chats } from './chats.ts'
import { commands } from './commands.ts'
import { copies } from './copies.ts'
import { drafts } from './drafts.ts'
import { edits } from './edits.ts'
import { media } from './media.ts'
import { messages } from './messages.ts'
import { payments } from './payments.ts'
import { profile } from './profile.ts'
import { updates } from './updates.ts'

const registry = {
  ...messages,
  ...copies,
  ...drafts,
  ...media,
  ...edits,
  ...callbacks,
  ...payments,
  ...chats,
  ...commands,
  ...profile,
  ...updates,
}

/** Names are case-insensitive in the Bot API. */
const byName = new Map<string, { name: string; method: Method }>(
  Object.entries(registry).map(([name, method]) => [name.toLowerCase(), { name, method }]),
)

export const findMethod = (name: string) => byName.get(name.toLowerCase())
