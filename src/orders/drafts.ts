// Draft rows: the answers collected so far, and settings for the next card of a model. A draft is found only with the id of the user who
// owns it.

import assert from 'node:assert/strict'
import { and, asc, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Answers } from '../catalog/field.ts'
import type { Database } from '../db/client.ts'
import { drafts, presets } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { ChatLocation } from '../telegram/send.ts'

export type Draft = typeof drafts.$inferSelect

interface NewDraft extends ChatLocation, Pick<Draft, 'id' | 'userId' | 'modelId' | 'answers'> {
  readonly unfitPrompt?: string | null
  /** The update that begins the draft, if there is one; an update begins at most one draft. */
  readonly updateId?: number | null
  /** Whether the wallet of the group pays. */
  readonly byGroup?: boolean
}

/** @returns the draft that the same update has begun before, if there is one */
export async function createDraft(db: Database, draft: NewDraft, now: Date): Promise<Draft> {
  const [created] = await db
    .insert(drafts)
    .values({ ...draft, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: drafts.updateId })
    .returning()
  if (created) return created
  const [begun] = await db
    .select()
    .from(drafts)
    .where(eq(drafts.updateId, draft.updateId ?? 0))
  assert(begun, 'the row that the insert conflicted with exists')
  return begun
}

export async function findDraft(db: Database, id: string, userId: bigint): Promise<Draft | undefined> {
  const [found] = await db
    .select()
    .from(drafts)
    .where(and(eq(drafts.id, id), eq(drafts.userId, userId)))
  return found
}

const isOpen = (id: string) => and(eq(drafts.id, id), eq(drafts.state, 'open'))

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
    const [changed] = await db
      .update(drafts)
      .set({ ...change, openPage: null, revision: current.revision + 1, updatedAt: now })
      .where(and(isOpen(draft.id), eq(drafts.revision, current.revision)))
      .returning()
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
  const claimed = await db
    .update(drafts)
    .set({ rewritingId: turnId })
    .where(and(isOpen(id), sql`${drafts.rewritingId} is not distinct from ${rewritingId}`))
    .returning({ id: drafts.id })
  return claimed.length > 0
}

/** Stores the message of the card, and resets the open page, since a newly sent card shows its main page. */
export async function setCard(db: Database, id: string, cardMessageId: number, now: Date): Promise<void> {
  await db.update(drafts).set({ cardMessageId, openPage: null, updatedAt: now }).where(eq(drafts.id, id))
}

/** The open page of a card that lists models. No setting has this name. */
export const modelsPage = '#models'

/** @param openPage the name of a setting, `modelsPage`, or null for any other page */
export async function setOpenPage(
  db: Database,
  id: string,
  openPage: string | null,
  now: Date,
): Promise<void> {
  await db.update(drafts).set({ openPage, updatedAt: now }).where(isOpen(id))
}

/** @returns false when the draft has been ordered or dropped before */
export async function dropDraft(db: Database, id: string, now: Date): Promise<boolean> {
  const changed = await db
    .update(drafts)
    .set({ state: 'dropped', updatedAt: now })
    .where(isOpen(id))
    .returning({ id: drafts.id })
  return changed.length > 0
}

/** Marks a draft whose user begins a top-up for it. @returns false when the user has no such open draft */
export async function markAwaitingTopUp(db: Database, id: string, userId: bigint): Promise<boolean> {
  const changed = await db
    .update(drafts)
    .set({ awaitsTopUp: true })
    .where(and(isOpen(id), eq(drafts.userId, userId)))
    .returning({ id: drafts.id })
  return changed.length > 0
}

/** The newest open draft that waited for a top-up of its user; none waits afterwards. */
export async function takeAwaiting(db: Database, userId: bigint): Promise<Draft | undefined> {
  const taken = await db
    .update(drafts)
    .set({ awaitsTopUp: false })
    .where(and(eq(drafts.userId, userId), isOneOf(drafts.state, 'open'), eq(drafts.awaitsTopUp, true)))
    .returning()
  return taken.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())[0]
}

/** The open draft whose card is the given message: in a group of any user, in a private chat of this one. */
export async function draftOfCard(
  db: Database,
  chatId: number,
  messageId: number,
  userId: bigint,
): Promise<Draft | undefined> {
  const isCard = and(eq(drafts.chatId, chatId), eq(drafts.cardMessageId, messageId))
  const isHere = chatId < 0 ? sql`${drafts.chatId} < 0` : eq(drafts.userId, userId)
  const [found] = await db
    .select()
    .from(drafts)
    .where(and(isCard, isHere, isOneOf(drafts.state, 'open')))
  return found
}

/** The last changed open draft of a user in a chat. */
export async function newestOpenDraft(
  db: Database,
  userId: bigint,
  chatId: number,
): Promise<Draft | undefined> {
  const [newest] = await db
    .select()
    .from(drafts)
    .where(isOpenOf(userId, chatId))
    .orderBy(desc(drafts.updatedAt))
    .limit(1)
  return newest
}

const isOpenOf = (userId: bigint, chatId: number) =>
  and(eq(drafts.userId, userId), eq(drafts.chatId, chatId), isOneOf(drafts.state, 'open'))

/**
 * The open draft, in this chat and topic, that words of its user can be for: the last one whose card shows the page of a setting, even if
 * another card is newer, or else the last one with a card.
 */
export async function draftForWords(
  db: Database,
  userId: bigint,
  { chatId, topicId }: ChatLocation,
): Promise<Draft | undefined> {
  const isHere = sql`${drafts.topicId} is not distinct from ${topicId}`
  const isShown = or(isNotNull(drafts.openPage), isNotNull(drafts.cardMessageId))
  const [found] = await db
    .select()
    .from(drafts)
    .where(and(isOpenOf(userId, chatId), isHere, isShown))
    .orderBy(sql`${drafts.openPage} is null`, desc(drafts.updatedAt))
    .limit(1)
  return found
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

export async function findPreset(db: Database, id: string, userId: bigint): Promise<Preset | undefined> {
  const [found] = await db
    .select()
    .from(presets)
    .where(and(eq(presets.id, id), eq(presets.userId, userId)))
  return found
}

export async function deletePreset(db: Database, id: string, userId: bigint): Promise<void> {
  await db.delete(presets).where(and(eq(presets.id, id), eq(presets.userId, userId)))
}

/** The answers of the user's last order of a model; undefined without one. */
export async function lastAnswers(
  db: Database,
  userId: bigint,
  modelId: string,
): Promise<Answers | undefined> {
  const [last] = await db
    .select({ answers: drafts.answers })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), eq(drafts.modelId, modelId), eq(drafts.state, 'ordered')))
    .orderBy(desc(drafts.updatedAt))
    .limit(1)
  return last?.answers
}
