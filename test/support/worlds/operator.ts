// Helpers for the tests of operator actions: paid generations, reports about them, and the log of actions.

import { eq } from 'drizzle-orm'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import { type Deps, texts } from '../../../src/cli/admin/common.ts'
import { operatorActions, reports } from '../../../src/db/schema.ts'
import { type Period, readPeriod } from '../../../src/operator/periods.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { User } from '../../../src/users/user.ts'
import { finished, type GenerationWorld, json, order, reread, step } from './generations.ts'

export const boss = 900_001

/** A period by its words. */
export function periodOf(words: string, now: Date, zone: string): Period {
  const period = readPeriod(words, now, zone)
  if (!period) throw new Error(`${words} is no period`)
  return period
}

/** What the commands of a terminal work with, without settings and without anybody who answers. */
export const terminal = ({ db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>): Deps => ({
  ...{ db, clock, ids, texts, ask: undefined, textModels: [], providers: [] },
  catalog: createCatalog(models, {}),
  operator: { timeZone: 'Europe/Moscow' },
})

let tasks = 0

/** A generation that was ordered, completed and captured, for ₽92.45. */
export async function paidGeneration(world: GenerationWorld, user: User): Promise<Generation> {
  await refuseDue(world)
  tasks += 1
  const id = `paid-task-${tasks}`
  world.gatewayAnswers(
    json(202, { id, object: 'video.task', status: 'queued', model: 'm', created: 1 }),
    finished,
  )
  const ordered = await order(world, user)
  await step(world)
  world.clock.advance(3000)
  await step(world)
  await step(world)
  return reread(world, ordered)
}

export async function reportOf(
  world: GenerationWorld,
  { id: generationId, userId }: Generation,
): Promise<string> {
  const id = randomIds.next()
  const row = { id, generationId, userId, said: 'the cat has six legs', createdAt: world.deps.clock.now() }
  await world.deps.db.insert(reports).values(row)
  return id
}

/** The rows of the log of actions about a subject, oldest first. */
export const actionsOn = (
  { deps: { db } }: { readonly deps: Pick<GenerationWorld['deps'], 'db'> },
  subject: string,
) => db.select().from(operatorActions).where(eq(operatorActions.subject, subject)).orderBy(operatorActions.id)

/** Ends the orders of other tests that are still to be submitted, so that the next scripted answers are for new orders. */
async function refuseDue(world: GenerationWorld): Promise<void> {
  world.reset()
  world.gatewayAnswers(...Array.from({ length: 20 }, () => json(400, {})))
  await step(world)
  await step(world)
  world.reset()
}
