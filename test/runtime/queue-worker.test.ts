// The worker of a queue claims when there may be something to claim, and not otherwise. No test here waits for the idle claim.

import { afterEach, expect, it } from 'vitest'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import {
  assertLease,
  createQueueWorker,
  LeaseLost,
  type QueueWorker,
} from '../../src/runtime/queue-worker.ts'
import { handClock } from '../support/runtime/clock.ts'

interface Row {
  readonly name: string
  /** Only the first row of a lane is due. */
  readonly lane: string
  readonly claims: number
}

let worker: QueueWorker
let end: (name: string) => Promise<void> = async () => undefined
afterEach(async () => {
  const stopping = worker.stop()
  for (const { name } of rows) await end(name)
  await stopping
})

let rows: Row[] = []
const row = (name: string, lane = name, claims = 1): Row => ({ name, lane, claims })

/** A queue in memory, with two slots. */
function world(...waiting: Row[]) {
  rows = [...waiting]
  const running = new Map<string, PromiseWithResolvers<void>>()
  let claims = 0
  let failures = 0
  let isAwaitKnown = true
  const isFirst = (one: Row) => rows.find(({ lane }) => lane === one.lane) === one
  worker = createQueueWorker<Row>(
    { clock: handClock(), ids: randomIds, log: silentLog },
    {
      async claim({ max, maxSuspects }) {
        claims += 1
        if (failures > 0) {
          failures -= 1
          throw new Error('no database')
        }
        const due = rows.filter((one) => isFirst(one) && !running.has(one.name))
        const suspects = due.filter((one) => one.claims > 1).slice(0, maxSuspects)
        return [...due.filter((one) => one.claims === 1).slice(0, max), ...suspects]
      },
      renew: async () => undefined,
      release: async () => undefined,
      giveBack: async () => undefined,
      async work({ name, lane }) {
        const work = Promise.withResolvers<void>()
        running.set(name, work)
        await work.promise
        rows = rows.filter((one) => one.name !== name)
        running.delete(name)
        return isAwaitKnown && rows.some((other) => other.lane === lane)
      },
    },
    { slots: 2, failed: 'failed' },
  )
  end = async (name) => {
    running.get(name)?.resolve()
    await settled()
  }
  return {
    running: () => [...running.keys()],
    claims: () => claims,
    fail() {
      failures = 1
    },
    hideWaiting() {
      isAwaitKnown = false
    },
    async start() {
      worker.start()
      await settled()
    },
    async comes(one: Row) {
      rows.push(one)
      worker.nudge()
      await settled()
    },
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('a row that comes alone costs one claim', async () => {
  const { start, comes, claims, running } = world()
  await start()
  await comes(row('a'))
  expect(running()).toEqual(['a'])
  await end('a')
  // The first of the two claims is the one at the start.
  expect(claims()).toBe(2)
})

it('a row that waited for another row is claimed when that row is finished', async () => {
  const { start, running } = world(row('a1', 'a'), row('a2', 'a'))
  await start()
  expect(running()).toEqual(['a1'])
  await end('a1')
  expect(running()).toEqual(['a2'])
})

it('rows for which no slot was free are claimed when a slot becomes free', async () => {
  const { start, running } = world(row('a'), row('b'), row('c'), row('d'))
  await start()
  expect(running()).toEqual(['a', 'b'])
  await end('b')
  expect(running()).toEqual(['a', 'c'])
  await end('a')
  expect(running()).toEqual(['c', 'd'])
})

it('rows during which a process has ended are worked on one after another, beside other rows', async () => {
  const { start, comes, running } = world(row('a', 'a', 2), row('b', 'b', 2))
  await start()
  await comes(row('c'))
  expect(running()).toEqual(['a', 'c'])
  await end('c')
  expect(running()).toEqual(['a'])
  await end('a')
  expect(running()).toEqual(['b'])
})

it('a failed claim is repeated when a row is finished', async () => {
  const { start, comes, fail, running } = world(row('a'))
  await start()
  fail()
  await comes(row('b'))
  expect(running()).toEqual(['a'])
  await end('a')
  expect(running()).toEqual(['b'])
})

// Work whose lease has expired sends nothing more; all other work continues.

/** A queue with one row, whose work goes on when the test says so and then asserts its lease. */
function leasedWork() {
  const clock = handClock()
  const goesOn = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  let left = [{ claims: 1 }]
  let renewals = 0
  worker = createQueueWorker(
    { clock, ids: randomIds, log: silentLog },
    {
      claim: async () => left.splice(0),
      async renew() {
        renewals += 1
      },
      release: async () => undefined,
      giveBack: async () => undefined,
      async work() {
        left = []
        await goesOn.promise
        try {
          ended.resolve(assertLease())
        } catch (error) {
          ended.resolve(error)
        }
      },
    },
    { slots: 2, failed: 'failed' },
  )
  const end = async () => {
    goesOn.resolve()
    const outcome = await ended.promise
    await worker.stop()
    return outcome
  }
  return { clock, renewals: () => renewals, end }
}

it('work loses its lease in a process that was suspended until another one could take the work', async () => {
  const { clock, end } = leasedWork()
  worker.start()
  await settled()
  clock.advance(30_000)
  await settled()
  expect(await end()).toBeInstanceOf(LeaseLost)
})

it('work keeps its lease while the lease is renewed', async () => {
  const { clock, renewals, end } = leasedWork()
  worker.start()
  await settled()
  for (let seconds = 0; seconds < 60; seconds += 1) {
    clock.advance(1000)
    await settled()
  }
  expect(renewals()).toBeGreaterThan(3)
  expect(await end()).toBeUndefined()
})
