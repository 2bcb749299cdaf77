// A claim is taken over soon from a process that died, never from a process that is only slow, and a process that stops releases its
// claims. Orders whose step ends every process that takes it are suspect: they are taken one at a time, and a submit is not repeated
// for ever.

import { describe, expect, it } from 'vitest'
import {
  claim,
  endedProcesses,
  type Generation,
  leasesOfGenerations,
  type QueueName,
  releaseGeneration,
} from '../../src/orders/generation.ts'
import { submitDeadlineMs } from '../../src/orders/times.ts'
import { createTracker, type Tracker, takeStep } from '../../src/orders/worker.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { inFlight } from '../support/database/in-flight.ts'
import { loggingTo } from '../support/runtime/log.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  finished,
  gate,
  json,
  later,
  ordered,
  processOf,
  reread,
  step,
  taskCreated,
  taskIs,
} from '../support/worlds/generations.ts'

const second = 1000
const world = await auditedWorld()
const { clock, deps, gatewayAnswers } = world
function start(chat = world.chat, db = deps.db): Tracker {
  const tracker = createTracker({ ...deps, db }, chat)
  tracker.start()
  return tracker
}

async function submitted() {
  const one = await ordered(world)
  gatewayAnswers(json(202, { id: `task-${one.generation.id}`, status: 'queued' }))
  await step(world, { of: ['orders'] })
  world.requests.length = 0
  return one
}
/** A task whose next look is due. */
async function running() {
  const one = await submitted()
  clock.advance(3 * second)
  return one
}
/** The id of an order whose results wait for delivery. */
async function ended(): Promise<string> {
  const { generation } = await running()
  gatewayAnswers(finished)
  await step(world, { of: ['orders'] })
  return generation.id
}

const claimed = (queue: QueueName, suspects?: number) => claim(deps, queue, claimNow(deps, 32, suspects))
const idsOf = (held: readonly Generation[]) => held.map(({ id }) => id).toSorted()
/** Claims what is due for processes that end, one after the other, before they have an outcome. */
async function abandon(queue: QueueName, processes: number) {
  for (let process = 0; process < processes; process += 1) {
    await claim(deps, queue, claimNow(deps, 32, 32))
    clock.advance(leaseMs)
  }
}

/** Each of the two workers waits for so long between two renewals; a stop waits for its running steps. */
const asked = (ms: number) => Promise.all([clock.asked(ms), clock.asked(ms)])

describe('a claimed order', () => {
  it('is claimed by one of several processes, and taken over half a minute after its process died', async () => {
    const orders = [await ordered(world), await ordered(world), await ordered(world)]
    const held = await Promise.all([1, 2, 3].map(() => claim(deps, 'orders', claimNow(deps, 2))))
    const all = orders.map(({ generation }) => generation.id).toSorted()
    expect(idsOf(held.flat())).toEqual(all)
    clock.advance(leaseMs - 1)
    expect(await claimed('orders')).toEqual([])
    clock.advance(1)
    expect(idsOf(await claim(deps, 'orders', claimNow(deps, 32, 32)))).toEqual(all)
  })

  it('stays claimed for as long as its process works on it, however slowly', async () => {
    const { generation, now } = await running()
    const answer = later(taskIs('processing'))
    gatewayAnswers(answer.answer)
    const { stop } = start()
    await world.when(() => world.requests.length === 1)
    for (let third = 0; third < 9; third += 1) {
      await asked(leaseMs / 3)
      clock.advance(leaseMs / 3)
    }
    await asked(leaseMs / 3)
    expect(await claimed('orders')).toEqual([])
    answer.give()
    await world.when(() => world.shown.includes(`${generation.id} running`))
    await stop()
    await asked(20 * second)
    expect(world.requests).toHaveLength(1)
    expect(await now()).toMatchObject({ lease: null, progress: 'processing' })
  })

  it('that was taken over is not settled by a process that was suspended past its lease', async () => {
    const { now, available } = await running()
    const held = await claim(deps, 'orders', claimNow(deps, 1))
    clock.advance(leaseMs)
    const taken = await claim(deps, 'orders', claimNow(deps, 1, 1))
    gatewayAnswers(finished, taskIs('failed'))
    const log = loggingTo()
    for (const paused of held) await takeStep(processOf(world, { log }), paused)
    for (const one of taken) await takeStep(processOf(world), one)
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(world.requests).toHaveLength(2)
    expect(await now()).toMatchObject({ state: 'failed' })
    expect(await available()).toBe(500_00n)
  })
})

