// The life of a generation, step by step, with a gateway that is slow, broken, wrong or unavailable.

import { describe, expect, it } from 'vitest'
import { readBalance } from '../../src/ledger/ledger.ts'
import { idsIn, receiveCallback } from '../../src/orders/callback.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import type { StatusNews } from '../../src/orders/deliver/messages.ts'
import { claim, type Generation } from '../../src/orders/generation.ts'
import { fail } from '../../src/orders/settle.ts'
import { takeStep } from '../../src/orders/worker.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import type { User } from '../../src/users/user.ts'
import { claimNow } from '../support/database/claim.ts'
import { callBack } from '../support/gateway/callback.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  cut,
  finished,
  json,
  order,
  page,
  processOf,
  reread,
  step,
  stepTwiceRead,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const minute = 60_000
const world = await auditedWorld()

const available = async (user: User) => (await readBalance(world.deps.db, user.id)).available
const start = async (answers = {}) => {
  const user = await userWith(world, 500_00n)
  return { user, generation: await order(world, user, answers) }
}
const running = async (answers = {}) => {
  const started = await start(answers)
  world.gatewayAnswers(taskCreated)
  await step(world)
  world.clock.advance(3000)
  return started
}
const stateOf = async (generation: Generation) => (await reread(world, generation)).state

describe('a task that succeeds', () => {
  it('has the seed that the gateway named at its creation, if it has one result', async () => {
    const seedsOf = async (results: number) => {
      const { generation } = await start()
      world.gatewayAnswers(json(202, { id: generation.id, status: 'queued', seed: 42 }))
      await step(world)
      world.clock.advance(3000)
      const files = Array.from({ length: results }, (_, at) => ({ url: `http://127.0.0.1:9/${at}.mp4` }))
      world.gatewayAnswers(taskIs('completed', { data: files }))
      await step(world)
      return (await artifactsOf(world.deps, generation.id)).map(({ seed }) => seed)
    }
    expect(await seedsOf(1)).toEqual([42])
    expect(await seedsOf(2)).toEqual([null, null])
  })

  it('is submitted, polled, captured and delivered', async () => {
    const { user, generation } = await running()
    world.gatewayAnswers(taskIs('queued'), taskIs('processing'), finished)
    for (let look = 0; look < 3; look += 1) {
      await step(world)
      world.clock.advance(20_000)
    }
    expect(await reread(world, generation)).toMatchObject({
      state: 'succeeded',
      captured: 92_45n,
      delivery: 'pending',
    })
    expect(await available(user)).toBe(407_55n)
    await step(world)
    expect(world.delivered).toEqual([generation.id])
    expect(await reread(world, generation)).toMatchObject({ delivery: 'delivered', nextCheckAt: null })
  })

  /** Answers a look with a completed task of these results, and the second read with others. */
  async function completedPartly(first: readonly object[], again: Answer): Promise<void> {
    world.gatewayAnswers(taskIs('completed', { data: first }))
    await stepTwiceRead(world, again)
  }
  const videos = (...names: number[]) => names.map((n) => ({ url: `http://127.0.0.1:9/${n}.mp4` }))

  it('that delivers 3 of 4 results is charged for 3', async () => {
    const { user, generation } = await running({ numberResults: 4 })
    await completedPartly(videos(1, 2, 3), taskIs('completed', { data: videos(1, 2, 3) }))
    expect(await reread(world, generation)).toMatchObject({ amount: 369_80n, captured: 277_35n })
    expect(await available(user)).toBe(222_65n)
  })

  it('that shows its second result a moment later is charged for both', async () => {
    const { generation } = await running({ numberResults: 2 })
    await completedPartly(videos(1), taskIs('completed', { data: videos(1, 2) }))
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', captured: 184_90n })
    expect(await artifactsOf(world.deps, generation.id)).toHaveLength(2)
  })

  it.each<[string, Answer]>([
    ['fails', taskIs('failed', { error: 'content policy' })],
    ['cannot be read', json(500, {})],
  ])('that shows 1 of 2 results and %s a moment later is charged for 1', async (_, again) => {
    const { generation } = await running({ numberResults: 2 })
    await completedPartly(videos(1), again)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', captured: 92_45n })
  })

  it('that delivers more than ordered is charged for what was ordered', async () => {
    const { user } = await running()
    const data = [1, 2].map((n) => ({ url: `http://127.0.0.1:9/${n}.mp4` }))
    world.gatewayAnswers(taskIs('completed', { data }))
    await step(world)
    expect(await available(user)).toBe(407_55n)
  })
})

describe('a task without results returns the money', () => {
  it('completed without links in several looks', async () => {
    const { user, generation } = await running()
    for (let look = 0; look < 6; look += 1) {
      world.gatewayAnswers(taskIs('completed', { data: [{ url: 'not an address' }] }))
      expect(await stateOf(generation)).toBe('running')
      await step(world)
      world.clock.advance(5 * minute)
    }
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'empty' })
    expect(await available(user)).toBe(500_00n)
  })

  it('running beyond its deadline', async () => {
    const { user, generation } = await running()
    world.clock.advance(31 * minute)
    world.gatewayAnswers(taskIs('processing'))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'late' })
    expect(await available(user)).toBe(500_00n)
  })
})

