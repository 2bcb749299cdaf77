// Users, and the state of dialogs with them.

import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, table, telegramId, time } from './columns.ts'

/** `telegramId` is set to null when users delete their data; the money rows keep the `id`. */
export const users = table(
  'users',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    telegramId: telegramId().unique(),
    /** Chosen in /settings; null means Telegram's language. */
    language: text(),
    telegramLanguage: text(),
    /** The name and the username as last seen; operators search for users by them. */
    name: text(),
    username: text(),
    /** The address for fiscal receipts. */
    email: text(),
    referrerId: id().references((): AnyPgColumn => users.id),
    bannedAt: time(),
    forgottenAt: time(),
    createdAt: time().notNull(),
    /** When everything for new users (credit, greeting) was completed; null until then. */
    greetedAt: time(),
    /** When the user first asked a text model after seeing the price. Until then the price is shown before a plain text is asked. */
    answersAcceptedAt: time(),
  },
  (t) => [index('users_referrer').on(t.referrerId).where(sql`${t.referrerId} is not null`)],
)

/** State of the grammY conversations that ask for one field; the answers are stored in the drafts. */
export const conversationStates = table('conversation_states', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: time().notNull(),
})

/** The meaning of a bot message: its user, and what a reply to it or a tap on it does. It is never derived from the text of the message. */
export const messageNotes = table(
  'message_notes',
  {
    chatId: telegramId().notNull(),
    messageId: integer().notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    kind: text().notNull(),
    /** Details that depend on the kind; validated when they are read. */
    about: jsonb().notNull(),
    /** The update that answered it, when only one answer is accepted; the same update may answer again after a crash. */
    takenBy: telegramId(),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chatId, t.messageId] }),
    index('message_notes_user').on(t.userId),
    index('message_notes_created').on(t.createdAt),
  ],
)
