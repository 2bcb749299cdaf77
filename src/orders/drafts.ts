// Draft rows: the answers collected so far, and settings for the next card of a model. A draft is found only with the id of the user who
// owns it.

import assert from 'node:assert/strict'
import { and, asc, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Answers } from '../catalog/field.ts'
import type { Database } from '../db/client.ts'
import { drafts, presets } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { type ChatLocation, isGroup } from '../telegram/send.ts'

export type Draft = typeof drafts.$inferSelect

interface NewDraft extends ChatLocation, Pick<Draft, 'id' | 'userId' | 'modelId' | 'answers'> {
  readonly unfitPrompt?: string | null
  /** The update that begins the draft, if there is one; an update begins at most one draft. */
  readonly updateId?: number | null
  readonly byGroup?: boolean
}

type Where = SQL | undefined

const first = async (db: Database, where: Where, ...order: readonly (SQL | PgColumn)[]) =>
  (
    await db
      .select()
      .from(drafts)
      .where(where)
      .orderBy(...order)
      .limit(1)
  )[0]

const update = (db: Database, where: Where, change: PgUpdateSetSource<typeof drafts>): Promise<Draft[]> =>
  db.update(drafts).set(change).where(where).returning()

const isId = (id: string): SQL => eq(drafts.id, id)
const isOf = (userId: bigint): SQL => eq(drafts.userId, userId)
const isOpen: SQL = isOneOf(drafts.state, 'open')

/** @returns the draft that the same update has begun before, if there is one */
export async function createDraft(db: Database, draft: NewDraft, now: Date): Promise<Draft> {
  const [created] = await db
    .insert(drafts)
    .values({ ...draft, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: drafts.updateId })
    .returning()
  const made = created ?? (await first(db, eq(drafts.updateId, draft.updateId ?? 0)))
  assert(made, 'the row that the insert conflicted with exists')
  return made
}

export const findDraft = (db: Database, id: string, userId: bigint): Promise<Draft | undefined> =>
  first(db, and(isId(id), isOf(userId)))

type DraftChange = Pick<Draft, 'answers'> &
  Partial<Pick<Draft, 'modelId' | 'unfitPrompt' | 'writtenPrompt' | 'byGroup'>>

/**
 * Changes an open draft. A rewritten prompt may arrive at the moment of a tap, also in another process; neither change may undo the other.
 * @param changeOf returns the change of the given row, or undefined for no change; called again with the newest row if the row has changed
 * since it was read
 * @returns undefined when the draft is no longer open, or nothing is to be changed
 */
export async function changeDraft(
  db: Database,
  draft: Draft,
  changeOf: (current: Draft) => DraftChange | undefined,
  now: Date,
): Promise<Draft | undefined> {
  for (let current: Draft | undefined = draft; current?.state === 'open'; ) {
    const change = changeOf(current)
    if (!change) return undefined
    const isSame = and(isId(draft.id), isOpen, eq(drafts.revision, current.revision))
    const revision = current.revision + 1
    const [changed] = await update(db, isSame, { ...change, openPage: null, revision, updatedAt: now })
    if (changed) return changed
    current = await findDraft(db, draft.id, draft.userId)
  }
  return undefined
}

/** Names the turn that rewrites the prompt next. @returns false when the draft is closed or another turn was named meanwhile */
export async function claimRewriting(
  db: Database,
  { id, rewritingId }: Pick<Draft, 'id' | 'rewritingId'>,
  turnId: string,
): Promise<boolean> {
  const isSame = sql`${drafts.rewritingId} is not distinct from ${rewritingId}`
  return (await update(db, and(isId(id), isOpen, isSame), { rewritingId: turnId })).length > 0
}

/** Stores the message of the card, and the page that it shows. */
export async function setCard(
  db: Database,
  id: string,
  cardMessageId: number,
  now: Date,
  openPage: string | null = null,
): Promise<void> {
  await update(db, isId(id), { cardMessageId, openPage, updatedAt: now })
}

/** The open page of a card that lists models. No setting has this name. */
export const modelsPage = '#models'

/** @param openPage the page that waits for its user: a setting, a step, or the models; null for any other page */
export async function setOpenPage(
  db: Database,
  id: string,
  openPage: string | null,
  now: Date,
): Promise<void> {
  await update(db, and(isId(id), isOpen), { openPage, updatedAt: now })
}

