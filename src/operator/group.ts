// What the database knows of the operators' group (ADMIN_CHAT): its topics, and the payments and newcomers of which it was not told yet.

import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { operatorTopics, payments, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'

type Topic = typeof operatorTopics.$inferSelect
type Place = Pick<Topic, 'chatId' | 'name'>

const isAt = ({ chatId, name }: Place) =>
  and(eq(operatorTopics.chatId, chatId), eq(operatorTopics.name, name))

export async function readTopic(db: Database, place: Place): Promise<Topic | undefined> {
  return (await db.select().from(operatorTopics).where(isAt(place)))[0]
}

export async function writeTopic(db: Database, { chatId, name }: Place, set: Partial<Topic>): Promise<void> {
  const target = [operatorTopics.chatId, operatorTopics.name]
  await db
    .insert(operatorTopics)
    .values({ chatId, name, ...set })
    .onConflictDoUpdate({ target, set })
}

export async function deleteTopic(db: Database, place: Place): Promise<void> {
  await db.delete(operatorTopics).where(isAt(place))
}

/** The person whom a topic is about. */
export async function personOfTopic(
  db: Database,
  chatId: number,
  topicId: number,
): Promise<bigint | undefined> {
  const isThis = and(eq(operatorTopics.chatId, chatId), eq(operatorTopics.topicId, topicId))
  const [found] = await db.select().from(operatorTopics).where(isThis)
  const [, id] = /^user:(\d+)$/.exec(found?.name ?? '') ?? []
  return id === undefined ? undefined : BigInt(id)
}

/** The topics about people whose data was deleted since. */
export async function topicsOfForgotten(db: Database, chatId: number): Promise<Topic[]> {
  const isGone = sql`${operatorTopics.name} in (select 'user:' || id from ${users} where forgotten_at is not null)`
  return db
    .select()
    .from(operatorTopics)
    .where(and(eq(operatorTopics.chatId, chatId), isGone))
}

const newsRow = z.object({
  topic: z.enum(['payments', 'newcomers']),
  id: z.coerce.bigint(),
  name: z.string().nullable(),
  username: z.string().nullable(),
  amount: z.coerce.bigint(),
  /** The payment provider, or the source that brought the newcomer. */
  by: z.string(),
})
export type News = z.output<typeof newsRow>

/** The newest users among whom newcomers are looked for: `created_at` has no index. */
const mostNewcomers = 1000

export function readNews(db: Database, since: Date, until: Date): Promise<News[]> {
  const period = sql`created_at > ${timestamp(since)} and created_at <= ${timestamp(until)}`
  const asked = sql`
    select 'payments' as topic, u.id::text, u.name, u.username, p.credit::text as amount, p.provider as by, p.created_at
    from (select * from ${payments} where ${period}) p join ${users} u on u.id = p.user_id
    union all
    select 'newcomers', u.id::text, u.name, u.username, '0', coalesce(u.source, 'none'), created_at
    from (select * from ${users} order by id desc limit ${mostNewcomers}) u where ${period}
    order by created_at`
  return rows(db, asked, newsRow)
}
