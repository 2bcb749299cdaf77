// Conversations with text models and their turns.

import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Attachment } from '../../catalog/attachment.ts'
import { id, kopecks, table, telegramId, time } from './columns.ts'
import { users } from './people.ts'

/** What is switched on in a conversation. */
export interface Modes {
  readonly thinking: boolean
  readonly search: boolean
  readonly code: boolean
}

/** A conversation with a text model, in a chat or a topic of one; at most one is open in each. */
export const threads = table(
  'threads',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    chatId: telegramId().notNull(),
    /** The topic; 0 outside of topics. */
    topicId: integer().notNull().default(0),
    modelId: text().notNull(),
    system: text(),
    modes: jsonb().$type<Modes>().notNull(),
    createdAt: time().notNull(),
    closedAt: time(),
  },
  (t) => [
    uniqueIndex('threads_open').on(t.chatId, t.topicId).where(sql`${t.closedAt} is null`),
    index('threads_user').on(t.userId, t.createdAt),
  ],
)

export const turnStates = ['streaming', 'done', 'stopped', 'failed'] as const

/** One question and its answer: held before, settled by what was used. */
export const turns = table(
  'turns',
  {
    id: text().primaryKey(),
    threadId: text()
      .notNull()
      .references(() => threads.id),
    /** Who asks pays. */
    userId: id()
      .notNull()
      .references(() => users.id),
    modelId: text().notNull(),
    question: text().notNull(),
    files: jsonb().$type<readonly Attachment[]>().notNull(),
    answer: text().notNull().default(''),
    thinking: text().notNull().default(''),
    sources: jsonb().$type<readonly { readonly url: string; readonly title?: string }[]>().notNull(),
    state: text({ enum: turnStates }).notNull(),
    amount: kopecks().notNull(),
    captured: kopecks(),
    /** Estimated where the gateway told none. */
    inputTokens: integer(),
    outputTokens: integer(),
    isEstimate: boolean().notNull().default(false),
    questionMessageId: integer(),
    /** The update that asked it: handled again after a crash, it asks nothing twice. */
    updateId: telegramId().unique(),
    /** The first message of the answer. */
    answerMessageId: integer(),
    /** A worker that has not written by then is taken for dead. */
    leaseUntil: time(),
    createdAt: time().notNull(),
    settledAt: time(),
  },
  (t) => [
    index('turns_thread').on(t.threadId, t.createdAt),
    index('turns_user').on(t.userId, t.createdAt),
    index('turns_due').on(t.leaseUntil).where(sql`${t.state} = 'streaming'`),
  ],
)
