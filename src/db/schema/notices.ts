// What people are told about their money while nobody is asking: a queue of its own, so that a message that cannot be sent
// holds up nothing else.

import { sql } from 'drizzle-orm'
import { index, integer, text } from 'drizzle-orm/pg-core'
import { id, kopecks, table, telegramId, time } from './columns.ts'
import { users } from './people.ts'

export const noticeKinds = ['credited', 'not-paid', 'unmatched', 'refunded', 'invite-paid'] as const

/** One message to one user. Sent ones are kept for some days, so that the same is not written again. */
export const notices = table(
  'notices',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    /** Names the event that is told: a payment, a refund. */
    key: text().notNull().unique(),
    kind: text({ enum: noticeKinds }).notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Null for the user's private chat. */
    chatId: telegramId(),
    amount: kopecks().notNull(),
    createdAt: time().notNull(),
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    lease: text(),
    leaseUntil: time(),
    doneAt: time(),
  },
  (t) => [
    index('notices_due').on(t.dueAt).where(sql`${t.doneAt} is null`),
    index('notices_done').on(t.doneAt),
  ],
)
