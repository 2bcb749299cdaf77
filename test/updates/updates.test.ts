// The inbox: updates are stored once, handled in order per chat and person by any number of processes, and taken over from dead processes.

import { GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { createMetrics } from '../../src/metrics.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createHandling } from '../../src/updates/handling.ts'
import {
  claimUpdates,
  dropSetAside,
  finishUpdate,
  forgetOldUpdates,
  lanesOf,
  listSetAside,
  putOff,
  retrySetAside,
  storeUpdates,
  updateLeases,
} from '../../src/updates/inbox.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { failing } from '../support/database/failing.ts'
import { type InFlight, inFlight } from '../support/database/in-flight.ts'
import { handClock } from '../support/runtime/clock.ts'
import { finishAll, unhandledIn } from '../support/worlds/inbox.ts'

let database: TestDatabase
/** The statements of the handling; no time passes while one of them is not answered, so that no lease expires meanwhile. */
let flight: InFlight
const metrics = createMetrics()
let clock = handClock()
const deps = () => ({
  db: flight.db,
  clock,
  ids: randomIds,
  log: silentLog,
  metrics,
})

beforeAll(async () => {
  database = await freshDatabase('postgres')
  flight = inFlight(database.db)
})
beforeEach(async () => {
  await database.db.delete(updates)
  clock = handClock()
})
afterAll(() => database.close())

const person = (id: number) => ({ id, is_bot: false, first_name: 'Anna' })
const message = (id: number, chat: number, from = chat, more: object = {}): Update => ({
  update_id: id,
  message: {
    message_id: id,
    date: 0,
    chat: { id: chat, type: 'private', first_name: 'Anna' },
    from: person(from),
    text: `${id}`,
    ...more,
  },
})
const tap = (id: number, chat: number, from: number): Update => ({
  update_id: id,
  callback_query: {
    id: `${id}`,
    from: person(from),
    chat_instance: '1',
    data: 'x',
    message: { message_id: 1, date: 0, chat: { id: chat, type: 'group', title: 'We' } },
  },
})
const paid = { currency: 'XTR', total_amount: 1, invoice_payload: 'x', telegram_payment_charge_id: 'c' }
const payment = (id: number, chat: number) =>
  message(id, chat, chat, {
    text: undefined,
    successful_payment: { ...paid, provider_payment_charge_id: '' },
  })

const empty = { body: null, chatId: null, personId: null }
const store = (...told: Update[]) => storeUpdates(deps(), told)
const claim = (max = 100, maxSuspects = 1) => claimUpdates(database.db, claimNow(deps(), max, maxSuspects))
const idsOf = (claimed: Awaited<ReturnType<typeof claim>>) =>
  claimed.map(({ update }) => update.update_id).toSorted((a, b) => a - b)
const waiting = () => unhandledIn(database.db)

it('the lanes of an update are its chat and its person', () => {
  expect(lanesOf(message(1, -7, 5))).toEqual({ chatId: -7, personId: 5 })
  expect(lanesOf(tap(1, -7, 5))).toEqual({ chatId: -7, personId: 5 })
  const checkout = { id: '1', from: person(5), currency: 'XTR', total_amount: 1, invoice_payload: 'x' }
  expect(lanesOf({ update_id: 1, pre_checkout_query: checkout })).toEqual({})
  expect(lanesOf(payment(1, 5))).toEqual({})
})

it('the end of an update tells whether other updates of its chat or person wait', async () => {
  await store(message(1, 5), message(2, 6), message(3, 6), tap(4, -7, 8), message(5, -9, 8))
  const followed: (readonly [number, boolean])[] = []
  for (const one of await claim()) followed.push([one.id, await finishUpdate(deps(), one)])
  expect(followed.toSorted()).toEqual([
    [1, false],
    [2, true],
    [4, true],
  ])
})

describe('an update is stored', () => {
  it('once, however often it is received', async () => {
    await store(message(1, 5), message(2, 5))
    await store(message(2, 5), message(2, 5), message(3, 6))
    expect((await waiting()).toSorted()).toEqual([1, 2, 3])
  })

  it('once, even when it was handled long before', async () => {
    await store(message(1, 5))
    const [claimed] = await claim()
    if (!claimed) return expect.unreachable('it was stored')
    await finishUpdate(deps(), claimed)
    clock.advance(24 * 3600_000)
    await forgetOldUpdates(deps())
    await store(message(1, 5))
    expect(await claim()).toEqual([])
  })

  it('without characters that no column can store; the others keep their places', async () => {
    const words = 'nul \u0000, half a pair \ud83d, whole 😀'
    await store(message(1, 5, 5, { text: words }))
    const [claimed] = await claim()
    expect(claimed?.update.message?.text).toBe('nul  , half a pair \ufffd, whole 😀')
  })

  it('no longer than needed: its text and its person are deleted when it is handled, its id after some days', async () => {
    await store(message(1, 5))
    await finishAll(deps(), await claim())
    expect(await database.db.select().from(updates)).toMatchObject([{ id: 1, ...empty }])
    clock.advance(4 * 24 * 3600_000)
    await forgetOldUpdates(deps())
    expect(await database.db.select().from(updates)).toEqual([])
  })

  it('unless a hundred updates of the same person are waiting; payments are always stored', async () => {
    for (let at = 0; at < 12; at += 1)
      await store(...Array.from({ length: 10 }, (_, i) => message(at * 10 + i, 5)))
    await store(payment(500, 5), message(501, 6))
    const kept = await waiting()
    expect(kept.length).toBe(102)
    expect(kept).toEqual(expect.arrayContaining([500, 501]))
  })
})

describe('updates are claimed', () => {
  it('in order: the first of each chat and of each person', async () => {
    await store(message(1, -7, 5), message(2, 6), message(3, -7, 6), message(4, 5), tap(5, -8, 9))
    const first = await claim()
    expect(idsOf(first)).toEqual([1, 2, 5])
    expect(await claim()).toEqual([])
    await finishAll(deps(), first)
    expect(idsOf(await claim())).toEqual([3, 4])
  })

  it('in the order of arrival, not of their ids', async () => {
    await store(message(900, 5), message(10, 5))
    expect(idsOf(await claim())).toEqual([900])
  })

  it('up to the given number at once', async () => {
    await store(...[1, 2, 3, 4, 5].map((id) => message(id, id)))
    expect(await claim(2)).toHaveLength(2)
    expect(await claim(2)).toHaveLength(2)
    expect(await claim(2)).toHaveLength(1)
  })

  it('by only one of several processes', async () => {
    await store(...Array.from({ length: 60 }, (_, i) => message(i, i)))
    const claims = await Promise.all(Array.from({ length: 12 }, () => claim(7)))
    const all = claims.flatMap(idsOf)
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(7)
  })

  it('again when their lease was not renewed for half a minute', async () => {
    await store(message(1, 5), message(2, 5))
    const [lost] = await claim()
    clock.advance(29_000)
    expect(await claim()).toEqual([])
    clock.advance(1000)
    const [again] = await claim()
    expect(again).toMatchObject({ update: { update_id: 1 }, claims: 2 })
    if (!lost || !again) return expect.unreachable('both were claimed')
    await finishUpdate(deps(), lost)
    expect(await claim()).toEqual([])
    await finishUpdate(deps(), again)
    expect(idsOf(await claim())).toEqual([2])
  })

  it('not again while their lease is renewed', async () => {
    await store(message(1, 5))
    const held = await claim()
    clock.advance(25_000)
    await updateLeases(database.db).renew(held, new Date(clock.now().getTime() + 30_000))
    clock.advance(25_000)
    expect(await claim()).toEqual([])
  })
})

describe('updates are handled', () => {
  /** Checks the condition after every database query until it holds; little time passes meanwhile. */
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    for (let looks = 0; !(await isSo()); looks += 1) {
      if (looks > 5000) throw new Error('the condition never held')
      await flight.none()
      clock.advance(2)
      await database.db.execute('select 1')
    }
  }

  /** Advances the clock in steps that are small enough for leases to be renewed, until the condition holds. */
  const inTime = async (isSo: () => boolean | Promise<boolean>) => {
    await until(() => {
      clock.advance(200)
      return isSo()
    })
  }

  /** A process whose handlers end when the test says so. */
  function process() {
    const begun: number[] = []
    const ends = new Map<number, PromiseWithResolvers<void>>()
    const handling = createHandling({
      ...deps(),
      handle({ update_id }) {
        begun.push(update_id)
        const end = Promise.withResolvers<void>()
        ends.set(update_id, end)
        return end.promise
      },
    })
    handling.start()
    return {
      begun,
      handling,
      end: (id: number) => ends.get(id)?.resolve(),
      fail: (id: number) => ends.get(id)?.reject(new Error('no database')),
    }
  }

  it('in parallel in different chats, one after another in one chat; a hung handler blocks no other chat', async () => {
    await store(message(1, 5), message(2, 5), message(3, 6))
    const one = process()
    await until(() => one.begun.length === 2)
    expect(one.begun.toSorted()).toEqual([1, 3])
    await store(message(4, 7))
    one.handling.nudge()
    await until(() => one.begun.includes(4))
    expect(one.begun).not.toContain(2)
    one.end(1)
    await until(() => one.begun.includes(2))
    for (const id of [2, 3, 4]) one.end(id)
    await until(async () => (await waiting()).length === 0)
    await one.handling.stop()
  })

  it('a hung handler keeps running, and its lane is released', async () => {
    await store(message(1, 5), message(2, 5))
    const one = process()
    await until(() => one.begun.includes(1))
    await inTime(() => one.begun.includes(2))
    one.end(2)
    await until(async () => (await waiting()).length === 0)
    await one.handling.stop()
  })

  it('a failed update is put off after an outage, without counting as one whose process ended', async () => {
    await store(message(1, 5))
    let attempts = 0
    const handling = createHandling({
      ...deps(),
      db: failing(flight.db, 5, /^update$/),
      async handle() {
        attempts += 1
        if (attempts === 1) throw new Error('no database')
      },
    })
    handling.start()
    await inTime(async () => (await waiting()).length === 0)
    await handling.stop()
    const [row] = await database.db.select().from(updates)
    expect([attempts, row?.claims]).toEqual([2, 0])
  })

  it('a failed update is put off for as long as Telegram asks for', async () => {
    await store(message(1, 5))
    const asked = { ok: false, error_code: 429, description: '', parameters: { retry_after: 60 } } as const
    const slowDown = new GrammyError('refused', asked, 'sendMessage', {})
    const handle = () => Promise.reject(slowDown)
    const handling = createHandling({ ...deps(), handle })
    handling.start()
    const dueAt = async () => (await database.db.select().from(updates))[0]?.dueAt.getTime()
    await until(async () => Number(await dueAt()) > clock.now().getTime() + 50_000)
    await handling.stop()
  })

  it('again after a failure, and their chat waits for them', async () => {
    await store(message(1, 5), message(2, 5))
    const one = process()
    await until(() => one.begun.length === 1)
    one.fail(1)
    await until(async () =>
      (await database.db.select().from(updates)).some(
        ({ lease, attempts }) => attempts === 1 && lease === null,
      ),
    )
    expect(one.begun).toEqual([1])
    await inTime(() => one.begun.length === 2)
    expect(one.begun).toEqual([1, 1])
    one.end(1)
    await until(() => one.begun.length === 3)
    one.end(2)
    await until(async () => (await waiting()).length === 0)
    await one.handling.stop()
  })

  it.each([
    { what: 'a message is given up after ten attempts', update: message(1, 5), attempts: 10, gives: true },
    {
      what: 'a payment is not given up after ten attempts',
      update: payment(1, 5),
      attempts: 12,
      gives: false,
    },
  ])('$what', async ({ update, attempts, gives }) => {
    await store(update)
    const one = process()
    for (let at = 1; at <= attempts; at += 1) {
      await inTime(() => one.begun.length === at)
      one.fail(1)
    }
    await inTime(async () => one.begun.length > attempts || (await waiting()).length === 0)
    expect(one.begun).toHaveLength(gives ? attempts : attempts + 1)
    one.end(1)
    await until(async () => (await waiting()).length === 0)
    await one.handling.stop()
  })

  it('a stopping process waits for its handlers and hands back unfinished updates', async () => {
    await store(message(1, 5), message(2, 6))
    const one = process()
    await until(() => one.begun.length === 2)
    let isOver = false
    const stopping = one.handling.stop().then(() => {
      isOver = true
    })
    one.end(1)
    await until(async () => (await waiting()).length === 1)
    expect(isOver).toBe(false)
    await inTime(() => isOver)
    await stopping
    const two = process()
    await until(() => two.begun.length === 1)
    expect(two.begun).toEqual([2])
    two.end(2)
    await until(async () => (await waiting()).length === 0)
    await two.handling.stop()
  })

  it('a failing payment blocks neither the payer nor the chat', async () => {
    await store(payment(1, 5), message(2, 5))
    const one = process()
    await until(() => one.begun.length === 2)
    one.fail(1)
    one.end(2)
    await until(async () => (await waiting()).length === 1)
    await store(message(3, 5))
    one.handling.nudge()
    await until(() => one.begun.includes(3))
    one.end(3)
    await inTime(() => one.begun.filter((id) => id === 1).length === 2)
    one.end(1)
    await until(async () => (await waiting()).length === 0)
    await one.handling.stop()
  })
})

