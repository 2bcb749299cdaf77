// What Telegram told us, kept from before it is confirmed until it is handled, and its id for some days after that.

import { sql } from 'drizzle-orm'
import { bigint, index, integer, text } from 'drizzle-orm/pg-core'
import { table, telegramId, time } from './columns.ts'

/** One row an update. Those of one chat, and those of one person, are handled in the order of `seq`. */
export const updates = table(
  'updates',
  {
    /** Telegram's own id of it: however often it is told, it is one update. */
    id: telegramId().primaryKey(),
    /** The order of arrival; Telegram's ids begin anew after a quiet week. */
    seq: bigint({ mode: 'number' }).notNull().unique().generatedAlwaysAsIdentity(),
    /** As it was told, in JSON; text, since Telegram's may hold what `jsonb` refuses. Emptied once it is handled. */
    body: text(),
    /** Both are empty for what waits for nothing and holds nothing up. */
    chatId: telegramId(),
    personId: telegramId(),
    receivedAt: time().notNull(),
    /** Not before; later than the arrival only after a failed attempt. */
    dueAt: time().notNull(),
    attempts: integer().notNull().default(0),
    /** How many processes ended, or lost their lease, while they handled it. */
    abandoned: integer().notNull().default(0),
    lease: text(),
    leaseUntil: time(),
    doneAt: time(),
    /** When it was taken out of its lanes unhandled, since it ended the processes that handled it. */
    setAsideAt: time(),
  },
  (t) => [
    index('updates_due').on(t.seq).where(sql`${t.doneAt} is null`),
    index('updates_chat').on(t.chatId, t.seq).where(sql`${t.doneAt} is null`),
    index('updates_person').on(t.personId, t.seq).where(sql`${t.doneAt} is null`),
    index('updates_done').on(t.doneAt),
    index('updates_set_aside').on(t.setAsideAt).where(sql`${t.setAsideAt} is not null`),
  ],
)

/** What only one process does at a time: asking Telegram for updates. */
export const leaderLeases = table('duties', {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: time().notNull(),
  /** When Telegram last showed that another installation does the same with our token. */
  contestedAt: time(),
})
