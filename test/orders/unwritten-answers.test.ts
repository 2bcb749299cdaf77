// The gateway has answered a submit while the database is unavailable: the task id or the results are kept in memory and written
// when the database is available again.

import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import { claim, type Generation, type GenerationDeps } from '../../src/orders/generation.ts'
import { createTracker, type Tracker, takeStep } from '../../src/orders/worker.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { failingStatements } from '../support/database/failing.ts'
import { openRelay } from '../support/database/relay.ts'
import { callBack } from '../support/gateway/callback.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  finished,
  json,
  order,
  processOf,
  reread,
  step,
  taskCreated,
  userWith,
} from '../support/worlds/generations.ts'

const second = 1000
const minute = 60 * second
const world = await auditedWorld()
const relay = await openRelay(new URL(world.database.url))
const behindRelay = await openDatabase(relay.url, { clock: world.clock })
const log = loggingTo()
/** A process whose connections to the database go through the relay. */
const cutOff: GenerationDeps = { ...world.deps, db: behindRelay.db, log }
afterEach(() => {
  relay.heal()
  log.lines.length = 0
})
afterAll(async () => {
  await behindRelay.close()
  relay.close()
})

const ordered = async () => order(world, await userWith(world, 500_00n))

/** The process submits, and loses its database before the gateway answers. */
async function submitAs(answer = taskCreated) {
  world.gatewayAnswers((req, res) => {
    relay.cutAll()
    answer(req, res)
  })
  const held = await claim(cutOff, 'orders', claimNow(cutOff, 1))
  const steps = Promise.all(held.map((one) => takeStep(processOf(world, cutOff), one)))
  await keeping()
  return { ended: () => steps }
}

const keptLine = 'write repeated: the database is unavailable'
const keeping = () => expect.poll(() => log.said(keptLine)).toHaveLength(1)

/** Advances the clock through the pauses between tries. */
async function until(generation: Generation, facts: object) {
  const look = async () => {
    world.clock.advance(second)
    return reread(world, generation)
  }
  await expect.poll(look, { interval: 20 }).toMatchObject(facts)
}

describe('a task id that arrived while the database was unavailable', () => {
  it('is written when the database is available again', async () => {
    const generation = await ordered()
    const { ended } = await submitAs()
    expect(await reread(world, generation)).toMatchObject({ state: 'submitting', taskId: null })
    relay.heal()
    await until(generation, { state: 'running', taskId: 'task-1', lease: null })
    await ended()
    world.gatewayAnswers(finished)
    world.clock.advance(3 * second)
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
    expect(world.requests).toEqual(['POST /v1/videos/generations', 'GET /v1/tasks/task-1'])
  })

  it('is written although another worker has recorded an unknown outcome meanwhile', async () => {
    const generation = await ordered()
    await submitAs()
    world.clock.advance(leaseMs)
    await step(world, { of: ['orders'] })
    expect(await reread(world, generation)).toMatchObject({ state: 'unknown', taskId: null })
    relay.heal()
    await until(generation, { state: 'running', taskId: 'task-1' })
  })

  it('is logged once, before the first try', async () => {
    const generation = await ordered()
    await submitAs()
    for (let tries = 0; tries < 5; tries += 1) {
      await expect.poll(() => world.clock.isWaitedFor(second)).toBe(true)
      world.clock.advance(second)
    }
    const facts = { generation: generation.id, task: 'task-1' }
    expect(log.said('submitted')).toMatchObject([facts])
    expect(log.said(keptLine)).toHaveLength(1)
    relay.heal()
    await until(generation, { state: 'running' })
  })

  it('is written once when only the answer of the database was lost', async () => {
    const generation = await ordered()
    const db = failingStatements(world.deps.db, 1, /"task_id" = /, { isExecuted: true })
    world.gatewayAnswers(taskCreated, finished)
    const submitting = step(world, { by: processOf(world, { db, log }), of: ['orders'] })
    await expect.poll(() => world.clock.isWaitedFor(second)).toBe(true)
    await callBack(world, generation)
    await step(world, { of: ['orders'] })
    world.clock.advance(second)
    await submitting
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', taskId: 'task-1' })
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is not given up when the outage was longer than the grace period', async () => {
    const generation = await ordered()
    await submitAs()
    world.clock.advance(15 * minute)
    for (let pass = 0; pass < 3; pass += 1) await step(world, { of: ['orders'] })
    expect(await reread(world, generation)).toMatchObject({ state: 'unknown' })
    relay.heal()
    await until(generation, { state: 'running', taskId: 'task-1' })
  })

  it('is given up when it belongs to another order, and the money is returned', async () => {
    const [first, second] = [await ordered(), await ordered()]
    world.gatewayAnswers(taskCreated, taskCreated)
    await step(world, { of: ['orders'] })
    world.clock.advance(leaseMs)
    await step(world, { of: ['orders'] })
    world.clock.advance(11 * minute)
    await step(world, { of: ['orders'] })
    const ends = [await reread(world, first), await reread(world, second)].map(({ state }) => state)
    expect(ends.toSorted()).toEqual(['failed', 'running'])
  })
})

