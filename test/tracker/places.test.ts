// Steps that begin at once, without the queue: the submit after the confirmation, the look after a callback, the delivery after
// the settlement. A step that does not begin at once is left to the queue, and no row is worked on twice.

import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { artifacts, generations, users } from '../../src/db/schema.ts'
import { artifactsOf } from '../../src/delivery/sent-artifacts.ts'
import type { Generation } from '../../src/generations/generation.ts'
import { type Known, noPlaces } from '../../src/generations/place.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { leaseMs } from '../../src/runtime/leases.ts'
import { stopSales } from '../../src/sales/sales.ts'
import { receiveCallback } from '../../src/tracker/callbacks.ts'
import { createStepDeps } from '../../src/tracker/step-deps.ts'
import { createTracker, type Tracker } from '../../src/tracker/tracker.ts'
import { delayingStatements, failingStatements } from '../support/database/failing.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { confirm } from '../support/worlds/confirm.ts'
import {
  type FakeChat,
  finished,
  gate,
  json,
  later,
  order,
  quoteFor,
  reread,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const world = await auditedWorld()
const { deps, clock } = world
const mostSubmits = 32
const mostDeliveries = 16
let trackers: Tracker[] = []
afterEach(async () => {
  await Promise.all(trackers.map((one) => one.stop()))
  trackers = []
})

/** Starts a tracker and waits for the end of its first claims, which occupy places while they are under way. */
async function start(chat: Partial<FakeChat> = {}): Promise<Tracker> {
  const tracker = createTracker(deps, world.chatWith(chat))
  tracker.start()
  trackers.push(tracker)
  await expect.poll(() => placesOf(tracker, 'submit')).toBe(mostSubmits)
  await expect.poll(() => placesOf(tracker, 'look')).toBe(mostSubmits)
  await expect.poll(() => placesOf(tracker, 'deliver')).toBe(mostDeliveries)
  return tracker
}

/** Starts a tracker. @returns it, and what each delivery was given together with its row */
async function startNoting() {
  const known: (Known | undefined)[] = []
  const tracker = await start({
    async send(_, given) {
      known.push(given)
      return { ok: true }
    },
  })
  return { tracker, known }
}

const repeat = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

/** Reserves the places of a kind, and gives them back. @returns how many there were */
function placesOf(tracker: Tracker, kind: 'submit' | 'look' | 'deliver'): number {
  const most = kind === 'deliver' ? mostDeliveries : mostSubmits
  const places = repeat(most, undefined).flatMap(() => tracker.reserve(kind) ?? [])
  for (const place of places) place.free()
  return places.length
}

/** Confirms a new quote with a place of the tracker. @param kopecks the balance of the user */
async function confirmed(tracker: Tracker, kopecks = 500_00n, own: Partial<typeof deps> = {}) {
  const user = await userWith(world, kopecks)
  const { quote } = await quoteFor(world, user)
  const order = { quoteId: quote.id, userId: user.id, statusMessageId: null }
  return {
    user,
    order,
    ordered: await confirm({ ...deps, ...own }, { ...order, place: tracker.reserve('submit') }),
  }
}

async function ordered(tracker: Tracker): Promise<Generation> {
  const { ordered } = await confirmed(tracker)
  if (!ordered.ok) throw new Error(`not ordered: ${ordered.reason}`)
  return ordered.generation
}

/** An order that another process has submitted; its next look is not due yet. */
async function running(task = 'task-1'): Promise<Generation> {
  const user = await userWith(world, 500_00n)
  const { quote } = await quoteFor(world, user)
  const made = await confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
  if (!made.ok) throw new Error(made.reason)
  world.gatewayAnswers(json(202, { id: task, status: 'queued' }))
  await step(world, { of: ['submit'] })
  world.requests.length = 0
  world.shown.length = 0
  return reread(world, made.generation)
}

const callOf = (places: Tracker, { callbackToken }: Generation, db = deps.db) =>
  receiveCallback({ ...deps, db, places }, callbackToken, [])

describe('a confirmation', () => {
  it('is followed by the submit at once, under a lease', async () => {
    const slow = later(taskCreated)
    world.gatewayAnswers(slow.answer)
    const generation = await ordered(await start())
    await world.when(() => world.requests.length === 1)
    expect(await reread(world, generation)).toMatchObject({ state: 'submitting', lease: generation.lease })
    slow.give()
    await expect.poll(() => reread(world, generation)).toMatchObject({ state: 'running', lease: null })
    expect(world.requests).toHaveLength(1)
  })

  it('shows the status of the order', async () => {
    world.gatewayAnswers(taskCreated)
    const { id } = await ordered(await start())
    await world.when(() => world.shown.length === 2)
    expect(world.shown).toEqual([`${id} held`, `${id} running`])
  })

  it('without a free place leaves the order to the queue', async () => {
    const slow = later(taskCreated)
    world.gatewayAnswers(...repeat(mostSubmits, slow.answer))
    const tracker = await start()
    for (let at = 0; at < mostSubmits; at += 1) await ordered(tracker)
    const last = await ordered(tracker)
    expect(last.lease).toBeNull()
    await world.when(() => world.requests.length === mostSubmits)
    world.gatewayAnswers(json(202, { id: 'task-of-the-last', status: 'queued' }))
    slow.give()
    await expect.poll(() => reread(world, last)).toMatchObject({ state: 'running' })
    expect(world.requests).toHaveLength(mostSubmits + 1)
  })

  it('while the gateway cannot be reached leaves the order to the queue', async () => {
    const tracker = await start()
    await stopSales(deps.db, 'unreachable', clock.now())
    clock.advance(31_000)
    const { generation } = { generation: await ordered(tracker) }
    expect(generation).toMatchObject({ state: 'held', lease: null })
    expect(placesOf(tracker, 'submit')).toBe(mostSubmits)
  })

  it('without a place leaves no outdated status behind, although another process continues the order', async () => {
    const shown: string[] = []
    const tracker = await start({
      async updateStatus({ id, state }) {
        shown.push(state)
        if (state !== 'held') return true
        await deps.db
          .update(generations)
          .set({ state: 'running', taskId: 'task-of-another', nextCheckAt: new Date('2100-01-01') })
          .where(eq(generations.id, id))
        return true
      },
    })
    await stopSales(deps.db, 'unreachable', clock.now())
    clock.advance(31_000)
    tracker.showStatus(await ordered(tracker))
    await expect.poll(() => shown).toEqual(['held', 'running'])
  })

  it('that is refused or fails gives its place back', async () => {
    const tracker = await start()
    expect((await confirmed(tracker, 0n)).ordered).toMatchObject({ ok: false, reason: 'insufficient' })
    const cut = { db: failingStatements(deps.db, 1, /^with /) }
    await expect(confirmed(tracker, 500_00n, cut)).rejects.toThrow()
    expect(placesOf(tracker, 'submit')).toBe(mostSubmits)
  })

  it('that is repeated leads to one submit', async () => {
    world.gatewayAnswers(taskCreated)
    const tracker = await start()
    const { order, user } = await confirmed(tracker)
    expect(await confirm(deps, { ...order, place: tracker.reserve('submit') })).toMatchObject({
      ok: false,
      reason: 'already',
    })
    await world.when(() => world.shown.length === 2)
    expect(world.requests).toHaveLength(1)
    expect(await readBalance(deps.db, user.id)).toMatchObject({ held: 92_45n })
    expect(placesOf(tracker, 'submit')).toBe(mostSubmits)
  })

  it('whose process died before the submit is followed by the submit of another process after the lease expires', async () => {
    // The dead process has no tracker: a tracker that still runs would submit the order itself when the clock is advanced.
    const leaseUntil = new Date(clock.now().getTime() + leaseMs)
    const place = { lease: 'dead', leaseUntil, take: () => undefined, free: () => undefined }
    const user = await userWith(world, 500_00n)
    const { quote } = await quoteFor(world, user)
    const made = await confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null, place })
    expect(made).toMatchObject({ ok: true, generation: { lease: 'dead' } })
    await step(world, { of: ['submit'] })
    expect(world.requests).toEqual([])
    clock.advance(leaseMs)
    world.gatewayAnswers(taskCreated)
    await step(world, { of: ['submit'] })
    expect(world.requests).toHaveLength(1)
  })
})

