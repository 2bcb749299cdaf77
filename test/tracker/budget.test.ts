// Many due tasks: a pass claims only as many as the limits allow, the longest due first, and keeps no others in memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { budgets, generations } from '../../src/db/schema.ts'
import { type Claim, claim } from '../../src/tracker/queue.ts'
import { createTracker } from '../../src/tracker/tracker.ts'
import { crowd } from '../support/worlds/crowd.ts'
import { createWorld, type GenerationWorld, later, taskIs } from '../support/worlds/generations.ts'

const crowdSize = 20_000
let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld()
  await crowd(world, crowdSize)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.deps.db.delete(budgets)
  const isClaimed = sql`lease is not null`
  await world.deps.db.update(generations).set({ lease: null, leaseUntil: null }).where(isClaimed)
  world.reset()
})

const withBudget = (pollsPerSecond: number) => ({ ...world.deps, pollsPerSecond })
const numbersOf = ({ held }: Claim) => held.map(({ id }) => Number(id.replace('crowd-', '')))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

describe('the look budget', () => {
  it('limits a claim of looks to the concurrency limit and to the tokens that are left, longest due first', async () => {
    const deps = withBudget(50)
    const claimed: number[][] = []
    const take = async (places = 32) => claimed.push(numbersOf(await claim(deps, 'look', places)))
    await take()
    await take()
    await take()
    expect(claimed).toEqual([range(1, 32), range(33, 50), []])
    world.clock.advance(100)
    await take()
    await take()
    expect(claimed.slice(3)).toEqual([range(51, 55), []])
  })

  it('holds the tokens of one second at most, even after an hour without a claim', async () => {
    const deps = withBudget(50)
    await claim(deps, 'look', 1)
    world.clock.advance(3_600_000)
    expect((await claim(deps, 'look', 1000)).held).toHaveLength(50)
    expect((await claim(deps, 'look', 1000)).held).toHaveLength(0)
  })

  it('keeps fractions of a token, and a claim that finds nothing spends no token', async () => {
    const deps = withBudget(2)
    expect((await claim(deps, 'look', 10)).held).toHaveLength(2)
    for (let pass = 0; pass < 4; pass += 1) {
      world.clock.advance(100)
      expect((await claim(deps, 'look', 10)).held).toHaveLength(0)
    }
    world.clock.advance(100)
    expect((await claim(deps, 'look', 10)).held).toHaveLength(1)
    expect((await claim(deps, 'submit', 10)).held).toHaveLength(0)
  })

  it('is not written by a claim that finds nothing', async () => {
    const deps = withBudget(50)
    expect((await claim(deps, 'look-after-refund', 10)).held).toEqual([])
    expect(await deps.db.select().from(budgets)).toEqual([])
  })

  it('is shared by all processes', async () => {
    const other = await openDatabase(world.database.url)
    const processes = [withBudget(60), { ...withBudget(60), db: other.db }]
    await claim(withBudget(60), 'look', 1)
    const connected = processes.flatMap(({ db }) =>
      Array.from({ length: 10 }, () => db.execute('select pg_sleep(0.1)')),
    )
    await Promise.all(connected)
    const passes = Array.from({ length: 20 }, (_, at) => claim(processes[at % 2] ?? world.deps, 'look', 7))
    const ids = (await Promise.all(passes)).flatMap(numbersOf)
    await other.close()
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(59)
  })

  it('follows a clock that is slightly ahead, and recovers from one that is hours ahead', async () => {
    const at = (ms: number) => ({
      ...withBudget(10),
      clock: { ...world.clock, now: () => new Date(world.clock.now().getTime() + ms) },
    })
    const take = async (ms: number, places = 100) => (await claim(at(ms), 'look', places)).held.length
    expect([await take(200, 5), await take(0, 1)]).toEqual([5, 1])
    expect([await take(200), await take(0), await take(100), await take(300)]).toEqual([4, 0, 0, 1])
    expect(await take(7_200_000)).toBe(10)
    expect([await take(0), await take(500)]).toEqual([0, 5])
  })

  it('does not limit deliveries', async () => {
    const deps = withBudget(1)
    await claim(deps, 'look', 32)
    const settled = { state: 'succeeded', delivery: 'pending' } as const
    await deps.db.update(generations).set(settled).where(eq(generations.id, 'crowd-7'))
    expect(numbersOf(await claim(deps, 'deliver', 32))).toEqual([7])
    await deps.db
      .update(generations)
      .set({ state: 'running', delivery: 'none' })
      .where(eq(generations.id, 'crowd-7'))
  })
})

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}

it('a tracker with thousands of due rows keeps in memory only those that it is working on', async () => {
  const processing = later(taskIs('processing'))
  world.gatewayAnswers(...Array.from({ length: 100 }, () => processing.answer))
  const before = heapBytes()
  const tracker = createTracker(withBudget(10_000), world.chat)
  tracker.start()
  await world.when(() => world.requests.length >= 32)
  for (let nudge = 0; nudge < 20; nudge += 1) {
    tracker.nudge()
    await claim(world.deps, 'submit', 1)
  }
  const grown = heapBytes() - before
  const asked = world.requests.map((request) => Number(request.replace('GET /v1/tasks/task-', '')))
  expect(asked.toSorted((a, b) => a - b)).toEqual(range(1, 32))
  const [{ leased } = { leased: -1 }] = await world.deps.db.execute<{ leased: number }>(
    'select count(*)::int as leased from generations where lease is not null',
    'objects',
  )
  expect(leased).toBe(32)
  // All rows would take more than 40 MB.
  expect(grown).toBeLessThan(8_000_000)
  const stopped = tracker.stop()
  processing.give()
  await stopped
})
