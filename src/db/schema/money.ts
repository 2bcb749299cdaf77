// Money: balances of users and wallets of groups, the transfers whose sums they are, top-ups and payments.

import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, kopecks, leaseColumns, table, telegramId, time } from './columns.ts'
import { users } from './people.ts'

/**
 * One row per user: the available and the held money. A debt is a negative available balance; the constraint refuses every statement that
 * lowers the balance below zero without writing the debt.
 */
export const balances = table(
  'balances',
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    available: kopecks().notNull().default(0n),
    held: kopecks().notNull().default(0n),
    /** How far the available balance is below zero; only a payment that its provider gave back makes or raises a debt. */
    owed: kopecks().notNull().default(0n),
    /** The exclusive or of the hashes of all transfers of the user (`ledger/checksum.ts`). */
    checksum: id().notNull().default(0n),
  },
  (t) => [
    check('balances_not_negative', sql`${t.available} >= -${t.owed} and ${t.held} >= 0 and ${t.owed} >= 0`),
  ],
)

/**
 * Money that its owner lends to the members of a group. Money that is not spent stays the owner's, and only the owner fills and empties
 * the wallet. At most one wallet of a group is switched on.
 */
export const wallets = table(
  'wallets',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    ownerId: id()
      .notNull()
      .references(() => users.id),
    /** Null when the owner's data was deleted. */
    chatId: telegramId(),
    /** The title of the group, as last seen. */
    title: text().notNull(),
    isOn: boolean().notNull().default(true),
    /** What a member other than the owner may spend within 24 hours; null for no limit. */
    dailyCap: kopecks(),
    available: kopecks().notNull().default(0n),
    held: kopecks().notNull().default(0n),
    createdAt: time().notNull(),
  },
  (t) => [
    check('wallets_not_negative', sql`${t.available} >= 0 and ${t.held} >= 0`),
    uniqueIndex('wallets_of_owner').on(t.ownerId, t.chatId),
    uniqueIndex('wallets_on').on(t.chatId).where(sql`${t.isOn}`),
  ],
)

export const accounts = [
  'available',
  'held',
  'revenue',
  'provider',
  'promotions',
  'corrections',
  /** The accounts of a group's wallet. */
  'group',
  'group-held',
] as const

export const transferKinds = [
  'hold',
  'capture',
  'release',
  'deposit',
  'refund',
  'promotion',
  'correction',
  'fund',
  'take-back',
] as const

/** The double-entry ledger: immutable transfers between two accounts, each for one user, each unique by its key. */
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
    /** The wallet, when one of the accounts is a group's. */
    walletId: id().references(() => wallets.id),
    /** Shown in the statement: a promo code, an operator's reason. */
    note: text(),
    createdAt: time().notNull(),
  },
  (t) => [
    check('transfers_amount_positive', sql`${t.amount} > 0`),
    check('transfers_two_accounts', sql`${t.debit} <> ${t.credit}`),
    index('transfers_user').on(t.userId, t.id),
    // Transfers are only added, in the order of their times: a block range index is as good as a tree, and costs nothing.
    index('transfers_created').using('brin', t.createdAt).with({ autosummarize: true }),
    index('transfers_captured').on(t.userId, t.createdAt).where(sql`${t.kind} = 'capture'`),
    index('transfers_group_held')
      .on(t.userId, t.createdAt)
      .where(sql`${t.walletId} is not null and ${t.kind} = 'hold'`),
    index('transfers_wallet').on(t.walletId, t.createdAt).where(sql`${t.walletId} is not null`),
    // The index holds one in fifteen transfers: all others are of these three kinds.
    index('transfers_rare')
      .on(t.kind, t.credit, t.userId)
      .where(sql`${t.kind} not in ('hold', 'capture', 'release')`),
  ],
)

/** An intended payment that credits the balance. */
export const topUps = table(
  'top_ups',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    provider: text().notNull(),
    /** The amount that is credited. */
    credit: kopecks().notNull(),
    /** The amount that the provider charges, in the smallest unit of the currency. */
    charge: kopecks().notNull(),
    currency: text().notNull(),
    /** Whether the provider still accepts a payment; the payments are in `payments`. */
    state: text({ enum: ['open', 'paid', 'expired'] })
      .notNull()
      .default('open'),
    /** The provider's id of the payment, when it is made outside of Telegram. */
    externalId: text().unique(),
    /** The chat for notices about the top-up. */
    chatId: telegramId(),
    /** When to poll the provider; null when polling is over. */
    nextCheckAt: time(),
    ...leaseColumns(),
    expiresAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    index('top_ups_due').on(t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    index('top_ups_user').on(t.userId, t.createdAt),
  ],
)

/** Payments that providers reported, unique by the provider's charge id. */
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
  (t) => [
    primaryKey({ columns: [t.provider, t.chargeId] }),
    index('payments_user').on(t.userId, t.createdAt),
    index('payments_top_up').on(t.topUpId),
    index('payments_created').on(t.createdAt),
    index('payments_refunded').on(t.refundedAt).where(sql`${t.refundedAt} is not null`),
  ],
)

/**
 * Payments that fit no top-up, until an operator assigns them to a user. Those that were refunded before that stay, so that a late report
 * of the payment does not make them assignable.
 */
export const unmatchedPayments = table(
  'unmatched_payments',
  {
    provider: text().notNull(),
    chargeId: text().notNull(),
    /** The payer; null when the provider does not name a known user. */
    userId: id().references(() => users.id),
    charge: kopecks().notNull(),
    currency: text().notNull(),
    /** The id that the payment names as its top-up. */
    named: text().notNull(),
    /** The top-up that was created when the payment was assigned. */
    topUpId: text().references(() => topUps.id),
    createdAt: time().notNull(),
    refundedAt: time(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.chargeId] })],
)

/** All amounts of bonuses that the settings have had: the audit compares what was given with them. */
export const bonuses = table(
  'bonuses',
  { kind: text({ enum: ['welcome', 'referral'] }).notNull(), amount: kopecks().notNull() },
  (t) => [primaryKey({ columns: [t.kind, t.amount] })],
)

/** Codes that credit money from the promotions account; the key of the transfer makes each code usable once per user. */
export const promoCodes = table(
  'promo_codes',
  {
    /** The code in upper case. */
    code: text().primaryKey(),
    amount: kopecks().notNull(),
    uses: integer().notNull().default(0),
    maxUses: integer().notNull(),
    expiresAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [check('promo_codes_uses', sql`${t.uses} <= ${t.maxUses}`)],
)
