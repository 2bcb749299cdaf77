// An order whose submit got no answer, and the task ids that callbacks name for it: the gateway is asked about each, and only the
// order's own task is adopted.

import { asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { taskCandidates } from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import type { User } from '../../src/users/user.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  cut,
  finished,
  json,
  later,
  order,
  page,
  processOf,
  reread,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const second = 1000
const minute = 60 * second
const world = await auditedWorld()
type Answer = Parameters<typeof world.gatewayAnswers>[0]

const gone = json(404, { error: { message: 'no such task' } })

/** From now on the gateway knows these tasks and no others. */
function knows(tasks: Readonly<Record<string, Answer>>) {
  const answer: Answer = (req, res) => {
    const id = decodeURIComponent(req.url?.split('/').at(-1) ?? '')
    ;(tasks[id] ?? gone)(req, res)
  }
  world.gatewayAnswers(...Array.from({ length: 300 }, () => answer))
}

async function ordered(): Promise<{ user: User; generation: Generation }> {
  const user = await userWith(world, 500_00n)
  return { user, generation: await order(world, user) }
}

/** An order whose answer to the submit was lost. */
async function unknown() {
  const started = await ordered()
  world.gatewayAnswers(cut)
  await step(world, { of: ['orders'] })
  expect(await reread(world, started.generation)).toMatchObject({ state: 'unknown' })
  world.requests.length = 0
  return started
}

async function steps(count: number, apart = second) {
  for (let done = 0; done < count; done += 1) {
    await step(world)
    world.clock.advance(apart)
  }
}

const available = async (user: User) => (await readBalance(world.deps.db, user.id)).available
const asked = () => world.requests.map((one) => decodeURIComponent(one.replace('GET /v1/tasks/', '')))
const candidates = ({ id }: Generation) =>
  world.deps.db
    .select()
    .from(taskCandidates)
    .where(eq(taskCandidates.generationId, id))
    .orderBy(asc(taskCandidates.taskId))

describe('the right task is found', () => {
  it.each<[string, unknown[]]>([
    ['after a wrong id', [{ id: 'wrong' }, { id: 'task-1' }]],
    ['next to an id of the vendor', [{ id: 'vendor-7', task_id: 'task-1' }]],
    ['after an id of the event', [{ id: 'event-7', data: { task: { id: 'task-1' } } }]],
    [
      'after many wrong ones',
      [Array.from({ length: 15 }, (_, n) => ({ id: `wrong-${n}` })), { id: 'task-1' }],
    ],
  ])('%s', async (_, bodies) => {
    const { user, generation } = await unknown()
    knows({ 'task-1': finished })
    for (const body of bodies) {
      expect(await callBack(world, generation, body)).toBe(true)
      await steps(1)
    }
    await steps(3)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', taskId: 'task-1' })
    expect(await available(user)).toBe(407_55n)
  })

  it('while it is running, and is then polled like any other task', async () => {
    const { generation } = await unknown()
    world.gatewayAnswers(taskIs('processing'), finished)
    await callBack(world, generation, { id: 'task-1' })
    await steps(1)
    expect(await reread(world, generation)).toMatchObject({
      state: 'running',
      taskId: 'task-1',
      progress: 'processing',
      lease: null,
    })
    await steps(30)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
    expect(world.delivered).toEqual([generation.id])
  })

  it('when it has failed: the money is returned, with the reason', async () => {
    const { user, generation } = await unknown()
    knows({ 'task-1': taskIs('failed', { error: 'no cats today' }) })
    await callBack(world, generation, { id: 'task-1' })
    await steps(1)
    expect(await reread(world, generation)).toMatchObject({ reason: 'task-failed', said: 'no cats today' })
    expect(await available(user)).toBe(500_00n)
  })

  it('when the gateway does not know it at first', async () => {
    const { generation } = await unknown()
    world.gatewayAnswers(gone, gone, finished)
    await callBack(world, generation, { id: 'task-1' })
    await steps(35, 2 * second)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
    expect(asked()).toEqual(['task-1', 'task-1', 'task-1'])
  })

  it('soon when a callback names it again during a look that still gets a 404', async () => {
    const { generation } = await unknown()
    const again = () => callBack(world, generation, { id: 'task-1' })
    await again()
    world.clock.advance(second)
    world.gatewayAnswers((req, res) => void again().then(() => gone(req, res)), finished)
    await steps(2)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
  })

  it.each<[string, Answer]>([
    ['an HTML page', page(502)],
    ['a cut connection', cut],
    ['a 503', json(503, { error: 'closed' }, { 'retry-after': '20' })],
    ['an unknown status', taskIs('exploded')],
  ])('after %s in place of an answer', async (_, trouble) => {
    const { generation } = await unknown()
    world.gatewayAnswers(trouble, finished)
    await callBack(world, generation, { id: 'task-1' })
    await steps(25)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
  })

  it('when a callback named it before the answer was lost', async () => {
    const { generation } = await ordered()
    const called = () => callBack(world, generation, { id: 'vendor-7', task_id: 'task-1' })
    world.gatewayAnswers((req, res) => void called().then(() => cut(req, res)))
    await step(world, { of: ['orders'] })
    expect(await reread(world, generation)).toMatchObject({ state: 'unknown', taskId: null })
    knows({ 'task-1': finished })
    await steps(2)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
  })

  it('and is polled by another process when the process that found it has died', async () => {
    const { generation } = await unknown()
    knows({ 'task-1': finished })
    await callBack(world, generation, { id: 'task-1' })
    const catalog = {
      ...world.deps.catalog,
      find() {
        throw new Error('the process dies here')
      },
    }
    await step(world, { by: processOf(world, { catalog }), of: ['orders'] })
    expect(await reread(world, generation)).toMatchObject({ state: 'running', taskId: 'task-1' })
    world.clock.advance(leaseMs)
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
  })
})

describe('a task is adopted only if it fits the order', () => {
  const done = (more: object) => taskIs('completed', { data: [{ url: 'http://127.0.0.1:9/v.mp4' }], ...more })
  const now = () => Math.floor(world.clock.now().getTime() / 1000)

  it.each<[string, () => object]>([
    ['of another model', () => ({ model: 'MODEL-VIDEO-WAN' })],
    ['created before the order', () => ({ created: now() - 3600 })],
    ['created before the order, in milliseconds', () => ({ created: (now() - 3600) * 1000 })],
  ])('a task %s is not adopted', async (_, more) => {
    const { user, generation } = await unknown()
    knows({ other: done(more()), 'task-1': finished })
    await callBack(world, generation, { id: 'other' })
    await steps(3)
    expect(await reread(world, generation)).toMatchObject({ state: 'unknown', taskId: null })
    await callBack(world, generation, { id: 'task-1' })
    await steps(1)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', taskId: 'task-1' })
    expect(await available(user)).toBe(407_55n)
  })

  it('a task that fits is adopted, whatever else the gateway says of it', async () => {
    for (const more of [
      { model: 'MODEL-VIDEO-REEL', created: now() },
      { created: now() - 60 },
      { model: 7, created: 'yesterday' },
      { model: null, created: null },
    ]) {
      const { generation } = await unknown()
      knows({ 'task-1': done(more) })
      await callBack(world, generation, { id: 'task-1' })
      await steps(1)
      expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
      await world.deps.db.execute('update generations set task_id = null')
      world.reset()
    }
  })

  it('the task of another order is not adopted', async () => {
    const { generation: other } = await ordered()
    world.gatewayAnswers(taskCreated)
    await step(world, { of: ['orders'] })
    const { generation } = await unknown()
    knows({ 'task-1': finished, 'task-2': finished })
    await callBack(world, generation, { task_id: 'task-1', id: 'task-2' })
    await steps(5)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', taskId: 'task-2' })
    expect(await reread(world, other)).toMatchObject({ state: 'succeeded', taskId: 'task-1' })
  })

  it('the gateway’s answer to the submit overrides an adopted task', async () => {
    const { generation } = await ordered()
    const answer = later(json(202, { id: 'task-2', status: 'queued' }))
    world.gatewayAnswers(answer.answer)
    const submitting = step(world, { of: ['orders'] })
    await world.when(() => world.requests.length === 1)
    world.clock.advance(leaseMs)
    await step(world, { of: ['orders'] })
    await callBack(world, generation, { id: 'task-1' })
    knows({ 'task-1': taskIs('processing'), 'task-2': finished })
    await step(world, { of: ['orders'] })
    expect(await reread(world, generation)).toMatchObject({ state: 'running', taskId: 'task-1' })
    answer.give()
    await submitting
    expect(await reread(world, generation)).toMatchObject({ state: 'running', taskId: 'task-2' })
    await steps(1)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', taskId: 'task-2' })
  })
})

describe('wrong candidates', () => {
  it('do not keep the money held: it is returned after the grace period', async () => {
    const { user, generation } = await unknown()
    knows({})
    await callBack(world, generation, [{ id: 'wrong-1' }, { id: 'wrong-2' }])
    await steps(20, 30 * second)
    expect(await reread(world, generation)).toMatchObject({ state: 'unknown' })
    await steps(2, 30 * second)
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'lost' })
    expect(await available(user)).toBe(500_00n)
  })

  it('are asked about every half minute', async () => {
    const { generation } = await unknown()
    knows({})
    await callBack(world, generation, [{ id: 'wrong-1' }, { id: 'wrong-2' }])
    world.clock.advance(second)
    await steps(85)
    expect(asked()).toEqual(['wrong-1', 'wrong-2', 'wrong-1', 'wrong-2', 'wrong-1', 'wrong-2'])
  })

  it('are asked about later if the gateway asks for a pause', async () => {
    const { generation } = await unknown()
    world.gatewayAnswers(json(503, { error: 'closed' }, { 'retry-after': '60' }), gone)
    await callBack(world, generation, { id: 'named' })
    world.clock.advance(second)
    await steps(60)
    expect(asked()).toEqual(['named'])
    await steps(2)
    expect(asked()).toEqual(['named', 'named'])
  })

  it('are asked about no more often than a known task, however often callbacks name them', async () => {
    const { generation } = await unknown()
    knows({})
    for (let call = 0; call < 40; call += 1) {
      await callBack(world, generation, { id: 'wrong' })
      await step(world)
      world.clock.advance(100)
    }
    expect(asked().length).toBeLessThanOrEqual(4000 / 750 + 1)
  })

  it('are asked about eight at a time, those of the newest callback first', async () => {
    const { generation } = await unknown()
    const many = (name: string) => Array.from({ length: 30 }, (_, n) => ({ id: `${name}-${n}` }))
    for (let call = 0; call < 20; call += 1) {
      await callBack(world, generation, many(`wrong-${call}`))
      world.clock.advance(1)
    }
    await callBack(world, generation, { id: 'task-1' })
    knows({})
    await step(world)
    expect(asked()).toHaveLength(8)
    expect(asked()[0]).toBe('task-1')
  })

  it('are not looked at while the gateway cannot be reached, and the money is still returned', async () => {
    const { user, generation } = await unknown()
    await callBack(world, generation, { id: 'task-1' })
    const breaker = { ...processOf(world).breaker, waitMs: () => 30 * second }
    const by = { ...processOf(world), breaker }
    for (let passed = 0; passed < 19; passed += 1) {
      await step(world, { by })
      world.clock.advance(minute)
    }
    expect(world.requests).toEqual([])
    expect(await reread(world, generation)).toMatchObject({ state: 'unknown' })
    world.clock.advance(2 * minute)
    await step(world, { by })
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'lost' })
    expect(await available(user)).toBe(500_00n)
  })
})

