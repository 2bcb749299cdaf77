// Sales that are stopped because the gateway refuses our key or has no money for us: it answers, so the orders that it has accepted are
// looked at as usual, and none ends without a last look.

import { beforeEach, expect, it } from 'vitest'
import { salesStops } from '../../src/db/schema.ts'
import type { Generation } from '../../src/generations/generation.ts'
import { salesStopped, stopSales } from '../../src/sales/sales.ts'
import { createGenerationWatch } from '../../src/tracker/generation-watch.ts'
import { claim, type Kind } from '../../src/tracker/queue.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { json, order, step, userWith } from '../support/worlds/generations.ts'

const minute = 60_000
const world = await auditedWorld()
const { deps, clock } = world
const stopped = () => stopSales(deps.db, 'out-of-balance', clock.now())
beforeEach(() => world.deps.db.delete(salesStops))

async function ordered(count: number): Promise<Generation[]> {
  const orders: Generation[] = []
  for (let at = 0; at < count; at += 1) orders.push(await order(world, await userWith(world, 500_00n)))
  return orders
}

/** Orders that are submitted and whose next look is due. */
async function running(count: number): Promise<Generation[]> {
  const orders = await ordered(count)
  world.gatewayAnswers(...orders.map(({ id }) => json(202, { id: `task-${id}`, status: 'queued' })))
  await step(world, { of: ['submit'] })
  clock.advance(3000)
  return orders
}

const claimed = async (kind: Kind) => (await claim(deps, kind, 32)).held.length

it('a stop of sales that is no outage limits neither looks nor submits to a single probe', async () => {
  await running(3)
  await ordered(3)
  await stopped()
  expect(await claim(deps, 'look', 32)).toMatchObject({ held: [{}, {}, {}], isProbe: false })
  expect(await claim(deps, 'submit', 32)).toMatchObject({ held: [{}, {}, {}], isProbe: false })
})

it('a stop of sales that is no outage ends when its time is over, also while looks are made', async () => {
  await running(2)
  await stopped()
  clock.advance(5 * minute)
  expect(await claimed('look')).toBe(2)
  expect(await salesStopped(deps.db, clock.now())).toBe(false)
})

it('during a stop of sales that is no outage, an order past its deadline gets its last look or another submit', async () => {
  await running(1)
  clock.advance(45 * minute)
  await stopped()
  expect(await claimed('expire-running')).toBe(0)
  expect(await claimed('look')).toBe(1)
  await deps.db.delete(salesStops)
  await ordered(1)
  clock.advance(15 * minute)
  await stopped()
  expect(await claimed('expire-held')).toBe(0)
  expect(await claimed('submit')).toBe(1)
})

it('the queues for orders that end without another request to the gateway are woken during an outage only', async () => {
  const due = async () => {
    const woken: (readonly Kind[])[] = []
    const watch = createGenerationWatch(deps, (kinds) => void woken.push(kinds))
    watch.start()
    await watch.stop()
    return woken.flat()
  }
  const stops = [stopped, () => stopSales(deps.db, 'unreachable', clock.now())]
  const dueUnderEach = async () => {
    const found: (readonly Kind[])[] = []
    for (const stop of stops) {
      await stop()
      found.push(await due())
      await deps.db.delete(salesStops)
    }
    return found
  }
  await running(1)
  expect(await dueUnderEach()).toEqual([['look'], ['look', 'expire-running']])
  expect(await claimed('look')).toBe(1)
  await ordered(1)
  expect(await dueUnderEach()).toEqual([['submit'], ['submit', 'expire-held']])
})
