// The life of a generation, step by step, with a gateway that is slow, broken, wrong or unavailable.

import { describe, expect, it } from 'vitest'
import { idsIn, receiveCallback } from '../../src/orders/callback.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import type { StatusNews } from '../../src/orders/deliver/messages.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  cut,
  finished,
  json,
  ordered,
  page,
  processOf,
  running,
  type Started,
  step,
  stepTwiceRead,
  taskCreated,
  taskIs,
} from '../support/worlds/generations.ts'

const minute = 60_000
const world = await auditedWorld()
const { clock, deps, gatewayAnswers } = world
const closed = (headers = {}) => json(503, { error: 'closed' }, headers)
const videos = (...names: number[]) => ({ data: names.map((n) => ({ url: `http://127.0.0.1:9/${n}.mp4` })) })

it('a task is submitted, polled, captured and delivered, also when its state goes backwards', async () => {
  const { generation, now, available } = await running(world)
  for (const progress of ['queued', 'processing', 'queued', 'processing']) {
    gatewayAnswers(taskIs(progress))
    await step(world)
    expect(await now()).toMatchObject({ state: 'running', progress, attempts: 0 })
    clock.advance(minute)
  }
  gatewayAnswers(finished)
  await step(world)
  expect(await now()).toMatchObject({ state: 'succeeded', captured: 92_45n, delivery: 'pending' })
  expect(await available()).toBe(407_55n)
  await step(world)
  expect(world.delivered).toEqual([generation.id])
  expect(await now()).toMatchObject({ delivery: 'delivered', nextCheckAt: null })
})

it('a result has the seed that the gateway named at the creation of its task, if it is the only one', async () => {
  const seedsOf = async (...names: number[]) => {
    const { generation } = await ordered(world)
    gatewayAnswers(json(202, { id: generation.id, status: 'queued', seed: 42 }))
    await step(world)
    clock.advance(3000)
    gatewayAnswers(taskIs('completed', videos(...names)))
    await step(world)
    return (await artifactsOf(deps, generation.id)).map(({ seed }) => seed)
  }
  expect([await seedsOf(1), await seedsOf(1, 2)]).toEqual([[42], [null, null]])
})

it.each<[string, number, object, Answer, bigint]>([
  ['3 of 4 results is charged for 3', 4, videos(1, 2, 3), taskIs('completed', videos(4, 5, 6)), 277_35n],
  ['a second result a moment later, for both', 2, videos(1), taskIs('completed', videos(1, 2)), 184_90n],
  ['1 of 2 and then fails, for 1', 2, videos(1), taskIs('failed', { error: 'content policy' }), 92_45n],
  ['1 of 2 and then cannot be read, for 1', 2, videos(1), json(500, {}), 92_45n],
  ['more than ordered, for what was ordered', 1, videos(1, 2), finished, 92_45n],
])('a task that gives %s', async (_, numberResults, first, again, captured) => {
  const { generation, now, available } = await running(world, { numberResults })
  gatewayAnswers(taskIs('completed', first))
  await stepTwiceRead(world, again)
  expect((await artifactsOf(deps, generation.id))[0]?.url).toContain('/1.mp4')
  expect(await now()).toMatchObject({ state: 'succeeded', captured })
  expect(await available()).toBe(500_00n - captured)
})

it('a task that is complete without a usable link in several looks returns the money, with the words of its error', async () => {
  const { now, available } = await running(world)
  for (let look = 0; look < 6; look += 1) {
    expect(await now()).toMatchObject({ state: 'running' })
    gatewayAnswers(taskIs('completed', { data: [{ url: 'not an address' }], error: 'it was removed' }))
    await step(world)
    clock.advance(5 * minute)
  }
  expect(await now()).toMatchObject({ state: 'failed', reason: 'empty', said: 'it was removed' })
  expect(await available()).toBe(500_00n)
})

it('a look without a usable answer settles nothing, and the next one waits as long as the gateway asks for', async () => {
  const { now, available } = await running(world)
  const unknown = json(404, { error: { message: 'no such task' } })
  for (const answer of [page(200), unknown, json(401, { error: 'no' }), cut]) {
    gatewayAnswers(answer)
    await step(world)
    expect(await now()).toMatchObject({ state: 'running' })
    clock.advance(minute)
  }
  gatewayAnswers(json(429, { error: 'slow down' }, { 'retry-after': '100' }), finished)
  for (const [afterMs, requests] of [
    [0, 6],
    [99_000, 6],
    [2000, 7],
  ] as const) {
    clock.advance(afterMs)
    await step(world)
    expect(world.requests).toHaveLength(requests)
  }
  expect(await now()).toMatchObject({ state: 'succeeded' })
  expect(await available()).toBe(407_55n)
})