describe('a callback', () => {
  it('stores no candidate before the submit, while the task runs or after the end', async () => {
    const { generation } = await ordered()
    await callBack(world, generation, { id: 'early' })
    world.gatewayAnswers(taskCreated)
    await step(world, { of: ['orders'] })
    await callBack(world, generation, { id: 'other' })
    world.clock.advance(3 * second)
    world.gatewayAnswers(finished)
    await step(world)
    await callBack(world, generation, { id: 'late' })
    expect(await candidates(generation)).toEqual([])
    expect(await reread(world, generation)).toMatchObject({ taskId: 'task-1', state: 'succeeded' })
  })
})

it('concurrent callbacks of one order in several processes are all stored', async () => {
  const { generation } = await unknown()
  const other = await openDatabase(world.database.url)
  const worlds = [world, { ...world, deps: { ...world.deps, db: other.db } }]
  const calls = Array.from({ length: 12 }, (_, n) =>
    callBack(worlds[n % 2] ?? world, generation, [{ id: 'same' }, { id: `own-${n}` }]),
  )
  expect(await Promise.all(calls)).toEqual(calls.map(() => true))
  await other.close()
  expect(await candidates(generation)).toHaveLength(13)
})

describe('no candidate is stored for an order', () => {
  const named = async (generation: Generation) => {
    expect(await callBack(world, generation, { id: 'vendor', task_id: 'task-9' })).toBe(true)
    return candidates(generation)
  }

  it('that the gateway refused', async () => {
    const { generation } = await ordered()
    world.gatewayAnswers(json(400, { error: { message: 'bad words' } }))
    await step(world)
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ reason: 'refused', delivery: 'delivered' })
    expect(await named(generation)).toEqual([])
    expect(await reread(world, generation)).toMatchObject({ nextCheckAt: null })
  })
})
