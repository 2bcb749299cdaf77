// Tasks that end after their orders were refunded.

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { audit, compareWithGateway } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { createMetrics } from '../../src/metrics.ts'
import { readFigures } from '../../src/operator/figures.ts'
import { periodOf } from '../../src/operator/periods.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import { claim, type Generation } from '../../src/orders/generation.ts'
import { awaitTask } from '../../src/orders/poll.ts'
import { takeStep } from '../../src/orders/worker.ts'
import { forget } from '../../src/privacy/forget.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { callBack } from '../support/gateway/callback.ts'
import {
  createWorld,
  cut,
  finished,
  forgetOrders,
  json,
  later,
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

/** An order that was refunded because its time was over; the refund is explained in the chat. */
async function refunded() {
  const { user, generation } = await submitted(world)
  world.clock.advance(31 * minute)
  // An order that was refunded before is asked about as well.
  world.gatewayAnswers(taskIs('processing'), taskIs('processing'))
  await step(world)
  await step(world)
  expect(await reread(world, generation)).toMatchObject({
    state: 'failed',
    reason: 'late',
    delivery: 'delivered',
  })
  world.reset()
  return { user, generation }
}

const available = async ({ id }: { id: bigint }) => (await readBalance(world.deps.db, id)).available

async function look(answer = finished, by = processOf(world)): Promise<void> {
  world.clock.advance(13 * minute)
  world.gatewayAnswers(answer)
  await step(world, { by })
}

describe('a task whose order was refunded while it ran', () => {
  it('is delivered free when it completes: no money moves, and the audit is clean', async () => {
    const { user, generation } = await refunded()
    await look()
    const late = await reread(world, generation)
    expect(late).toMatchObject({ state: 'failed', reason: 'late', captured: 0n, delivery: 'pending' })
    expect(late.arrivedLateAt).toEqual(world.clock.now())
    expect(await artifactsOf(world.deps, generation.id)).toHaveLength(1)
    await step(world)
    expect(world.delivered).toEqual([generation.id])
    expect(await reread(world, generation)).toMatchObject({ delivery: 'delivered', nextCheckAt: null })
    expect(await available(user)).toBe(500_00n)
    expect(await audit(world.deps.db)).toEqual([])
  })

  it.each([
    ['completed but has no files', taskIs('completed')],
    [
      'not completed but names a file',
      taskIs('processing', { data: [{ url: 'https://files.test/cat.mp4' }] }),
    ],
  ])('is asked about again while it is %s', async (_, answer) => {
    const { generation } = await refunded()
    await look(answer)
    const { nextCheckAt, arrivedLateAt, delivery } = await reread(world, generation)
    expect({ arrivedLateAt, delivery }).toEqual({ arrivedLateAt: null, delivery: 'delivered' })
    expect(nextCheckAt).toEqual(new Date(world.clock.now().getTime() + 10 * minute))
  })

  it('is free in the comparison with the gateway account, and a loss in the figures, with the price of what arrived', async () => {
    const { db } = world.deps
    const period = periodOf(2, world.clock.now(), 'Europe/Moscow')
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

  it('is asked about at once when a callback comes', async () => {
    const { generation } = await refunded()
    world.clock.advance(minute)
    await step(world)
    expect(world.requests).toEqual([])
    expect(await callBack(world, generation, { id: 'task-1' })).toBe(true)
    world.gatewayAnswers(finished)
    await step(world)
    expect((await reread(world, generation)).arrivedLateAt).not.toBeNull()
  })

  it('is asked about every ten minutes for a day, and then no longer', async () => {
    const { generation } = await refunded()
    const none = json(503, { error: 'busy' })
    for (let elapsed = 0; elapsed < 25 * hour; elapsed += 5 * minute) {
      world.clock.advance(5 * minute)
      world.gatewayAnswers(none)
      await step(world, { of: ['orders'] })
    }
    // The look after exactly a day is not the last one, since a day has to be over.
    expect(world.requests).toEqual(
      Array.from({ length: (24 * hour) / (10 * minute) + 1 }, () => 'GET /v1/tasks/task-1'),
    )
    expect(await reread(world, generation)).toMatchObject({ nextCheckAt: null, arrivedLateAt: null })
  })

  it('is not asked about any more when it has failed', async () => {
    const { generation } = await refunded()
    await look(taskIs('failed', { error: 'no' }))
    expect(await reread(world, generation)).toMatchObject({ nextCheckAt: null, said: null })
  })

  it('is not delivered to a user who has deleted their data, and does not hinder the deletion', async () => {
    const { user, generation } = await refunded()
    expect(await forget(world.deps.db, user.id, `hash-${user.id}`, world.clock.now())).toEqual({ ok: true })
    await look()
    expect(world.requests).toEqual([])
    expect(await reread(world, generation)).toMatchObject({ arrivedLateAt: null, nextCheckAt: null })
  })

  it('is not delivered when the data is deleted while the gateway answers', async () => {
    const { user, generation } = await refunded()
    await look((request, response) => {
      void forget(world.deps.db, user.id, `hash-${user.id}`, world.clock.now()).then(() =>
        finished(request, response),
      )
    })
    expect(await reread(world, generation)).toMatchObject({ arrivedLateAt: null, nextCheckAt: null })
    expect(await artifactsOf(world.deps, generation.id)).toEqual([])
  })

  it('is recorded for its own order only, also when several orders are claimed together', async () => {
    const { generation: other } = await refunded()
    await world.deps.db.update(generations).set({ taskId: 'task-0' }).where(eq(generations.id, other.id))
    const { generation } = await refunded()
    world.clock.advance(13 * minute)
    const held = await claim(world.deps, 'orders', claimNow(world.deps, 2))
    const one = held.find(({ id }) => id === generation.id)
    if (!one) throw new Error('not claimed')
    world.gatewayAnswers(finished)
    await takeStep(processOf(world), one)
    expect(await reread(world, generation)).toMatchObject({ arrivedLateAt: world.clock.now() })
    expect(await reread(world, other)).toMatchObject({ arrivedLateAt: null, delivery: 'delivered' })
  })

  it('is not recorded by a process that has lost its claim, but by the process that took over', async () => {
    const { generation } = await refunded()
    world.clock.advance(13 * minute)
    const stale = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    world.clock.advance(leaseMs)
    const taken = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    for (const [held, arrivedLateAt] of [
      [stale, null],
      [taken, world.clock.now()],
    ] as const) {
      world.gatewayAnswers(finished)
      for (const one of held) await takeStep(processOf(world), one)
      expect(await reread(world, generation)).toMatchObject({ arrivedLateAt })
    }
  })

  it('is stored when the answer to the submit comes only after the refund', async () => {
    const generation = await order(world, await userWith(world, 500_00n))
    const slow = later(taskCreated)
    world.gatewayAnswers(slow.answer)
    const submitting = step(world)
    await expect.poll(() => world.requests.length).toBe(1)
    for (let tries = 0; tries < 4; tries += 1) {
      world.clock.advance(11 * minute)
      await step(world)
    }
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', reason: 'lost', taskId: null })
    slow.give()
    await submitting
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', taskId: 'task-1' })
  })
})

describe('an order that was refunded because its task was never named', () => {
  async function lost() {
    const user = await userWith(world, 500_00n)
    const generation = await order(world, user)
    world.gatewayAnswers(cut)
    await step(world)
    world.clock.advance(11 * minute)
    await step(world)
    return { user, generation: await reread(world, generation) }
  }
  const called = (generation: Generation) => callBack(world, generation, { id: 'vendor', task_id: 'task-1' })

  it.each([
    ['after the refund was explained', 2],
    ['before the refund was explained', 0],
  ])('gets its result free when a callback names the task %s', async (_, steps) => {
    const { user, generation } = await lost()
    expect(generation).toMatchObject({ state: 'failed', reason: 'lost', taskId: null })
    for (let done = 0; done < steps; done += 1) await step(world)
    expect(await called(generation)).toBe(true)
    await step(world, { of: ['deliveries'] })
    world.gatewayAnswers(finished)
    await step(world, { of: ['orders'] })
    expect(await reread(world, generation)).toMatchObject({
      taskId: 'task-1',
      captured: 0n,
      delivery: 'pending',
    })
    expect(await available(user)).toBe(500_00n)
    expect(await audit(world.deps.db)).toEqual([])
  })

  it('is explained at the planned time although a callback names the task earlier', async () => {
    const { generation } = await lost()
    world.outcomes.push({ ok: false, retry: true, afterMs: 5 * minute })
    await step(world)
    const { nextCheckAt } = await reread(world, generation)
    await called(generation)
    expect(await reread(world, generation)).toMatchObject({ delivery: 'pending', nextCheckAt })
  })

  it('takes the id of its task once, not that of another order, and not for a user who has deleted their data', async () => {
    const [one, other, gone] = [await lost(), await lost(), await lost()]
    await step(world)
    await forget(world.deps.db, gone.user.id, `hash-${gone.user.id}`, world.clock.now())
    for (const [{ generation }, task] of [
      [one, 'task-1'],
      [one, 'task-2'],
      [other, 'task-1'],
      [gone, 'task-3'],
    ] as const)
      await awaitTask(world.deps, generation.id, task)
    const rows = [one, other, gone].map(({ generation }) => reread(world, generation))
    expect((await Promise.all(rows)).map(({ taskId }) => taskId)).toEqual(['task-1', null, null])
  })

  it('is not looked at any more when its user deletes their data during a look', async () => {
    const { user, generation } = await lost()
    await step(world)
    await callBack(world, generation, { id: 'vendor-1', task_id: 'task-1' })
    const answer = later(json(404, { error: 'no such task' }))
    world.gatewayAnswers(answer.answer)
    const asked = world.requests.length
    const looking = step(world, { of: ['orders'] })
    await world.when(() => world.requests.length > asked)
    expect(await forget(world.deps.db, user.id, `hash-${user.id}`, world.clock.now())).toEqual({ ok: true })
    answer.give()
    await looking
    expect(await reread(world, generation)).toMatchObject({ nextCheckAt: null, taskId: null })
  })

  it('is not looked at after a day, nor for a user who has deleted their data', async () => {
    const [old, gone] = [await lost(), await lost()]
    await step(world)
    await forget(world.deps.db, gone.user.id, `hash-${gone.user.id}`, world.clock.now())
    expect(await called(gone.generation)).toBe(true)
    world.clock.advance(25 * hour)
    await step(world)
    expect(await called(old.generation)).toBe(true)
    expect(await reread(world, old.generation)).toMatchObject({ nextCheckAt: null })
    expect(await reread(world, gone.generation)).toMatchObject({ nextCheckAt: null })
  })
})

describe('a task whose status has an unknown name', () => {
  it('counts as running until its deadline, and then its files count as results', async () => {
    const { generation } = await submitted(world)
    const files = { data: [{ url: 'http://127.0.0.1:9/video.mp4' }] }
    world.clock.advance(minute)
    world.gatewayAnswers(taskIs('Fertiggestellt', files))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'running' })
    world.clock.advance(30 * minute)
    world.gatewayAnswers(taskIs('Fertiggestellt', files))
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', captured: generation.amount })
  })
})
