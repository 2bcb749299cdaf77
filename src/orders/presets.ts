// Settings for the next card of a model: saved by the user under a name, or those of the last order.

import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Answers } from '../catalog/field.ts'
import type { Database } from '../db/client.ts'
import { drafts, presets } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'

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
