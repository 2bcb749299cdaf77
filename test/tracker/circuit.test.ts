// A gateway that is down, slow or overloaded: after several failures in a row no request is sent for a while, then one probe.
// Deliveries and deadlines continue.

import { ne, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { generations, salesStops } from '../../src/db/schema.ts'
import type { Generation } from '../../src/generations/generation.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { salesCheck } from '../../src/operator/checks.ts'
import { stopSales } from '../../src/sales/sales.ts'
import { createCircuit } from '../../src/tracker/circuit.ts'
import { createConcurrencyLimit } from '../../src/tracker/concurrency-limit.ts'
import { claim } from '../../src/tracker/queue.ts'
import { takeStep } from '../../src/tracker/step.ts'
import type { StepDeps } from '../../src/tracker/step-deps.ts'
import { createTracker } from '../../src/tracker/tracker.ts'
import { failing } from '../support/database/failing.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  cut,
  finished,
  json,
  later,
  neverLooked,
  order,
  page,
  processOf,
  reread,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const minute = 60_000
const second = 1000
const world = await auditedWorld()
const { deps } = world
let own: StepDeps
beforeEach(() => {
  own = processOf(world)
})

const down = json(503, { error: 'closed' })
const processing = taskIs('processing')
const repeat = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

async function held(count = 1): Promise<Generation[]> {
  const ordered: Generation[] = []
  for (let at = 0; at < count; at += 1) ordered.push(await order(world, await userWith(world, 500_00n)))
  return ordered
}

/** Orders that are submitted and whose next look is due. */
async function running(count = 1): Promise<Generation[]> {
  const ordered = await held(count)
  world.gatewayAnswers(...ordered.map(({ id }) => json(202, { id: `task-${id}`, status: 'queued' })))
  await step(world, { of: ['submit'] })
  world.clock.advance(3 * second)
  world.requests.length = 0
  return ordered
}

/** Lets the gateway give these answers, each to one look at the next due task. */
async function looks(answers: Parameters<typeof world.gatewayAnswers>): Promise<void> {
  for (const answer of answers) {
    world.gatewayAnswers(answer)
    let due = await claimed('look', 1)
    for (; due.length === 0; due = await claimed('look', 1)) world.clock.advance(3 * second)
    for (const one of due) await takeStep(own, 'look', one)
  }
}

const stops = () => deps.db.select().from(salesStops)
const claimed = async (kind: Parameters<typeof claim>[1], most = 32) => (await claim(deps, kind, most)).held
const unreachable = () => stopSales(deps.db, 'unreachable', world.clock.now())

describe('the circuit', () => {
  it('opens after eight failures of any kind in a row', async () => {
    await running(4)
    const slow = json(429, { error: 'slow down' })
    await looks([down, cut, slow, page(502), page(200), down, down])
    expect(await stops()).toEqual([])
    await looks([page(200)])
    expect(await stops()).toMatchObject([{ cause: 'unreachable' }])
    await expect(held()).rejects.toThrow('paused')
    expect(await salesCheck(deps.db, world.clock.now())).toMatchObject([{ what: 'unreachable' }])
  })

  it.each([
    ['an answer', processing],
    ['a refusal', json(400, { error: 'no' })],
  ])('stays closed when %s comes between the failures', async (_, between) => {
    await running(3)
    await looks([...repeat(7, down), between, ...repeat(7, down)])
    expect(await stops()).toEqual([])
  })

  it('stays closed when the gateway itself answers with JSON that cannot be understood', async () => {
    await running(3)
    await looks(repeat(12, json(200, { odd: true })))
    expect(await stops()).toEqual([])
  })

  it('opens after failed submits as well', async () => {
    await held(8)
    world.gatewayAnswers(...repeat(8, down))
    await step(world, { by: own })
    expect(await stops()).toMatchObject([{ cause: 'unreachable' }])
  })

  it('stays closed while only one task fails, and opens when a second task fails too', async () => {
    await running(1)
    await looks(repeat(12, page(500)))
    expect(await stops()).toEqual([])
    await running(1)
    await looks(repeat(2, page(500)))
    expect(await stops()).toHaveLength(1)
  })
})

it('the opening of the circuit is reported once, whichever failure causes it, and again after a probe that fails', async () => {
  let opened = 0
  const circuit = createCircuit(deps, createConcurrencyLimit(), async () => {
    opened += 1
  })
  const fail = async (...ids: string[]) => {
    for (const id of ids) await circuit.unreached(id)
    return opened
  }
  expect(await fail(...repeat(12, 'a'))).toBe(0)
  expect(await fail('b')).toBe(1)
  expect(await fail('b', 'a', 'b')).toBe(1)
  circuit.probing()
  expect(await fail('a', 'b')).toBe(2)
  circuit.probing()
  await circuit.reached()
  expect(await fail(...repeat(12, 'a'))).toBe(2)
  expect(await fail('b')).toBe(3)
})

it('one failure after another process has closed the circuit does not open it again', async () => {
  const [last] = await running(9)
  const tracker = createTracker(deps, world.chat)
  world.gatewayAnswers(...repeat(9, down))
  world.shown.length = 0
  tracker.start()
  await world.when(() => world.shown.length === 9)
  expect(await stops()).toHaveLength(1)
  await deps.db.delete(salesStops)
  await deps.db
    .update(generations)
    .set({ nextCheckAt: neverLooked })
    .where(ne(generations.id, last?.id ?? ''))
  world.gatewayAnswers(down)
  // A claim that was under way when the time passed has found nothing due.
  await vi.waitFor(() => {
    world.clock.advance(minute)
    tracker.nudge()
    expect(world.shown).toHaveLength(10)
  }, 20_000)
  await tracker.stop()
  expect(await stops()).toEqual([])
})

it('the next failure opens the circuit if the database has failed to open it', async () => {
  const circuit = createCircuit({ ...deps, db: failing(deps.db, 1, /^insert$/) }, createConcurrencyLimit())
  for (const id of repeat(8, 'a').concat('b')) await circuit.unreached(id)
  expect(await stops()).toEqual([])
  circuit.foundClosed()
  await circuit.unreached('a')
  expect(await stops()).toHaveLength(1)
})

it('the failures of a process that has probed are forgotten when another process has closed the circuit', async () => {
  const circuit = createCircuit(deps, createConcurrencyLimit())
  for (const id of repeat(6, 'a')) await circuit.unreached(id)
  circuit.probing()
  await circuit.unreached('b')
  circuit.foundClosed()
  await circuit.unreached('a')
  expect(await stops()).toEqual([])
})

it('an answer writes to the database only if a failure preceded it', async () => {
  const { db, statements, close } = observedDatabase(world.database.url)
  const circuit = createCircuit({ ...deps, db }, createConcurrencyLimit())
  await circuit.reached()
  expect(statements).toEqual([])
  await circuit.unreached('a')
  await circuit.reached()
  expect(statements).toEqual([expect.stringMatching(/^delete from "sales_stops"/)])
  await close()
})

it('the concurrency limit follows the answers', async () => {
  const limit = createConcurrencyLimit()
  const circuit = createCircuit(deps, limit)
  await circuit.unreached('a')
  expect(limit.current()).toBe(16)
  for (let answer = 0; answer < 20; answer += 1) await circuit.reached()
  expect(limit.current()).toBe(17)
  circuit.probing()
  expect(limit.current()).toBe(1)
})

describe('while the circuit is open', () => {
  it('no process looks or submits; deliveries continue', async () => {
    await running(2)
    await looks([finished, processing])
    await held(2)
    world.requests.length = 0
    await unreachable()
    world.clock.advance(25 * second)
    await step(world)
    expect(world.requests).toEqual([])
    expect(world.delivered).toHaveLength(1)
  })

  it('a submit that was being prepared is not sent', async () => {
    const [ordered] = await held()
    const [preparing] = await claimed('submit')
    world.clock.advance(second)
    await unreachable()
    if (preparing) await takeStep(own, 'submit', preparing)
    expect(world.requests).toEqual([])
    expect(await reread(world, { id: ordered?.id ?? '' })).toMatchObject({ state: 'held', lease: null })
    world.clock.advance(30 * second)
    expect(await claimed('submit')).toHaveLength(1)
  })

  it('a submit is sent while sales are stopped for another reason', async () => {
    await held()
    const [preparing] = await claimed('submit')
    world.clock.advance(second)
    await stopSales(deps.db, 'out-of-balance', world.clock.now())
    world.gatewayAnswers(json(202, { id: `task-${preparing?.id}`, status: 'queued' }))
    if (preparing) await takeStep(own, 'submit', preparing)
    expect(world.requests).toHaveLength(1)
  })

  it('a held order ends at its deadline, and its money is returned', async () => {
    const user = await userWith(world, 500_00n)
    const ordered = await order(world, user)
    world.clock.advance(10 * minute - 1)
    await unreachable()
    await step(world, { by: own })
    expect(await reread(world, ordered)).toMatchObject({ state: 'held' })
    world.clock.advance(1)
    await step(world, { by: own })
    expect(await reread(world, ordered)).toMatchObject({ state: 'failed', reason: 'unavailable' })
    expect((await readBalance(deps.db, user.id)).available).toBe(500_00n)
    expect(world.requests).toEqual([])
  })

  it('a running task is given some time beyond its deadline, then fails', async () => {
    const [task] = await running()
    const state = () => reread(world, { id: task?.id ?? '' })
    world.clock.advance(31 * minute)
    await unreachable()
    await step(world, { by: own })
    world.clock.advance(8 * minute)
    await unreachable()
    await step(world, { by: own })
    expect(await state()).toMatchObject({ state: 'running' })
    world.clock.advance(minute)
    await unreachable()
    await step(world, { by: own })
    expect(await state()).toMatchObject({ state: 'failed', reason: 'late', captured: 0n })
    expect(world.requests).toEqual([])
  })
})

describe('deadlines while the gateway can be reached', () => {
  it('the first look after an outage decides, however late it is', async () => {
    const [task] = await running()
    world.clock.advance(3 * 60 * minute)
    world.gatewayAnswers(finished)
    await step(world, { by: own })
    expect(await reread(world, { id: task?.id ?? '' })).toMatchObject({ state: 'succeeded' })
  })

  it('a look without an answer is repeated for a while after the deadline', async () => {
    const [task] = await running()
    const state = async () => (await reread(world, { id: task?.id ?? '' })).state
    world.clock.advance(31 * minute)
    await looks([down])
    expect(await state()).toBe('running')
    world.clock.advance(10 * minute)
    await looks([down])
    expect(await state()).toBe('failed')
  })
})

describe('when the circuit is half open', () => {
  it('one process sends one probe; the next probe follows after the same pause', async () => {
    await running(3)
    await unreachable()
    const other = await openDatabase(world.database.url)
    const processes = [deps, { ...deps, db: other.db }]
    const claims = async () => {
      const passes = Array.from({ length: 10 }, (_, at) => claim(processes[at % 2] ?? deps, 'look', 32))
      return (await Promise.all(passes)).filter(({ held }) => held.length > 0)
    }
    world.clock.advance(30 * second - 1)
    expect(await claims()).toEqual([])
    world.clock.advance(1)
    const [probe, ...others] = await claims()
    expect(others).toEqual([])
    expect(probe).toMatchObject({ isProbe: true, held: [{ state: 'running' }] })
    world.clock.advance(30 * second - 1)
    expect(await claims()).toEqual([])
    world.clock.advance(1)
    expect(await claims()).toHaveLength(1)
    await other.close()
  })

  it('a successful probe closes the circuit, also for a process that saw no failure', async () => {
    await running(3)
    await unreachable()
    world.clock.advance(30 * second)
    const { held, isProbe } = await claim(deps, 'look', 32)
    if (isProbe) own.circuit.probing()
    world.gatewayAnswers(processing)
    for (const one of held) await takeStep(own, 'look', one)
    expect(await stops()).toEqual([])
    expect(await claimed('look')).toHaveLength(2)
  })

  it('orders are accepted again before a probe', async () => {
    await unreachable()
    world.clock.advance(30 * second)
    expect(await held()).toHaveLength(1)
  })

  it('a held order that is past its deadline waits for the probe, which may submit it', async () => {
    await held()
    world.clock.advance(10 * minute)
    await unreachable()
    world.clock.advance(30 * second)
    expect(await claimed('expire-held')).toEqual([])
    expect(await claimed('submit')).toHaveLength(1)
  })

  it('a running task that is past its deadline waits for the probe, which may find its result', async () => {
    await running()
    world.clock.advance(45 * minute)
    await unreachable()
    world.clock.advance(30 * second)
    expect(await claimed('expire-running')).toEqual([])
    expect(await claimed('look')).toHaveLength(1)
  })

  it('a look is preferred to a submit as the probe', async () => {
    await running(2)
    await held(2)
    await unreachable()
    world.clock.advance(30 * second)
    expect(await claimed('submit')).toEqual([])
    expect(await claimed('look')).toHaveLength(1)
    expect(await claimed('submit')).toEqual([])
  })

  it('a submit is the probe when no look is due, and closes the circuit', async () => {
    await held(3)
    await unreachable()
    world.clock.advance(30 * second)
    const { held: probes, isProbe } = await claim(deps, 'submit', 32)
    expect(await claimed('submit')).toEqual([])
    if (isProbe) own.circuit.probing()
    world.gatewayAnswers(taskCreated)
    for (const one of probes) await takeStep(own, 'submit', one)
    expect(await stops()).toEqual([])
    expect(await claimed('submit')).toHaveLength(2)
  })
})

it('a look that is refused for our key or balance stops sales, as a refused submit does', async () => {
  for (const [status, cause] of [
    [401, 'unauthorised'],
    [402, 'out-of-balance'],
  ] as const) {
    const [task] = await running()
    await looks([json(status, { error: 'ours' })])
    expect(await stops()).toMatchObject([
      { cause, until: new Date(world.clock.now().getTime() + 5 * minute) },
    ])
    expect(await reread(world, { id: task?.id ?? '' })).toMatchObject({ state: 'running' })
    await deps.db.delete(salesStops)
    await deps.db.execute(sql`update generations set next_check_at = ${neverLooked}`)
  }
})

it('the tracker survives an outage with few failures, a pause, one probe and no burst, and finds all results', async () => {
  await running(60)
  const { when, requests, shown, delivered, clock } = world
  const first = 32
  const [outage, probe, next] = [later(down), later(processing), later(finished)]
  world.gatewayAnswers(
    ...repeat(first, outage.answer),
    probe.answer,
    next.answer,
    next.answer,
    ...repeat(100, finished),
  )
  const tracker = createTracker(deps, world.chat)
  const nothingMore = async (count: number) => {
    for (let nudge = 0; nudge < 10; nudge += 1) {
      tracker.nudge()
      await claimed('end-lost-submit')
    }
    expect(requests).toHaveLength(count)
  }
  shown.length = 0
  tracker.start()
  await when(() => requests.length === first)
  outage.give()
  await when(() => shown.length === first)
  expect(await stops()).toMatchObject([{ cause: 'unreachable' }])
  clock.advance(29 * second)
  await nothingMore(first)
  clock.advance(second)
  tracker.nudge()
  await when(() => requests.length === first + 1)
  await nothingMore(first + 1)
  probe.give()
  await when(() => requests.length === first + 3)
  await nothingMore(first + 3)
  expect(await stops()).toEqual([])
  next.give()
  await when(() => delivered.length === 59)
  clock.advance(minute)
  tracker.nudge()
  await when(() => delivered.length === 60)
  await tracker.stop()
})
