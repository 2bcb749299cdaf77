// A gateway that contradicts itself: states go backwards, tasks disappear, final states change.

import { describe, expect, it } from 'vitest'
import { readBalance } from '../../src/ledger/ledger.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  finished,
  json,
  order,
  page,
  reread,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const minute = 60_000
const world = await auditedWorld()

async function running() {
  const user = await userWith(world, 500_00n)
  const generation = await order(world, user)
  world.gatewayAnswers(taskCreated)
  await step(world)
  world.clock.advance(3000)
  return {
    generation,
    now: () => reread(world, generation),
    available: async () => (await readBalance(world.deps.db, user.id)).available,
    looks: () => world.requests.length - 1,
  }
}

const gone = json(404, { error: { message: 'no such task' } })

it('a state that goes backwards is shown and has no other effect', async () => {
  const { now, available } = await running()
  for (const [told, shown] of [
    ['processing', 'processing'],
    ['queued', 'queued'],
    ['processing', 'processing'],
    ['queued', 'queued'],
  ] as const) {
    world.gatewayAnswers(taskIs(told))
    await step(world)
    expect(await now()).toMatchObject({ state: 'running', progress: shown, attempts: 0 })
    world.clock.advance(minute)
  }
  world.gatewayAnswers(finished)
  await step(world)
  expect(await now()).toMatchObject({ state: 'succeeded' })
  expect(await available()).toBe(407_55n)
})

describe('text that PostgreSQL does not accept', () => {
  it('in the reason of a failure does not keep the money held', async () => {
    const { now, available } = await running()
    world.gatewayAnswers(taskIs('failed', { error: 'bad \0 weather \ud83d' }))
    await step(world)
    expect(await now()).toMatchObject({ state: 'failed', said: 'bad  weather \ufffd' })
    expect(await available()).toBe(500_00n)
  })

  it('in a refusal does not leave the order unknown', async () => {
    const user = await userWith(world, 500_00n)
    const generation = await order(world, user)
    world.gatewayAnswers(json(400, { error: { message: 'no\0' } }))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'refused', said: 'no' })
  })

  it('in the URL of a result does not lose the result', async () => {
    const { now } = await running()
    world.gatewayAnswers(taskIs('completed', { data: [{ url: 'data:text/plain,a\0b' }] }))
    await step(world)
    expect(await now()).toMatchObject({ state: 'succeeded' })
  })
})

describe('a task that the gateway no longer knows', () => {
  it.each([
    ['404', gone],
    ['words', json(400, { error: { message: 'The task was not found.' } })],
  ])(
    'is given up as lost after five looks in a row, not sooner than two minutes after the first: %s',
    async (_, answer) => {
      const { generation, now, available, looks } = await running()
      world.gatewayAnswers(...Array.from({ length: 100 }, () => answer))
      const begun = world.clock.now().getTime()
      for (; (await now()).state === 'running'; world.clock.advance(1000)) await step(world)
      const tookMs = world.clock.now().getTime() - begun
      expect(looks()).toBe(5)
      expect(tookMs).toBeGreaterThanOrEqual(2 * minute)
      expect(tookMs).toBeLessThan(3.5 * minute)
      expect(await now()).toMatchObject({ state: 'failed', reason: 'lost', captured: 0n })
      expect(await available()).toBe(500_00n)
      await step(world)
      expect(world.delivered).toEqual([generation.id])
    },
  )

  it('is not given up sooner when callbacks bring looks forward', async () => {
    const { generation, now, looks } = await running()
    world.gatewayAnswers(...Array.from({ length: 100 }, () => gone))
    for (let second = 0; second < 119; second += 1) {
      await callBack(world, generation)
      await step(world)
      world.clock.advance(1000)
    }
    expect(looks()).toBeGreaterThan(50)
    expect(await now()).toMatchObject({ state: 'running' })
  })

  it('is counted as missing from the first such look on, however soon this look follows another one', async () => {
    const { generation, now } = await running()
    world.gatewayAnswers(taskIs('processing'), gone)
    await step(world)
    world.clock.advance(1000)
    await callBack(world, generation)
    await step(world)
    expect(await now()).toMatchObject({ state: 'running', attempts: 1 })
  })

  it('is not counted as missing after a refusal of another kind', async () => {
    const { now, available } = await running()
    for (let count = 0; count < 6; count += 1) {
      world.gatewayAnswers(json(400, { error: { message: 'bad request' } }))
      await step(world)
      expect(await now()).toMatchObject({ state: 'running', attempts: 0 })
      world.clock.advance(minute)
    }
    world.gatewayAnswers(finished)
    await step(world)
    expect(await available()).toBe(407_55n)
  })

  it.each([
    ['an answer', taskIs('processing')],
    ['an error', page(502)],
    ['a status with an unknown name', taskIs('exploded')],
  ])('needs five such looks in a row again after %s', async (_, between) => {
    const { now } = await running()
    const look = async (answer: typeof gone) => {
      world.gatewayAnswers(answer)
      await step(world)
      world.clock.advance(minute)
    }
    for (let count = 0; count < 4; count += 1) await look(gone)
    await look(between)
    for (let count = 0; count < 4; count += 1) await look(gone)
    expect(await now()).toMatchObject({ state: 'running', attempts: 4 })
    await look(finished)
    expect(await now()).toMatchObject({ state: 'succeeded' })
  })
})

describe('a final state never changes', () => {
  it.each([
    ['completed', finished, 'succeeded', null, null, taskIs('failed'), 407_55n],
    ['failed', taskIs('failed', { error: 'no cats' }), 'failed', 'task-failed', 'no cats', finished, 500_00n],
    ['canceled', taskIs('canceled'), 'canceled', 'task-canceled', null, finished, 500_00n],
  ])('%s', async (_, first, state, reason, said, second, left) => {
    const { generation, now, available, looks } = await running()
    world.gatewayAnswers(first)
    await step(world)
    world.gatewayAnswers(second)
    for (let again = 0; again < 3; again += 1) {
      await callBack(world, generation, { id: 'task-1', status: 'failed' })
      world.clock.advance(minute)
      await step(world)
    }
    expect(await now()).toMatchObject({ state, reason, said, delivery: 'delivered', taskId: 'task-1' })
    expect(await available()).toBe(left)
    expect(looks()).toBe(1)
    expect(world.delivered).toEqual([generation.id])
  })
})
