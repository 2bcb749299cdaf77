// How long orders of a model usually take. The rows of the orders are changed without their money, so there is no audit.

import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { generations } from '../../src/db/schema.ts'
import { createTimes } from '../../src/orders/times.ts'
import { createWorld, order, userWith } from '../support/worlds/generations.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute
const world = await createWorld()
const { deps, clock } = world
afterAll(() => world.close())
type Change = Partial<typeof generations.$inferInsert>

const user = await userWith(world, 20_000_00n)
let models = 0
/** @returns the id of a model that nobody has ordered yet */
const newModel = () => {
  models += 1
  return `MODEL-TEST-${models}`
}

/** An order that was delivered after so many seconds, unless changed. */
async function took(modelId: string, seconds: number, change: Change = {}): Promise<void> {
  const { id, createdAt } = await order(world, user)
  const at = new Date(createdAt.getTime() + seconds * second)
  const delivered: Change = { state: 'succeeded', delivery: 'delivered', settledAt: at, deliveredAt: at }
  await deps.db
    .update(generations)
    .set({ modelId, ...delivered, ...change })
    .where(eq(generations.id, id))
}

const timesOf =
  ({ usualMs } = createTimes(deps)) =>
  (modelId: string) =>
    usualMs({ ...videoReel, id: modelId })
const usualOf = (modelId: string) => timesOf()(modelId)
/** That of the catalog. */
const unknown = 180 * second

it('four of five delivered orders of the model took the usual time at most; with fewer than three it is that of the catalog', async () => {
  const [modelId, another] = [newModel(), newModel()]
  for (const seconds of [1, 1, 1]) await took(another, seconds)
  for (const seconds of [10, 100]) await took(modelId, seconds)
  expect(await usualOf(modelId)).toBe(unknown)
  await took(modelId, 20)
  expect(await usualOf(modelId)).toBe(100 * second)
})

it('the usual time leaves out failed orders, orders on their way to the chat, and orders of more than 30 days ago', async () => {
  const modelId = newModel()
  for (const seconds of [10, 20]) await took(modelId, seconds)
  await took(modelId, 30, { state: 'failed' })
  await took(modelId, 30, { deliveredAt: null, delivery: 'pending' })
  await took(modelId, 30, { settledAt: new Date(clock.now().getTime() - 30 * day) })
  expect(await usualOf(modelId)).toBe(unknown)
  await took(modelId, 30, { settledAt: new Date(clock.now().getTime() - 30 * day + second) })
  expect(await usualOf(modelId)).toBe(30 * second)
})

it('the usual time takes the last fifty orders only', async () => {
  const modelId = newModel()
  for (let older = 0; older < 26; older += 1) await took(modelId, 200)
  clock.advance(10 * minute)
  for (let newer = 0; newer < 41; newer += 1) await took(modelId, 100)
  expect(await usualOf(modelId)).toBe(100 * second)
})

it('the usual time is read again after ten minutes, or after one minute while too few orders were delivered', async () => {
  const modelId = newModel()
  const of = timesOf()
  expect(await of(modelId)).toBe(unknown)
  for (const seconds of [10, 10, 10]) await took(modelId, seconds)
  clock.advance(minute - 1)
  expect(await of(modelId)).toBe(unknown)
  clock.advance(1)
  expect(await of(modelId)).toBe(10 * second)
  for (const seconds of [30, 30, 30, 30]) await took(modelId, seconds)
  clock.advance(10 * minute - 1)
  expect(await of(modelId)).toBe(10 * second)
  clock.advance(1)
  expect(await of(modelId)).toBe(30 * second)
})
