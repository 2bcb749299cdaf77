// Background loops sleep when idle, lose no nudge, and wait for the current pass when they stop. The worker of a queue is such a loop.

import { afterEach, describe, expect, it } from 'vitest'
import { backoffMs } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createLoop, type Loop } from '../../src/runtime/loop.ts'
import { assertLease, createQueueWorker, LeaseLost } from '../../src/runtime/queue-worker.ts'
import { handClock } from '../support/runtime/clock.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('pauses between attempts double up to 64 times the shortest, and are at least what was asked for', () => {
  const pauses = [0, 1, 2, 5, 6, 7, 100].map((attempts) => backoffMs(attempts, 100, 0.5))
  expect(pauses).toEqual([100, 200, 400, 3200, 6400, 6400, 6400])
  expect([backoffMs(0, 100, 0.5, 250), backoffMs(0, 100, 0), backoffMs(0, 100, 1)]).toEqual([250, 80, 120])
})

/** A loop whose passes end when the test says so. */
function loopWorld() {
  const clock = handClock()
  const passes: PromiseWithResolvers<boolean>[] = []
  let begun = Promise.withResolvers<void>()
  const loop = createLoop(
    { clock, log: silentLog },
    {
      pass() {
        const pass = Promise.withResolvers<boolean>()
        passes.push(pass)
        begun.resolve()
        return pass.promise
      },
      idleMs: 1000,
      limitMs: 30_000,
      failed: 'failed',
    },
  )
  /** Ends the current pass and waits for the next one. */
  const next = async (end: () => void, act: () => void = () => undefined) => {
    begun = Promise.withResolvers()
    end()
    await settled()
    act()
    await begun.promise
  }
  const last = () => passes.at(-1) ?? expect.unreachable('no pass has begun')
  return { clock, loop, passes, next, last }
}

it('a loop runs the next pass at once while there is more work, and sleeps otherwise', async () => {
  const { clock, loop, passes, next, last } = loopWorld()
  loop.start()
  await next(() => last().resolve(true))
  expect(passes).toHaveLength(2)
  last().resolve(false)
  await settled()
  clock.advance(999)
  await settled()
  expect(passes).toHaveLength(2)
  await next(() => clock.advance(1))
  expect(passes).toHaveLength(3)
  last().resolve(false)
  await loop.stop()
})

it('a nudge ends the sleep, also when it comes during the pass before', async () => {
  const { loop, passes, next, last } = loopWorld()
  loop.start()
  await next(
    () => last().resolve(false),
    () => void loop.nudge(),
  )
  expect(passes).toHaveLength(2)
  loop.nudge()
  await next(() => last().resolve(false))
  expect(passes).toHaveLength(3)
  last().resolve(false)
  await loop.stop()
})

it('a pass that throws is followed by a sleep and another pass', async () => {
  const { clock, loop, passes, next, last } = loopWorld()
  loop.start()
  await next(
    () => last().reject(new Error('no database')),
    () => void clock.advance(1000),
  )
  expect(passes).toHaveLength(2)
  last().resolve(false)
  await loop.stop()
})

it('a stop waits for the current pass and starts no other', async () => {
  const { loop, passes, last } = loopWorld()
  loop.start()
  let isOver = false
  const stopping = loop.stop().then(() => {
    isOver = true
  })
  await settled()
  expect(isOver).toBe(false)
  last().resolve(true)
  await stopping
  expect(passes).toHaveLength(1)
})

it('after the time limit of a hung pass another one starts', async () => {
  const { clock, loop, passes, next, last } = loopWorld()
  loop.start()
  clock.advance(29_999)
  await settled()
  expect(passes).toHaveLength(1)
  await next(
    () => clock.advance(1),
    () => clock.advance(1000),
  )
  expect(passes).toHaveLength(2)
  last().resolve(false)
  await loop.stop()
})

interface Row {
  readonly name: string
  /** Rows with the same partition key are worked on one after the other: only the first of them is due. */
  readonly partitionKey: string
  readonly claims: number
}

describe('the worker of a queue', () => {
  let worker: Loop
  let end: (name: string) => Promise<void> = async () => undefined
  afterEach(async () => {
    const stopping = worker.stop()
    for (const { name } of rows) await end(name)
    await stopping
  })

  let rows: Row[] = []
  const row = (name: string, partitionKey = name, claims = 1): Row => ({ name, partitionKey, claims })

  /** A queue in memory, with two slots. */
  function world(...waiting: Row[]) {
    rows = [...waiting]
    const running = new Map<string, PromiseWithResolvers<void>>()
    let failures = 0
    const isFirst = (one: Row) => rows.find(({ partitionKey }) => partitionKey === one.partitionKey) === one
    worker = createQueueWorker<Row>(
      { clock: handClock(), ids: randomIds, log: silentLog },
      {
        async claim({ max, maxSuspects }) {
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
        async work({ name }) {
          const work = Promise.withResolvers<void>()
          running.set(name, work)
          await work.promise
          rows = rows.filter((one) => one.name !== name)
          running.delete(name)
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
      fail() {
        failures = 1
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
})
