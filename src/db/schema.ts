// Every table on one page. Amounts are kopecks (bigint); times are set by the app's clock.

import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  snakeCase,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Attachment } from '../catalog/attachment.ts'
import type { Price } from '../catalog/catalog.ts'
import type { Answers } from '../catalog/field.ts'

const table = snakeCase.table
const id = () => bigint({ mode: 'bigint' })
const kopecks = () => bigint({ mode: 'bigint' })
const time = () => timestamp({ withTimezone: true, mode: 'date' })
const telegramId = () => bigint({ mode: 'number' })

/** `telegramId` is emptied when a person asks to be forgotten; the money rows keep the number `id`. */
export const users = table('users', {
  id: id().primaryKey().generatedAlwaysAsIdentity(),
  telegramId: telegramId().unique(),
  /** Chosen in /settings; null follows Telegram. */
  language: text({ enum: ['ru', 'en'] }),
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
})

/** One row a user: what is free to spend and what is held for generations. The constraint keeps both from going below zero. */
export const balances = table(
  'balances',
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    available: kopecks().notNull().default(0n),
    held: kopecks().notNull().default(0n),
  },
  (t) => [check('balances_not_negative', sql`${t.available} >= 0 and ${t.held} >= 0`)],
)

export const accounts = ['available', 'held', 'revenue', 'provider', 'promotions', 'corrections'] as const
export const transferKinds = [
  'hold',
  'capture',
  'release',
  'deposit',
  'refund',
  'promotion',
  'correction',
] as const

/** The double-entry book: immutable moves between two accounts, each concerning one user, each done once by its key. */
export const transfers = table(
  'transfers',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    key: text().notNull().unique(),
    kind: text({ enum: transferKinds }).notNull(),
    userId: id()
      .notNull()
      .references(() => balances.userId),
    debit: text({ enum: accounts }).notNull(),
    credit: text({ enum: accounts }).notNull(),
    amount: kopecks().notNull(),
    generationId: text(),
    topUpId: text(),
    turnId: text(),
    /** What the statement says of it: a promo code, an operator's reason. */
    note: text(),
    createdAt: time().notNull(),
  },
  (t) => [
    check('transfers_amount_positive', sql`${t.amount} > 0`),
    check('transfers_two_accounts', sql`${t.debit} <> ${t.credit}`),
    index('transfers_user').on(t.userId, t.id),
    index('transfers_generation').on(t.generationId),
    index('transfers_turn').on(t.turnId),
    index('transfers_time').on(t.createdAt),
  ],
)

/** The answers collected so far for one model in one chat, and the card that shows them. */
export const drafts = table(
  'drafts',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    chatId: telegramId().notNull(),
    threadId: integer(),
    modelId: text().notNull(),
    answers: jsonb().$type<Answers>().notNull(),
    /** Grows with every change; a quote belongs to one revision. */
    revision: integer().notNull().default(1),
    cardMessageId: integer(),
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
    threadId: integer(),
    modelId: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    amount: kopecks().notNull(),
    captured: kopecks(),
    /** Given back by the operator after the capture. */
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
    /** Attempts at the current step, counted anew when a step succeeds. */
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
    index('generations_user').on(t.userId, t.createdAt),
    index('generations_settled').on(t.settledAt),
  ],
)

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
    /** The file as it was made, where the message shows something smaller. */
    originalFileId: text(),
  },
  (t) => [primaryKey({ columns: [t.generationId, t.position] })],
)

/** A payment that credits the balance; `chargeId` is the provider's own and counts once. */
export const topUps = table(
  'top_ups',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    provider: text().notNull(),
    /** What is credited. */
    credit: kopecks().notNull(),
    /** What the provider charges, in the currency's smallest unit. */
    charge: kopecks().notNull(),
    currency: text().notNull(),
    /** Whether the provider still takes it; what was paid is in `payments`. */
    state: text({ enum: ['open', 'paid', 'expired'] })
      .notNull()
      .default('open'),
    /** The provider's own id of it, where it is paid outside of Telegram. */
    externalId: text().unique(),
    /** Where the news of it goes. */
    chatId: telegramId(),
    /** When to ask the provider again; null when there is nothing to ask. */
    nextCheckAt: time(),
    expiresAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index('top_ups_due').on(t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    index('top_ups_user').on(t.userId, t.createdAt),
  ],
)

/** Every payment a provider reported, once by its charge id. */
export const payments = table(
  'payments',
  {
    provider: text().notNull(),
    chargeId: text().notNull(),
    topUpId: text()
      .notNull()
      .references(() => topUps.id),
    userId: id()
      .notNull()
      .references(() => users.id),
    credit: kopecks().notNull(),
    charge: kopecks().notNull(),
    currency: text().notNull(),
    createdAt: time().notNull(),
    refundedAt: time(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.chargeId] })],
)

/** State of the one-field conversations; the answers themselves are in the drafts. */
export const conversationStates = table('conversation_states', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: time().notNull(),
})

/** Why and until when nothing is sold: the gateway refused our key or is out of money. At most one row a cause. */
export const salesStops = table('sales_stops', {
  cause: text().primaryKey(),
  since: time().notNull(),
  until: time().notNull(),
})

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

/** Money from a promotions account by a word; once per person, by the key of the transfer. */
export const promoCodes = table(
  'promo_codes',
  {
    /** In capitals. */
    code: text().primaryKey(),
    amount: kopecks().notNull(),
    uses: integer().notNull().default(0),
    maxUses: integer().notNull(),
    expiresAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [check('promo_codes_uses', sql`${t.uses} <= ${t.maxUses}`)],
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

/** Everything an operator did: who, what, to whom, why. */
export const operatorActions = table(
  'operator_actions',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    /** Telegram id; null from the command line. */
    operatorId: telegramId(),
    action: text().notNull(),
    subject: text().notNull(),
    reason: text(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index('operator_actions_subject').on(t.subject, t.id)],
)

/** What an operator switched while the app runs: `maintenance`, `model:<id>`. A row is an "off". */
export const switches = table('switches', {
  name: text().primaryKey(),
  since: time().notNull(),
  operatorId: telegramId(),
})

/** A message to everybody: paced, resumed where it stopped. */
export const broadcasts = table('broadcasts', {
  id: text().primaryKey(),
  chatId: telegramId().notNull(),
  /** The operator's message that is copied. */
  messageId: integer().notNull(),
  state: text({ enum: ['draft', 'running', 'paused', 'done', 'stopped'] }).notNull(),
  /** The last user that was served, by `users.id`. */
  lastUserId: id().notNull().default(0n),
  sent: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  lease: text(),
  leaseUntil: time(),
  createdAt: time().notNull(),
  doneAt: time(),
})

/** What is wrong at the moment, so that it is said once and not every minute. */
export const alarms = table('alarms', {
  name: text().primaryKey(),
  fact: text().notNull(),
  since: time().notNull(),
  saidAt: time(),
})

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
