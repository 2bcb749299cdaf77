// Clock differences between machines and the database, and clocks that are set back.

import { eq } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noModes } from '../../src/catalog/text-modes.ts'
import { openConversation } from '../../src/chat/conversations.ts'
import { claimAnswers } from '../../src/chat/deliveries.ts'
import { repairTimes } from '../../src/db/repair-times.ts'
import {
  generations,
  leaderLeases,
  notices,
  salesStops,
  taskCandidates,
  turns,
  updates,
} from '../../src/db/schema.ts'
import { synchronise } from '../../src/db/shared-clock.ts'
import { createMetrics } from '../../src/metrics.ts'
import { claimNotices, writeNotice } from '../../src/payments/notices.ts'
import { type AdjustableClock, createSteadyClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { salesStopped, stopSales } from '../../src/sales/sales.ts'
import { claim, type Kind } from '../../src/tracker/queue.ts'
import { claimUpdates } from '../../src/updates/claim.ts'
import { createHandling } from '../../src/updates/handling.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { takeLeaderLease } from '../../src/updates/leader.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { createWorld, type GenerationWorld, order, userWith } from '../support/worlds/generations.ts'

const second = 1000
const hour = 3600 * second

const message = (id: number): Update => ({
  update_id: id,
  message: {
    message_id: id,
    date: 0,
    chat: { id, type: 'private', first_name: 'Anna' },
    from: { id, is_bot: false, first_name: 'Anna' },
    text: 'hello',
  },
})

/** The clock of a machine whose time of day is wrong by `wrongMs`. */
const machine = (wrongMs: number): AdjustableClock =>
  createSteadyClock({ startedAt: Date.now() - performance.now() + wrongMs, elapsed: () => performance.now() })

describe('clocks of several machines', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase('postgres')
  })
  beforeEach(() => database.db.delete(updates))
  afterAll(() => database.close())

  it.each([45 * second, -45 * second, 5 * hour])(
    'that are wrong by %d ms agree with the database after the synchronisation',
    async (wrongMs) => {
      const clock = machine(wrongMs)
      await synchronise(database.db, clock, silentLog)
      expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(2 * second)
    },
  )

  it('are not corrected when they differ by less than a query takes', async () => {
    const clock = machine(50)
    const adjusted: number[] = []
    await synchronise(database.db, { ...clock, adjust: (ms) => adjusted.push(ms) }, silentLog)
    expect(adjusted).toEqual([])
  })

  it('that differ by 45 s do not cause an update to be handled twice', async () => {
    const handled: string[] = []
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const process = async (name: string, wrongMs: number) => {
      const clock = machine(wrongMs)
      await synchronise(database.db, clock, silentLog)
      const deps = { db: database.db, clock, ids: randomIds, log: silentLog, metrics: createMetrics() }
      const handling = createHandling({
        ...deps,
        tellOthers: () => undefined,
        async handle() {
          handled.push(name)
          begun.resolve()
          await ended.promise
        },
      })
      return { deps, handling }
    }
    const behind = await process('behind', -45 * second)
    const ahead = await process('ahead', 0)
    await storeUpdates(ahead.deps, [message(1)])
    behind.handling.start()
    // Two synchronised clocks still differ by as much as a query takes, so the update may be due a moment later.
    const hasBegun = begun.promise.then(() => true)
    const looked = () => database.db.execute('select 1').then(() => false)
    while (!(await Promise.race([hasBegun, looked()]))) behind.handling.nudge()
    expect(await claimUpdates(ahead.deps, { fresh: 10, suspect: 1 })).toEqual([])
    ended.resolve()
    await behind.handling.stop()
    expect(handled).toEqual(['behind'])
  })
})

