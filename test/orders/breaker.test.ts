// A gateway that is down, slow or overloaded: after several failures in a row a process sends no request for a while, then one probe.
// Deliveries and deadlines continue.

import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { salesStops } from '../../src/db/schema.ts'
import { GatewayUnavailable } from '../../src/gateway/errors.ts'
import { salesCheck } from '../../src/operator/checks.ts'
import { type Breaker, createBreaker } from '../../src/orders/breaker.ts'
import { claim, type Generation } from '../../src/orders/generation.ts'
import { takeStep } from '../../src/orders/worker.ts'
import { stopSales } from '../../src/sales/sales.ts'
import { claimNow } from '../support/database/claim.ts'
import { failing } from '../support/database/failing.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  cut,
  finished,
  json,
  later,
  neverLooked,
  order,
  ordered,
  type ProcessDeps,
  page,
  processOf,
  reread,
  step,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const minute = 60_000
const second = 1000
const world = await auditedWorld()
const { deps, clock, gatewayAnswers } = world
let own: ProcessDeps
beforeEach(() => {
  own = processOf(world)
})

const down = json(503, { error: 'closed' })
const processing = taskIs('processing')
const created = ({ id }: Pick<Generation, 'id'>) => json(202, { id: `task-${id}`, status: 'queued' })
const repeat = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

async function held(count = 1): Promise<Generation[]> {
  const made: Generation[] = []
  const user = await userWith(world, BigInt(count) * 100_00n)
  for (let at = 0; at < count; at += 1) made.push(await order(world, user))
  return made
}

/** Orders that are submitted and whose next look is due. */
async function running(count = 1): Promise<Generation[]> {
  const made = await held(count)
  gatewayAnswers(...made.map(created))
  await step(world)
  clock.advance(3 * second)
  world.requests.length = 0
  return made
}

/** Lets the gateway give these answers, each to one look at the next due task. */
async function looks(...answers: Answer[]): Promise<void> {
  for (const answer of answers) {
    gatewayAnswers(answer)
    let due = await claim(deps, 'orders', claimNow(deps, 1))
    for (; due.length === 0; due = await claim(deps, 'orders', claimNow(deps, 1))) clock.advance(3 * second)
    for (const one of due) await takeStep(own, one)
  }
}

const stops = () => deps.db.select().from(salesStops)
const now = (one: Generation | undefined) => reread(world, { id: one?.id ?? '' })
const statesOf = (...all: (Generation | undefined)[]) =>
  Promise.all(all.map(async (one) => (await now(one)).state))
const inMs = (ms: number) => new Date(clock.now().getTime() + ms)

/** Reports failures of requests for these generations to a breaker. */
async function fail(breaker: Breaker, ...ids: string[]): Promise<void> {
  const refused = () => Promise.reject(new GatewayUnavailable('task', 'down'))
  for (const id of ids) await breaker.ask(id, refused).catch(() => undefined)
}
const open = ({ breaker } = own) => fail(breaker, ...repeat(7, 'a'), 'b')

describe('the breaker', () => {
  it('opens after eight failures of any kind in a row', async () => {
    await running(4)
    await looks(down, cut, json(429, { error: 'slow down' }), page(502), page(200), down, down)
    expect(await stops()).toEqual([])
    await looks(page(200))
    expect(await stops()).toMatchObject([{ cause: 'unreachable' }])
    await expect(held()).rejects.toThrow('paused')
    expect(await salesCheck(deps.db, clock.now())).toMatchObject([{ what: 'unreachable' }])
  })

  it.each<[string, Answer[]]>([
    ['an answer comes between the failures', [...repeat(7, down), processing, ...repeat(7, down)]],
    ['a refusal does', [...repeat(7, down), json(400, { error: 'no' }), ...repeat(7, down)]],
    ['the gateway itself answers with JSON that cannot be understood', repeat(12, json(200, { odd: true }))],
  ])('stays closed when %s', async (_, answers) => {
    await running(3)
    await looks(...answers)
    expect(await stops()).toEqual([])
  })

  it('stays closed while only one task fails, and opens when a second task fails too', async () => {
    await running(1)
    await looks(...repeat(12, page(500)))
    expect(await stops()).toEqual([])
    await running(1)
    await looks(page(500), page(500))
    expect(await stops()).toHaveLength(1)
  })

  it('stops sales with the next failure if the database has failed to stop them', async () => {
    const breaker = createBreaker({ ...deps, db: failing(deps.db, 1, /^insert$/) })
    await fail(breaker, ...repeat(8, 'a'), 'b')
    expect(await stops()).toEqual([])
    clock.advance(30 * second)
    await fail(breaker, 'a')
    expect(await stops()).toHaveLength(1)
  })
})