/** @returns false when the draft has been ordered or dropped before */
export const dropDraft = async (db: Database, id: string, now: Date): Promise<boolean> =>
  (await update(db, and(isId(id), isOpen), { state: 'dropped', updatedAt: now })).length > 0

/** Marks a draft whose user begins a top-up for it. @returns false when the user has no such open draft */
export const markAwaitingTopUp = async (db: Database, id: string, userId: bigint): Promise<boolean> =>
  (await update(db, and(isId(id), isOpen, isOf(userId)), { awaitsTopUp: true })).length > 0

/** The newest open draft that waited for a top-up of its user; none waits afterwards. */
export async function takeAwaiting(db: Database, userId: bigint): Promise<Draft | undefined> {
  const isAwaiting = and(isOf(userId), isOpen, eq(drafts.awaitsTopUp, true))
  const taken = await update(db, isAwaiting, { awaitsTopUp: false })
  return taken.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())[0]
}

/** The open draft whose card is the given message: in a group of any user, in a private chat of this one. */
export function draftOfCard(db: Database, chatId: number, messageId: number, userId: bigint) {
  const isCard = and(eq(drafts.chatId, chatId), eq(drafts.cardMessageId, messageId))
  const isHere = isGroup(chatId) ? sql`${drafts.chatId} < 0` : isOf(userId)
  return first(db, and(isCard, isHere, isOpen))
}

const isOpenIn = (userId: bigint, chatId: number) => and(isOf(userId), eq(drafts.chatId, chatId), isOpen)

export const newestOpenDraft = (db: Database, userId: bigint, chatId: number) =>
  first(db, isOpenIn(userId, chatId), desc(drafts.updatedAt))

/** The open draft, in this chat and topic, that words of its user can be for: the last changed one that is shown. */
export function draftForWords(db: Database, userId: bigint, { chatId, topicId }: ChatLocation) {
  const isHere = sql`${drafts.topicId} is not distinct from ${topicId}`
  const isShown = or(isNotNull(drafts.openPage), isNotNull(drafts.cardMessageId))
  const isMeant = and(isOpenIn(userId, chatId), isHere, isShown)
  return first(db, isMeant, desc(drafts.updatedAt))
}

// Settings for the next card of a model: saved by the user under a name, or those of the last order.

export type Preset = typeof presets.$inferSelect

/** The most presets of one user, for all models together; one keyboard shows them all. */
export const mostPresets = 30

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

/** Saves a preset in place of one with the same name and model. @returns false when the user has too many others */
export async function savePreset(
  { db, clock, ids }: Deps,
  preset: Pick<Preset, 'userId' | 'modelId' | 'name' | 'answers'>,
): Promise<boolean> {
  const { userId, modelId, name, answers } = preset
  const others = and(
    eq(presets.userId, userId),
    sql`(${presets.modelId}, ${presets.name}) <> (${modelId}, ${name})`,
  )
  if ((await db.$count(presets, others)) >= mostPresets) return false
  const createdAt = clock.now()
  await db
    .insert(presets)
    .values({ ...preset, id: ids.next(), createdAt })
    .onConflictDoUpdate({
      target: [presets.userId, presets.modelId, presets.name],
      set: { answers, createdAt },
    })
  return true
}

export const presetsOf = (db: Database, userId: bigint, modelId?: string): Promise<Preset[]> =>
  db
    .select()
    .from(presets)
    .where(and(eq(presets.userId, userId), modelId === undefined ? undefined : eq(presets.modelId, modelId)))
    .orderBy(asc(presets.name), asc(presets.id))

const isPreset = (id: string, userId: bigint) => and(eq(presets.id, id), eq(presets.userId, userId))

export async function findPreset(db: Database, id: string, userId: bigint): Promise<Preset | undefined> {
  const [found] = await db.select().from(presets).where(isPreset(id, userId))
  return found
}

export async function deletePreset(db: Database, id: string, userId: bigint): Promise<void> {
  await db.delete(presets).where(isPreset(id, userId))
}

export async function lastAnswers(
  db: Database,
  userId: bigint,
  modelId: string,
): Promise<Answers | undefined> {
  const isOrdered = and(isOf(userId), eq(drafts.modelId, modelId), eq(drafts.state, 'ordered'))
  return (await first(db, isOrdered, desc(drafts.updatedAt)))?.answers
}
