// An order whose submit got no answer, and the task ids that callbacks name for it: the gateway is asked about each, and only the
// order's own task is adopted.

import { asc, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { taskCandidates } from '../../src/db/schema.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  cut,
  finished,
  json,
  later,
  neverLooked,
  ordered,
  processOf,
  step,
  taskCreated,
  taskIs,
} from '../support/worlds/generations.ts'

const second = 1000
const minute = 60 * second
const world = await auditedWorld()
const { clock, deps, gatewayAnswers } = world
const gone = json(404, { error: { message: 'no such task' } })

/** From now on the gateway knows these tasks and no others. */
function knows(tasks: Readonly<Record<string, Answer>>) {
  const answer: Answer = (req, res) =>
    (tasks[decodeURIComponent(req.url?.split('/').at(-1) ?? '')] ?? gone)(req, res)
  gatewayAnswers(...Array.from({ length: 300 }, () => answer))
}

/** Takes the task from the orders so far, which are not looked at any more. */
async function forget() {
  await deps.db.execute(sql`update generations set task_id = null, next_check_at = ${neverLooked}`)
  world.reset()
}

/** An order whose answer to the submit was lost. */
async function unknown() {
  const one = await ordered(world)
  gatewayAnswers(cut)
  await step(world, { of: ['orders'] })
  expect(await one.now()).toMatchObject({ state: 'unknown', taskId: null })
  world.requests.length = 0
  return { ...one, called: (body: unknown) => callBack(world, one.generation, body) }
}

async function steps(count: number, apart = second) {
  for (let done = 0; done < count; done += 1) {
    await step(world)
    clock.advance(apart)
  }
}

const asked = () => world.requests.map((one) => decodeURIComponent(one.replace('GET /v1/tasks/', '')))
const candidates = ({ id }: Generation) =>
  deps.db
    .select()
    .from(taskCandidates)
    .where(eq(taskCandidates.generationId, id))
    .orderBy(asc(taskCandidates.taskId))
const succeeded = { state: 'succeeded', taskId: 'task-1' }

describe('the right task is found', () => {
  it('next to ids of the vendor and after many wrong ones, also in a callback before the answer was lost', async () => {
    const { called, now, available } = await unknown()
    knows({ 'task-1': finished })
    const wrong = Array.from({ length: 15 }, (_, n) => ({ id: `wrong-${n}` }))
    for (const body of [wrong, { id: 'vendor-7', task_id: 'task-1' }]) {
      expect(await called(body)).toBe(true)
      await steps(1)
    }
    await steps(3)
    expect(await now()).toMatchObject(succeeded)
    expect(await available()).toBe(407_55n)
    await forget()
    const early = await ordered(world)
    const named = () => callBack(world, early.generation, { id: 'vendor-7', task_id: 'task-1' })
    world.reset()
    gatewayAnswers((req, res) => void named().then(() => cut(req, res)))
    await step(world, { of: ['orders'] })
    expect(await early.now()).toMatchObject({ state: 'unknown', taskId: null })
    knows({ 'task-1': finished })
    await steps(2)
    expect(await early.now()).toMatchObject(succeeded)
  })

  it.each<[string, Answer[], object?]>([
    ['while it is running, and is then polled like any other task', [taskIs('processing'), finished]],
    ['when it has failed', [taskIs('failed', { error: 'no cats' })], { state: 'failed', said: 'no cats' }],
    ['when the gateway does not know it at first', [gone, gone, finished]],
    ['after a cut connection', [cut, finished]],
    ['after a 503', [json(503, { error: 'closed' }, { 'retry-after': '20' }), finished]],
    ['after an unknown status', [taskIs('exploded'), finished]],
  ])('%s', async (_, answers, facts = succeeded) => {
    const { called, now, available } = await unknown()
    gatewayAnswers(...answers)
    await called({ id: 'task-1' })
    for (let tries = 0; tries < 40 && !(await now()).settledAt; tries += 1) await steps(1, 2 * second)
    expect(await now()).toMatchObject(facts)
    expect(await available()).toBe(facts === succeeded ? 407_55n : 500_00n)
    expect(asked()).toEqual(answers.map(() => 'task-1'))
  })

  it('and is polled by another process when the process that found it has died', async () => {
    const { called, now } = await unknown()
    knows({ 'task-1': finished })
    await called({ id: 'task-1' })
    const find = () => {
      throw new Error('the process dies here')
    }
    await step(world, { by: processOf(world, { catalog: { ...deps.catalog, find } }), of: ['orders'] })
    expect(await now()).toMatchObject({ state: 'running', taskId: 'task-1' })
    clock.advance(leaseMs)
    await step(world)
    expect(await now()).toMatchObject(succeeded)
  })
})

