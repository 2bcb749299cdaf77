// Actions and switches of operators, reports to them, sales stops, rate limits, broadcasts, alarms, regular jobs, and notices to users.

import { sql } from 'drizzle-orm'
import { check, doublePrecision, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { day, id, kopecks, leaseColumns, reference, table, telegramId, time } from './columns.ts'
import { ofUser } from './money.ts'
import { generations } from './orders.ts'

/** The log of operator actions. */
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

/** What an operator with a limit has refunded of orders in a day. The constraint undoes the refund that would exceed the limit. */
export const refundDays = table(
  'refund_days',
  {
    operatorId: telegramId().notNull(),
    day: day().notNull(),
    refunded: kopecks().notNull(),
    /** The limit at the last refund. */
    most: kopecks().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.operatorId, t.day] }),
    check('refund_days_within_limit', sql`${t.refunded} <= ${t.most}`),
  ],
)

/** Switches of operators: `maintenance`, `model:<id>`. A row means "off". */
export const switches = table('switches', {
  name: text().primaryKey(),
  since: time().notNull(),
  operatorId: telegramId(),
})

/**
 * Why and until when sales are stopped: the gateway refused the key, its account has no money, or it cannot be reached. At most one
 * row per cause.
 */
export const salesStops = table('sales_stops', {
  cause: text().primaryKey(),
  since: time().notNull(),
  until: time().notNull(),
})

/** Only earlier versions use it. */
export const budgets = table('budgets', {
  name: text().primaryKey(),
  /** Tokens at `filledAt`. */
  tokens: doublePrecision().notNull(),
  filledAt: time().notNull(),
})

/** Whom a broadcast reaches; `quiet` have done nothing for `quietDays`. */
export const audiences = ['all', 'payers', 'newcomers', 'quiet'] as const

/** A message to many users, sent at a limited rate and resumed after an interruption. */
export const broadcasts = table('broadcasts', {
  id: text().primaryKey(),
  chatId: telegramId().notNull(),
  /** The operator's message that is copied. */
  messageId: integer().notNull(),
  state: text({ enum: ['draft', 'scheduled', 'running', 'paused', 'done', 'stopped'] }).notNull(),
  audience: text({ enum: audiences }).notNull().default('all'),
  quietDays: integer().notNull().default(14),
  /** Only people of this language of the bot, and of this source (operator/sources.ts); null for all. */
  language: text(),
  source: text(),
  /** The button below the message: its text, and a link or a command with its words. */
  button: jsonb().$type<{ readonly text: string; readonly to: string }>(),
  /** When a scheduled broadcast starts; null for at once. */
  startAt: time(),
  /** When it started: people who came later do not belong to it. */
  startedAt: time(),
  /** The last processed user, in the order of `users.id`. */
  lastUserId: id().notNull().default(0n),
  sent: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  ...leaseColumns(),
  createdAt: time().notNull(),
  doneAt: time(),
})

/** Who got a broadcast and when, for what they did within a day. */
export const broadcastRecipients = table(
  'broadcast_recipients',
  { broadcastId: reference(() => broadcasts.id), userId: ofUser(), sentAt: time().notNull() },
  (t) => [
    primaryKey({ columns: [t.broadcastId, t.userId] }),
    index('broadcast_recipients_user').on(t.userId),
  ],
)

/** Open alarms, so that each is reported once. */
export const alarms = table('alarms', {
  name: text().primaryKey(),
  fact: text().notNull(),
  since: time().notNull(),
  /** Null, or before `since`, while no message about the alarm was sent; see operator/alarms.ts. */
  saidAt: time(),
})

/** What the operators' group is told about, each in a topic of its own: see operator/group.ts. */
export const operatorTopics = table(
  'operator_topics',
  {
    chatId: telegramId().notNull(),
    /** `payments`, `newcomers`, `reports`, `alarms`, or a person: `user:17`. */
    name: text().notNull(),
    /** Null while the bot has made no topic. */
    topicId: integer(),
    /** Payments and newcomers up to this time have been posted to the group. */
    toldUntil: time(),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.name] })],
)

/** When regular jobs ended last: the audit, and the backup, which `docs/scripts/backup` records. */
export const lastRuns = table('last_runs', {
  name: text({ enum: ['audit', 'backup'] }).primaryKey(),
  doneAt: time(),
  failedAt: time(),
})

/** The problems with a result from which its user can choose. */
export const problemReasons = ['not-asked', 'quality', 'broken'] as const

/** User reports of bad results, which an operator refunds or declines. */
export const reports = table(
  'reports',
  {
    id: text().primaryKey(),
    generationId: reference(() => generations.id).unique(),
    userId: ofUser(),
    /** Null when the user describes the problem in words. */
    reason: text({ enum: problemReasons }),
    /** The user's own words; empty with a reason. */
    said: text().notNull(),
    state: text({ enum: ['open', 'refunded', 'declined'] })
      .notNull()
      .default('open'),
    createdAt: time().notNull(),
    closedAt: time(),
  },
  (t) => [index('reports_open').on(t.createdAt).where(sql`${t.state} = 'open'`)],
)

// Notices to users about their money and about decisions of operators, as a queue: a message that cannot be sent blocks nothing else.

export const noticeKinds = [
  'credited',
  'not-paid',
  'unmatched',
  'refunded',
  /** A receipt of the self-employed operator was registered. */
  'tax-receipt',
  'invite-paid',
  'invite-refunded',
  /** A bonus for a top-up, told by itself since the message about the top-up was sent before. */
  'bonus',
  'bonus-refunded',
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
    /** The kind and the event: a payment, a refund, a decision. */
    key: text().notNull().unique(),
    kind: text({ enum: noticeKinds }).notNull(),
    userId: ofUser(),
    /** Unused: notices go to the private chat, or to that of the order they are about. */
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
