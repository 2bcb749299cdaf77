// The watch for due rows: when it looks, which loops it wakes, and the next due time of each queue.

import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noModes } from '../../src/catalog/text-modes.ts'
import { openConversation } from '../../src/chat/conversations.ts'
import { claimAnswers, nextAnswerDue } from '../../src/chat/deliveries.ts'
import { createDueWatch, type QueueLoop } from '../../src/db/due-watch.ts'
import { leased } from '../../src/db/leased-queue.ts'
import { broadcasts, notices, topUps, turns, updates } from '../../src/db/schema.ts'
import { claimBroadcast, nextBroadcastDue } from '../../src/operator/broadcasts.ts'
import { nextLinkDue } from '../../src/payments/links.ts'
import { claimNotices, nextNoticeDue, writeNotice } from '../../src/payments/notices.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/leases.ts'
import { silentLog } from '../../src/runtime/log.ts'
import type { Loop } from '../../src/runtime/loop.ts'
import { claimUpdates } from '../../src/updates/claim.ts'
import { finishUpdates, nextUpdateDue, putOff, storeUpdates } from '../../src/updates/inbox.ts'
import { ensureUser, type User } from '../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { type HandClock, handClock } from '../support/runtime/clock.ts'

let database: TestDatabase
let clock: HandClock
let user: User
const deps = () => ({ db: database.db, clock, ids: randomIds, log: silentLog })
const inMs = (ms: number) => new Date(clock.now().getTime() + ms)

beforeAll(async () => {
  database = await freshDatabase()
  user = (await ensureUser(database.db, { telegramId: 77, languageCode: 'en' }, handClock().now())).user
  const place = { chatId: 77, topicId: 0 }
  const more = { id: 'c', userId: user.id, modelId: 'T', system: null, modes: noModes }
  await openConversation(database.db, { ...place, ...more }, handClock().now())
})
beforeEach(async () => {
  clock = handClock()
  for (const table of [updates, turns, notices, broadcasts, topUps]) await database.db.delete(table)
})
afterAll(() => database.close())

describe('the next due time', () => {
  /** Milliseconds until the queue's next due time; undefined for an empty queue. */
  const next = async (nextDue: (now: Date) => SQL) => {
    const [found] = await database.db.execute(
      sql`select extract(epoch from ${nextDue(clock.now())} - ${clock.now()}::timestamptz) * 1000 as ms`,
      'objects',
    )
    return found?.ms === null ? undefined : Number(found?.ms)
  }

  const message = (id: number) => {
    const chat = { id, type: 'private', first_name: 'Anna' } as const
    const from = { id, is_bot: false, first_name: 'Anna' }
    return { update_id: id, message: { message_id: id, date: 0, chat, from, text: '' } }
  }

  it('of updates is that of the first free one, else the end of a lease', async () => {
    expect(await next(nextUpdateDue)).toBeUndefined()
    await storeUpdates(deps(), [message(1), message(2)])
    expect(await next(nextUpdateDue)).toBe(0)
    const [first, second] = await claimUpdates(deps(), { fresh: 2, suspect: 0 })
    expect(await next(nextUpdateDue)).toBe(leaseMs)
    if (!first || !second) return expect.unreachable('both were stored')
    await putOff(deps(), second, 4000)
    expect(await next(nextUpdateDue)).toBe(4000)
    await finishUpdates(deps(), [first])
    clock.advance(4000)
    await finishUpdates(deps(), await claimUpdates(deps(), { fresh: 2, suspect: 0 }))
    expect(await next(nextUpdateDue)).toBeUndefined()
  })

  it('of updates whose process ended is in the past', async () => {
    await storeUpdates(deps(), [message(1)])
    await claimUpdates(deps(), { fresh: 1, suspect: 0 })
    clock.advance(leaseMs + 1)
    expect(await next(nextUpdateDue)).toBeLessThanOrEqual(0)
  })

  const of = { conversationId: 'c', modelId: 'T', question: '', files: [], sources: [], amount: 1n } as const
  const turn = (id: string, more: Partial<typeof turns.$inferInsert>) =>
    database.db
      .insert(turns)
      .values({ id, ...of, userId: user.id, state: 'done', createdAt: clock.now(), ...more })

  it('of answers is that of the first unsent one', async () => {
    expect(await next(nextAnswerDue)).toBeUndefined()
    await turn('sent', { delivery: 'delivered' })
    expect(await next(nextAnswerDue)).toBeUndefined()
    await turn('later', { delivery: 'pending', sendAt: inMs(9000), settledAt: clock.now() })
    await turn('soon', { delivery: 'pending', sendAt: inMs(400), settledAt: clock.now() })
    expect(await next(nextAnswerDue)).toBe(400)
    clock.advance(400)
    await claimAnswers(deps(), 1)
    expect(await next(nextAnswerDue)).toBe(8600)
  })

  it('of an answer whose process died while writing it is the end of the lease', async () => {
    await turn('written', { state: 'streaming', ...leased('l', clock.now()) })
    expect(await next(nextAnswerDue)).toBe(leaseMs)
    clock.advance(leaseMs + 1)
    expect(await next(nextAnswerDue)).toBe(-1)
  })

  it('of notices, broadcasts and payment pages is that of the first row, or the end of its lease', async () => {
    const queues = [nextNoticeDue, nextBroadcastDue, nextLinkDue]
    const all = () => Promise.all(queues.map(next))
    expect(await all()).toEqual([undefined, undefined, undefined])
    await writeNotice(deps(), { key: 'k', kind: 'credited', userId: user.id, chatId: null, amount: 1n })
    await database.db
      .insert(broadcasts)
      .values({ id: 'b', chatId: 1, messageId: 1, state: 'running', createdAt: clock.now() })
    const way = { provider: 'yookassa', credit: 1n, charge: 1n, currency: 'RUB', state: 'open' } as const
    await database.db
      .insert(topUps)
      .values({ id: 't', userId: user.id, ...way, createdAt: clock.now(), nextCheckAt: inMs(9000) })
    expect(await all()).toEqual([0, 0, 9000])
    await claimNotices(deps(), 1)
    await claimBroadcast(deps())
    expect(await all()).toEqual([leaseMs, leaseMs, 9000])
    await database.db.update(notices).set({ doneAt: clock.now() })
    await database.db.update(broadcasts).set({ state: 'paused' })
    await database.db.update(topUps).set({ nextCheckAt: null }).where(eq(topUps.id, 't'))
    expect(await all()).toEqual([undefined, undefined, undefined])
  })
})

