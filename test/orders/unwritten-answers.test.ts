// The gateway has answered a submit while the database is unavailable: the task id or the results are kept in memory and written
// when the database is available again.

import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import { claim, type GenerationDeps } from '../../src/orders/generation.ts'
import { createTracker, type Tracker, takeStep } from '../../src/orders/worker.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { failingStatements } from '../support/database/failing.ts'
import { openRelay } from '../support/database/relay.ts'
import { callBack } from '../support/gateway/callback.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  finished,
  json,
  ordered,
  processOf,
  type Started,
  step,
  taskCreated,
} from '../support/worlds/generations.ts'

const second = 1000
const minute = 60 * second
const world = await auditedWorld()
const { clock, gatewayAnswers } = world
const relay = await openRelay(new URL(world.database.url))
const behindRelay = await openDatabase(relay.url, { clock })
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

/** The process loses its database before the gateway answers. */
const answerAfterCut = (answer: Answer) =>
  gatewayAnswers((req, res) => {
    relay.cutAll()
    answer(req, res)
  })
const keeping = () =>
  expect.poll(() => log.said('write repeated: the database is unavailable')).toHaveLength(1)

/** Advances the clock through the pauses between tries. */
async function until({ now }: Pick<Started, 'now'>, facts: object) {
  const look = async () => {
    clock.advance(second)
    return now()
  }
  await expect.poll(look, { interval: 20 }).toMatchObject(facts)
}
const takeover = async () => {
  clock.advance(leaseMs)
  await step(world, { of: ['orders'] })
}
const longOutage = async () => {
  clock.advance(15 * minute)
  for (let pass = 0; pass < 3; pass += 1) await step(world, { of: ['orders'] })
}
const url = 'http://127.0.0.1:9/at-once.mp4'
const results = json(200, { data: [{ url }] })

it.each<[string, Answer, (() => Promise<void>) | undefined]>([
  ['a task id', taskCreated, undefined],
  ['a task id, also after another worker has recorded an unknown outcome', taskCreated, takeover],
  ['a task id, also after an outage that was longer than the grace period', taskCreated, longOutage],
  ['results', results, undefined],
  ['results, also after another worker has recorded an unknown outcome', results, takeover],
])('what arrived without the database is written when it is back: %s', async (_, answer, meanwhile) => {
  const one = await ordered(world)
  answerAfterCut(answer)
  const held = await claim(cutOff, 'orders', claimNow(cutOff, 1))
  const steps = Promise.all(held.map((each) => takeStep(processOf(world, cutOff), each)))
  await keeping()
  await meanwhile?.()
  expect(await one.now()).toMatchObject({ state: meanwhile ? 'unknown' : 'submitting', taskId: null })
  relay.heal()
  const isTask = answer === taskCreated
  await until(one, isTask ? { state: 'running', taskId: 'task-1' } : { state: 'succeeded' })
  if (!meanwhile) await steps
  if (isTask) gatewayAnswers(finished)
  clock.advance(3 * second)
  await step(world)
  expect(await one.now()).toMatchObject({ state: 'succeeded', captured: one.generation.amount })
  if (!isTask) expect(await artifactsOf(world.deps, one.generation.id)).toMatchObject([{ url }])
  const posted = 'POST /v1/videos/generations'
  expect(world.requests).toEqual(isTask ? [posted, 'GET /v1/tasks/task-1'] : [posted])
})

it('a task id is written once when only the answer of the database was lost', async () => {
  const { generation, now } = await ordered(world)
  const db = failingStatements(world.deps.db, 1, /"task_id" = /, { isExecuted: true })
  gatewayAnswers(taskCreated, finished)
  const submitting = step(world, { by: processOf(world, { db, log }), of: ['orders'] })
  await expect.poll(() => clock.isWaitedFor(second)).toBe(true)
  await callBack(world, generation)
  await step(world, { of: ['orders'] })
  clock.advance(second)
  await submitting
  expect(await now()).toMatchObject({ state: 'succeeded', taskId: 'task-1' })
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

it('a task id that belongs to another order is given up, and the money is returned', async () => {
  const orders = [await ordered(world), await ordered(world)]
  gatewayAnswers(taskCreated, taskCreated)
  for (const afterMs of [0, leaseMs, 11 * minute]) {
    clock.advance(afterMs)
    await step(world, { of: ['orders'] })
  }
  const ends = await Promise.all(orders.map(async ({ now }) => (await now()).state))
  expect(ends.toSorted()).toEqual(['failed', 'running'])
})

describe('a tracker', () => {
  /** A statement that the cut has hit may never end: the stop waits for it only within its limit. */
  async function stopping(tracker: Tracker) {
    let isStopped = false
    const stopped = tracker.stop().then(() => {
      isStopped = true
    })
    await expect.poll(() => isStopped || clock.advance(second / 4), { interval: 5 }).toBe(true)
    await stopped
  }

  const started = async () => {
    const one = await ordered(world)
    answerAfterCut(taskCreated)
    const tracker = createTracker(cutOff, world.chat)
    tracker.start()
    await keeping()
    return { one, tracker }
  }

  it('writes a kept answer also after the step has exceeded its time limit', async () => {
    const { one, tracker } = await started()
    clock.advance(10 * minute)
    await expect.poll(() => log.said('step hangs')).toHaveLength(1)
    relay.heal()
    gatewayAnswers(...Array.from({ length: 9 }, () => finished))
    await until(one, { taskId: 'task-1', state: 'succeeded' })
    await tracker.stop()
  })

  it('that stops waits for the write of a kept answer, within the limit of a stop', async () => {
    const { one, tracker } = await started()
    const stopped = stopping(tracker)
    await clock.asked(20 * second)
    relay.heal()
    await stopped
    expect(await one.now()).toMatchObject({ state: 'running', taskId: 'task-1' })
  })

  it('that stops without the database waits no longer than that limit', async () => {
    const { one, tracker } = await started()
    await stopping(tracker)
    expect(await one.now()).toMatchObject({ state: 'submitting', taskId: null })
    relay.heal()
    await until(one, { taskId: 'task-1' })
  })
})
