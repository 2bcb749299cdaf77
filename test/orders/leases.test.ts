// A claim is taken over soon from a process that died, never from a process that is only slow, and a process that stops
// releases its claims.

import { describe, expect, it } from 'vitest'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import { claim, type Generation, releaseGenerations } from '../../src/orders/generation.ts'
import { createTracker, takeStep } from '../../src/orders/worker.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { inFlight } from '../support/database/in-flight.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  createEvents,
  finished,
  gate,
  json,
  later,
  order,
  processOf,
  reread,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const second = 1000
const world = await auditedWorld()

const ordered = async () => order(world, await userWith(world, 500_00n))
async function submitted(): Promise<Generation> {
  const generation = await ordered()
  world.gatewayAnswers(json(202, { id: `task-${generation.id}`, status: 'queued' }))
  await step(world, { of: ['orders'] })
  world.requests.length = 0
  return generation
}
/** A task whose next look is due. */
async function running(): Promise<Generation> {
  const generation = await submitted()
  world.clock.advance(3 * second)
  return generation
}
const claims = async (kind: Parameters<typeof claim>[1]) =>
  (await claim(world.deps, kind, claimNow(world.deps, 32))).map(({ id }) => id)

/** Each of the two workers waits for so long between two renewals; a stop waits for its running steps. */
const asked = (ms: number) => Promise.all([world.clock.asked(ms), world.clock.asked(ms)])
const renewed = () => asked(leaseMs / 3)

describe('a claimed row', () => {
  it('is taken over half a minute after its process died', async () => {
    const { id } = await running()
    expect(await claims('orders')).toEqual([id])
    world.clock.advance(leaseMs - 1)
    expect(await claims('orders')).toEqual([])
    world.clock.advance(1)
    expect(await claims('orders')).toEqual([id])
  })

  it('stays claimed for as long as its process works on it, however slowly', async () => {
    const { clock, requests, deps } = world
    const generation = await running()
    const answer = later(taskIs('processing'))
    world.gatewayAnswers(answer.answer)
    const tracker = createTracker(deps, world.chat)
    tracker.start()
    await world.when(() => requests.length === 1)
    for (let third = 0; third < 9; third += 1) {
      await renewed()
      clock.advance(leaseMs / 3)
    }
    await renewed()
    expect(await claims('orders')).toEqual([])
    answer.give()
    await world.when(() => world.shown.includes(`${generation.id} running`))
    await tracker.stop()
    await asked(20 * second)
    expect(requests).toHaveLength(1)
    expect(await reread(world, generation)).toMatchObject({ lease: null, progress: 'processing' })
  })
})

it('links that arrive after a takeover are not among the results', async () => {
  const generation = await running()
  const many = { data: [1, 2].map((n) => ({ url: `http://127.0.0.1:9/late-${n}.mp4` })) }
  const answer = later(taskIs('completed', many))
  world.gatewayAnswers(answer.answer, finished)
  const held = await claim(world.deps, 'orders', claimNow(world.deps, 1))
  const steps = held.map((one) => takeStep(processOf(world), one))
  await world.when(() => world.requests.length === 1)
  world.clock.advance(leaseMs)
  await step(world, { of: ['orders'] })
  answer.give()
  await Promise.all(steps)
  expect(await artifactsOf(world.deps, generation.id)).toMatchObject([
    { url: 'http://127.0.0.1:9/video.mp4' },
  ])
})

/** A chat whose sends end when the test says so. */
function slowChat() {
  const events = createEvents()
  let begun = 0
  const { opened, open } = gate()
  const chat = world.chatWith({
    async send() {
      begun += 1
      events.happened()
      await opened
      return { ok: true }
    },
  })
  return { chat, end: open, begins: () => events.when(() => begun > 0) }
}

