// The export of all data about a user, for that user. Data of the operator (costs, margins, tokens) and of other users is left out.

import { and, asc, eq, getColumns, inArray, isNotNull, like, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db/client.ts'
import {
  accounts,
  artifacts,
  broadcastRecipients,
  codeUses,
  conversationStates,
  conversations,
  drafts,
  generations,
  messageNotes,
  notices,
  operatorActions,
  payments,
  presets,
  quotes,
  reports,
  styles,
  taxReceipts,
  topUps,
  transfers,
  turns,
  unmatchedPayments,
  updates,
  users,
  walletMembers,
} from '../db/schema.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import { walletsOf } from '../ledger/wallets.ts'
import { operatorsNote } from '../telegram/message-notes.ts'

/** JSON text: times are ISO 8601, amounts whole kopecks. */
export async function exportData(db: Database, userId: bigint, now: Date): Promise<string> {
  const { referrerId: _, ...own } = getColumns(users)
  const [profile] = await db.select(own).from(users).where(eq(users.id, userId))
  const { available, held, owed, spentOn, spentToday } = accounts
  const [balance] = await db
    .select({ available, held, owed, spentOn, spentToday })
    .from(accounts)
    .where(isAccountOf(userId))
  const rowsOf = (table: Owned, order: PgColumn, ...without: string[]) =>
    readRowsOf(db, userId, table, order, without)
  const data = {
    exportedAt: now,
    amountsIn: 'kopecks',
    profile,
    balance,
    transfers: await rowsOf(transfers, transfers.id, 'key'),
    notices: await rowsOf(notices, notices.id),
    promoCodes: await rowsOf(codeUses, codeUses.createdAt),
    topUps: await rowsOf(topUps, topUps.createdAt),
    groupWallets: await walletsOf(db, userId),
    spentInGroups: await rowsOf(walletMembers, walletMembers.accountId),
    payments: await rowsOf(payments, payments.createdAt),
    receipts: await rowsOf(taxReceipts, taxReceipts.createdAt, 'lease', 'leaseUntil', 'said', 'inn'),
    unmatchedPayments: await rowsOf(unmatchedPayments, unmatchedPayments.createdAt),
    drafts: await rowsOf(drafts, drafts.createdAt),
    quotes: await quotesOf(db, userId),
    generations: await rowsOf(generations, generations.createdAt, 'callbackToken', 'lease', 'leaseUntil'),
    artifacts: await artifactsOfUser(db, userId),
    styles: await rowsOf(styles, styles.createdAt),
    presets: await rowsOf(presets, presets.createdAt),
    reports: await rowsOf(reports, reports.createdAt),
    threads: await rowsOf(conversations, conversations.createdAt),
    turns: await rowsOf(turns, turns.createdAt, 'lease', 'leaseUntil', 'parts'),
    openQuestions: await questionsTo(db, profile?.telegramId ?? 0),
    setAside: await setAsideOf(db, profile?.telegramId ?? 0),
    messageNotes: (await rowsOf(messageNotes, messageNotes.createdAt)).filter(
      ({ kind }) => kind !== operatorsNote,
    ),
    broadcasts: await rowsOf(broadcastRecipients, broadcastRecipients.sentAt),
    operatorActions: await actionsAbout(db, userId),
  }
  return JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value), 2)
}

interface Owned extends PgTable {
  readonly userId: PgColumn
}

/** The rows of a user in a table. @param without columns that are left out */
function readRowsOf(db: Database, userId: bigint, table: Owned, order: PgColumn, without: readonly string[]) {
  const columns = Object.entries(getColumns(table)).filter(([name]) => !without.includes(name))
  return db
    .select(Object.fromEntries(columns))
    .from(table)
    .where(eq(table.userId, userId))
    .orderBy(asc(order))
}

function quotesOf(db: Database, userId: bigint) {
  const { gatewayCost: _, parts: __, ...quote } = getColumns(quotes)
  const own = db.select({ id: drafts.id }).from(drafts).where(eq(drafts.userId, userId))
  return db.select(quote).from(quotes).where(inArray(quotes.draftId, own)).orderBy(asc(quotes.createdAt))
}

/**
 * The artifacts of a user. A file that the gateway sent as a data URI is in the chat already and is left out: it would be megabytes of
 * text.
 */
function artifactsOfUser(db: Database, userId: bigint) {
  const url = sql<string>`case when ${artifacts.url} like 'data:%' then 'data:' else ${artifacts.url} end`
  return db
    .select({ ...getColumns(artifacts), url })
    .from(artifacts)
    .innerJoin(generations, eq(generations.id, artifacts.generationId))
    .where(eq(generations.userId, userId))
    .orderBy(asc(generations.createdAt), asc(artifacts.position))
}

/** Conversations that wait for an answer. Their keys end with the Telegram id. */
const questionsTo = (db: Database, telegramId: number) =>
  db
    .select()
    .from(conversationStates)
    .where(like(conversationStates.key, `%:${telegramId}`))

/** What the user sent and what was set aside unhandled, until an operator decides about it. */
const setAsideOf = (db: Database, telegramId: number) =>
  db
    .select({ receivedAt: updates.receivedAt, body: updates.body })
    .from(updates)
    .where(and(isNotNull(updates.setAsideAt), eq(updates.personId, telegramId)))
    .orderBy(asc(updates.seq))

/** What operators did to the user, their orders, payments and reports, and why. Who did it, and in which chat, is data of the operator. */
function actionsAbout(db: Database, userId: bigint) {
  const { action, subject, reason, createdAt } = operatorActions
  const subjects = sql`(
    select 'user:' || ${userId}::bigint
    union all select 'generation:' || id from ${generations} where user_id = ${userId}::bigint
    union all select 'report:' || id from ${reports} where user_id = ${userId}::bigint
    union all select 'top-up:' || id from ${topUps} where user_id = ${userId}::bigint)`
  return db
    .select({ action, subject, reason, createdAt })
    .from(operatorActions)
    .where(inArray(subject, subjects))
    .orderBy(asc(operatorActions.id))
}
