// Orders: drafts, quotes, generations, their files, and the settings that users saved.

import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import type { Price } from '../../catalog/catalog.ts'
import type { Answers, FileFacts } from '../../catalog/field.ts'
import { fileKinds } from '../../runtime/file-format.ts'
import { day, id, kopecks, leaseColumns, reference, seed, table, telegramId, time } from './columns.ts'
import { accounts, ofUser } from './money.ts'

/** The answers collected so far for one model in one chat, and the card that shows them. */
export const drafts = table(
  'drafts',
  {
    id: text().primaryKey(),
    userId: ofUser(),
    chatId: telegramId().notNull(),
    topicId: integer('thread_id'),
    modelId: text().notNull(),
    answers: jsonb().$type<Answers>().notNull(),
    /** Incremented with every change; a quote belongs to one revision. */
    revision: integer().notNull().default(1),
    cardMessageId: integer(),
    /** The setting whose page the card shows; null for every other page. */
    openPage: text(),
    /** Whether the wallet of the group pays, and not the user. */
    byGroup: boolean().notNull().default(false),
    /** The user began a top-up from this card: the card is sent again once the top-up is paid. */
    awaitsTopUp: boolean().notNull().default(false),
    /** The user's text for the prompt, while the model does not accept it together with the other answers. */
    unfitPrompt: text(),
    /** The user's own text, if a text model has rewritten it. It becomes the prompt again as soon as a model accepts it. */
    writtenPrompt: text(),
    /** The turn that rewrites the prompt, or that rewrote it last. */
    rewritingId: text(),
    /** The update that created the draft. Unique, so that an update that is handled again creates no second draft. */
    updateId: telegramId().unique(),
    state: text({ enum: ['open', 'ordered', 'dropped'] })
      .notNull()
      .default('open'),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index('drafts_user').on(t.userId, t.updatedAt),
    index('drafts_open').on(t.userId, t.updatedAt).where(sql`${t.state} = 'open'`),
    // Drafts change only soon after their rows are added, so their times follow the order of the blocks.
    index('drafts_updated').using('brin', t.updatedAt).with({ autosummarize: true }),
    index('drafts_group').on(t.chatId).where(sql`${t.chatId} < 0`),
  ],
)

