// Notices to users about their money and about decisions of operators, as a queue: a message that cannot be sent blocks nothing else.

import { sql } from 'drizzle-orm'
import { index, integer, text } from 'drizzle-orm/pg-core'
import { id, kopecks, leaseColumns, table, telegramId, time } from './columns.ts'
import { users } from './people.ts'

export const noticeKinds = [
  'credited',
  'not-paid',
  'unmatched',
  'refunded',
  'invite-paid',
  'invite-refunded',
  'wallet-off',
  /** A correction by an operator; the amount is below zero when it was taken. */
  'corrected',
  'order-refunded',
  /** A problem report was declined; the amount is zero, as for the end of a ban. */
  'declined',
  'unbanned',
] as const

/** A message to a user. Sent notices are kept for some time, so that the same event does not cause a second notice. */
export const notices = table(
  'notices',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    /** Identifies the event: a payment, a refund, a decision. */
    key: text().notNull().unique(),
    kind: text({ enum: noticeKinds }).notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Null means the user's private chat; `declined` goes to the chat of its order. */
    chatId: telegramId(),
    amount: kopecks().notNull(),
    createdAt: time().notNull(),
    dueAt: time().notNull(),
    /** Failed attempts. */
    attempts: integer().notNull().default(0),
    ...leaseColumns(),
    doneAt: time(),
  },
  (t) => [
    index('notices_due').on(t.dueAt).where(sql`${t.doneAt} is null`),
    index('notices_done').on(t.doneAt),
  ],
)
