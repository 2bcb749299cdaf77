// Telegram's updates, stored before they are confirmed. The ids are kept for some days after the updates were handled.

import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, index, integer, text } from 'drizzle-orm/pg-core'
import { leaseColumns, table, telegramId, time } from './columns.ts'

/**
 * A condition for reading a lane: the update is not handled. It has the same meaning as `done_at is null`, but another form, so that only
 * the indexes of the lanes match it. PostgreSQL expects one waiting update among millions of handled ones and then uses any index that
 * matches; with `updates_due` it would read, for each lane, all waiting updates and the dead rows that vacuum has not removed.
 */
export const isInLane = ({ doneAt }: { readonly doneAt: AnyPgColumn }): SQL =>
  sql`coalesce(${doneAt}, 'infinity') = 'infinity'`

/**
 * The assignments for an update that is handled: neither its text nor its person is kept. Drafts and turns keep the id of their update for
 * years, and would lead from the number of a user whose data was deleted to the Telegram id. No index of handled rows has these columns, so
 * `done_at` alone would cost as much.
 */
export const emptiedUpdate: SQL = sql`body = null, chat_id = null, person_id = null`

/** One row per update. Updates of a chat, and updates of a person, are handled in the order of `seq`. */
export const updates = table(
  'updates',
  {
    /** Telegram's `update_id`: the same update may be received several times. */
    id: telegramId().primaryKey(),
    /** The order of arrival. Telegram's ids are not ordered: they restart at a random number after a week without updates. */
    seq: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** The received JSON, as text, since it may contain characters that `jsonb` cannot store. */
    body: text(),
    /** The lanes; both are null for updates that wait for no other update, and for updates that were handled. */
    chatId: telegramId(),
    personId: telegramId(),
    receivedAt: time().notNull(),
    /** Earliest time of the next attempt. */
    dueAt: time().notNull(),
    /** Failed attempts. */
    attempts: integer().notNull().default(0),
    /** Only earlier versions read it. */
    abandoned: integer().notNull().default(0),
    ...leaseColumns(),
    doneAt: time(),
    /** When the update was taken out of its lanes unhandled, because processes ended while they handled it. */
    setAsideAt: time(),
  },
  (t) => [
    index('updates_due').on(t.seq).where(sql`${t.doneAt} is null`),
    index('updates_chat_lane').on(t.chatId, t.seq).where(isInLane(t)),
    index('updates_person_lane').on(t.personId, t.seq).where(isInLane(t)),
    index('updates_finished').on(t.doneAt).where(sql`${t.doneAt} is not null`),
    index('updates_set_aside').on(t.setAsideAt).where(sql`${t.setAsideAt} is not null`),
  ],
)

/** The bot that this database belongs to: one row, so that another bot's token is refused. */
export const installation = table('installation', {
  /** Always 1. */
  id: integer().primaryKey(),
  botId: telegramId().notNull(),
  since: time().notNull(),
})

/** Leader leases: work that only one process does at a time, such as polling Telegram. */
export const leaderLeases = table('duties', {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: time().notNull(),
  /** When Telegram last reported a conflict: another installation uses the same bot token. */
  contestedAt: time(),
})

/** Groups that became supergroups. Rows are moved to the new id (telegram/moved-chat.ts); settings still name the old one. */
export const movedChats = table('moved_chats', {
  fromId: telegramId().primaryKey(),
  toId: telegramId().notNull(),
})
