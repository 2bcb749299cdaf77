// The book of money: balances, the transfers that they are the sums of, and what comes in from outside.

import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, kopecks, table, telegramId, time } from './columns.ts'
import { users } from './people.ts'

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
