// The watch wakes exactly the queues that have something due, when it is due.

import { expect, it } from 'vitest'
import { taskCandidates } from '../../src/db/schema.ts'
import { createGenerationWatch } from '../../src/tracker/generation-watch.ts'
import { claim, type Kind } from '../../src/tracker/queue.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { cut, finished, order, reread, step, taskCreated, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

/** The kinds of steps that one pass of the watch finds due. */
async function due(): Promise<readonly Kind[]> {
  const woken: (readonly Kind[])[] = []
  const watch = createGenerationWatch(world.deps, (kinds) => void woken.push(kinds))
  watch.start()
  await watch.stop()
  return woken.flat()
}

it('the watch sleeps until the next row is due', async () => {
  await order(world, await userWith(world, 100_00n))
  world.gatewayAnswers(taskCreated, finished)
  await step(world, { of: ['submit'] })
  const watch = createGenerationWatch(world.deps, () => expect.unreachable('nothing is due'))
  watch.start()
  await world.clock.asked(3000)
  expect(world.clock.isWaitedFor(1000)).toBe(false)
  await watch.stop()
  world.clock.advance(3000)
  await step(world, { of: ['look'] })
  await step(world, { of: ['deliver'] })
})

it('the watch looks again after a short pause while a row is still due', async () => {
  await order(world, await userWith(world, 100_00n))
  const watch = createGenerationWatch(world.deps, () => undefined)
  watch.start()
  await world.clock.asked(1000)
  await watch.stop()
  world.gatewayAnswers(taskCreated, finished)
  await step(world)
  world.clock.advance(3000)
  await step(world)
  await step(world)
})

it('the watch looks again after a second at the latest, however seldom tasks are polled', async () => {
  await order(world, await userWith(world, 100_00n))
  const watch = createGenerationWatch({ ...world.deps, pollIntervalMs: 60_000 }, () => undefined)
  watch.start()
  await world.clock.asked(5000)
  expect(world.clock.isWaitedFor(1000)).toBe(true)
  await watch.stop()
})

it('an order that a process works on wakes no queue, and the watch sleeps meanwhile', async () => {
  await order(world, await userWith(world, 100_00n))
  await claim(world.deps, 'submit', 1)
  const woken: unknown[] = []
  const watch = createGenerationWatch(world.deps, (kinds) => void woken.push(kinds))
  watch.start()
  await world.clock.asked(5000)
  expect(woken).toEqual([])
  expect(world.clock.isWaitedFor(0)).toBe(false)
  await watch.stop()
})

it('the watch waits for the earliest time that it is told, and for none after a pass or its stop', async () => {
  const { clock } = world
  const watch = createGenerationWatch(world.deps, () => undefined)
  const waits = () => [700, 800, 900].filter((ms) => clock.isWaitedFor(ms))
  const tell = (ms: number) => {
    watch.dueAt(new Date(clock.now().getTime() + ms))
    return waits()
  }
  expect([tell(800), tell(700), tell(900)]).toEqual([[800], [700], [700]])
  watch.start()
  await clock.asked(5000)
  expect(waits()).toEqual([])
  expect(tell(900)).toEqual([900])
  await watch.stop()
  expect(waits()).toEqual([])
})

it('a due order wakes only the queue of its next step', async () => {
  expect(await due()).toEqual([])
  await order(world, await userWith(world, 100_00n))
  expect(await due()).toEqual(['submit'])
  world.gatewayAnswers(taskCreated, finished)
  await step(world, { of: ['submit'] })
  expect(await due()).toEqual([])
  world.clock.advance(3000)
  expect(await due()).toEqual(['look'])
  await step(world, { of: ['look'] })
  expect(await due()).toEqual(['deliver'])
  await step(world, { of: ['deliver'] })
  expect(await due()).toEqual([])
})

it('an order whose task is unknown wakes no queue until a callback names a task or the grace period ends', async () => {
  const generation = await order(world, await userWith(world, 100_00n))
  world.gatewayAnswers(cut)
  await step(world, { of: ['submit'] })
  expect(await reread(world, generation)).toMatchObject({ state: 'unknown' })
  expect(await due()).toEqual([])
  const named = { generationId: generation.id, taskId: 'task-1', rank: 0, toldAt: world.clock.now() }
  await world.deps.db.insert(taskCandidates).values({ ...named, dueAt: world.clock.now() })
  expect(await due()).toEqual(['look-at-candidate'])
  await world.deps.db.delete(taskCandidates)
  world.clock.advance(10 * 60_000)
  expect(await due()).toEqual(['end-lost-submit'])
  await step(world, { of: ['end-lost-submit'] })
  await step(world, { of: ['deliver'] })
})
