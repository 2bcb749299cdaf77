// Who the bot speaks with, and what it remembers of what it asked them.

import { type AnyPgColumn, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, table, telegramId, time } from './columns.ts'

/** `telegramId` is emptied when a person asks to be forgotten; the money rows keep the number `id`. */
export const users = table('users', {
  id: id().primaryKey().generatedAlwaysAsIdentity(),
  telegramId: telegramId().unique(),
  /** Chosen in /settings; null follows Telegram. */
  language: text(),
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

/** What a message means: whose it is, and what a reply to it or a tap on it does. Its words are never asked for that. */
export const messageNotes = table(
  'message_notes',
  {
    chatId: telegramId().notNull(),
    messageId: integer().notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    kind: text().notNull(),
    /** What each kind knows besides; checked by its schema when it is read. */
    about: jsonb().notNull(),
    /** The update that answered it, where one answer is enough: handled again after a crash, it answers again. */
    takenBy: telegramId(),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chatId, t.messageId] }),
    index('message_notes_user').on(t.userId),
    index('message_notes_created').on(t.createdAt),
  ],
)