describe('a look without a usable answer settles nothing', () => {
  it.each([
    ['an HTML page with 200', page(200)],
    ['an unknown task', json(404, { error: { message: 'no such task' } })],
    ['a wrong key', json(401, { error: 'no' })],
    ['a cut connection', cut],
  ])('%s', async (_, answer) => {
    const { user, generation } = await running()
    world.gatewayAnswers(answer)
    await step(world)
    expect(await stateOf(generation)).toBe('running')
    world.clock.advance(minute)
    world.gatewayAnswers(finished)
    await step(world)
    expect(await stateOf(generation)).toBe('succeeded')
    expect(await available(user)).toBe(407_55n)
  })

  it('the next look waits for as long as the Retry-After of a 429 says', async () => {
    await running()
    world.gatewayAnswers(json(429, { error: 'slow down' }, { 'retry-after': '100' }))
    await step(world)
    world.clock.advance(99_000)
    await step(world)
    expect(world.requests).toHaveLength(2)
    world.clock.advance(2000)
    await step(world)
    expect(world.requests).toHaveLength(3)
  })
})

describe('a submit', () => {
  it('is tried again after pauses that double, or after the time that the gateway asks for', async () => {
    const { generation } = await start()
    const pauseAfter = async (status = 503, headers = {}) => {
      world.gatewayAnswers(json(status, { error: 'closed' }, headers))
      await step(world)
      expect(await stateOf(generation)).toBe('held')
      const { nextCheckAt } = await reread(world, generation)
      const pause = Number(nextCheckAt) - world.clock.now().getTime()
      world.clock.advance(pause)
      return pause / 1000
    }
    expect([await pauseAfter(), await pauseAfter(429), await pauseAfter()]).toEqual([3, 6, 12])
    expect(await pauseAfter(503, { 'retry-after': '100' })).toBe(100)
    world.gatewayAnswers(taskCreated)
    await step(world)
    expect(world.requests).toHaveLength(5)
    expect(await reread(world, generation)).toMatchObject({ state: 'running', taskId: 'task-1' })
  })

  it('shows that the gateway is unavailable from its second failure on', async () => {
    const { generation } = await start()
    const shown: (Date | undefined)[] = []
    const updateStatus = async (_: Generation, news?: StatusNews) => shown.push(news?.outageSince) > 0
    const by = processOf({ deps: world.deps, chat: { ...world.chat, updateStatus } })
    for (let failures = 0; failures < 2; failures += 1) {
      world.gatewayAnswers(json(503, { error: 'closed' }))
      await step(world, { by })
      world.clock.advance(minute)
    }
    expect(shown).toEqual([undefined, generation.createdAt])
  })

  it('that is never accepted returns the money', async () => {
    const { user, generation } = await start()
    world.clock.advance(11 * minute)
    world.gatewayAnswers(json(503, { error: 'closed' }))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'unavailable' })
    expect(await available(user)).toBe(500_00n)
  })

  it('that is refused returns the money and stores the reason', async () => {
    const { user, generation } = await start()
    world.gatewayAnswers(json(400, { error: { message: 'bad words' } }))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({
      state: 'failed',
      reason: 'refused',
      said: 'bad words',
    })
    expect(await available(user)).toBe(500_00n)
  })

  it.each([
    ['key', 401],
    ['balance', 402],
  ])('that is refused for our %s stops sales and gives the money back', async (_, status) => {
    const { user, generation } = await start()
    world.gatewayAnswers(json(status, { error: 'ours' }))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ reason: 'paused' })
    expect(await available(user)).toBe(500_00n)
    await expect(start()).rejects.toThrow('paused')
  })
})

describe('a submit with an unknown outcome is never repeated', () => {
  const ambiguous = [
    ['a cut connection', cut],
    ['an HTML page with 502', page(502)],
    ['an answer without an id', json(202, { status: 'queued' })],
  ] as const

  it.each(ambiguous)('%s: the hold is released after the grace period', async (_, answer) => {
    const { user, generation } = await start()
    world.gatewayAnswers(answer)
    await step(world)
    expect(world.shown).toEqual([`${generation.id} unknown`])
    world.clock.advance(9 * minute)
    await step(world)
    expect(await available(user)).toBe(407_55n)
    world.clock.advance(2 * minute)
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'lost' })
    expect(await available(user)).toBe(500_00n)
    expect(world.requests).toEqual(['POST /v1/videos/generations'])
  })

  it('and is an error in the log, unlike a submit that was certainly not accepted', async () => {
    const log = loggingTo()
    const by = processOf(world, { log })
    const said = async (answer: typeof cut) => {
      await start()
      world.gatewayAnswers(answer)
      await step(world, { by })
      return log.said('submit has an unknown outcome').length
    }
    expect(await said(json(400, { error: { message: 'bad words' } }))).toBe(0)
    expect(await said(json(503, { error: 'closed' }))).toBe(0)
    expect(await said(cut)).toBe(1)
  })

  it('after a process died between POST and commit, the next one does not POST again', async () => {
    const { generation } = await start()
    await claim(world.deps, 'orders', claimNow(world.deps, 10))
    await world.deps.db.execute("update generations set state = 'submitting' where state = 'held'")
    world.clock.advance(leaseMs)
    await step(world)
    expect(await stateOf(generation)).toBe('unknown')
    expect(world.requests).toEqual([])
  })
})