describe('a callback', () => {
  it('is followed by the look at once', async () => {
    const generation = await running()
    world.gatewayAnswers(finished)
    expect(await callOf(await start(), generation)).toEqual({ isKnown: true, isDue: false })
    await world.when(() => world.delivered.length === 1)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded' })
    expect(world.requests).toEqual(['GET /v1/tasks/task-1'])
  })

  it('leads to one look, however many processes receive it at the same time', async () => {
    const generation = await running()
    const slow = later(taskIs('processing'))
    world.gatewayAnswers(slow.answer)
    const processes = await Promise.all([start(), start(), start()])
    const calls = await Promise.all(processes.map((one) => callOf(one, generation)))
    expect(calls.filter(({ isDue }) => !isDue)).toHaveLength(1)
    await world.when(() => world.requests.length === 1)
    slow.give()
    await expect.poll(() => reread(world, generation)).toMatchObject({ lease: null })
    expect(world.requests).toHaveLength(1)
    for (const one of processes) await expect.poll(() => placesOf(one, 'look')).toBe(mostSubmits)
  })

  it('during a look or soon after it begins no other look', async () => {
    const generation = await running()
    const slow = later(taskIs('processing'))
    world.gatewayAnswers(slow.answer)
    const tracker = await start()
    await callOf(tracker, generation)
    await world.when(() => world.requests.length === 1)
    expect(await callOf(tracker, generation)).toEqual({ isKnown: true, isDue: true })
    slow.give()
    await expect.poll(() => reread(world, generation)).toMatchObject({ lease: null })
    expect(await callOf(tracker, generation)).toEqual({ isKnown: true, isDue: true })
    expect(world.requests).toHaveLength(1)
    // A quarter of the poll interval later, a callback begins a look again.
    clock.advance(deps.pollIntervalMs / 4)
    world.gatewayAnswers(taskIs('processing'))
    await callOf(tracker, generation)
    await world.when(() => world.requests.length === 2)
  })

  it('whose statement took so long that the lease may expire leaves the look to the queue', async () => {
    const generation = await running()
    const tracker = await start()
    const place = tracker.reserve('look')
    const slow = place && {
      ...place,
      take(row: Generation) {
        clock.advance(leaseMs / 2)
        place.take(row)
      },
    }
    await receiveCallback(
      { ...deps, places: { ...tracker, reserve: () => slow } },
      generation.callbackToken,
      [],
    )
    expect(await reread(world, generation)).toMatchObject({ lease: place?.lease })
    await step(world, { of: ['look'] })
    expect(world.requests).toEqual([])
    expect(placesOf(tracker, 'look')).toBe(mostSubmits)
    world.gatewayAnswers(finished)
    const deliveredLater = () => {
      clock.advance(leaseMs / 20)
      return world.delivered.length
    }
    await expect.poll(deliveredLater).toBe(1)
  })

  it('while the gateway cannot be reached leaves the look to the queue', async () => {
    const generation = await running()
    await stopSales(deps.db, 'unreachable', clock.now())
    const tracker = await start()
    expect(await callOf(tracker, generation)).toEqual({ isKnown: true, isDue: true })
    expect(await reread(world, generation)).toMatchObject({ lease: null })
    expect(placesOf(tracker, 'look')).toBe(mostSubmits)
  })

  it('while sales are stopped for another reason is followed by the look at once', async () => {
    const generation = await running()
    await stopSales(deps.db, 'out-of-balance', clock.now())
    const tracker = await start()
    world.gatewayAnswers(finished)
    expect(await callOf(tracker, generation)).toEqual({ isKnown: true, isDue: false })
    await world.when(() => world.delivered.length === 1)
  })

  it('that comes before the answer to the submit is followed by a look as soon as the answer is written', async () => {
    const slow = later(taskCreated)
    world.gatewayAnswers(slow.answer)
    const tracker = await start()
    const generation = await ordered(tracker)
    await world.when(() => world.requests.length === 1)
    expect(await callOf(tracker, generation)).toEqual({ isKnown: true, isDue: false })
    world.gatewayAnswers(finished)
    slow.give()
    await expect.poll(() => reread(world, generation)).toMatchObject({ state: 'running' })
    expect(await reread(world, generation)).toMatchObject({ nextCheckAt: clock.now() })
    await expect.poll(() => clock.isWaitedFor(0)).toBe(true)
    clock.advance(0)
    await world.when(() => world.delivered.length === 1)
    expect(world.requests).toHaveLength(2)
  })

  it('that cannot be stored gives its place back', async () => {
    const generation = await running()
    const tracker = await start()
    await expect(callOf(tracker, generation, failingStatements(deps.db, 1, /^with /))).rejects.toThrow()
    expect(placesOf(tracker, 'look')).toBe(mostSubmits)
  })

  it('of an order that has ended begins nothing', async () => {
    const generation = await running()
    world.gatewayAnswers(finished)
    const tracker = await start()
    await callOf(tracker, generation)
    await world.when(() => world.delivered.length === 1)
    await expect.poll(() => reread(world, generation)).toMatchObject({ delivery: 'delivered' })
    expect(await callOf(tracker, generation)).toEqual({ isKnown: true, isDue: false })
    expect(world.requests).toHaveLength(1)
  })
})

