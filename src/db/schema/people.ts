// Who the bot speaks with, and what it remembers of what it asked them.

import { type AnyPgColumn, jsonb, text } from 'drizzle-orm/pg-core'
import { id, table, telegramId, time } from './columns.ts'

/** `telegramId` is emptied when a person asks to be forgotten; the money rows keep the number `id`. */
export const users = table('users', {
  id: id().primaryKey().generatedAlwaysAsIdentity(),
  telegramId: telegramId().unique(),
  /** Chosen in /settings; null follows Telegram. */
  language: text({ enum: ['ru', 'en'] }),
  telegramLanguage: text(),
  /** As last seen, for the operator to find somebody by. */
  name: text(),
  username: text(),
  /** For fiscal receipts, given by the user. */
  email: text(),
  referrerId: id().references((): AnyPgColumn => users.id),
  bannedAt: time(),
  forgottenAt: time(),
  createdAt: time().notNull(),
  /** When they had got what every newcomer gets; null until then, whatever happened in between. */
  greetedAt: time(),
})

/** State of the one-field conversations; the answers themselves are in the drafts. */
export const conversationStates = table('conversation_states', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: time().notNull(),
})
