// What the database knows of the operators' group (ADMIN_CHAT): its topics, which person each of them is about, and the payments and
// newcomers of which it was not told yet.

import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { operatorTopics, payments, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'

type Topic = Omit<typeof operatorTopics.$inferSelect, 'toldUntil'>

const isAt = (chatId: number, name: string) =>
  and(eq(operatorTopics.chatId, chatId), eq(operatorTopics.name, name))

async function findRow(db: Database, chatId: number, name: string) {
  const [found] = await db.select().from(operatorTopics).where(isAt(chatId, name))
  return found
}

/** Undefined while the bot has made no topic for it. */
export const findTopic = async (db: Database, chatId: number, name: string): Promise<number | undefined> =>
  (await findRow(db, chatId, name))?.topicId ?? undefined

export async function setTopic(db: Database, topic: Topic): Promise<void> {
  const { chatId, name, topicId } = topic
  await db
    .insert(operatorTopics)
    .values({ chatId, name, topicId })
    .onConflictDoUpdate({ target: [operatorTopics.chatId, operatorTopics.name], set: { topicId } })
}

/** The person whom a topic is about. */
export async function personOfTopic(
  db: Database,
  chatId: number,
  topicId: number,
): Promise<bigint | undefined> {
  const at = and(eq(operatorTopics.chatId, chatId), eq(operatorTopics.topicId, topicId))
  const [found] = await db.select().from(operatorTopics).where(at)
  const [, id] = /^user:(\d+)$/.exec(found?.name ?? '') ?? []
  return id === undefined ? undefined : BigInt(id)
}

/** The topics about people whose data was deleted since. */
export const topicsOfForgotten = (db: Database, chatId: number): Promise<Topic[]> =>
  db
    .select({ chatId: operatorTopics.chatId, name: operatorTopics.name, topicId: operatorTopics.topicId })
    .from(operatorTopics)
    .innerJoin(users, eq(operatorTopics.name, sql`'user:' || ${users.id}`))
    .where(and(eq(operatorTopics.chatId, chatId), sql`${users.forgottenAt} is not null`))

export async function deleteTopic(db: Database, { chatId, name }: Topic): Promise<void> {
  await db.delete(operatorTopics).where(isAt(chatId, name))
}

const newsRow = z.object({
  what: z.enum(['payment', 'refund', 'newcomer']),
  id: z.coerce.bigint(),
  name: z.string().nullable(),
  username: z.string().nullable(),
  amount: z.coerce.bigint(),
  /** The payment provider, or the source that brought the newcomer. */
  by: z.string().nullable(),
})
export type News = z.output<typeof newsRow>
export type NewsTopic = 'payments' | 'newcomers'

/** What was stored in this moment may not be visible yet. */
const visibleAfterMs = 3000
/** The newest users among whom newcomers are looked for: `created_at` has no index. */
const mostNewcomers = 1000

/**
 * Tells what happened since the last time. If the process ends before the telling is recorded, it is told again.
 * @param tell not called when nothing happened
 */
export async function tellNews(
  db: Database,
  chatId: number,
  topic: NewsTopic,
  now: Date,
  tell: (news: readonly News[]) => Promise<void>,
): Promise<void> {
  const toldUntil = new Date(now.getTime() - visibleAfterMs)
  const since = (await findRow(db, chatId, topic))?.toldUntil
  if (since && since >= toldUntil) return
  const news = since
    ? await rows(db, topic === 'payments' ? paid(since, toldUntil) : came(since, toldUntil), newsRow)
    : []
  if (news.length > 0) await tell(news)
  await db
    .insert(operatorTopics)
    .values({ chatId, name: topic, toldUntil })
    .onConflictDoUpdate({ target: [operatorTopics.chatId, operatorTopics.name], set: { toldUntil } })
}

const paid = (since: Date, until: Date) => sql`
  select n.what, n.amount::text as amount, n.provider as by, u.id::text as id, u.name, u.username from (
    select 'payment' as what, created_at as at, user_id, credit as amount, provider from ${payments}
    where created_at > ${timestamp(since)} and created_at <= ${timestamp(until)}
    union all
    select 'refund', refunded_at, user_id, credit, provider from ${payments}
    where refunded_at > ${timestamp(since)} and refunded_at <= ${timestamp(until)}
  ) n join ${users} u on u.id = n.user_id order by n.at`

const came = (since: Date, until: Date) => sql`
  select 'newcomer' as what, '0' as amount, source as by, id::text as id, name, username
  from (select * from ${users} order by id desc limit ${mostNewcomers}) u
  where created_at > ${timestamp(since)} and created_at <= ${timestamp(until)} order by id`
