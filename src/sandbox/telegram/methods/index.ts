// All methods of the local Telegram. A new one is an entry in one of these files.

import type { ApiMethods } from 'grammy/types'
import type { Method } from '../method.ts'
import { callbacks } from './callbacks.ts'
import { chatSettings } from './chat-settings.ts'
import { chats } from './chats.ts'
import { commands } from './commands.ts'
import { copies } from './copies.ts'
import { drafts } from './drafts.ts'
import { edits } from './edits.ts'
import { forwards } from './forwards.ts'
import { inline } from './inline.ts'
import { inviteLinks } from './invite-links.ts'
import { media } from './media.ts'
import { members } from './members.ts'
import { messages } from './messages.ts'
import { missing } from './missing.ts'
import { payments } from './payments.ts'
import { pins } from './pins.ts'
import { places } from './places.ts'
import { polls } from './polls.ts'
import { profile } from './profile.ts'
import { topics } from './topics.ts'
import { updates } from './updates.ts'

const registry = {
  ...messages,
  ...copies,
  ...forwards,
  ...drafts,
  ...media,
  ...places,
  ...polls,
  ...edits,
  ...callbacks,
  ...inline,
  ...payments,
  ...chats,
  ...chatSettings,
  ...members,
  ...pins,
  ...topics,
  ...inviteLinks,
  ...commands,
  ...profile,
  ...updates,
}

type Unwritten = Exclude<keyof ApiMethods, keyof typeof registry>
/** Does not compile unless each method of the Bot API is either implemented or listed as missing. */
const unwritten: Readonly<Record<Unwritten, true>> = missing

/** The names of the implemented methods. */
export const methodNames: readonly string[] = Object.keys(registry)

/** Names are case-insensitive in the Bot API. */
const byName = new Map<string, { name: string; method: Method }>(
  Object.entries(registry).map(([name, method]) => [name.toLowerCase(), { name, method }]),
)
const missingNames = new Set(Object.keys(unwritten).map((name) => name.toLowerCase()))

export const findMethod = (name: string) => byName.get(name.toLowerCase())

/** Whether Telegram has this method, but the sandbox does not. */
export const isMissing = (name: string): boolean => missingNames.has(name.toLowerCase())