it('a failure that two workers reach is logged once, by the worker that settled it', async () => {
  const { generation } = await running()
  const held = await claim(world.deps, 'orders', claimNow(world.deps, 1))
  const log = loggingTo()
  for (const one of [...held, ...held]) await fail({ ...world.deps, log }, one, 'task-failed')
  expect(log.lines.map(({ event }) => event)).toEqual(['settled', 'generation failed'])
  expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'task-failed' })
})

describe('leases', () => {
  it('two trackers never claim the same generation', async () => {
    await Promise.all(Array.from({ length: 10 }, () => start()))
    const claimed = await Promise.all([
      claim(world.deps, 'orders', claimNow(world.deps, 6)),
      claim(world.deps, 'orders', claimNow(world.deps, 6)),
    ])
    const ids = claimed.flat().map(({ id }) => id)
    expect(ids).toHaveLength(10)
    expect(new Set(ids).size).toBe(10)
  })

  it('a worker that was suspended past its lease settles nothing after the takeover', async () => {
    const { user, generation } = await running()
    const held = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    world.clock.advance(leaseMs)
    world.gatewayAnswers(taskIs('failed'), finished)
    await step(world)
    expect(await stateOf(generation)).toBe('failed')
    const log = loggingTo()
    for (const paused of held) await takeStep(processOf(world, { log }), paused)
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(world.requests).toHaveLength(3)
    expect(await stateOf(generation)).toBe('failed')
    expect(await available(user)).toBe(500_00n)
  })
})

describe('callbacks', () => {
  it('make the next look due now', async () => {
    const { generation } = await running()
    world.gatewayAnswers(taskIs('processing'), finished)
    await step(world)
    await step(world)
    expect(await stateOf(generation)).toBe('running')
    world.clock.advance(1000)
    await callBack(world, generation)
    await step(world)
    expect(await stateOf(generation)).toBe('succeeded')
  })

  it('during a look bring the next one forward, also in the same millisecond in which it began', async () => {
    const { generation } = await running()
    const called = () => callBack(world, generation)
    const answer = taskIs('processing')
    world.gatewayAnswers((req, res) => void called().then(() => answer(req, res)), finished)
    await step(world)
    const nextCheckAt = new Date(world.clock.now().getTime() + world.deps.pollIntervalMs / 4)
    expect(await reread(world, generation)).toMatchObject({ nextCheckAt })
    world.clock.advance(world.deps.pollIntervalMs / 4)
    await step(world)
    expect(await stateOf(generation)).toBe('succeeded')
  })

  it('settle nothing by themselves, whatever they contain', async () => {
    const { generation } = await running()
    await callBack(world, generation, { status: 'completed', data: [{ url: 'http://evil' }] })
    world.gatewayAnswers(taskIs('processing'))
    await step(world)
    expect(await stateOf(generation)).toBe('running')
  })

  it('in a burst cause no burst of looks', async () => {
    const { generation } = await running()
    world.gatewayAnswers(...Array.from({ length: 100 }, () => taskIs('processing')))
    const looksInBurst = async () => {
      world.requests.length = 0
      for (let call = 0; call < 50; call += 1) {
        await callBack(world, generation)
        await step(world)
      }
      return world.requests.length
    }
    expect(await looksInBurst()).toBe(1)
    world.clock.advance(world.deps.pollIntervalMs / 4 - 1)
    expect(await looksInBurst()).toBe(0)
    world.clock.advance(1)
    expect(await looksInBurst()).toBe(1)
  })

  it('with a wrong token belong to no order', async () => {
    expect(await receiveCallback(world.deps, 'x'.repeat(32), idsIn({ id: 'task-1' }))).toBe(false)
  })
})

it('a delivery succeeds when Telegram is available again after an hour', async () => {
  const { generation } = await running()
  world.gatewayAnswers(finished)
  await step(world)
  for (let minutes = 0; minutes < 60; minutes += 1) {
    world.outcomes.splice(0, world.outcomes.length, { ok: false, retry: true })
    await step(world)
    world.clock.advance(minute)
  }
  world.outcomes.length = 0
  world.clock.advance(30 * minute)
  await step(world)
  expect(await reread(world, generation)).toMatchObject({ delivery: 'delivered' })
})
