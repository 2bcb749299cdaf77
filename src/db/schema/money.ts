// Users, the state of dialogs with them, and their money: the accounts of users and the wallets of groups, the transfers whose sums they are,
// top-ups and payments.

import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { day, id, kopecks, leaseColumns, reference, table, telegramId, time } from './columns.ts'

/** `telegramId` is set to null when users delete their data; the money rows keep the `id`. */
export const users = table(
  'users',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    telegramId: telegramId().unique(),
    /** Chosen in /settings; null means Telegram's language. */
    language: text(),
    telegramLanguage: text(),
    /** The name and the username as last seen; operators search for users by them. */
    name: text(),
    username: text(),
    /** The address for fiscal receipts. */
    email: text(),
    referrerId: id().references((): AnyPgColumn => users.id),
    /** What a partner gets of each top-up of an invited user, in place of REFERRAL_PERCENT; null for everybody else. */
    partnerPercent: integer(),
    /** The name in the link that brought the user first: see operator/sources.ts. It stays when the user's data is deleted. */
    source: text(),
    bannedAt: time(),
    forgottenAt: time(),
    /** When the user switched broadcasts off; null while they are on. */
    newsOffAt: time(),
    /** The version of the operator's terms that the user agreed to, when, and the update by which. */
    consentVersion: text(),
    consentedAt: time(),
    consentUpdateId: telegramId(),
    createdAt: time().notNull(),
    /** When everything for new users (credit, greeting) was completed; null until then. */
    greetedAt: time(),
    /**
     * Since when words without a command are always a question: chosen in /settings, or, with earlier versions, by the first question at a
     * shown price. Null while the user chooses what becomes of them.
     */
    answersAcceptedAt: time(),
    /** The model and the shape of the first card of each kind, chosen in /settings; validated when they are read. */
    cardDefaults: jsonb(),
  },
  (t) => [index('users_referrer').on(t.referrerId).where(sql`${t.referrerId} is not null`)],
)

/** The user that a row belongs to. */
export const ofUser = () =>
  id()
    .notNull()
    .references(() => users.id)

/** State of the grammY conversations that ask for one field; the answers are stored in the drafts. */
export const conversationStates = table('conversation_states', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: time().notNull(),
})

/** The meaning of a bot message: its user, and what a reply to it or a tap on it does. It is never derived from the text of the message. */
export const messageNotes = table(
  'message_notes',
  {
    chatId: telegramId().notNull(),
    messageId: integer().notNull(),
    userId: ofUser(),
    kind: text().notNull(),
    /** Details that depend on the kind; validated when they are read. */
    about: jsonb().notNull(),
    /** The update that answered it, when only one answer is accepted; the same update may answer again after a crash. */
    takenBy: telegramId(),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chatId, t.messageId] }),
    index('message_notes_user').on(t.userId),
    index('message_notes_created').on(t.createdAt),
  ],
)

/**
 * Who pays: a user, or the wallet of a group, which is money that its owner lends to the members. Money that is not spent stays the owner's,
 * and only the owner fills and empties the wallet. Everything that limits an order is in this row, so that one update decides.
 */
export const accounts = table(
  'accounts',
  {
    id: id().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: ['user', 'group'] }).notNull(),
    ownerId: ofUser(),
    available: kopecks().notNull().default(0n),
    held: kopecks().notNull().default(0n),
    /** How far the available balance is below zero; only a payment that its provider gave back makes or raises a debt. */
    owed: kopecks().notNull().default(0n),
    /** The exclusive or of the hashes of all transfers of the user (`ledger/checksum.ts`); 0 in a wallet. */
    checksum: id().notNull().default(0n),
    /** The user's orders that have not ended, whoever pays for them; 0 in a wallet. */
    openOrders: integer().notNull().default(0),
    /** The day of the user's last order or answer; it never goes back. */
    spentOn: day(),
    /** What the user's orders and answers of that day cost, whoever pays for them: held, or captured and not refunded. 0 in a wallet. */
    spentToday: kopecks().notNull().default(0n),
    /** The order that the user repeated last by a single tap, and when: a second tap a moment later orders nothing. */
    repeatedId: text(),
    repeatedAt: time(),
    /** Whether orders may be paid. At most one wallet of a group is on. */
    isOn: boolean().notNull().default(true),
    /** The group of a wallet; null when the owner's data was deleted. */
    chatId: telegramId(),
    /** The title of the group, as last seen. */
    title: text().notNull().default(''),
    /** What a member other than the owner may spend from a wallet in a day; null for no limit. */
    dailyCap: kopecks(),
    createdAt: time().notNull(),
  },
  (t) => [
    check(
      'accounts_not_negative',
      sql`${t.available} >= -${t.owed} and ${t.held} >= 0 and ${t.owed} >= 0 and ${t.openOrders} >= 0 and ${t.spentToday} >= 0`,
    ),
    uniqueIndex('accounts_user').on(t.ownerId).where(sql`${t.kind} = 'user'`),
    uniqueIndex('accounts_group').on(t.ownerId, t.chatId).where(sql`${t.kind} = 'group'`),
    uniqueIndex('accounts_group_on').on(t.chatId).where(sql`${t.kind} = 'group' and ${t.isOn}`),
  ],
)

