// The options of text fields that come from outside the catalog: the operator's voices, the user's styles and videos, and the
// concepts that the gateway lists.

import { type Field, type Option, sameInAll } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { promptInRequest } from '../../catalog/request.ts'
import type { Draft } from '../../generations/drafts.ts'
import { videosOf } from '../../generations/history.ts'
import { stylesOf } from '../../generations/styles.ts'
import type { BotDeps } from '../context.ts'

type Deps = Pick<BotDeps, 'db' | 'catalog' | 'concepts'>
type TextField = Extract<Field, { kind: 'text' }>

const mostStyles = 20
const mostVideos = 8
/** A keyboard has at most 100 buttons. The other concepts can be typed. */
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
      return (await stylesOf(deps.db, userId, mostStyles)).map(({ id, name }) => named(id, name))
    case 'concepts':
      return (await deps.concepts()).slice(0, mostConcepts).map(({ key, name = key }) => named(key, name))
    case 'videos':
      return videoOptions(deps, userId, model)
  }
}

const named = (value: string, name: string): Option => ({ value, label: sameInAll(name), set: {} })

/** The videos that the gateway made for this user with this model, the newest first. */
async function videoOptions({ db }: Deps, userId: bigint, model: Model): Promise<Option[]> {
  const videos = await videosOf(db, userId, model.id, mostVideos)
  return videos.map(({ taskId, id, request }) => named(taskId ?? id, promptInRequest(request, 24) ?? id))
}
