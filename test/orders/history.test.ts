// Marks of orders in the history.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { markOrder } from '../../src/orders/history.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, reread, step, taskCreated, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()
const { deps, clock } = world
const marksOf = async (of: { id: string }) => {
  const { favouriteAt, hiddenAt } = await reread(world, of)
  return { favouriteAt, hiddenAt }
}

it('only the owner of an order marks it', async () => {
  const [owner, stranger] = [await userWith(world, 100_00n), await userWith(world, 0n)]
  const made = await order(world, owner)
  await deps.db.update(generations).set({ settledAt: clock.now() }).where(eq(generations.id, made.id))
  const marks = (by: bigint, all: readonly Parameters<typeof markOrder>[3][]) =>
    Promise.all(all.map((mark) => markOrder(deps, made.id, by, mark)))
  await marks(stranger.id, ['favourite', 'hide'])
  expect(await marksOf(made)).toEqual({ favouriteAt: null, hiddenAt: null })
  await marks(owner.id, ['favourite', 'hide'])
  const marked = { favouriteAt: clock.now(), hiddenAt: clock.now() }
  expect(await marksOf(made)).toEqual(marked)
  await marks(stranger.id, ['ordinary', 'show'])
  expect(await marksOf(made)).toEqual(marked)
  await deps.db.update(generations).set({ settledAt: null }).where(eq(generations.id, made.id))
})

it('an order that is still running cannot be hidden', async () => {
  const owner = await userWith(world, 100_00n)
  const made = await order(world, owner)
  await markOrder(deps, made.id, owner.id, 'hide')
  expect(await marksOf(made)).toEqual({ favouriteAt: null, hiddenAt: null })
  world.gatewayAnswers(taskCreated)
  await step(world, { of: ['orders'] })
})