describe('a process that stops', () => {
  it('claims nothing more and waits for running steps', async () => {
    const generation = await running()
    const answer = later(taskIs('failed'))
    world.gatewayAnswers(answer.answer)
    const { db, none } = inFlight(world.deps.db)
    const tracker = createTracker({ ...world.deps, db }, world.chat)
    tracker.start()
    await world.when(() => world.requests.length === 1)
    const stopped = tracker.stop()
    // A claim that is under way at the stop may still take the order that is made after the stop.
    await none()
    const other = await ordered()
    tracker.nudge()
    await asked(20 * second)
    answer.give()
    await stopped
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', lease: null })
    expect(await reread(world, other)).toMatchObject({ state: 'held', lease: null })
  })

  it('releases the rows that it could not finish in time, except those that were being submitted', async () => {
    const { clock } = world
    const [looked, done] = [await submitted(), await running()]
    const either: typeof finished = (req, res) =>
      (req.url?.includes(done.id) ? finished : taskIs('processing'))(req, res)
    world.gatewayAnswers(either, either)
    await step(world, { of: ['orders'] })
    clock.advance(10 * second)
    world.requests.length = 0
    const lastOrder = await ordered()
    const [look, submit] = [later(taskIs('failed')), later(taskCreated)]
    world.gatewayAnswers((req, res) => (req.method === 'GET' ? look : submit).answer(req, res))
    world.gatewayAnswers((req, res) => (req.method === 'GET' ? look : submit).answer(req, res))
    const slow = slowChat()
    const { db, none } = inFlight(world.deps.db)
    const tracker = createTracker({ ...world.deps, db }, slow.chat)
    tracker.start()
    await slow.begins()
    await world.when(() => world.requests.length >= 2)
    const stopped = tracker.stop()
    // A claim that is answered after the release would claim the rows again.
    await none()
    await asked(20 * second)
    clock.advance(20 * second)
    await stopped
    expect(await reread(world, done)).toMatchObject({ state: 'succeeded', lease: null, leaseUntil: null })
    expect(await reread(world, looked)).toMatchObject({ state: 'running', lease: null, leaseUntil: null })
    expect(await reread(world, lastOrder)).toMatchObject({
      state: 'submitting',
      lease: expect.any(String),
    })
    expect([await claims('orders'), await claims('deliveries')]).toEqual([[looked.id], [done.id]])
    // The next worker does not submit the order again.
    clock.advance(leaseMs)
    world.requests.length = 0
    for (let claimed = 0; claimed < 2; claimed += 1) await step(world, { of: ['orders'] })
    expect(await reread(world, lastOrder)).toMatchObject({ state: 'unknown' })
    expect(world.requests).toEqual([`GET /v1/tasks/task-${looked.id}`])
    look.give()
    submit.give()
    slow.end()
  })

  it('leaves an order to the process that has taken it over', async () => {
    const generation = await ordered()
    const ours = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    world.clock.advance(leaseMs + 1)
    const theirs = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    await releaseGenerations(world.deps, ours)
    expect(await reread(world, generation)).toMatchObject({ lease: theirs[0]?.lease })
    await releaseGenerations(world.deps, theirs)
    expect(await reread(world, generation)).toMatchObject({ lease: null })
  })

  it('releases no other order that was claimed by the same statement', async () => {
    const orders = [await ordered(), await ordered()]
    const held = await claim(world.deps, 'orders', claimNow(world.deps, 2))
    await releaseGenerations(world.deps, held.slice(0, 1))
    const leases = orders.map(async (one) => (await reread(world, one)).lease)
    expect((await Promise.all(leases)).filter((one) => one !== null)).toEqual([held[1]?.lease])
  })

  it('does not submit an order that it has released meanwhile', async () => {
    const generation = await ordered()
    const held = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    await releaseGenerations(world.deps, held)
    for (const one of held) await takeStep(processOf(world), one)
    expect(world.requests).toEqual([])
    expect(await reread(world, generation)).toMatchObject({ state: 'held', lease: null })
  })
})
