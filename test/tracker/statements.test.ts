// What the tracker's work costs: no statement is sent for what is known already or cannot have changed, and the watch is told what it
// would otherwise have to find.

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { Generation } from '../../src/generations/generation.ts'
import { noPlaces } from '../../src/generations/place.ts'
import { receiveCallback } from '../../src/tracker/callbacks.ts'
import { claim } from '../../src/tracker/queue.ts'
import { createStatusUpdates } from '../../src/tracker/status-updates.ts'
import { createStepDeps } from '../../src/tracker/step-deps.ts'
import { createTracker } from '../../src/tracker/tracker.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  cut,
  finished,
  json,
  neverLooked,
  order,
  reread,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const second = 1000
const world = await auditedWorld()
const { clock } = world
const observed = observedDatabase(world.database.url)
const { statements } = observed
const deps = { ...world.deps, db: observed.db }
afterAll(() => observed.close())
beforeEach(() => {
  statements.length = 0
})

const ordered = async () => order(world, await userWith(world, 500_00n))
async function running(): Promise<Generation> {
  const generation = await ordered()
  world.gatewayAnswers(taskCreated)
  await step(world, { of: ['submit'] })
  return generation
}

it('only a claim of deliveries that are due reads files', async () => {
  const sent = async (kind: Parameters<typeof claim>[1]) => {
    statements.length = 0
    const { held } = await claim(deps, kind, 10)
    return { held: held.length, statements: statements.length }
  }
  await running()
  clock.advance(3 * second)
  expect(await sent('deliver')).toEqual({ held: 0, statements: 1 })
  expect(await sent('look')).toEqual({ held: 1, statements: 1 })
  clock.advance(60 * second)
  world.gatewayAnswers(finished)
  await step(world, { of: ['look'] })
  expect(await sent('deliver')).toEqual({ held: 1, statements: 2 })
})

it('a status is read again only if another process may have changed the order meanwhile', async () => {
  const generation = await ordered()
  const updates = createStatusUpdates(deps, async () => true)
  const readsFor = async (leaseUntil: Date | null, meanwhile: () => unknown = () => undefined) => {
    statements.length = 0
    updates.queue({ ...generation, lease: 'ours', leaseUntil })
    meanwhile()
    await updates.idle()
    return statements.length
  }
  const later = new Date(clock.now().getTime() + 1)
  expect(await readsFor(later, () => updates.cancel(generation.id))).toBe(1)
  expect(await readsFor(later)).toBe(0)
  expect(await readsFor(clock.now())).toBe(1)
  expect(await readsFor(null)).toBe(1)
})

it('a step that ends while nothing else waits is followed by no claim', async () => {
  const generation = await running()
  const claims = () => statements.filter((one) => one.includes(' as is_probe')).length
  const tracker = createTracker(deps, world.chat)
  tracker.start()
  await expect.poll(claims).toBe(8)
  world.gatewayAnswers(taskIs('processing'))
  await receiveCallback({ ...deps, places: tracker }, generation.callbackToken, [])
  await world.when(() => world.shown.includes(`${generation.id} running`))
  await expect.poll(() => reread(world, generation)).toMatchObject({ lease: null, progress: 'processing' })
  await tracker.stop()
  expect(claims()).toBe(8)
})

it('each step tells the watch when its order is due again', async () => {
  const due: number[] = []
  const dueAt = (time: Date) => void due.push((time.getTime() - clock.now().getTime()) / second)
  const by = createStepDeps(world.deps, world.chat, { places: noPlaces, dueAt })
  const toldAfter = async (answer: typeof cut) => {
    world.gatewayAnswers(answer)
    await step(world, { by })
    const told = due.splice(0)
    clock.advance((told[0] ?? 0) * second)
    return told
  }
  await ordered()
  expect(await toldAfter(json(503, { error: 'closed' }))).toEqual([3])
  expect(await toldAfter(taskCreated)).toEqual([3])
  expect(await toldAfter(taskIs('processing'))).toEqual([3])
  expect(await toldAfter(json(404, { error: 'no such task' }))).toEqual([36])
  await world.deps.db.execute(sql`update generations set next_check_at = ${neverLooked}`)
  await ordered()
  expect(await toldAfter(cut)).toEqual([600])
})
