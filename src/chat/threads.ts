// Conversations: at most one is open in a chat or topic; what was said in it is its turns.

import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { ModeName } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import { type Modes, threads, turns } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Said } from './dialogue.ts'

export type Thread = typeof threads.$inferSelect
export type Turn = typeof turns.$inferSelect

export interface Where {
  readonly chatId: number
  /** 0 outside of topics. */
  readonly topicId: number
}

export async function findThread(db: Database, { chatId, topicId }: Where): Promise<Thread | undefined> {
  const [found] = await db
    .select()
    .from(threads)
    .where(and(eq(threads.chatId, chatId), eq(threads.topicId, topicId), isNull(threads.closedAt)))
  return found
}

export async function findThreadById(db: Database, id: string): Promise<Thread | undefined> {
  const [found] = await db.select().from(threads).where(eq(threads.id, id))
  return found
}

type NewThread = Where & Pick<Thread, 'id' | 'userId' | 'modelId' | 'system' | 'modes'>

/** The open one, or a new one; two at once make one. */
export async function openThread(db: Database, thread: NewThread, now: Date): Promise<Thread> {
  await db
    .insert(threads)
    .values({ ...thread, createdAt: now })
    .onConflictDoNothing()
  const found = await findThread(db, thread)
  if (!found) throw new Error('a thread that was just opened is there')
  return found
}

/** Closes a conversation and opens one in its place with the same owner, model, modes and persona; two at once open one. */
export async function startOver(db: Database, { id }: Thread, freshId: string, now: Date): Promise<void> {
  const at = timestamp(now)
  const statement = sql`
    with closed as (
      update ${threads} set closed_at = ${at} where id = ${id} and closed_at is null returning *
    )
    insert into ${threads} (id, user_id, chat_id, topic_id, model_id, system, modes, created_at)
    select ${freshId}, user_id, chat_id, topic_id, model_id, system, modes, ${at} from closed`
  await db.execute(statement)
}

type Change = Partial<Pick<Thread, 'modelId' | 'system' | 'modes'>>

export async function changeThread(db: Database, id: string, change: Change): Promise<Thread | undefined> {
  const [changed] = await db
    .update(threads)
    .set(change)
    .where(and(eq(threads.id, id), isNull(threads.closedAt)))
    .returning()
  return changed
}

export const noModes: Modes = { thinking: false, search: false, code: false }

export const toggled = (modes: Modes, name: ModeName): Modes => ({ ...modes, [name]: !modes[name] })

/** More than any context bears. */
const mostRemembered = 500

/**
 * What was said so far, the oldest first, without failures and answers of which nothing could be sent. Of a question that was
 * asked again only the last answer counts, and pictures of the past are not sent again.
 * @param asking the message that is being asked again, if it is one
 */
export async function pastOf(db: Database, threadId: string, asking: number | null): Promise<Said[]> {
  const newest = await db
    .select()
    .from(turns)
    .where(
      and(
        eq(turns.threadId, threadId),
        sql`${turns.answer} <> '' and ${turns.state} in ('done', 'stopped')`,
        sql`not (${turns.delivery} = 'undeliverable' and ${turns.sent} = 0)`,
      ),
    )
    .orderBy(desc(turns.createdAt))
    .limit(mostRemembered)
  const said = new Map(newest.toReversed().map((turn) => [turn.questionMessageId ?? turn.id, turn]))
  if (asking !== null) said.delete(asking)
  return [...said.values()].flatMap(({ question, answer }): Said[] => [
    { role: 'user', text: question, images: [] },
    { role: 'assistant', text: answer, images: [] },
  ])
}

export interface Spent {
  readonly turns: number
  readonly captured: bigint
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What a conversation has cost so far. */
export async function spentIn(db: Database, threadId: string): Promise<Spent> {
  const [sum] = await db
    .select({
      turns: sql`count(*)`.mapWith(Number),
      captured: sql`coalesce(sum(${turns.captured} - coalesce(${turns.refunded}, 0)), 0)`.mapWith((sum) =>
        BigInt(String(sum)),
      ),
      inputTokens: sql`coalesce(sum(${turns.inputTokens}), 0)`.mapWith(Number),
      outputTokens: sql`coalesce(sum(${turns.outputTokens}), 0)`.mapWith(Number),
    })
    .from(turns)
    .where(eq(turns.threadId, threadId))
  return sum ?? { turns: 0, captured: 0n, inputTokens: 0, outputTokens: 0 }
}
