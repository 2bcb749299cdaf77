// What we wrote down about messages in chats: whose each is, and what a reply to it or a tap on it does. Telegram also sends the
// text of a message that is replied to or tapped; nothing is decided by it, since a text model or another user can have written it.

import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { messageNotes } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import type { BotDeps, Ctx } from './context.ts'

/** A meaning that a message can have, and what must be known with it. */
export interface NoteKind<T> {
  readonly name: string
  readonly about: z.ZodType<T>
}

export const noteKind = <T>(name: string, about: z.ZodType<T>): NoteKind<T> => ({ name, about })

/** Of a message of which nothing more needs to be known than whose it is. */
export const plainNote = (name: string): NoteKind<Record<string, never>> => noteKind(name, z.strictObject({}))

export interface Note<T> {
  readonly kind: NoteKind<T>
  /** Whom the message asks, or whose it is. */
  readonly userId: bigint
  readonly about: T
}

/** Any message, also one that is no longer accessible. */
type Place = Pick<Message, 'message_id'> & { readonly chat: { readonly id: number } }

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

const isAt = ({ chat, message_id }: Place) =>
  and(eq(messageNotes.chatId, chat.id), eq(messageNotes.messageId, message_id))

/** A second time it changes nothing. */
export async function writeNote<T>(
  { db, clock }: Deps,
  { chat, message_id: messageId }: Place,
  { kind, userId, about }: Note<T>,
): Promise<void> {
  const row = { chatId: chat.id, messageId, userId, kind: kind.name, about, createdAt: clock.now() }
  await db.insert(messageNotes).values(row).onConflictDoNothing()
}

type Row = typeof messageNotes.$inferSelect

/** Whatever is known of a message. */
export async function noteAt({ db }: Pick<Deps, 'db'>, place: Place | undefined): Promise<Row | undefined> {
  if (!place) return undefined
  const [row] = await db.select().from(messageNotes).where(isAt(place))
  return row
}

/** What this message is to this user; undefined when it is somebody else's, of another kind, or not known. */
export async function readNote<T>(
  deps: Pick<Deps, 'db'>,
  place: Place | undefined,
  userId: bigint,
  kind: NoteKind<T>,
): Promise<T | undefined> {
  const row = await noteAt(deps, place)
  if (row?.userId !== userId || row.kind !== kind.name) return undefined
  return kind.about.safeParse(row.about).data
}

/** What the tapped message is to whoever taps it. */
export const tappedNote = <T>(deps: Pick<Deps, 'db'>, ctx: Ctx, kind: NoteKind<T>): Promise<T | undefined> =>
  readNote(deps, ctx.callbackQuery?.message, ctx.user.id, kind)

/** Answers a tap on a message that belongs to somebody else or to something else. */
export const refuseTap = (ctx: Ctx): Promise<unknown> =>
  ctx.answerCallbackQuery({ text: ctx.say.plain('foreign-button'), show_alert: true })

/** For what is answered once. @returns false when another update has answered it */
export async function takeNote({ db }: Pick<Deps, 'db'>, place: Place, updateId: number): Promise<boolean> {
  const isFree = or(isNull(messageNotes.takenBy), eq(messageNotes.takenBy, updateId))
  const taken = await db
    .update(messageNotes)
    .set({ takenBy: updateId })
    .where(and(isAt(place), isFree))
    .returning({ messageId: messageNotes.messageId })
  return taken.length > 0
}

/** It can be answered again. */
export async function releaseNote({ db }: Pick<Deps, 'db'>, place: Place): Promise<void> {
  await db.update(messageNotes).set({ takenBy: null }).where(isAt(place))
}

/** The message that another one replies to; in topics of forums every message names the one that opened the topic. */
export function repliedTo(message: Message): Message['reply_to_message'] {
  const { reply_to_message: replied, message_thread_id: topic, is_topic_message: inTopic } = message
  return inTopic && replied?.message_id === topic ? undefined : replied
}

const says = <T>(row: Row | undefined, { kind, userId, about }: Note<T>): boolean =>
  row?.kind === kind.name && row.userId === userId && isDeepStrictEqual(row.about, about)

/** Whether a message is one of those that ask this. */
export const isMessageOf = async <T>(deps: Pick<Deps, 'db'>, place: Place | undefined, asked: Note<T>) =>
  says(await noteAt(deps, place), asked)

/** Whether a message answers a question: it replies to it, or comes next in the chat and replies to nothing else of ours. */
export async function isAnswer<T>(
  deps: Pick<Deps, 'db'>,
  message: Message,
  asked: Note<T>,
): Promise<boolean> {
  const replied = repliedTo(message)
  if (!replied && !message.external_reply) return true
  const row = await noteAt(deps, replied)
  return row ? says(row, asked) : message.chat.type === 'private'
}

/** Whether another message of this chat has a note of this kind that says the same. */
export async function isNotedElsewhere<T>(
  { db }: Pick<Deps, 'db'>,
  { chat, message_id }: Place,
  { kind, userId, about }: Note<T>,
): Promise<boolean> {
  const isSame = and(
    eq(messageNotes.chatId, chat.id),
    eq(messageNotes.userId, userId),
    eq(messageNotes.kind, kind.name),
    sql`${messageNotes.about} = ${JSON.stringify(about)}::text::jsonb`,
    sql`${messageNotes.messageId} <> ${message_id}`,
  )
  return (await db.$count(messageNotes, isSame)) > 0
}

const hourMs = 60 * 60_000
/** Whoever taps or answers later is told to begin anew. */
const keptMs = 30 * 24 * hourMs

export async function forgetOldNotes({ db, clock }: Deps): Promise<void> {
  await db.delete(messageNotes).where(lt(messageNotes.createdAt, new Date(clock.now().getTime() - keptMs)))
}

export const createNotesSweep = (deps: BotDeps): Loop =>
  createLoop(deps, {
    pass: () => forgetOldNotes(deps).then(() => false),
    idleMs: hourMs,
    failed: 'old notes of messages cannot be deleted',
  })
