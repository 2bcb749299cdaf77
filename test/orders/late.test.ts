// How long a task may run before its order is refunded, and tasks that end after that. The rows of orders are changed without their money,
// so the audit runs only where it is said.

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { defaultModelSettings } from '../../src/catalog/settings.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { generations } from '../../src/db/schema.ts'
import { audit, compareWithGateway } from '../../src/ledger/audit.ts'
import { createMetrics } from '../../src/metrics.ts'
import { readFigures } from '../../src/operator/figures.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import { claim, type Generation } from '../../src/orders/generation.ts'
import { awaitTask } from '../../src/orders/poll.ts'
import { createTimes } from '../../src/orders/times.ts'
import { takeStep } from '../../src/orders/worker.ts'
import { forget } from '../../src/privacy/forget.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { claimNow } from '../support/database/claim.ts'
import { callBack } from '../support/gateway/callback.ts'
import {
  createWorld,
  cut,
  finished,
  forgetOrders,
  json,
  later,
  ordered,
  processOf,
  type Started,
  step,
  submitted,
  taskCreated,
  taskIs,
} from '../support/worlds/generations.ts'
import { periodOf } from '../support/worlds/operator.ts'

const minute = 60_000
const hour = 60 * minute

const world = await createWorld()
const { clock, deps, gatewayAnswers } = world
const { db } = deps
afterAll(() => world.close())
beforeEach(async () => {
  world.reset()
  await forgetOrders(world)
})

/** An order that was refunded because its time was over; the refund is explained in the chat. */
async function refunded() {
  const one = await submitted(world)
  clock.advance(31 * minute)
  // An order that was refunded before is asked about as well.
  gatewayAnswers(taskIs('processing'), taskIs('processing'))
  await step(world)
  await step(world)
  expect(await one.now()).toMatchObject({ state: 'failed', reason: 'late', delivery: 'delivered' })
  world.reset()
  return one
}

async function look(answer = finished, by = processOf(world)): Promise<void> {
  clock.advance(13 * minute)
  gatewayAnswers(answer)
  await step(world, { by })
}
const deletesData = ({ user: { id } }: Started) => forget(db, id, `hash-${id}`, clock.now())