describe('while the breaker is open', () => {
  it('its process looks and submits nothing, puts the orders off and says so; deliveries continue', async () => {
    const tasks = await running(2)
    await looks(finished, processing)
    const [done, task] = (await statesOf(tasks[0]))[0] === 'succeeded' ? tasks : tasks.toReversed()
    const [waiting] = await held(1)
    world.requests.length = 0
    const since = clock.now()
    await open()
    clock.advance(25 * second)
    const shown = new Map<string, Date | undefined>()
    const updateStatus: typeof world.chat.updateStatus = async ({ id }, news) => {
      shown.set(id, news?.outageSince)
      return true
    }
    const { statusUpdates } = processOf({ deps, chat: { ...world.chat, updateStatus } })
    await step(world, { by: { ...own, statusUpdates } })
    expect(world.requests).toEqual([])
    expect(world.delivered).toEqual([done?.id])
    for (const one of [task, waiting]) {
      expect(await now(one)).toMatchObject({ lease: null, attempts: 0, nextCheckAt: expect.any(Date) })
      expect(shown.get(one?.id ?? '')).toEqual(since)
    }
    expect((await now(waiting)).nextCheckAt).toEqual(inMs(5 * second))
  })

  it('other processes go on, and sell nothing', async () => {
    const [task] = await running(1)
    await open()
    gatewayAnswers(finished)
    await step(world, { by: processOf(world) })
    expect(await statesOf(task)).toEqual(['succeeded'])
    await expect(held()).rejects.toThrow('paused')
  })

  it('a submit that was being prepared is not sent', async () => {
    const [waiting] = await held()
    const times = { ...own.times, limitMs: () => open().then(() => minute) }
    await step(world, { by: { ...own, times } })
    expect(world.requests).toEqual([])
    expect(await now(waiting)).toMatchObject({ state: 'held', lease: null, attempts: 0 })
  })

  it('a held order ends at its deadline, and a running task some time after it; their money returns', async () => {
    const [task] = await running()
    const waiting = await ordered(world)
    for (const [afterMs, states] of [
      [10 * minute, ['held', 'running']],
      [30 * second, ['failed', 'running']],
      [29 * minute, ['failed', 'running']],
      [2 * minute, ['failed', 'failed']],
    ] as const) {
      clock.advance(afterMs)
      await open()
      await step(world, { by: own })
      expect(await statesOf(waiting.generation, task)).toEqual(states)
    }
    expect(await waiting.now()).toMatchObject({ reason: 'unavailable' })
    expect(await waiting.available()).toBe(500_00n)
    expect(await now(task)).toMatchObject({ reason: 'late', captured: 0n })
    expect(world.requests).toEqual([])
  })
})