describe('an update whose process ended', () => {
  /** Claims updates like processes that end at once afterwards. */
  const abandon = async () => {
    const claimed = await claim()
    clock.advance(30_000)
    return idsOf(claimed)
  }

  const handleAll = async () => {
    const handled: number[] = []
    const handling = createHandling({ ...deps(), handle: async ({ update_id: id }) => void handled.push(id) })
    handling.start()
    for (let looks = 0; (await waiting()).length > 0; looks += 1) {
      if (looks > 2000) throw new Error('not all updates were handled')
      await flight.none()
      clock.advance(100)
    }
    await handling.stop()
    return handled
  }

  it('keeps other such updates waiting while it is handled, but no new updates', async () => {
    await store(message(1, 5), message(2, 6))
    expect(await abandon()).toEqual([1, 2])
    const begun: number[] = []
    const ended = Promise.withResolvers<void>()
    const handle = async ({ update_id: id }: Update) => {
      begun.push(id)
      if (id === 1) await ended.promise
    }
    const handling = createHandling({ ...deps(), handle })
    handling.start()
    await expect.poll(() => begun).toContain(1)
    await store(message(3, 7))
    handling.nudge()
    await expect.poll(() => begun).toContain(3)
    expect(begun).toEqual([1, 3])
    ended.resolve()
    await expect
      .poll(() => {
        clock.advance(100)
        return waiting()
      })
      .toEqual([])
    expect(begun).toEqual([1, 3, 2])
    await handling.stop()
  })

  it('is handled again, one at a time, in parallel to new updates', async () => {
    await store(message(1, 5), message(2, 6), message(3, 7))
    expect(await abandon()).toEqual([1, 2, 3])
    await store(message(4, 8), message(5, 9))
    expect(idsOf(await claim())).toEqual([1, 4, 5])
    expect(idsOf(await claim())).toEqual([2])
    expect(idsOf(await claim(100, 0))).toEqual([])
    expect(idsOf(await claim())).toEqual([3])
  })

  it('twice is set aside and not handled a third time; its chat continues', async () => {
    await store(message(1, 5), message(2, 5), message(3, 6))
    expect(await abandon()).toEqual([1, 3])
    expect(await abandon()).toEqual([1])
    expect((await handleAll()).toSorted()).toEqual([2, 3])
    expect((await listSetAside(database.db)).map(({ id }) => id)).toEqual([1])
  })

  it('twice is tried again when it reports a payment, which contains no file or text to process', async () => {
    await store(payment(1, 5))
    for (const _ of ['first', 'second', 'third']) expect(await abandon()).toEqual([1])
    expect(await handleAll()).toEqual([1])
    expect(await listSetAside(database.db)).toEqual([])
  })

  it('and that was set aside is kept until an operator decides', async () => {
    await store(message(1, 5))
    for (const _ of ['first', 'second']) await abandon()
    expect(await handleAll()).toEqual([])
    clock.advance(30 * 24 * 3600_000)
    await forgetOldUpdates(deps())
    expect((await listSetAside(database.db)).map(({ id }) => id)).toEqual([1])
    await dropSetAside(database.db, 1)
    await forgetOldUpdates(deps())
    expect(await database.db.select().from(updates)).toEqual([])
  })

  it('but handed it back before does not count as suspect', async () => {
    await store(message(1, 5))
    for (let times = 0; times < 4; times += 1) {
      const [claimed] = await claim()
      if (!claimed) return expect.unreachable('it is due')
      expect(claimed.claims).toBe(1)
      await putOff(deps(), claimed, 0)
    }
    expect(await handleAll()).toEqual([1])
  })

  it('is handled again or deleted when an operator decides so', async () => {
    for (const id of [1, 2]) {
      await store(message(id, 5))
      for (const _ of ['first', 'second']) expect(await abandon()).toEqual([id])
      expect(await handleAll()).toEqual([])
    }
    expect((await listSetAside(database.db)).map(({ id }) => id)).toEqual([1, 2])
    expect(await retrySetAside(deps(), 1)).toBe(true)
    const [again] = await claim()
    if (!again) return expect.unreachable('it is due')
    expect(again).toMatchObject({ id: 1, attempts: 0, claims: 1 })
    await putOff(deps(), again, 0)
    expect(await handleAll()).toEqual([1])
    expect(await dropSetAside(database.db, 2)).toBe(true)
    expect(await listSetAside(database.db)).toEqual([])
    expect(await retrySetAside(deps(), 2)).toBe(false)
    expect(await database.db.select().from(updates)).toMatchObject([empty, empty])
  })
})