describe('a task whose order was refunded while it ran', () => {
  it('is delivered free when it completes: no money moves, and the audit is clean', async () => {
    const { generation, now, available } = await refunded()
    await look()
    const late = { state: 'failed', reason: 'late', captured: 0n, arrivedLateAt: clock.now() }
    expect(await now()).toMatchObject({ ...late, delivery: 'pending' })
    expect(await artifactsOf(deps, generation.id)).toHaveLength(1)
    await step(world)
    expect(world.delivered).toEqual([generation.id])
    expect(await now()).toMatchObject({ ...late, delivery: 'delivered', nextCheckAt: null })
    expect(await available()).toBe(500_00n)
    expect(await audit(db)).toEqual([])
  })

  it('is asked about again while it has no files or is not complete, at once after a callback, and not after it failed', async () => {
    const { generation, now } = await refunded()
    const file = { data: [{ url: 'https://files.test/cat.mp4' }] }
    for (const answer of [taskIs('completed'), taskIs('processing', file)]) {
      await look(answer)
      const nextCheckAt = new Date(clock.now().getTime() + 10 * minute)
      expect(await now()).toMatchObject({ nextCheckAt, arrivedLateAt: null, delivery: 'delivered' })
    }
    clock.advance(minute)
    await step(world)
    expect(world.requests).toHaveLength(2)
    expect(await callBack(world, generation, { id: 'task-1' })).toBe(true)
    gatewayAnswers(taskIs('failed', { error: 'no' }))
    await step(world)
    expect(world.requests).toHaveLength(3)
    expect(await now()).toMatchObject({ nextCheckAt: null, said: null, arrivedLateAt: null })
  })

  it('is asked about every ten minutes for a day, and then no longer', async () => {
    const { now } = await refunded()
    const looksAfter = async (ms: number) => {
      clock.advance(ms)
      gatewayAnswers(json(503, { error: 'busy' }))
      await step(world, { of: ['orders'] })
      return world.requests.length
    }
    for (let looks = 1; looks <= 6; looks += 1)
      expect([await looksAfter(5 * minute), await looksAfter(5 * minute)]).toEqual([looks - 1, looks])
    expect(await looksAfter(23 * hour - 10 * minute)).toBe(7)
    // The look after exactly a day is not the last one, since a day has to be over.
    expect([await looksAfter(10 * minute), await looksAfter(10 * minute)]).toEqual([8, 9])
    expect(await now()).toMatchObject({ nextCheckAt: null, arrivedLateAt: null })
    expect(await looksAfter(hour)).toBe(9)
  })

  it('is free in the comparison with the gateway account, and a loss in the figures, with the price of what arrived', async () => {
    const period = periodOf('2', clock.now(), 'Europe/Moscow')
    const read = async (gateway: bigint) => ({
      account: await compareWithGateway(db, gateway),
      figures: await readFigures(db, period),
    })
    const before = await read(0n)
    const { generation } = await refunded()
    const metrics = createMetrics()
    await look(finished, processOf(world, { metrics }))
    const { account, figures } = await read(92_45n)
    const { ours, free, difference } = before.account
    expect(account).toMatchObject({ ours, free: free + 92_45n, difference })
    expect(figures.late.count - before.figures.late.count).toBe(1)
    expect(figures.late.cost - before.figures.late.cost).toBe(92_45n)
    expect(figures.cost - before.figures.cost).toBe(92_45n)
    expect(await metrics.render()).toContain('bot_late_results_total{model="MODEL-VIDEO-REEL"} 1')
    const setCount = (count: string) =>
      db.execute(
        sql`update quotes set parts = jsonb_set(parts, '{count}', ${count}::text::jsonb) where id = ${generation.quoteId}`,
      )
    await setCount('4')
    const ofOneInFour = (await read(0n)).figures
    expect(ofOneInFour.late.cost - before.figures.late.cost).toBe((generation.amount + 2n) / 4n)
    await setCount('1')
  })

  it('is not delivered to a user who has deleted their data, also while the gateway answers', async () => {
    const before = await refunded()
    await db.update(generations).set({ taskId: 'task-0' }).where(eq(generations.id, before.generation.id))
    const during = await refunded()
    expect(await deletesData(before)).toEqual({ ok: true })
    await look((req, res) => void deletesData(during).then(() => finished(req, res)))
    expect(world.requests).toHaveLength(1)
    for (const { generation, now } of [before, during]) {
      expect(await now()).toMatchObject({ arrivedLateAt: null, nextCheckAt: null })
      expect(await artifactsOf(deps, generation.id)).toEqual([])
    }
  })

  it('is recorded for its own order only, also when several orders are claimed together', async () => {
    const other = await refunded()
    await db.update(generations).set({ taskId: 'task-0' }).where(eq(generations.id, other.generation.id))
    const { generation, now } = await refunded()
    clock.advance(13 * minute)
    const held = await claim(deps, 'orders', claimNow(deps, 2))
    gatewayAnswers(finished)
    for (const one of held) if (one.id === generation.id) await takeStep(processOf(world), one)
    expect(await now()).toMatchObject({ arrivedLateAt: clock.now() })
    expect(await other.now()).toMatchObject({ arrivedLateAt: null, delivery: 'delivered' })
  })

  it('is not recorded by a process that has lost its claim, but by the process that took over', async () => {
    const { now } = await refunded()
    clock.advance(13 * minute)
    const stale = await claim(deps, 'orders', claimNow(deps, 1))
    clock.advance(leaseMs)
    const taken = await claim(deps, 'orders', claimNow(deps, 1))
    for (const [held, arrivedLateAt] of [
      [stale, null],
      [taken, clock.now()],
    ] as const) {
      gatewayAnswers(finished)
      for (const one of held) await takeStep(processOf(world), one)
      expect(await now()).toMatchObject({ arrivedLateAt })
    }
  })

  it('is stored when the answer to the submit comes only after the refund', async () => {
    const { now } = await ordered(world)
    const slow = later(taskCreated)
    gatewayAnswers(slow.answer)
    const submitting = step(world)
    await expect.poll(() => world.requests.length).toBe(1)
    for (let tries = 0; tries < 4; tries += 1) {
      clock.advance(11 * minute)
      await step(world)
    }
    expect(await now()).toMatchObject({ state: 'failed', reason: 'lost', taskId: null })
    slow.give()
    await submitting
    expect(await now()).toMatchObject({ state: 'failed', taskId: 'task-1' })
  })
})