describe('the watch', () => {
  const running: Loop[] = []
  afterAll(() => Promise.all(running.map((one) => one.stop())))

  const unreadable = sql`(select due_at from a_table_that_is_missing)`

  /** Queues that are due after this many milliseconds, empty, or given as SQL. */
  function watching(...due: (number | SQL | undefined)[]) {
    const woken: number[] = []
    let statements = 0
    const times = due.map((one) => {
      const time = typeof one === 'number' ? inMs(one) : null
      return typeof one === 'object' ? one : sql`${time}::timestamptz`
    })
    const loops = times.map(
      (time, at): QueueLoop => ({
        start: () => undefined,
        stop: async () => undefined,
        nudge: () => void woken.push(at),
        nextDue: () => time,
      }),
    )
    const db = new Proxy(database.db, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (name === 'execute') statements += 1
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const watch = createDueWatch({ ...deps(), db }, { loops, pollIntervalMs: 3000 })
    running.push(watch)
    watch.start()
    return {
      woken,
      statements: () => statements,
      waits: (ms: number) => expect.poll(() => clock.isWaitedFor(ms)),
    }
  }

  it('looks for all queues with one statement every three seconds while they are empty', async () => {
    const { woken, statements, waits } = watching(undefined, undefined, undefined)
    for (let looks = 1; looks <= 3; looks += 1) {
      await waits(3000).toBe(true)
      expect(statements()).toBe(looks)
      clock.advance(3000)
    }
    expect(woken).toEqual([])
  })

  it('wakes the loops of the queues that are due, and looks again after a second', async () => {
    const { woken, waits } = watching(undefined, 0, 20_000, -5000)
    await waits(1000).toBe(true)
    expect(woken).toEqual([1, 3])
  })

  it('looks again when the next row is due', async () => {
    const { woken, waits } = watching(400, 7000)
    await waits(400).toBe(true)
    expect(woken).toEqual([])
    clock.advance(400)
    await waits(1000).toBe(true)
    expect(woken).toEqual([0])
  })

  it('wakes the loops of the other queues when one cannot be read', async () => {
    const { woken, statements, waits } = watching(0, unreadable, undefined, 400)
    await waits(400).toBe(true)
    expect(woken).toEqual([0])
    expect(statements()).toBe(5)
  })

  it('wakes no loop and looks again after a second when no queue can be read', async () => {
    const { woken, waits } = watching(unreadable, unreadable)
    await waits(1000).toBe(true)
    expect(woken).toEqual([])
  })

  it('looks at most four times a second', async () => {
    const { waits } = watching(10)
    await waits(250).toBe(true)
  })
})