describe('a settlement', () => {
  it('keeps the lease for the delivery, which follows at once', async () => {
    const generation = await running()
    const { opened, open } = gate()
    const seen: Generation[] = []
    world.gatewayAnswers(finished)
    const tracker = await start({
      async send(delivered) {
        seen.push(delivered)
        await opened
        return { ok: true }
      },
    })
    await callOf(tracker, generation)
    await expect.poll(() => seen.length).toBe(1)
    expect(await reread(world, generation)).toMatchObject({ state: 'succeeded', lease: seen[0]?.lease })
    // No other process may deliver the result meanwhile.
    await step(world, { of: ['deliver'] })
    expect(world.delivered).toEqual([])
    open()
    await expect.poll(() => reread(world, generation)).toMatchObject({ delivery: 'delivered', lease: null })
  })

  it('passes the stored files and the language of the user to the delivery that follows', async () => {
    const generation = await running()
    await deps.db.update(users).set({ language: 'en' }).where(eq(users.id, generation.userId))
    world.gatewayAnswers(finished)
    const { tracker, known } = await startNoting()
    await callOf(tracker, generation)
    await expect.poll(() => known.length).toBe(1)
    const artifacts = await artifactsOf(deps, generation.id)
    expect(artifacts).toHaveLength(1)
    // The delivery has sent the file since.
    const unsent = artifacts.map((one) => ({ ...one, messageId: null }))
    expect(known).toEqual([expect.objectContaining({ locale: 'en', artifacts: unsent })])
  })

  it('that failed passes no files to the explanation that follows', async () => {
    const generation = await running()
    world.gatewayAnswers(taskIs('failed'))
    const { tracker, known } = await startNoting()
    await callOf(tracker, generation)
    await expect.poll(() => known.length).toBe(1)
    expect(known).toEqual([expect.objectContaining({ locale: 'ru', artifacts: [] })])
  })

  it('whose delivery is left to the queue passes the language and the files as they are, sent or not', async () => {
    const generation = await running()
    world.gatewayAnswers(finished)
    clock.advance(deps.pollIntervalMs)
    await step(world, { of: ['look'] })
    await deps.db.update(users).set({ language: 'en' }).where(eq(users.id, generation.userId))
    await deps.db.update(artifacts).set({ messageId: 5 }).where(eq(artifacts.generationId, generation.id))
    const { known } = await startNoting()
    await expect.poll(() => known).toMatchObject([{ locale: 'en', artifacts: [{ messageId: 5 }] }])
  })

  it('without a free place leaves the delivery to the queue, which makes it as soon as a place is free', async () => {
    const generations: Generation[] = []
    for (let at = 0; at <= mostDeliveries; at += 1) generations.push(await running(`task-${at}`))
    const { opened, open } = gate()
    const begun: string[] = []
    const tracker = await start({
      async send({ id }) {
        begun.push(id)
        await opened
        return { ok: true }
      },
    })
    for (const [at, one] of generations.entries()) {
      world.gatewayAnswers(finished)
      await callOf(tracker, one)
      await expect.poll(() => reread(world, one)).toMatchObject({ state: 'succeeded' })
      await expect.poll(() => begun.length).toBe(Math.min(at + 1, mostDeliveries))
    }
    const last = generations.at(-1)
    expect(last && (await reread(world, last))).toMatchObject({ delivery: 'pending', lease: null })
    open()
    await expect.poll(() => begun.length).toBe(mostDeliveries + 1)
  })
})

