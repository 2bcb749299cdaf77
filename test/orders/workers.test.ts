// Deliveries and all other steps have limits of their own: slow deliveries delay nothing else.

import { isNotNull } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { createTracker, type Tracker } from '../../src/orders/worker.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  type FakeChat,
  finished,
  gate,
  json,
  later,
  order,
  reread,
  step,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const world = await auditedWorld()
const { clock, gatewayAnswers } = world
let tracker: Tracker
afterEach(() => tracker.stop())

async function held(count: number) {
  const ids: string[] = []
  const user = await userWith(world, BigInt(count) * 100_00n)
  for (let at = 0; at < count; at += 1) ids.push((await order(world, user)).id)
  return ids
}

async function running(count: number) {
  const ids = await held(count)
  gatewayAnswers(...ids.map((id) => json(202, { id: `task-${id}`, status: 'queued' })))
  await step(world, { of: ['orders'] })
  clock.advance(3000)
  world.requests.length = 0
  world.shown.length = 0
  return ids
}

/** Orders whose results wait for delivery. */
async function done(count: number): Promise<void> {
  await running(count)
  gatewayAnswers(...repeat(count, finished))
  await step(world, { of: ['orders'] })
  world.requests.length = 0
}

const repeat = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

function start(chat: Partial<FakeChat> = {}) {
  tracker = createTracker(world.deps, world.chatWith(chat))
  tracker.start()
}

it('hung deliveries delay neither looks nor submits', async () => {
  await done(20)
  await running(20)
  await held(5)
  const { opened, open } = gate()
  let delivering = 0
  start({
    async send() {
      delivering += 1
      await opened
      return { ok: true }
    },
  })
  let tasks = 0
  const either: Answer = (req, res) => {
    tasks += 1
    const created = json(202, { id: `other-${tasks}`, status: 'queued' })
    return (req.method === 'POST' ? created : taskIs('processing'))(req, res)
  }
  gatewayAnswers(...repeat(25, either))
  await world.when(() => world.shown.length === 25)
  await expect.poll(() => delivering).toBe(16)
  open()
})

it('hung updates of status messages delay no step, and a stop waits for them', async () => {
  await running(20)
  const { opened, open } = gate()
  let shown = 0
  start({
    async updateStatus() {
      await opened
      shown += 1
      return true
    },
  })
  const leased = () => {
    tracker.nudge()
    return world.deps.db.$count(generations, isNotNull(generations.lease))
  }
  for (const looks of [20, 40]) {
    gatewayAnswers(...repeat(20, taskIs('processing')))
    // The first looks are due already: a look that is being recorded while the clock advances would be due twice.
    if (looks > 20) clock.advance(60_000)
    tracker.nudge()
    await world.when(() => world.requests.length === looks)
    await expect.poll(leased).toBe(0)
  }
  const stopped = tracker.stop()
  expect(shown).toBe(0)
  open()
  await stopped
  expect(shown).toBeGreaterThanOrEqual(20)
})

it('hung submits delay no deliveries, and are limited in number', async () => {
  await done(10)
  const slow = later(json(400, { error: 'no' }))
  await held(70)
  gatewayAnswers(...repeat(64, slow.answer))
  start()
  await world.when(() => world.delivered.length === 10 && world.requests.length >= 64)
  expect(world.requests).toHaveLength(64)
  gatewayAnswers(...repeat(6, json(400, { error: 'no' })))
  slow.give()
  await world.when(() => world.delivered.length === 80)
})

it('deliveries that hang for two hours are released and claimed again', async () => {
  await done(17)
  const { opened, open } = gate()
  const begun: string[] = []
  start({
    async send({ id }) {
      begun.push(id)
      if (begun.length <= 16) await opened
      return { ok: true }
    },
  })
  await expect.poll(() => begun.length).toBe(16)
  clock.advance(2 * 60 * 60_000)
  await expect.poll(() => new Set(begun).size).toBe(17)
  // The leases of the hung deliveries may have been renewed just before their release.
  const hung = begun.slice(0, 16)
  const unrepeated = () => {
    clock.advance(5000)
    return hung.filter((id) => begun.indexOf(id) === begun.lastIndexOf(id))
  }
  await expect.poll(unrepeated).toEqual([])
  open()
})

it('a delivery waits for an outdated status update under way, but only for a few seconds', async () => {
  const [id = ''] = await running(1)
  const { opened, open } = gate()
  const seen: string[] = []
  start({
    async updateStatus({ state, delivery }) {
      seen.push(`${state} ${delivery}`)
      if (seen.length === 1) await opened
      return true
    },
    async send() {
      seen.push('the result')
      return { ok: true }
    },
  })
  gatewayAnswers(taskIs('processing'), finished)
  const nudged = (ms = 0) => {
    clock.advance(ms)
    tracker.nudge()
    return reread(world, { id })
  }
  await expect.poll(() => seen).toEqual(['running none'])
  clock.advance(60_000)
  await expect.poll(() => nudged()).toMatchObject({ state: 'succeeded', lease: expect.any(String) })
  // The longest time that the delivery waits for the status update.
  await expect.poll(() => clock.isWaitedFor(3000)).toBe(true)
  expect(seen).toEqual(['running none'])
  await expect.poll(() => nudged(1000)).toMatchObject({ delivery: 'delivered' })
  open()
  await tracker.stop()
  expect(seen).toEqual(['running none', 'the result', 'succeeded delivered'])
})
