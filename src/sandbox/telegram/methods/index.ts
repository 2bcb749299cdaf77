// The methods of the local Telegram: those that the app calls. A new one is an entry in one of these files.

import type { Method } from '../method.ts'
import { answers } from './answers.ts'
import { chats } from './chats.ts'
import { edits } from './edits.ts'
import { media } from './media.ts'
import { messages } from './messages.ts'
import { payments } from './payments.ts'
import { profile } from './profile.ts'
import { updates } from './updates.ts'

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    ...messages,
    ...media,
    ...edits,
    ...answers,
    ...payments,
    ...chats,
    ...profile,
    ...updates,
  }),
)