describe('a shared clock that is set back by an hour', () => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())
  const repair = () => repairTimes(world.deps.db, world.clock, silentLog)

  it('delays no update, whether it was due, put off or claimed by a process that ended', async () => {
    await storeUpdates(world.deps, [message(1), message(2)])
    await claimUpdates(world.deps, { fresh: 1, suspect: 0 })
    world.clock.advance(-hour)
    await repair()
    const claimed = await claimUpdates(world.deps, { fresh: 10, suspect: 1 })
    expect(claimed.map(({ update }) => update.update_id).toSorted()).toEqual([1, 2])
  })

  it('delays no poll of a task', async () => {
    const { id } = await order(world, await userWith(world, 1000_00n))
    const nextCheckAt = new Date(world.clock.now().getTime() + 3 * second)
    await world.deps.db.update(generations).set({ state: 'running', taskId: 'task', nextCheckAt })
    world.clock.advance(-hour)
    await repair()
    expect((await claim(world.deps, 'look', 10)).held.map((one) => one.id)).toEqual([id])
  })

  it('leaves no leader lease with a process that ended', async () => {
    await takeLeaderLease(world.deps, 'polling', 'ended')
    world.clock.advance(-hour)
    expect(await takeLeaderLease(world.deps, 'polling', 'living')).toBe(false)
    await repair()
    expect(await takeLeaderLease(world.deps, 'polling', 'living')).toBe(true)
    await world.deps.db.delete(leaderLeases)
  })

  it('does not prolong a sales stop', async () => {
    await stopSales(world.deps.db, 'out-of-balance', world.clock.now())
    world.clock.advance(-hour)
    await repair()
    expect(await salesStopped(world.deps.db, world.clock.now())).toBe(false)
    await world.deps.db.delete(salesStops)
  })

  it('delays no notice, whether it was due or claimed by a process that ended', async () => {
    const user = await userWith(world, 0n)
    const news = { kind: 'credited', userId: user.id, chatId: null, amount: 1n } as const
    for (const key of ['claimed', 'due']) await writeNotice(world.deps, { key, ...news })
    await claimNotices(world.deps, 1)
    world.clock.advance(-hour)
    await repair()
    expect((await claimNotices(world.deps, 10)).map(({ key }) => key).toSorted()).toEqual(['claimed', 'due'])
    await world.deps.db.delete(notices)
  })

  it('delays no fresh result, and gives up no order whose task a callback may still name', async () => {
    const [made, unknown] = [
      await order(world, await userWith(world, 1000_00n)),
      await order(world, await userWith(world, 1000_00n)),
    ]
    const at = world.clock.now()
    const settled = { state: 'succeeded', delivery: 'pending', settledAt: at, nextCheckAt: at } as const
    const lost = {
      state: 'unknown',
      submittedAt: at,
      nextCheckAt: new Date(at.getTime() + 600 * second),
    } as const
    const { db } = world.deps
    await db.update(generations).set({ nextCheckAt: null })
    await db.update(generations).set(settled).where(eq(generations.id, made.id))
    await db.update(generations).set(lost).where(eq(generations.id, unknown.id))
    await db
      .insert(taskCandidates)
      .values({ generationId: unknown.id, taskId: 't', rank: 0, toldAt: at, dueAt: at })
    world.clock.advance(-hour)
    await repair()
    const claimed = async (kind: Kind) => (await claim(world.deps, kind, 10)).held.map(({ id }) => id)
    expect(await claimed('deliver')).toEqual([made.id])
    expect(await claimed('end-lost-submit')).toEqual([])
    expect(await claimed('look-at-candidate')).toEqual([unknown.id])
    await db.delete(taskCandidates)
    await db.update(generations).set({ state: 'held', delivery: 'none', settledAt: null, nextCheckAt: null })
  })

  it('delays no fresh answer', async () => {
    const user = await userWith(world, 1000n)
    const at = world.clock.now()
    const place = { chatId: 1, topicId: 0 }
    const fresh = { id: 'conversation', userId: user.id, modelId: 'T', system: null, modes: noModes }
    await openConversation(world.deps.db, { ...place, ...fresh }, at)
    const of = {
      conversationId: 'conversation',
      userId: user.id,
      modelId: 'T',
      question: '',
      files: [],
      sources: [],
      amount: 1n,
    }
    const settled = { state: 'done', delivery: 'pending', settledAt: at, sendAt: at, createdAt: at } as const
    await world.deps.db.insert(turns).values({ id: 'turn', ...of, ...settled })
    world.clock.advance(-hour)
    await repair()
    expect((await claimAnswers(world.deps, 10)).map(({ id }) => id)).toEqual(['turn'])
    await world.deps.db.delete(turns)
  })

  it('changes no time within the usual range', async () => {
    const before = await world.deps.db.select().from(generations)
    await stopSales(world.deps.db, 'out-of-balance', world.clock.now())
    await repair()
    expect(await world.deps.db.select().from(generations)).toEqual(before)
    expect(await salesStopped(world.deps.db, world.clock.now())).toBe(true)
  })
})