describe('a submit', () => {
  it('is tried again after pauses that double, or as the gateway asks for; the second failure is shown as an outage', async () => {
    const { generation, now } = await ordered(world)
    const shown: (Date | undefined)[] = []
    const updateStatus = async (_: Generation, news?: StatusNews) => shown.push(news?.outageSince) > 0
    const by = processOf({ deps, chat: { ...world.chat, updateStatus } })
    const pauseAfter = async (answer: Answer) => {
      gatewayAnswers(answer)
      await step(world, { by })
      const { state, nextCheckAt } = await now()
      expect(state).toBe('held')
      const pause = Number(nextCheckAt) - clock.now().getTime()
      clock.advance(pause)
      return pause / 1000
    }
    const busy = json(429, { error: 'closed' })
    const pauses = [await pauseAfter(closed()), await pauseAfter(busy), await pauseAfter(closed())]
    expect(pauses).toEqual([3, 6, 12])
    expect(await pauseAfter(closed({ 'retry-after': '100' }))).toBe(100)
    expect(shown.slice(0, 2)).toEqual([undefined, generation.createdAt])
    gatewayAnswers(taskCreated)
    await step(world)
    expect(world.requests).toHaveLength(5)
    expect(await now()).toMatchObject({ state: 'running', taskId: 'task-1' })
  })

  it.each<[string, number, Answer, object]>([
    ['never accepted', 11 * minute, closed(), { reason: 'unavailable' }],
    [
      'refused',
      0,
      json(400, { error: { message: 'bad\0 words' } }),
      { reason: 'refused', said: 'bad words' },
    ],
    ['refused for our key', 0, json(401, { error: 'ours' }), { reason: 'paused' }],
    ['refused for our balance', 0, json(402, { error: 'ours' }), { reason: 'paused' }],
  ])('that is %s returns the money', async (_, afterMs, answer, facts) => {
    const { now, available } = await ordered(world)
    clock.advance(afterMs)
    gatewayAnswers(answer)
    await step(world)
    expect(await now()).toMatchObject({ state: 'failed', captured: 0n, ...facts })
    expect(await available()).toBe(500_00n)
    if ('reason' in facts && facts.reason === 'paused') await expect(ordered(world)).rejects.toThrow('paused')
  })

  it('with an unknown outcome is never repeated, and the money returns after the grace period', async () => {
    const orders: Started[] = []
    for (const answer of [cut, page(502), json(202, { status: 'queued' })]) {
      const one = await ordered(world)
      gatewayAnswers(answer)
      await step(world)
      expect(world.shown.at(-1)).toBe(`${one.generation.id} unknown`)
      orders.push(one)
    }
    for (const [afterMs, left] of [
      [10 * minute - 1, 407_55n],
      [1, 500_00n],
    ] as const) {
      clock.advance(afterMs)
      await step(world)
      for (const { available } of orders) expect(await available()).toBe(left)
    }
    for (const { now } of orders) expect(await now()).toMatchObject({ state: 'failed', reason: 'lost' })
    expect(world.requests).toEqual(orders.map(() => 'POST /v1/videos/generations'))
  })
})

describe('callbacks', () => {
  it('make the next look due now, and settle nothing by themselves; a wrong token belongs to no order', async () => {
    const { generation, now } = await running(world)
    gatewayAnswers(taskIs('processing'), taskIs('processing'), finished)
    await step(world)
    await step(world)
    expect(world.requests).toHaveLength(2)
    clock.advance(1000)
    expect(await receiveCallback(deps, 'x'.repeat(32), idsIn({ id: 'task-1' }))).toBe(false)
    await step(world)
    expect(world.requests).toHaveLength(2)
    await callBack(world, generation, { status: 'completed', data: [{ url: 'http://evil' }] })
    await step(world)
    expect(await now()).toMatchObject({ state: 'running' })
    clock.advance(1000)
    await callBack(world, generation)
    await step(world)
    expect(await now()).toMatchObject({ state: 'succeeded' })
  })

  it('during a look bring the next one forward, also in the same millisecond in which it began', async () => {
    const { generation, now } = await running(world)
    const called = () => callBack(world, generation)
    gatewayAnswers((req, res) => void called().then(() => taskIs('processing')(req, res)), finished)
    await step(world)
    const nextCheckAt = new Date(clock.now().getTime() + deps.pollIntervalMs / 4)
    expect(await now()).toMatchObject({ nextCheckAt })
    clock.advance(deps.pollIntervalMs / 4)
    await step(world)
    expect(await now()).toMatchObject({ state: 'succeeded' })
  })

  it('in a burst cause no burst of looks', async () => {
    const { generation } = await running(world)
    gatewayAnswers(...Array.from({ length: 100 }, () => taskIs('processing')))
    for (const [afterMs, looks] of [
      [0, 1],
      [deps.pollIntervalMs / 4 - 1, 0],
      [1, 1],
    ] as const) {
      clock.advance(afterMs)
      world.requests.length = 0
      for (let call = 0; call < 30; call += 1) {
        await callBack(world, generation)
        await step(world)
      }
      expect(world.requests).toHaveLength(looks)
    }
  })
})