describe('a tracker', () => {
  /** A statement that the cut has hit may never end: the stop waits for it only within its limit. */
  async function stopping(tracker: Tracker) {
    let isStopped = false
    const stopped = tracker.stop().then(() => {
      isStopped = true
    })
    await expect.poll(() => isStopped || world.clock.advance(second / 4), { interval: 5 }).toBe(true)
    await stopped
  }

  const started = async () => {
    const generation = await ordered()
    world.gatewayAnswers((req, res) => {
      relay.cutAll()
      taskCreated(req, res)
    })
    const tracker = createTracker(cutOff, world.chat)
    tracker.start()
    await keeping()
    return { generation, tracker }
  }

  it('writes a kept answer also after the step has exceeded its time limit', async () => {
    const { generation, tracker } = await started()
    world.clock.advance(10 * minute)
    await expect.poll(() => log.said('step hangs')).toHaveLength(1)
    relay.heal()
    world.gatewayAnswers(...Array.from({ length: 9 }, () => finished))
    await until(generation, { taskId: 'task-1', state: 'succeeded' })
    await tracker.stop()
  })

  it('that stops waits for the write of a kept answer, within the limit of a stop', async () => {
    const { generation, tracker } = await started()
    const stopped = stopping(tracker)
    await world.clock.asked(20 * second)
    relay.heal()
    await stopped
    expect(await reread(world, generation)).toMatchObject({ state: 'running', taskId: 'task-1' })
  })

  it('that stops without the database waits no longer than the limit of a stop', async () => {
    const { generation, tracker } = await started()
    await stopping(tracker)
    expect(await reread(world, generation)).toMatchObject({ state: 'submitting', taskId: null })
    relay.heal()
    await until(generation, { taskId: 'task-1' })
  })
})

describe('results within an answer that arrived while the database was unavailable', () => {
  const results = json(200, { data: [{ url: 'http://127.0.0.1:9/at-once.mp4' }] })

  it.each([
    ['', async () => undefined],
    [
      ', also after another worker has recorded an unknown outcome',
      async () => {
        world.clock.advance(leaseMs)
        await step(world, { of: ['orders'] })
      },
    ],
  ])('settle the order when the database is available again%s', async (_, meanwhile) => {
    const generation = await ordered()
    await submitAs(results)
    await meanwhile()
    relay.heal()
    await until(generation, { state: 'succeeded', captured: generation.amount })
    expect(await artifactsOf(world.deps, generation.id)).toMatchObject([
      { url: 'http://127.0.0.1:9/at-once.mp4' },
    ])
    await step(world)
    expect(world.delivered).toEqual([generation.id])
  })
})
