// Notes about messages in chats: to whom each message belongs, and what a reply to it or a tap on it does. Telegram also sends the text of
// a message that is replied to or tapped, but the text decides nothing: a text model or another user may have written it.

import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, gt, isNull, like, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Message } from 'grammy/types'
import type { z } from 'zod'
import type { Database } from '../db/client.ts'
import { conversationStates, messageNotes } from '../db/schema.ts'
import { deleteOld } from '../db/upkeep.ts'
import { type Clock, dayMs, hourMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'

/** A purpose that a message can have, and the schema of what is stored with it. */
export interface NoteKind<T> {
  readonly name: string
  readonly about: z.ZodType<T>
}

export interface Note<T> {
  readonly kind: NoteKind<T>
  /** The user whom the message asks, or to whom it belongs. */
  readonly userId: bigint
  readonly about: T
}

/** Any message, also one that is no longer accessible. */
export type MessageRef = Pick<Message, 'message_id'> & { readonly chat: { readonly id: number } }

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

const isAt = ({ chat, message_id }: MessageRef) =>
  and(eq(messageNotes.chatId, chat.id), eq(messageNotes.messageId, message_id))

/** Keeps the first note of a message. */
export async function writeNote<T>(
  { db, clock }: Deps,
  { chat, message_id: messageId }: MessageRef,
  { kind, userId, about }: Note<T>,
): Promise<void> {
  const row = { chatId: chat.id, messageId, userId, kind: kind.name, about, createdAt: clock.now() }
  await db.insert(messageNotes).values(row).onConflictDoNothing()
}

/** Replaces the note of a message. */
export async function changeNote<T>(
  { db, clock }: Deps,
  { chat, message_id: messageId }: MessageRef,
  { kind, userId, about }: Note<T>,
): Promise<void> {
  const note = { userId, kind: kind.name, about, takenBy: null, createdAt: clock.now() }
  await db
    .insert(messageNotes)
    .values({ chatId: chat.id, messageId, ...note })
    .onConflictDoUpdate({ target: [messageNotes.chatId, messageNotes.messageId], set: note })
}

type NoteRow = typeof messageNotes.$inferSelect

/** The note of a message, of any kind and user. */
export async function noteAt(
  { db }: Pick<Deps, 'db'>,
  message: MessageRef | undefined,
): Promise<NoteRow | undefined> {
  if (!message) return undefined
  const [row] = await db.select().from(messageNotes).where(isAt(message))
  return row
}

/** The note of a message for this user; undefined when it is another user's, of another kind, or missing. */
export async function readNote<T>(
  deps: Pick<Deps, 'db'>,
  message: MessageRef | undefined,
  userId: bigint,
  kind: NoteKind<T>,
): Promise<T | undefined> {
  const row = await noteAt(deps, message)
  if (row?.userId !== userId || row.kind !== kind.name) return undefined
  return kind.about.safeParse(row.about).data
}

/** The newest note of this user in a chat whose kind ends with the suffix, apart from one kind. */
export async function newestNote(
  { db }: Pick<Deps, 'db'>,
  chatId: number,
  userId: bigint,
  suffix: string,
  except = '',
): Promise<NoteRow | undefined> {
  const isOne = and(like(messageNotes.kind, `%${suffix}`), ne(messageNotes.kind, except))
  const [row] = await db
    .select()
    .from(messageNotes)
    .where(and(eq(messageNotes.chatId, chatId), eq(messageNotes.userId, userId), isOne))
    .orderBy(desc(messageNotes.messageId))
    .limit(1)
  return row
}

/** The newest messages of the chat with the same note, including the given one, as many as Telegram deletes at once. */
export async function withSameNote({ db }: Pick<Deps, 'db'>, row: NoteRow): Promise<number[]> {
  const rows = await db
    .select({ messageId: messageNotes.messageId })
    .from(messageNotes)
    .where(isLike(row))
    .orderBy(desc(messageNotes.messageId))
    .limit(100)
  return rows.map(({ messageId }) => messageId)
}

const isLike = ({ chatId, userId, kind, about }: Pick<NoteRow, 'chatId' | 'userId' | 'kind' | 'about'>) =>
  and(
    eq(messageNotes.chatId, chatId),
    eq(messageNotes.userId, userId),
    eq(messageNotes.kind, kind),
    sql`${messageNotes.about} = ${JSON.stringify(about)}::text::jsonb`,
  )

export const isSameNote = <T>(row: NoteRow | undefined, { kind, userId, about }: Note<T>): boolean =>
  row?.kind === kind.name && row.userId === userId && isDeepStrictEqual(row.about, about)

/** How many notes of this kind a user has since then. */
export const countNotes = (db: Database, userId: bigint, kind: string, since: Date): Promise<number> =>
  db.$count(
    messageNotes,
    and(eq(messageNotes.userId, userId), eq(messageNotes.kind, kind), gt(messageNotes.createdAt, since)),
  )

/** The kind of the notes about a user in the chats of operators, whose ids are data of the operators. */
export const operatorsNote = 'support-desk'

/** Takes a question that is answered once. @returns false when another update has taken it */
export async function takeNote(
  { db }: Pick<Deps, 'db'>,
  message: MessageRef,
  updateId: number,
): Promise<boolean> {
  const isFree = or(isNull(messageNotes.takenBy), eq(messageNotes.takenBy, updateId))
  const taken = await db
    .update(messageNotes)
    .set({ takenBy: updateId })
    .where(and(isAt(message), isFree))
    .returning({ messageId: messageNotes.messageId })
  return taken.length > 0
}

/**
 * Answers a question once. If that fails, the question can be answered again, so the answer must be idempotent.
 * @returns 'taken' when another update has taken the question
 */
export async function answerOnce<T>(
  deps: Pick<Deps, 'db'>,
  message: MessageRef,
  updateId: number,
  answer: () => Promise<T>,
): Promise<T | 'taken'> {
  if (!(await takeNote(deps, message, updateId))) return 'taken'
  try {
    return await answer()
  } catch (error) {
    await releaseNote(deps, message).catch(() => undefined)
    throw error
  }
}

/** Lets another update take the question. */
export async function releaseNote({ db }: Pick<Deps, 'db'>, message: MessageRef): Promise<void> {
  await db.update(messageNotes).set({ takenBy: null }).where(isAt(message))
}

/** Whether another message of this chat has the same note. */
export async function isNotedElsewhere<T>(
  { db }: Pick<Deps, 'db'>,
  { chat, message_id }: MessageRef,
  { kind, userId, about }: Note<T>,
): Promise<boolean> {
  const isSame = isLike({ chatId: chat.id, userId, kind: kind.name, about })
  return (await db.$count(messageNotes, and(isSame, ne(messageNotes.messageId, message_id)))) > 0
}

/** How long notes are kept. The answer to a later tap or reply asks the user to start again. */
const keptMs = 30 * dayMs

export const deleteOldNotes = (deps: Deps, stopping?: AbortSignal): Promise<void> =>
  deleteOld(deps, { table: messageNotes, time: messageNotes.createdAt, keptMs }, stopping)

export const createNotesSweep = (deps: Deps & { readonly log: Log }): Loop =>
  createLoop(deps, {
    pass: (stopping) => deleteOldNotes(deps, stopping).then(() => false),
    idleMs: hourMs,
    failed: 'old notes of messages cannot be deleted',
  })

// The stored states of conversations, each under the key of its chat, topic and user.

type State = typeof conversationStates.$inferSelect

/** @param topicId undefined outside of topics */
export const stateKey = (chatId: number, topicId: number | undefined, telegramId: number): string =>
  `${chatId}:${topicId ?? ''}:${telegramId}`

export async function readState(db: Database, key: string): Promise<State['value'] | undefined> {
  const [row] = await db.select().from(conversationStates).where(eq(conversationStates.key, key))
  return row?.value
}

/**
 * Writes nothing when an update other than these made the stored state: if a process was suspended for longer than its lease, another
 * process may have continued without it.
 * @param after the update that made the state that was read, undefined for none, and the update that makes this one
 */
export async function writeState(
  db: Database,
  { key, ...row }: State,
  after: readonly (number | undefined)[],
): Promise<void> {
  await db
    .insert(conversationStates)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: conversationStates.key, set: row, setWhere: isMadeBy(after) })
}

/** Like `writeState`, but also writes nothing when no state is stored: the user may have had all data deleted. */
export async function replaceState(
  db: Database,
  { key, ...row }: State,
  after: readonly (number | undefined)[],
): Promise<void> {
  await db
    .update(conversationStates)
    .set(row)
    .where(and(eq(conversationStates.key, key), isMadeBy(after)))
}

function isMadeBy(updateIds: readonly (number | undefined)[]): SQL {
  const updateId = sql`${conversationStates.value} ->> 'updateId'`
  const known = updateIds.flatMap((id) => (id === undefined ? [] : [String(id)]))
  return sql`coalesce(${updateId} in ${known}, true)`
}
