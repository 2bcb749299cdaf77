// An order's way: the draft that is filled in, the quote that is held, the generation, the files that come of it.

import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Price } from '../../catalog/catalog.ts'
import type { Answers } from '../../catalog/field.ts'
import { id, kopecks, table, telegramId, time } from './columns.ts'
import { users } from './people.ts'

/** The answers collected so far for one model in one chat, and the card that shows them. */
export const drafts = table(
  'drafts',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    chatId: telegramId().notNull(),
    topicId: integer('thread_id'),
    modelId: text().notNull(),
    answers: jsonb().$type<Answers>().notNull(),
    /** Grows with every change; a quote belongs to one revision. */
    revision: integer().notNull().default(1),
    cardMessageId: integer(),
    /** The update that began it: handled again after a crash, it begins no other. */
    updateId: telegramId().unique(),
    state: text({ enum: ['open', 'ordered', 'dropped'] })
      .notNull()
      .default('open'),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [index('drafts_user').on(t.userId, t.updatedAt)],
)

/** A price computed from a draft, with its parts and an expiry; what is held is the quote. */
export const quotes = table(
  'quotes',
  {
    id: text().primaryKey(),
    draftId: text()
      .notNull()
      .references(() => drafts.id),
    revision: integer().notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    modelId: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    amount: kopecks().notNull(),
    gatewayCost: kopecks().notNull(),
    parts: jsonb().$type<QuoteParts>().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (t) => [check('quotes_amount_positive', sql`${t.amount} > 0`), index('quotes_draft').on(t.draftId)],
)

export type QuoteParts = Pick<Price, 'unit' | 'quantity' | 'count' | 'rate' | 'multiplier'>

export const generationStates = [
  'held',
  'submitting',
  'running',
  'unknown',
  'succeeded',
  'failed',
  'canceled',
] as const

/** Why a generation ended without success; each has a text for the user. */
export const reasons = [
  'refused',
  'task-failed',
  'task-canceled',
  'empty',
  'lost',
  'late',
  'unavailable',
  'paused',
  'no-file',
] as const

export const deliveryStates = ['none', 'pending', 'delivered', 'undeliverable'] as const

/** One paid order. The table is also the tracker's queue: due rows are claimed by `nextCheckAt` under a lease. */
export const generations = table(
  'generations',
  {
    id: text().primaryKey(),
    quoteId: text()
      .notNull()
      .unique()
      .references(() => quotes.id),
    /** One draft is ordered once, however many quotes it had. */
    draftId: text()
      .notNull()
      .unique()
      .references(() => drafts.id),
    userId: id()
      .notNull()
      .references(() => users.id),
    chatId: telegramId().notNull(),
    topicId: integer('thread_id'),
    modelId: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    amount: kopecks().notNull(),
    captured: kopecks(),
    /** Given back after the capture: by the operator, or since the file could not be had. */
    refunded: kopecks(),
    state: text({ enum: generationStates }).notNull(),
    /** The last task state the gateway told: shown, never settled by. */
    progress: text({ enum: ['queued', 'processing'] }),
    taskId: text().unique(),
    callbackToken: text().notNull().unique(),
    reason: text({ enum: reasons }),
    /** The gateway's own words about a failure; foreign text. */
    said: text(),
    delivery: text({ enum: deliveryStates }).notNull().default('none'),
    /** Failed attempts at the current step; of what runs, looks in a row that found nothing there. */
    attempts: integer().notNull().default(0),
    lastCheckAt: time(),
    callbackAt: time(),
    /** Due work; null when nothing is left to do. */
    nextCheckAt: time(),
    leaseUntil: time(),
    /** Fence: every write of a worker names the lease it holds. */
    lease: text(),
    statusMessageId: integer(),
    createdAt: time().notNull(),
    submittedAt: time(),
    settledAt: time(),
    deliveredAt: time(),
  },
  (t) => [
    index('generations_due').on(t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    index('generations_next').on(t.state, t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    index('generations_undelivered').on(t.nextCheckAt).where(sql`${t.delivery} = 'pending'`),
    index('generations_running').on(t.submittedAt).where(sql`${t.state} = 'running'`),
    index('generations_user').on(t.userId, t.createdAt),
    index('generations_settled').on(t.settledAt),
  ],
)

/** A task id that a callback named while the answer to the order's submit was missing. The gateway is asked which one is right. */
export const taskCandidates = table(
  'task_candidates',
  {
    generationId: text()
      .notNull()
      .references(() => generations.id),
    taskId: text().notNull(),
    /** Its place among the candidates of its callback; 0 is the likeliest. */
    rank: integer().notNull(),
    /** Looks that found no task, or one that does not fit. */
    looks: integer().notNull().default(0),
    toldAt: time().notNull(),
    /** When to look at it; null after the last look, until a callback names it again. */
    dueAt: time(),
  },
  (t) => [primaryKey({ columns: [t.generationId, t.taskId] })],
)

export const fileKinds = ['image', 'video', 'audio', 'model3d', 'text', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

/** One produced file; once Telegram has it, `fileId` re-sends it for free. */
export const artifacts = table(
  'artifacts',
  {
    generationId: text()
      .notNull()
      .references(() => generations.id),
    position: integer().notNull(),
    /** Where the gateway keeps it, or the file itself as a data URI when it came with the answer. */
    url: text().notNull(),
    fileId: text(),
    messageId: integer(),
    /** What the file turned out to be when it was sent; null before that, and for one that went as a link. */
    kind: text({ enum: fileKinds }),
    /** The file as it was made, where the message shows something smaller. */
    originalFileId: text(),
  },
  (t) => [primaryKey({ columns: [t.generationId, t.position] })],
)

/** Custom styles that users made at the gateway, by its id. */
export const styles = table(
  'styles',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index('styles_user').on(t.userId, t.createdAt)],
)

/** "Something is wrong with this result": the operator refunds or declines in one tap. */
export const reports = table('reports', {
  id: text().primaryKey(),
  generationId: text()
    .notNull()
    .unique()
    .references(() => generations.id),
  userId: id()
    .notNull()
    .references(() => users.id),
  said: text().notNull(),
  state: text({ enum: ['open', 'refunded', 'declined'] })
    .notNull()
    .default('open'),
  createdAt: time().notNull(),
  closedAt: time(),
})