it('a look without an answer is repeated for a while after the deadline; after an outage the first look decides', async () => {
  const [other] = await running()
  for (const [afterMs, state] of [
    [31 * minute, 'running'],
    [10 * minute, 'failed'],
  ] as const) {
    clock.advance(afterMs)
    gatewayAnswers(down)
    await step(world, { by: own, of: ['orders'] })
    expect(await statesOf(other)).toEqual([state])
  }
  await deps.db.execute(sql`update generations set task_id = null, next_check_at = ${neverLooked}`)
  const [task] = await running()
  clock.advance(3 * 60 * minute)
  gatewayAnswers(finished)
  await step(world, { by: own })
  expect(await statesOf(task)).toEqual(['succeeded'])
})

describe('when the breaker is half open', () => {
  it('one probe is sent, and other orders wait for its answer', async () => {
    await running(3)
    await open()
    clock.advance(30 * second)
    const probe = later(processing)
    gatewayAnswers(probe.answer)
    const [one, ...others] = await claim(deps, 'orders', claimNow(deps, 3))
    const probing = takeStep(own, one ?? expect.unreachable('one is due'))
    await world.when(() => world.requests.length === 1)
    for (const other of others) await takeStep(own, other)
    expect(world.requests).toEqual([`GET /v1/tasks/${one?.taskId}`])
    probe.give()
    await probing
    expect([await stops(), own.breaker.openSince()]).toEqual([[], undefined])
    clock.advance(10 * second)
    gatewayAnswers(finished, finished, finished)
    await step(world, { by: own })
    expect(world.requests).toHaveLength(4)
  })

  it('a probe that fails opens it again for the same pause', async () => {
    await running(3)
    await open()
    clock.advance(30 * second)
    await looks(down)
    expect(await stops()).toMatchObject([{ until: inMs(30 * second) }])
    expect(own.breaker.waitMs()).toBe(30 * second)
    await step(world, { by: own })
    expect(world.requests).toHaveLength(1)
  })

  it('orders are accepted again before a probe, and a submit may be the probe', async () => {
    await open()
    clock.advance(30 * second)
    const { generation, now } = await ordered(world)
    gatewayAnswers(created(generation))
    await step(world, { by: own })
    expect(await now()).toMatchObject({ state: 'running' })
    expect(await stops()).toEqual([])
  })
})

it('a process looks at so many tasks in a second, and puts the others off unless a callback names them', async () => {
  const tasks = await running(2)
  const by = processOf(world, { pollsPerSecond: 1 })
  gatewayAnswers(...repeat(4, processing))
  await step(world, { by })
  const rows = await Promise.all(tasks.map(now))
  const other = rows.find(({ lastCheckAt }) => !lastCheckAt) ?? expect.unreachable('one was put off')
  expect(other).toMatchObject({ lease: null, nextCheckAt: inMs(second) })
  for (const one of rows) await callBack(world, one)
  for (const looks of [2, 4]) {
    await step(world, { by })
    expect(world.requests).toHaveLength(looks)
    clock.advance(deps.pollIntervalMs / 4)
  }
})

it('a look that is refused for our key or balance stops sales, as a refused submit does', async () => {
  for (const [status, cause] of [
    [401, 'unauthorised'],
    [402, 'out-of-balance'],
  ] as const) {
    const [task] = await running()
    await looks(json(status, { error: 'ours' }))
    expect(await stops()).toMatchObject([{ cause, until: inMs(5 * minute) }])
    expect(await statesOf(task)).toEqual(['running'])
    await deps.db.delete(salesStops)
    await deps.db.execute(sql`update generations set next_check_at = ${neverLooked}`)
  }
})

it('a stop of sales for another reason than an outage holds back neither looks nor submits', async () => {
  const [task] = await running()
  const [waiting] = await held()
  await stopSales(deps.db, 'out-of-balance', clock.now())
  gatewayAnswers(finished, json(202, { id: 'other', status: 'queued' }))
  const due = await claim(deps, 'orders', claimNow(deps, 2))
  for (const one of due.toSorted((a, b) => Number(a.state === 'held') - Number(b.state === 'held')))
    await takeStep(own, one)
  expect(await statesOf(task, waiting)).toEqual(['succeeded', 'running'])
})
