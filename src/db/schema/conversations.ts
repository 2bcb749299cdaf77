// Conversations with text models and their turns.

import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Attachment } from '../../catalog/attachment.ts'
import type { AnswerPart } from './answer-parts.ts'
import { id, kopecks, table, telegramId, time } from './columns.ts'
import { deliveryStates } from './orders.ts'
import { users } from './people.ts'

/** What is switched on in a conversation. */
export interface Modes {
  readonly thinking: boolean
  readonly search: boolean
  readonly code: boolean
}

/** A conversation with a text model, in a chat or a topic of one; at most one is open in each. */
export const conversations = table(
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

/**
 * One question and its answer: held before, settled by what was used. The table is also the queue of settled answers that are
 * not in their chat yet: due rows are claimed by `sendAt` under a lease.
 */
export const turns = table(
  'turns',
  {
    id: text().primaryKey(),
    conversationId: text('thread_id')
      .notNull()
      .references(() => conversations.id),
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
    /** Given back after the capture, since it could not be put into the chat. */
    refunded: kopecks(),
    /** Estimated where the gateway told none. */
    inputTokens: integer(),
    outputTokens: integer(),
    isEstimate: boolean().notNull().default(false),
    questionMessageId: integer(),
    /** The update that asked it: handled again after a crash, it asks nothing twice. */
    updateId: telegramId().unique(),
    /** The first message of the answer; while nothing of it was sent, the message in the group that it will go into. */
    answerMessageId: integer(),
    delivery: text({ enum: deliveryStates }).notNull().default('none'),
    /** The messages that say the answer, in order: from the moment it is settled until all of them were sent. */
    parts: jsonb().$type<readonly AnswerPart[]>(),
    /** How many of the parts were sent. */
    sent: integer().notNull().default(0),
    /** Failed attempts to send. */
    attempts: integer().notNull().default(0),
    /** When to send; null when nothing is left to send. */
    sendAt: time(),
    /** Fence: every write of a worker names the lease it holds. */
    lease: text(),
    leaseUntil: time(),
    createdAt: time().notNull(),
    settledAt: time(),
  },
  (t) => [
    index('turns_thread').on(t.conversationId, t.createdAt),
    index('turns_user').on(t.userId, t.createdAt),
    index('turns_due').on(t.leaseUntil).where(sql`${t.state} = 'streaming'`),
    index('turns_unsent').on(t.sendAt).where(sql`${t.delivery} = 'pending'`),
  ],
)