describe('a process that stops', () => {
  it('claims nothing more and waits for running steps', async () => {
    const { now } = await running()
    const answer = later(taskIs('failed'))
    gatewayAnswers(answer.answer)
    const { db, none } = inFlight(deps.db)
    const { stop, nudge } = start(world.chat, db)
    await world.when(() => world.requests.length === 1)
    const stopped = stop()
    // A claim that is under way at the stop may still take the order that is made after the stop.
    await none()
    const other = await ordered(world)
    nudge()
    await asked(20 * second)
    answer.give()
    await stopped
    expect(await now()).toMatchObject({ state: 'failed', lease: null })
    expect(await other.now()).toMatchObject({ state: 'held', lease: null })
  })

  it('releases its own orders only, and does not submit one that it has released', async () => {
    const orders = [await ordered(world), await ordered(world)]
    const ours = await claim(deps, 'orders', claimNow(deps, 2))
    for (const one of ours.slice(0, 1)) await releaseGeneration(deps, one)
    const leases = async () => (await Promise.all(orders.map(({ now }) => now()))).map(({ lease }) => lease)
    expect((await leases()).filter((one) => one !== null)).toEqual([ours[1]?.lease])
    for (const one of ours.slice(0, 1)) await takeStep(processOf(world), one)
    expect(world.requests).toEqual([])
    clock.advance(leaseMs + 1)
    const theirs = await claim(deps, 'orders', claimNow(deps, 2, 2))
    for (const one of ours) await releaseGeneration(deps, one)
    expect(await leases()).toEqual(theirs.map(({ lease }) => lease))
    for (const one of theirs) await releaseGeneration(deps, one)
    expect(await leases()).toEqual([null, null])
  })

  it('releases the orders that it could not finish in time, except those that were being submitted', async () => {
    const [looked, done] = [await submitted(), await running()]
    const either: Answer = (req, res) =>
      (req.url?.includes(done.generation.id) ? finished : taskIs('processing'))(req, res)
    gatewayAnswers(either, either)
    await step(world, { of: ['orders'] })
    clock.advance(10 * second)
    world.requests.length = 0
    const last = await ordered(world)
    const [look, submit] = [later(taskIs('failed')), later(taskCreated)]
    const slow: Answer = (req, res) => (req.method === 'GET' ? look : submit).answer(req, res)
    gatewayAnswers(slow, slow)
    const [begun, sent] = [gate(), gate()]
    const send = async () => {
      begun.open()
      await sent.opened
      return { ok: true } as const
    }
    const { db, none } = inFlight(deps.db)
    const { stop } = start(world.chatWith({ send }), db)
    await begun.opened
    await world.when(() => world.requests.length >= 2)
    const stopped = stop()
    // A claim that is answered after the release would claim the rows again.
    await none()
    await asked(20 * second)
    clock.advance(20 * second)
    await stopped
    const free = { lease: null, leaseUntil: null }
    expect(await done.now()).toMatchObject({ state: 'succeeded', ...free })
    expect(await looked.now()).toMatchObject({ state: 'running', ...free })
    expect(await last.now()).toMatchObject({ state: 'submitting', lease: expect.any(String) })
    expect(idsOf(await claimed('orders'))).toEqual([looked.generation.id])
    expect(idsOf(await claimed('deliveries'))).toEqual([done.generation.id])
    // The next worker does not submit the order again.
    clock.advance(leaseMs)
    world.requests.length = 0
    for (let again = 0; again < 2; again += 1) await step(world, { of: ['orders'] })
    expect(await last.now()).toMatchObject({ state: 'unknown' })
    expect(world.requests).toEqual([`GET /v1/tasks/task-${looked.generation.id}`])
    look.give()
    submit.give()
    sent.open()
    await expect.poll(last.now).toMatchObject({ taskId: 'task-1' })
  })
})

describe('orders that processes have abandoned', () => {
  it('count each process that ends during a step, until they are released', async () => {
    await ended()
    const counts: number[] = []
    for (let process = 0; process < 4; process += 1) {
      counts.push(...(await claimed('deliveries')).map(endedProcesses))
      clock.advance(leaseMs)
    }
    expect(counts).toEqual([0, 1, 2, 3])
    const held = await claimed('deliveries')
    expect(held.map(endedProcesses)).toEqual([4])
    for (const { lease } of held) await leasesOfGenerations(deps).giveBack(lease ?? '')
    const again = await claimed('deliveries')
    expect(again.map(endedProcesses), 'a claim that was given back does not count').toEqual([4])
    for (const one of again) await releaseGeneration(deps, one)
    expect((await claimed('deliveries')).map(endedProcesses)).toEqual([0])
  })

  it('are claimed one at a time', async () => {
    const [first = '', second = ''] = [await ended(), await ended()]
    await abandon('deliveries', 1)
    const other = await ended()
    expect(idsOf(await claimed('deliveries'))).toEqual([first, other].toSorted())
    expect(await claimed('deliveries', 0)).toEqual([])
    expect(idsOf(await claimed('deliveries'))).toEqual([second])
  })

  it('are refunded if each process ends during the submit, after the time for which orders wait', async () => {
    const { generation, now } = await ordered(world)
    for (let ms = 0; ms <= submitDeadlineMs; ms += leaseMs) {
      expect(idsOf(await claimed('orders'))).toEqual([generation.id])
      clock.advance(leaseMs)
    }
    await step(world, { of: ['orders'] })
    expect(await now()).toMatchObject({ state: 'failed', reason: 'unavailable', captured: 0n })
    expect(world.requests).toEqual([])
  })

  it('are submitted if they waited as long because no process ran, also after one that ended, but not after two', async () => {
    for (const [processes, state] of [
      [1, 'running'],
      [2, 'failed'],
    ] as const) {
      const { generation } = await ordered(world)
      await abandon('orders', processes)
      clock.advance(submitDeadlineMs)
      gatewayAnswers(taskIs('queued'))
      await step(world, { of: ['orders'] })
      expect(await reread(world, generation)).toMatchObject({ state })
    }
  })
})
