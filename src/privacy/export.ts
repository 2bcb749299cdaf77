// The export of all data about a user, for that user. Data of the operator (costs, margins, tokens) and of other users is left out.

import { and, asc, eq, getColumns, inArray, isNotNull, like, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import {
  accounts,
  artifacts,
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

/** JSON text: times are ISO 8601, amounts whole kopecks. */
export async function exportData(db: Database, userId: bigint, now: Date): Promise<string> {
  const { referrerId: _, ...own } = getColumns(users)
  const [profile] = await db.select(own).from(users).where(eq(users.id, userId))
  const { available, held, owed, spentOn, spentToday } = accounts
  const [balance] = await db
    .select({ available, held, owed, spentOn, spentToday })
    .from(accounts)
    .where(isAccountOf(userId))
  const data = {
    exportedAt: now,
    amountsIn: 'kopecks',
    profile,
    balance,
    ...(await moneyOf(db, userId)),
    ...(await ordersOf(db, userId)),
    ...(await talkOf(db, userId)),
    openQuestions: await questionsTo(db, profile?.telegramId ?? 0),
    setAside: await setAsideOf(db, profile?.telegramId ?? 0),
    messageNotes: await notesOf(db, userId),
    operatorActions: await actionsAbout(db, userId),
  }
  return JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value), 2)
}

async function moneyOf(db: Database, userId: bigint) {
  const { key: _, ...movement } = getColumns(transfers)
  return {
    transfers: await db
      .select(movement)
      .from(transfers)
      .where(eq(transfers.userId, userId))
      .orderBy(asc(transfers.id)),
    notices: await db.select().from(notices).where(eq(notices.userId, userId)).orderBy(asc(notices.id)),
    topUps: await db.select().from(topUps).where(eq(topUps.userId, userId)).orderBy(asc(topUps.createdAt)),
    groupWallets: await walletsOf(db, userId),
    spentInGroups: await db.select().from(walletMembers).where(eq(walletMembers.userId, userId)),
    payments: await db
      .select()
      .from(payments)
      .where(eq(payments.userId, userId))
      .orderBy(asc(payments.createdAt)),
    unmatchedPayments: await db
      .select()
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.userId, userId))
      .orderBy(asc(unmatchedPayments.createdAt)),
  }
}

async function ordersOf(db: Database, userId: bigint) {
  const { gatewayCost: _, parts: __, ...quote } = getColumns(quotes)
  return {
    drafts: await db.select().from(drafts).where(eq(drafts.userId, userId)).orderBy(asc(drafts.createdAt)),
    quotes: await db
      .select(quote)
      .from(quotes)
      .where(
        inArray(quotes.draftId, db.select({ id: drafts.id }).from(drafts).where(eq(drafts.userId, userId))),
      )
      .orderBy(asc(quotes.createdAt)),
    generations: await generationsOf(db, userId),
    artifacts: await artifactsOfUser(db, userId),
    styles: await db.select().from(styles).where(eq(styles.userId, userId)).orderBy(asc(styles.createdAt)),
    presets: await db
      .select()
      .from(presets)
      .where(eq(presets.userId, userId))
      .orderBy(asc(presets.createdAt)),
    reports: await db
      .select()
      .from(reports)
      .where(eq(reports.userId, userId))
      .orderBy(asc(reports.createdAt)),
  }
}

function generationsOf(db: Database, userId: bigint) {
  const { callbackToken: _, lease: __, leaseUntil: ___, ...generation } = getColumns(generations)
  return db
    .select(generation)
    .from(generations)
    .where(eq(generations.userId, userId))
    .orderBy(asc(generations.createdAt))
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

async function talkOf(db: Database, userId: bigint) {
  const { lease: _, leaseUntil: __, parts: ___, ...turn } = getColumns(turns)
  return {
    threads: await db
      .select()
      .from(conversations)
      .where(eq(conversations.userId, userId))
      .orderBy(asc(conversations.createdAt)),
    turns: await db.select(turn).from(turns).where(eq(turns.userId, userId)).orderBy(asc(turns.createdAt)),
  }
}

/** Conversations that wait for an answer. Their keys end with the Telegram id. */
function questionsTo(db: Database, telegramId: number) {
  return db
    .select()
    .from(conversationStates)
    .where(like(conversationStates.key, `%:${telegramId}`))
}

/** What the user sent and what was set aside unhandled, until an operator decides about it. */
const setAsideOf = (db: Database, telegramId: number) =>
  db
    .select({ receivedAt: updates.receivedAt, body: updates.body })
    .from(updates)
    .where(and(isNotNull(updates.setAsideAt), eq(updates.personId, telegramId)))
    .orderBy(asc(updates.seq))

/** Notes on messages from and to the user. */
const notesOf = (db: Database, userId: bigint) =>
  db.select().from(messageNotes).where(eq(messageNotes.userId, userId)).orderBy(asc(messageNotes.createdAt))

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