describe('a process', () => {
  it('has no places before it starts and after it has stopped', async () => {
    const tracker = createTracker(deps, world.chat)
    expect(placesOf(tracker, 'submit')).toBe(0)
    tracker.start()
    await expect.poll(() => placesOf(tracker, 'submit')).toBe(mostSubmits)
    await tracker.stop()
    expect(placesOf(tracker, 'submit')).toBe(0)
  })

  it('waits at its stop for a step whose place was reserved before', async () => {
    const tracker = await start()
    const place = tracker.reserve('submit')
    let isStopped = false
    const stopped = tracker.stop().then(() => {
      isStopped = true
    })
    const slow = later(taskCreated)
    world.gatewayAnswers(slow.answer)
    const user = await userWith(world, 500_00n)
    const { quote } = await quoteFor(world, user)
    const made = await confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null, place })
    await world.when(() => world.requests.length === 1)
    expect(isStopped).toBe(false)
    slow.give()
    await stopped
    expect(made.ok && (await reread(world, made.generation))).toMatchObject({ state: 'running', lease: null })
  })

  it('counts the rows that a claim under way may return as occupied places', async () => {
    const { opened, open } = gate()
    const claiming = gate()
    const db = delayingStatements(deps.db, / as is_probe/, opened, claiming.open)
    const tracker = createTracker({ ...deps, db }, world.chat)
    tracker.start()
    trackers.push(tracker)
    await claiming.opened
    expect(placesOf(tracker, 'submit')).toBe(mostSubmits / 4)
    open()
    await expect.poll(() => placesOf(tracker, 'submit')).toBe(mostSubmits)
  })

  it('claims no order while all its places are reserved', async () => {
    const tracker = await start()
    const places = repeat(mostSubmits, undefined).flatMap(() => tracker.reserve('submit') ?? [])
    const waiting = await ordered(tracker)
    tracker.nudge('submit')
    expect(await reread(world, waiting)).toMatchObject({ state: 'held', lease: null })
    world.gatewayAnswers(taskCreated)
    places.pop()?.free()
    await expect.poll(() => reread(world, waiting)).toMatchObject({ state: 'running' })
    for (const place of places) place.free()
  })

  it('claims an order that waits when the step of a reserved place cannot begin any more', async () => {
    const tracker = await start()
    const places = repeat(mostSubmits, undefined).flatMap(() => tracker.reserve('submit') ?? [])
    clock.advance(leaseMs / 2)
    const waiting = await ordered(tracker)
    expect(waiting.lease).toBeNull()
    world.gatewayAnswers(taskCreated)
    places.pop()?.take({ ...waiting, id: 'of the reserved place' })
    const claimed = expect.poll(() => reread(world, waiting)).toMatchObject({ state: 'running' })
    await claimed.finally(() => {
      for (const place of places) place.free()
    })
  })
})

it('an order that is settled while no place is free for its delivery wakes the queue of deliveries', async () => {
  const nudged: unknown[] = []
  const places = { ...noPlaces, nudge: (kind: unknown) => void nudged.push(kind) }
  await order(world, await userWith(world, 500_00n))
  world.gatewayAnswers(taskCreated)
  await step(world)
  clock.advance(60_000)
  world.gatewayAnswers(finished)
  await step(world, { by: createStepDeps(deps, world.chat, { places, dueAt: () => undefined }) })
  expect(nudged).toEqual(['deliver'])
})