describe('an order that was refunded because its task was never named', () => {
  async function lost() {
    const one = await ordered(world)
    gatewayAnswers(cut)
    await step(world)
    clock.advance(11 * minute)
    await step(world)
    expect(await one.now()).toMatchObject({ state: 'failed', reason: 'lost', taskId: null })
    return one
  }
  const called = ({ generation }: Started) => callBack(world, generation, { id: 'vendor', task_id: 'task-1' })

  it.each([
    ['after the refund was explained', 2],
    ['before the refund was explained', 0],
  ])('gets its result free when a callback names the task %s', async (_, steps) => {
    const one = await lost()
    for (let done = 0; done < steps; done += 1) await step(world)
    expect(await called(one)).toBe(true)
    await step(world, { of: ['deliveries'] })
    gatewayAnswers(finished)
    await step(world, { of: ['orders'] })
    expect(await one.now()).toMatchObject({ taskId: 'task-1', captured: 0n, delivery: 'pending' })
    expect(await one.available()).toBe(500_00n)
    expect(await audit(db)).toEqual([])
  })

  it('takes the id of its task once, not that of another order, and not for a user who has deleted their data', async () => {
    const [one, other, gone] = [await lost(), await lost(), await lost()]
    await step(world)
    await deletesData(gone)
    for (const [{ generation }, task] of [
      [one, 'task-1'],
      [one, 'task-2'],
      [other, 'task-1'],
      [gone, 'task-3'],
    ] as const)
      await awaitTask(deps, generation.id, task)
    const rows = await Promise.all([one, other, gone].map(({ now }) => now()))
    expect(rows.map(({ taskId }) => taskId)).toEqual(['task-1', null, null])
  })

  it('is not looked at after a day, nor once its user has deleted their data, also during a look', async () => {
    const [old, gone] = [await lost(), await lost()]
    await step(world)
    await called(gone)
    const answer = later(json(404, { error: 'no such task' }))
    gatewayAnswers(answer.answer)
    const asked = world.requests.length
    const looking = step(world, { of: ['orders'] })
    await world.when(() => world.requests.length > asked)
    expect(await deletesData(gone)).toEqual({ ok: true })
    answer.give()
    await looking
    expect(await called(gone)).toBe(true)
    clock.advance(25 * hour)
    await step(world)
    expect(await called(old)).toBe(true)
    for (const { now } of [old, gone]) expect(await now()).toMatchObject({ nextCheckAt: null, taskId: null })
  })
})

it('a status of an unknown name counts as running until the deadline, and then its files count as results', async () => {
  const { generation, now } = await submitted(world)
  const files = { data: [{ url: 'http://127.0.0.1:9/video.mp4' }] }
  for (const [afterMs, facts] of [
    [30 * minute, { state: 'running' }],
    [minute, { state: 'succeeded', captured: generation.amount }],
  ] as const) {
    clock.advance(afterMs)
    gatewayAnswers(taskIs('Fertiggestellt', files))
    await step(world)
    expect(await now()).toMatchObject(facts)
  }
})

describe('the limit of a running task', () => {
  const limitOf = async ({ now }: Started) => {
    const { deadlineAt, submittedAt } = await now()
    return (Number(deadlineAt) - Number(submittedAt)) / minute
  }

  /** Settled orders of the model whose tasks took so many minutes. */
  async function history(minutes: readonly number[], own: Partial<Generation> = {}): Promise<void> {
    for (const took of minutes) {
      const { id, submittedAt } = (await submitted(world)).generation
      const settledAt = new Date(Number(submittedAt) + took * minute)
      const ended = { state: 'succeeded', taskId: `task-${id}`, nextCheckAt: null, settledAt } as const
      await db
        .update(generations)
        .set({ ...ended, ...own })
        .where(eq(generations.id, id))
    }
  }

  it.each<[string, number[], number, Partial<Generation>?, number?]>([
    ['half an hour without a history', [], 30],
    ['half an hour for a fast model', [1, 2, 5], 30],
    ['twice the slowest of its tasks', [3, 50, 10], 100],
    ['four hours at most', [200], 240],
    ['half an hour for tasks of more than a month ago', [50], 30, {}, 31 * 24 * hour],
    ['half an hour for tasks that failed', [50], 30, { state: 'failed', reason: 'task-failed' }],
    ['half an hour for tasks of another model', [50], 30, { modelId: 'MODEL-VIDEO-WAN' }],
    ['half an hour for results within the answer to the submit', [50], 30, { taskId: null }],
  ])('is %s', async (_, minutes, limit, own, agoMs = 0) => {
    await history(minutes, own)
    clock.advance(agoMs)
    expect(await limitOf(await submitted(world))).toBe(limit)
  })

  it('takes into account a result that came after its refund', async () => {
    await refunded()
    await look()
    expect(await limitOf(await submitted(world))).toBe(2 * (31 + 13))
  })

  it('is half an hour for an order of an earlier version, which has none of its own', async () => {
    const { now } = await submitted(world)
    await db.update(generations).set({ deadlineAt: null })
    for (const [afterMinutes, state] of [
      [30, 'running'],
      [6, 'failed'],
    ] as const) {
      clock.advance(afterMinutes * minute)
      gatewayAnswers(taskIs('processing'))
      await step(world)
      expect(await now()).toMatchObject({ state })
    }
  })

  it('is the value in the operator’s settings of the model, if there is one', async () => {
    await history([50])
    const settings = { ...defaultModelSettings, giveUpAfterMinutes: 7 }
    const catalog = createCatalog(models, withGatewayIds({ [videoReel.id]: settings }))
    const one = await ordered(world)
    gatewayAnswers(taskCreated)
    await step(world, { by: processOf(world, { catalog, times: createTimes({ ...deps, catalog }) }) })
    expect(await limitOf(one)).toBe(7)
    clock.advance(8 * minute)
    gatewayAnswers(taskIs('processing'))
    await step(world)
    expect(await one.now()).toMatchObject({ state: 'failed', reason: 'late' })
  })
})