/** What a member of a group has spent from its wallet on the day of their last order there. */
export const walletMembers = table(
  'wallet_members',
  {
    accountId: id()
      .notNull()
      .references(() => accounts.id),
    userId: ofUser(),
    spentOn: day().notNull(),
    spent: kopecks().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.userId] }),
    check('wallet_members_not_negative', sql`${t.spent} >= 0`),
  ],
)

/** The two sides of a transfer. */
export const ledgerAccounts = [
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
  /** What a payment brought its payer beside its credit, and what its refund took of that. */
  'bonus',
  /** The percents of a payment that its payer's inviter got, and what its refund took of them. */
  'partner',
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
    userId: ofUser(),
    debit: text({ enum: ledgerAccounts }).notNull(),
    credit: text({ enum: ledgerAccounts }).notNull(),
    amount: kopecks().notNull(),
    generationId: text(),
    topUpId: text(),
    turnId: text(),
    /** The wallet, when one of the accounts is a group's. */
    walletId: id().references(() => accounts.id),
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
    userId: ofUser(),
    provider: text().notNull(),
    /** The amount that is credited. */
    credit: kopecks().notNull(),
    /** The bonus that was promised beside it. */
    bonus: kopecks().notNull().default(0n),
    /** The amount that the provider charges, in the smallest unit of the currency. */
    charge: kopecks().notNull(),
    currency: text().notNull(),
    /** Whether the provider still accepts a payment; the payments are in `payments`. */
    state: text({ enum: ['open', 'paid', 'expired'] })
      .notNull()
      .default('open'),
    /** The provider's id of the payment, when it is made outside of Telegram. */
    externalId: text().unique(),
    /** Unused: notices go to the private chat. */
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
    topUpId: reference(() => topUps.id),
    userId: ofUser(),
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

/** The receipts of a self-employed operator, one row for each payment, as a queue: see payments/self-employed/receipts.ts. */
export const taxReceipts = table(
  'tax_receipts',
  {
    /** The number in the name of the service, by which the receipt is found at the tax service. */
    id: text().primaryKey(),
    provider: text().notNull(),
    chargeId: text().notNull(),
    userId: ofUser(),
    /** The taxpayer number of the operator who sold. */
    inn: text().notNull(),
    /** The sum of the receipt that must exist: the charge without what was given back of it; 0 for none. */
    amount: kopecks().notNull(),
    /** The page of the receipt that was registered last. */
    url: text(),
    /** When a registration was sent last, unless it was refused: soon after that the list may not show it yet. */
    sentAt: time(),
    /** When to compare with the tax service; null when it has what it must have. */
    dueAt: time(),
    /** Since when it has failed, and why the last time. */
    failingSince: time(),
    said: text(),
    ...leaseColumns(),
    /** The time of the sale. */
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex('tax_receipts_payment').on(t.provider, t.chargeId),
    check('tax_receipts_amount', sql`${t.amount} >= 0`),
    index('tax_receipts_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
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
  {
    kind: text({ enum: ['welcome', 'invited', 'referral', 'top-up', 'partner'] }).notNull(),
    /** Percents of `top-up` and `partner`. */
    amount: kopecks().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.amount] })],
)

/** Codes that credit money from the promotions account, at once or with the next top-up. */
export const promoCodes = table(
  'promo_codes',
  {
    /** The code in upper case. */
    code: text().primaryKey(),
    /** The amount that is credited; for a percentage code, the maximum. */
    amount: kopecks().notNull(),
    /** The bonus as a percentage of the next top-up; null for a code that credits its amount at once. */
    percent: integer(),
    /** The name of the batch that it belongs to. */
    batch: text(),
    uses: integer().notNull().default(0),
    maxUses: integer().notNull(),
    expiresAt: time(),
    createdAt: time().notNull(),
  },
  (t) => [
    check('promo_codes_uses', sql`${t.uses} <= ${t.maxUses}`),
    index('promo_codes_batch').on(t.batch).where(sql`${t.batch} is not null`),
  ],
)

/** Who has redeemed a code with percents: once per user, and one waits at a time for the next top-up. */
export const codeUses = table(
  'code_uses',
  {
    userId: ofUser(),
    code: reference(() => promoCodes.code),
    isWaiting: boolean().notNull().default(true),
    createdAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.code] }),
    uniqueIndex('code_uses_waiting').on(t.userId).where(sql`${t.isWaiting}`),
    index('code_uses_code').on(t.code),
  ],
)
