// Orders under way: the place in the queue, the list of a chat, and the cancellation of an order that waits.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { aheadOf } from '../../src/orders/deliver/messages.ts'
import { ordersUnderWay } from '../../src/orders/history.ts'
import { cancelHeld } from '../../src/orders/settle.ts'
import type { User } from '../../src/users/user.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, reread, step, taskCreated, userWith } from '../support/worlds/generations.ts'

const price = 92_45n
const world = await auditedWorld()
const { deps, clock } = world
type Change = Partial<typeof generations.$inferInsert>

const changed = (id: string, change: Change) =>
  deps.db.update(generations).set(change).where(eq(generations.id, id))

/** Orders a moment after all earlier orders. */
async function orders(user: User, change: Change = {}) {
  clock.advance(1000)
  const made = await order(world, user)
  if (Object.keys(change).length > 0) await changed(made.id, change)
  return made
}

it('only older orders that also wait for their submit are ahead of an order, whoever made them', async () => {
  const [anna, boris] = [await userWith(world, 2000_00n), await userWith(world, 2000_00n)]
  await orders(boris)
  await orders(anna, { lease: 'of a worker', leaseUntil: clock.now() })
  const undue = await orders(anna, { nextCheckAt: null })
  const running = await orders(anna, { state: 'running' })
  const own = await orders(anna)
  await orders(boris)
  expect(await aheadOf(deps, own)).toBe(1)
  await changed(running.id, { state: 'held' })
  expect(await aheadOf(deps, own)).toBe(2)
  await changed(undue.id, { nextCheckAt: clock.now() })
})

it('the orders under way are those of the user in the chat that have not ended, the newest fifteen first', async () => {
  const [anna, boris] = [await userWith(world, 2000_00n), await userWith(world, 2000_00n)]
  const chatId = anna.telegramId ?? 0
  const made = [await orders(anna), await orders(anna)]
  await cancelHeld(deps, await orders(anna))
  const elsewhere = await orders(anna, { chatId: -chatId })
  const foreign = await orders(boris, { chatId })
  for (let more = 0; more < 14; more += 1) made.push(await orders(anna))
  const newest = made
    .slice(1)
    .map(({ id }) => id)
    .toReversed()
  expect((await ordersUnderWay(deps, anna.id, chatId)).map(({ id }) => id)).toEqual(newest)
  expect((await ordersUnderWay(deps, anna.id, -chatId)).map(({ id }) => id)).toEqual([elsewhere.id])
  expect((await ordersUnderWay(deps, boris.id, chatId)).map(({ id }) => id)).toEqual([foreign.id])
})

it('a cancelled order returns its whole hold and is explained, and no other order is touched', async () => {
  const anna = await userWith(world, 500_00n)
  const [kept, unwanted] = [await orders(anna), await orders(anna)]
  await changed(unwanted.id, { lease: 'of a worker', leaseUntil: clock.now(), attempts: 3 })
  expect(await cancelHeld(deps, unwanted)).toMatchObject({ id: unwanted.id, state: 'canceled' })
  const now = clock.now()
  const ended = { state: 'canceled', reason: 'withdrawn', captured: 0n, settledAt: now }
  const due = { delivery: 'pending', nextCheckAt: now, attempts: 0, lease: null, leaseUntil: null }
  expect(await reread(world, unwanted)).toMatchObject({ ...ended, ...due })
  expect(await reread(world, kept)).toMatchObject({ state: 'held', settledAt: null })
  expect(await readBalance(deps.db, anna.id)).toMatchObject({ available: 500_00n - price, held: price })
  expect(await cancelHeld(deps, unwanted)).toBeUndefined()
})

it('an order whose submit has begun is not cancelled, and its money stays held', async () => {
  const anna = await userWith(world, 500_00n)
  const made = await orders(anna)
  world.gatewayAnswers(taskCreated)
  await step(world, { of: ['orders'] })
  expect(await cancelHeld(deps, made)).toBeUndefined()
  expect(await reread(world, made)).toMatchObject({ state: 'running', settledAt: null })
  expect(await readBalance(deps.db, anna.id)).toMatchObject({ held: price })
})
