// What operators did and switched, what stops sales, what is told to everybody, and what is wrong.

import { doublePrecision, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { id, table, telegramId, time } from './columns.ts'

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

/** Why and until when nothing is sold: the gateway refused our key or is out of money. At most one row a cause. */
export const salesStops = table('sales_stops', {
  cause: text().primaryKey(),
  since: time().notNull(),
  until: time().notNull(),
})

/** How much may be asked of the gateway right now, by all processes together: a bucket that fills with time. */
export const budgets = table('budgets', {
  name: text().primaryKey(),
  /** What was left at `filledAt`. */
  tokens: doublePrecision().notNull(),
  filledAt: time().notNull(),
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