describe('a task is adopted only if it fits the order', () => {
  const done = (more: object) => taskIs('completed', { data: [{ url: 'http://127.0.0.1:9/v.mp4' }], ...more })
  const nowIs = () => Math.floor(clock.now().getTime() / 1000)

  it('of the ordered model, and not created before it, as far as the gateway says', async () => {
    for (const [more, isAdopted] of [
      [{ model: 'MODEL-VIDEO-WAN' }, false],
      [{ created: nowIs() - 3600 }, false],
      [{ model: 'MODEL-VIDEO-REEL', created: nowIs() - 60 }, true],
      [{ model: 7, created: 'yesterday' }, true],
    ] as const) {
      const { called, now } = await unknown()
      knows({ 'task-1': done(more) })
      await called({ id: 'task-1' })
      await steps(1)
      expect([more, (await now()).state]).toEqual([more, isAdopted ? 'succeeded' : 'unknown'])
      await forget()
    }
  })

  it('the task of another order is not adopted', async () => {
    const other = await ordered(world)
    gatewayAnswers(taskCreated)
    await step(world, { of: ['orders'] })
    const { called, now } = await unknown()
    knows({ 'task-1': finished, 'task-2': finished })
    await called({ task_id: 'task-1', id: 'task-2' })
    await steps(5)
    expect(await now()).toMatchObject({ state: 'succeeded', taskId: 'task-2' })
    expect(await other.now()).toMatchObject(succeeded)
  })

  it('the gateway’s answer to the submit overrides an adopted task', async () => {
    const { generation, now } = await ordered(world)
    const answer = later(json(202, { id: 'task-2', status: 'queued' }))
    gatewayAnswers(answer.answer)
    const submitting = step(world, { of: ['orders'] })
    await world.when(() => world.requests.length === 1)
    clock.advance(leaseMs)
    await step(world, { of: ['orders'] })
    await callBack(world, generation, { id: 'task-1' })
    knows({ 'task-1': taskIs('processing'), 'task-2': finished })
    await step(world, { of: ['orders'] })
    expect(await now()).toMatchObject({ state: 'running', taskId: 'task-1' })
    answer.give()
    await submitting
    expect(await now()).toMatchObject({ state: 'running', taskId: 'task-2' })
    await steps(1)
    expect(await now()).toMatchObject({ state: 'succeeded', taskId: 'task-2' })
  })
})

describe('wrong candidates', () => {
  it('are asked about every half minute, and the money returns after the grace period', async () => {
    const { called, now, available } = await unknown()
    knows({})
    await called([{ id: 'wrong-1' }, { id: 'wrong-2' }])
    clock.advance(second)
    await steps(9, 10 * second)
    expect(asked()).toEqual(['wrong-1', 'wrong-2', 'wrong-1', 'wrong-2', 'wrong-1', 'wrong-2'])
    await steps(16, 30 * second)
    expect(await now()).toMatchObject({ state: 'unknown' })
    await steps(4, 30 * second)
    expect(await now()).toMatchObject({ state: 'failed', reason: 'lost' })
    expect(await available()).toBe(500_00n)
  })

  it('are asked about later if the gateway asks for a pause', async () => {
    const { called } = await unknown()
    gatewayAnswers(json(503, { error: 'closed' }, { 'retry-after': '60' }), gone)
    await called({ id: 'named' })
    clock.advance(second)
    await steps(12, 5 * second)
    expect(asked()).toEqual(['named'])
    await steps(2)
    expect(asked()).toEqual(['named', 'named'])
  })

  it('are asked about no more often than a known task, however often callbacks name them', async () => {
    const { called } = await unknown()
    knows({})
    for (let call = 0; call < 40; call += 1) {
      await called({ id: 'wrong' })
      await step(world)
      clock.advance(100)
    }
    expect(asked().length).toBeLessThanOrEqual(4000 / 750 + 1)
  })

  it('are asked about eight at a time, those of the newest callback first', async () => {
    const { called } = await unknown()
    for (let call = 0; call < 5; call += 1) {
      await called(Array.from({ length: 30 }, (_, n) => ({ id: `wrong-${call}-${n}` })))
      clock.advance(1)
    }
    await called({ id: 'task-1' })
    knows({})
    await step(world)
    expect(asked()).toHaveLength(8)
    expect(asked()[0]).toBe('task-1')
  })

  it('are not looked at while the gateway cannot be reached, and the money still returns', async () => {
    const { called, now, available } = await unknown()
    await called({ id: 'task-1' })
    const process = processOf(world)
    const by = { ...process, breaker: { ...process.breaker, waitMs: () => 30 * second } }
    for (const [minutes, facts] of [
      [19, { state: 'unknown' }],
      [2, { state: 'failed', reason: 'lost' }],
    ] as const) {
      for (let passed = 0; passed < minutes; passed += 1) {
        await step(world, { by })
        clock.advance(minute)
      }
      await step(world, { by })
      expect(await now()).toMatchObject(facts)
    }
    expect(world.requests).toEqual([])
    expect(await available()).toBe(500_00n)
  })
})

it('concurrent callbacks of one order are all stored', async () => {
  const { generation } = await unknown()
  const calls = Array.from({ length: 12 }, (_, n) =>
    callBack(world, generation, [{ id: 'same' }, { id: `own-${n}` }]),
  )
  expect(await Promise.all(calls)).toEqual(calls.map(() => true))
  expect(await candidates(generation)).toHaveLength(13)
})

it('no candidate is stored before the submit, while the task runs, after the end, or for a refused order', async () => {
  const one = await ordered(world)
  await callBack(world, one.generation, { id: 'early' })
  gatewayAnswers(taskCreated)
  await step(world, { of: ['orders'] })
  await callBack(world, one.generation, { id: 'other' })
  clock.advance(3 * second)
  gatewayAnswers(finished)
  await step(world)
  await callBack(world, one.generation, { id: 'late' })
  expect(await one.now()).toMatchObject(succeeded)
  const refused = await ordered(world)
  gatewayAnswers(json(400, { error: { message: 'bad words' } }))
  await steps(2)
  expect(await callBack(world, refused.generation, { id: 'vendor', task_id: 'task-9' })).toBe(true)
  expect(await refused.now()).toMatchObject({ reason: 'refused', delivery: 'delivered', nextCheckAt: null })
  for (const { generation } of [one, refused]) expect(await candidates(generation)).toEqual([])
})
