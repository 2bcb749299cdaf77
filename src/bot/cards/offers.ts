// The options of texts that are not the catalog's own: the operator's voices, the user's styles and videos, and what the
// gateway lists.

import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Field, Option } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { promptOf } from '../../catalog/prompt.ts'
import { generations, styles } from '../../db/schema.ts'
import type { Draft } from '../../generations/drafts.ts'
import type { BotDeps } from '../context.ts'

type Deps = Pick<BotDeps, 'db' | 'catalog' | 'concepts'>
type TextField = Extract<Field, { kind: 'text' }>

/** As many as people look through. */
const mostOffered = 20
/** A keyboard bears no more than 100 buttons; others can be typed. */
const mostConcepts = 60

export async function offersFor(
  deps: Deps,
  { userId }: Draft,
  model: Model,
): Promise<Record<string, readonly Option[]>> {
  const texts = model.fields.filter(
    (field): field is TextField => field.kind === 'text' && field.source !== undefined,
  )
  const offers = texts.map(
    async (field) => [field.name, await optionsOf(deps, userId, model, field)] as const,
  )
  return Object.fromEntries(await Promise.all(offers))
}

export async function optionsOf(
  deps: Deps,
  userId: bigint,
  model: Model,
  { source }: TextField,
): Promise<readonly Option[]> {
  if (source === undefined) return []
  switch (source) {
    case 'voices':
      return deps.catalog.voices(model)
    case 'styles':
      return stylesOf(deps, userId)
    case 'concepts':
      return (await deps.concepts()).slice(0, mostConcepts).map(({ key, name = key }) => named(key, name))
    case 'videos':
      return videosOf(deps, userId, model)
  }
}

const named = (value: string, name: string): Option => ({ value, label: { ru: name, en: name }, set: {} })

async function stylesOf({ db }: Deps, userId: bigint): Promise<Option[]> {
  const own = await db
    .select()
    .from(styles)
    .where(eq(styles.userId, userId))
    .orderBy(desc(styles.createdAt))
    .limit(mostOffered)
  return own.map(({ id, name }) => named(id, name))
}

/** What the gateway made for this user with this model, the newest first. */
async function videosOf({ db }: Deps, userId: bigint, model: Model): Promise<Option[]> {
  const done = await db
    .select()
    .from(generations)
    .where(
      and(
        eq(generations.userId, userId),
        eq(generations.modelId, model.id),
        eq(generations.state, 'succeeded'),
        isNotNull(generations.taskId),
      ),
    )
    .orderBy(desc(generations.createdAt))
    .limit(8)
  return done.map(({ taskId, id, request }) => named(taskId ?? id, promptOf(request, 24) ?? id))
}