/** A price computed from a draft, with its parts and an expiry; an order holds the amount of the quote. */
export const quotes = table(
  'quotes',
  {
    id: text().primaryKey(),
    draftId: reference(() => drafts.id),
    revision: integer().notNull(),
    userId: ofUser(),
    modelId: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    amount: kopecks().notNull(),
    gatewayCost: kopecks().notNull(),
    parts: jsonb().$type<QuoteParts>().notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (t) => [
    check('quotes_amount_positive', sql`${t.amount} > 0`),
    index('quotes_draft').on(t.draftId),
    index('quotes_created').using('brin', t.createdAt).with({ autosummarize: true }),
  ],
)

type QuoteParts = Pick<Price, 'unit' | 'quantity' | 'count' | 'rate' | 'multiplier'>

export const generationStates = [
  'held',
  'submitting',
  'running',
  'unknown',
  'succeeded',
  'failed',
  'canceled',
] as const

/** Why a generation failed; each reason has a text for the user. */
export const reasons = [
  'refused',
  'task-failed',
  'task-canceled',
  /** By an unknown word for its state: it is still asked about. */
  'task-ended',
  'empty',
  'lost',
  'late',
  'unavailable',
  'paused',
  'no-file',
  /** The words that its video was to say were not spoken. */
  'no-voice',
  /** The request with its files was too large for the gateway. */
  'too-large',
  /** Cancelled by its user before the submit. */
  'withdrawn',
] as const

export const deliveryStates = ['none', 'pending', 'delivered', 'undeliverable'] as const

/** One paid order. The table is also the tracker's queue: due rows are claimed by `nextCheckAt` under a lease. */
export const generations = table(
  'generations',
  {
    id: text().primaryKey(),
    quoteId: reference(() => quotes.id).unique(),
    /** A draft can be ordered only once, however many quotes it had. */
    draftId: reference(() => drafts.id).unique(),
    userId: ofUser(),
    chatId: telegramId().notNull(),
    topicId: integer('thread_id'),
    modelId: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The wallet of the group that pays; null when the user pays. */
    walletId: id().references(() => accounts.id),
    amount: kopecks().notNull(),
    /** The day whose limits the order counts towards; null in orders of earlier versions. */
    spentOn: day(),
    captured: kopecks(),
    /** Refunded after the capture: by an operator, or because the file could not be downloaded. */
    refunded: kopecks(),
    state: text({ enum: generationStates }).notNull(),
    /** The last task state that the gateway reported; only shown to the user. */
    progress: text({ enum: ['queued', 'processing'] }),
    taskId: text().unique(),
    /** The seed that the gateway named when it created the task; each arrived result has its own seed. */
    seed: seed(),
    /** The gateway's label of the vendor that made the results. */
    provider: text(),
    callbackToken: text().notNull().unique(),
    reason: text({ enum: reasons }),
    /** The gateway's message about a failure; untrusted text. */
    said: text(),
    delivery: text({ enum: deliveryStates }).notNull().default('none'),
    /** Failed attempts at the current step; while running, consecutive polls that did not find the task. */
    attempts: integer().notNull().default(0),
    lastCheckAt: time(),
    callbackAt: time(),
    /** When the next step is due; null when nothing is left to do. */
    nextCheckAt: time(),
    ...leaseColumns(),
    statusMessageId: integer(),
    createdAt: time().notNull(),
    submittedAt: time(),
    /** When a task that still runs is given up and its order refunded; set at the submit, null in orders of earlier versions. */
    deadlineAt: time(),
    settledAt: time(),
    /** When a result arrived although the order had been refunded; it is delivered free. */
    arrivedLateAt: time(),
    deliveredAt: time(),
    /** When the user removed the order from their list; its transfers stay in the statement. */
    hiddenAt: time(),
    favouriteAt: time(),
    /** When its user shared the result: a link then opens a card with its prompt and settings. */
    sharedAt: time(),
    /** When an operator made the own result an idea, which `/ideas` shows to everybody. */
    ideaAt: time(),
  },
  (t) => [
    index('generations_to_ask')
      .on(t.nextCheckAt)
      .where(sql`${t.delivery} <> 'pending' and ${t.nextCheckAt} is not null`),
    index('generations_next').on(t.state, t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    index('generations_undelivered').on(t.nextCheckAt).where(sql`${t.delivery} = 'pending'`),
    index('generations_given_up').on(t.attempts).where(sql`${t.delivery} = 'undeliverable'`),
    // The index has all columns that are needed to count, filter and skip the orders of a user, so that their rows are not read.
    index('generations_shelf').on(
      t.userId,
      t.createdAt,
      t.id,
      t.hiddenAt,
      t.chatId,
      t.modelId,
      t.state,
      t.favouriteAt,
    ),
    index('generations_live').on(t.userId).where(sql`${t.settledAt} is null`),
    // The migration adds `include (model_id, state, created_at)`, which Drizzle cannot express: the counted columns are read from the
    // index only.
    index('generations_ended').on(t.settledAt).where(sql`${t.settledAt} is not null`),
    index('generations_timed').on(t.modelId, t.settledAt).where(sql`${t.settledAt} is not null`),
    index('generations_ideas').on(t.ideaAt).where(sql`${t.ideaAt} is not null`),
    index('generations_late').on(t.arrivedLateAt).where(sql`${t.arrivedLateAt} is not null`),
    index('generations_group').on(t.chatId).where(sql`${t.chatId} < 0`),
  ],
)

/** A task id that a callback named while the response to the submit was missing. The gateway is asked which candidate is right. */
export const taskCandidates = table(
  'task_candidates',
  {
    generationId: reference(() => generations.id),
    taskId: text().notNull(),
    /** Position among the candidates of its callback; 0 is the most likely. */
    rank: integer().notNull(),
    /** Read by former versions only. */
    looks: integer().notNull().default(0),
    toldAt: time().notNull(),
    /** Read by former versions only. */
    dueAt: time(),
  },
  (t) => [primaryKey({ columns: [t.generationId, t.taskId] })],
)

/** Custom styles that users created at the gateway, by the gateway's id. */
export const styles = table(
  'styles',
  {
    id: text().primaryKey(),
    userId: ofUser(),
    name: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index('styles_user').on(t.userId, t.createdAt)],
)

/**
 * Why a file is missing. `unavailable` (no answer, or one that asks to retry) is temporary. `gone` (not found), `refused` (not allowed,
 * too many redirects), `not-a-file` (empty, or an error page) and `forbidden` (an address that is not connected to) are probably
 * permanent.
 */
const missingReasons = ['unavailable', 'gone', 'refused', 'not-a-file', 'forbidden'] as const
export type Missing = (typeof missingReasons)[number]

/** A produced file; once Telegram has it, it is sent again by `fileId`. */
export const artifacts = table(
  'artifacts',
  {
    generationId: reference(() => generations.id),
    position: integer().notNull(),
    /** The gateway's link, or the file itself as a data URI when the response contained it. */
    url: text().notNull(),
    /** The seed with which the gateway made this result, if the gateway named it. */
    seed: seed(),
    /** The gateway's id of this result, if the gateway named it. */
    resultId: text(),
    fileId: text(),
    messageId: integer(),
    /** The detected kind of the file; null before it was sent, and when it was sent as a link. */
    kind: text({ enum: fileKinds }),
    /** The facts of the file with `fileId`; null before it was sent, and if it was sent before this column existed. */
    facts: jsonb().$type<FileFacts>(),
    /** The unconverted file, when the message shows a smaller version. */
    originalFileId: text(),
    /** Downloads that failed in a way that is probably permanent. */
    misses: integer().notNull().default(0),
    /** Why the file was given up; written together with the refund of its price. The order does not download the file again. */
    lost: text({ enum: missingReasons }),
  },
  (t) => [primaryKey({ columns: [t.generationId, t.position] })],
)

/** Settings that users saved by name, to start cards with. The answers of a preset do not include the prompt and the files. */
export const presets = table(
  'presets',
  {
    id: text().primaryKey(),
    userId: ofUser(),
    modelId: text().notNull(),
    name: text().notNull(),
    answers: jsonb().$type<Answers>().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [unique('presets_name').on(t.userId, t.modelId, t.name)],
)
