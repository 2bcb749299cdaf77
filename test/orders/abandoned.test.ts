// Orders whose step ends every process that takes it: the ended processes are counted, suspect orders are taken one at a time, and a
// submit is not repeated for ever.

import { afterEach, expect, it } from 'vitest'
import {
  claim,
  endedProcesses,
  type Generation,
  type QueueName,
  releaseGenerations,
} from '../../src/orders/generation.ts'
import { submitDeadlineMs } from '../../src/orders/times.ts'
import { createTracker, type Tracker } from '../../src/orders/worker.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { finished, gate, json, order, reread, step, taskIs, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()
const { clock, deps } = world
let tracker: Tracker | undefined
afterEach(async () => {
  await tracker?.stop()
  tracker = undefined
})

const ordered = async () => order(world, await userWith(world, 500_00n))
async function ended(): Promise<Generation> {
  const generation = await ordered()
  world.gatewayAnswers(json(202, { id: `task-${generation.id}`, status: 'queued' }))
  await step(world, { of: ['orders'] })
  clock.advance(3000)
  world.gatewayAnswers(finished)
  await step(world, { of: ['orders'] })
  return reread(world, generation)
}

/** Claims what is due for processes that end, one after the other, before they have an outcome. */
async function abandon(queue: QueueName, processes: number) {
  for (let process = 0; process < processes; process += 1) {
    await claim(deps, queue, claimNow(deps, 32, 32))
    clock.advance(leaseMs)
  }
}
const claimed = (queue: QueueName, suspects?: number) => claim(deps, queue, claimNow(deps, 32, suspects))
const idsOf = (held: readonly Generation[]) => held.map(({ id }) => id).toSorted()

it('each process that ends during a step is counted by the next claim, until the order is released', async () => {
  await ended()
  const counts: number[] = []
  for (let process = 0; process < 4; process += 1) {
    counts.push(...(await claimed('deliveries')).map(endedProcesses))
    clock.advance(leaseMs)
  }
  expect(counts).toEqual([0, 1, 2, 3])
  const held = await claimed('deliveries')
  expect(held.map(endedProcesses)).toEqual([4])
  await releaseGenerations(deps, held)
  expect((await claimed('deliveries')).map(endedProcesses)).toEqual([0])
})

it('orders that a process has abandoned are claimed one at a time', async () => {
  const ids = [(await ended()).id, (await ended()).id]
  await abandon('deliveries', 1)
  const other = await ended()
  expect(idsOf(await claimed('deliveries'))).toEqual([ids[0], other.id].toSorted())
  expect(await claimed('deliveries', 0)).toEqual([])
  expect(idsOf(await claimed('deliveries'))).toEqual([ids[1]])
})

it('a process works on one suspect order at a time, and on any number of others', async () => {
  const ids = [(await ended()).id, (await ended()).id, (await ended()).id]
  await abandon('deliveries', 1)
  ids.push((await ended()).id, (await ended()).id)
  const [first, second, third, ...others] = ids
  const gates = new Map(ids.map((id) => [id, gate()]))
  const begun: string[] = []
  const send = async ({ id }: Generation) => {
    begun.push(id)
    await gates.get(id)?.opened
    return { ok: true } as const
  }
  tracker = createTracker(deps, world.chatWith({ send }))
  tracker.start()
  await expect.poll(() => begun.toSorted()).toEqual([first, ...others].toSorted())
  gates.get(first ?? '')?.open()
  await expect.poll(() => begun.at(-1)).toBe(second)
  expect(begun).toHaveLength(4)
  // A process that survives a suspect order for a while is not ended by it.
  await clock.asked(10_000)
  clock.advance(10_000)
  await expect.poll(() => begun.at(-1)).toBe(third)
  for (const { open } of gates.values()) open()
})

it('an order whose submit ends every process is refunded after the time for which orders wait', async () => {
  const generation = await ordered()
  for (let ms = 0; ms <= submitDeadlineMs; ms += leaseMs) {
    expect(idsOf(await claimed('orders'))).toEqual([generation.id])
    clock.advance(leaseMs)
  }
  await step(world, { of: ['orders'] })
  expect(await reread(world, generation)).toMatchObject({
    state: 'failed',
    reason: 'unavailable',
    captured: 0n,
  })
  expect(world.requests).toEqual([])
})

it('an order that waited as long because no process ran is submitted', async () => {
  const generation = await ordered()
  await abandon('orders', 1)
  clock.advance(submitDeadlineMs)
  world.gatewayAnswers(taskIs('queued'))
  await step(world, { of: ['orders'] })
  expect(await reread(world, generation)).toMatchObject({ state: 'running' })
})
