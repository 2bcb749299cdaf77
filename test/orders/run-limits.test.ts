// How long a task may run before its order is refunded, and what its last look decides.

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { defaultModelSettings } from '../../src/catalog/settings.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { generations } from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { createTimes } from '../../src/orders/times.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import {
  createWorld,
  finished,
  forgetOrders,
  order,
  processOf,
  reread,
  step,
  submitted,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const minute = 60_000
const hour = 60 * minute

const world = await createWorld()
afterAll(() => world.close())
beforeEach(async () => {
  world.reset()
  await forgetOrders(world)
})

const available = async ({ id }: { id: bigint }) => (await readBalance(world.deps.db, id)).available

describe('the limit of a running task', () => {
  const limitOf = async ({ id }: Generation) => {
    const { deadlineAt, submittedAt } = await reread(world, { id })
    return ((deadlineAt?.getTime() ?? 0) - (submittedAt?.getTime() ?? 0)) / minute
  }

  /** Settled orders of the model whose tasks took this many minutes. */
  const history = (...minutes: number[]) => historyOf(minutes)

  async function historyOf(minutes: readonly number[], own: Partial<Generation> = {}): Promise<void> {
    for (const took of minutes) {
      const { generation } = await submitted(world)
      const ended = { state: 'succeeded', taskId: `task-${generation.id}`, nextCheckAt: null } as const
      const { submittedAt } = generation
      const settledAt = new Date((submittedAt?.getTime() ?? 0) + took * minute)
      await world.deps.db
        .update(generations)
        .set({ ...ended, settledAt, ...own })
        .where(sql`id = ${generation.id}`)
    }
  }

  it.each([
    ['half an hour without a history', [], 30],
    ['half an hour for a fast model', [1, 2, 5], 30],
    ['twice the slowest of its tasks', [3, 50, 10], 100],
    ['four hours at most', [200], 240],
  ])('is %s', async (_, minutes, limit) => {
    await history(...minutes)
    const { generation } = await submitted(world)
    expect(await limitOf(generation)).toBe(limit)
  })

  it('takes into account a result that came after its refund', async () => {
    await submitted(world)
    for (const [afterMinutes, answer] of [
      [31, taskIs('processing')],
      [0, undefined],
      [13, finished],
    ] as const) {
      world.clock.advance(afterMinutes * minute)
      if (answer) world.gatewayAnswers(answer)
      await step(world)
    }
    const { generation } = await submitted(world)
    expect(await limitOf(generation)).toBe(2 * (31 + 13))
  })

  it('does not depend on tasks of more than a month ago', async () => {
    await history(50)
    world.clock.advance(31 * 24 * hour)
    const { generation } = await submitted(world)
    expect(await limitOf(generation)).toBe(30)
  })

  it.each<[string, Partial<Generation>]>([
    ['that failed', { state: 'failed', reason: 'task-failed' }],
    ['of another model', { modelId: 'MODEL-VIDEO-WAN' }],
    ['whose results came within the answer to the submit', { taskId: null }],
  ])('does not depend on orders %s', async (_, own) => {
    await historyOf([50], own)
    const { generation } = await submitted(world)
    expect(await limitOf(generation)).toBe(30)
  })

  it('is half an hour for an order of an earlier version, which has none of its own', async () => {
    const { generation } = await submitted(world)
    await world.deps.db.update(generations).set({ deadlineAt: null })
    const looked = async (afterMinutes: number) => {
      world.clock.advance(afterMinutes * minute)
      world.gatewayAnswers(taskIs('processing'))
      await step(world)
      return (await reread(world, generation)).state
    }
    expect([await looked(29), await looked(2)]).toEqual(['running', 'failed'])
  })

  it('is the value in the operator’s settings of the model, if there is one', async () => {
    await history(50)
    const settings = { ...defaultModelSettings, giveUpAfterMinutes: 7 }
    const catalog = createCatalog(models, withGatewayIds({ [videoReel.id]: settings }))
    const user = await userWith(world, 500_00n)
    const generation = await order(world, user)
    world.gatewayAnswers(taskCreated)
    await step(world, { by: processOf(world, { catalog, times: createTimes({ ...world.deps, catalog }) }) })
    expect(await limitOf(generation)).toBe(7)
    world.clock.advance(8 * minute)
    world.gatewayAnswers(taskIs('processing'))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'late' })
  })

  it('lets a slow task of a slow model complete, and it is charged', async () => {
    await history(50)
    const { user, generation } = await submitted(world)
    world.clock.advance(60 * minute)
    world.gatewayAnswers(taskIs('processing'))
    await step(world)
    world.clock.advance(10 * minute)
    world.gatewayAnswers(finished)
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', captured: generation.amount })
    expect(await available(user)).toBe(500_00n - generation.amount)
  })
})
