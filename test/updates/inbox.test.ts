// The inbox: updates are stored once, claimed in order per chat and person by any number of processes, and set aside or forgotten.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import {
  claimUpdates,
  dropSetAside,
  finishUpdate,
  forgetOldUpdates,
  lanesOf,
  listSetAside,
  putOff,
  retrySetAside,
  setAside,
  storeUpdates,
  updateLeases,
} from '../../src/updates/inbox.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'
import { finishAll, messageOf as message, paymentOf, tapOf, unhandledIn } from '../support/worlds/inbox.ts'

let database: TestDatabase
let clock = handClock()
const deps = () => ({ db: database.db, clock, ids: randomIds })

beforeAll(async () => {
  database = await freshDatabase('postgres')
})
beforeEach(async () => {
  await database.db.delete(updates)
  clock = handClock()
})
afterAll(() => database.close())

const dayMs = 24 * 3600_000
const empty = { body: null, chatId: null, personId: null }
const store = (...told: Parameters<typeof storeUpdates>[1]) => storeUpdates(deps(), told)
const claim = (max = 100, maxSuspects = 1) => claimUpdates(database.db, claimNow(deps(), max, maxSuspects))
const idsOf = (claimed: Awaited<ReturnType<typeof claim>>) =>
  claimed.map(({ update }) => update.update_id).toSorted((a, b) => a - b)
const waiting = () => unhandledIn(database.db)
const rows = () => database.db.select().from(updates)

it('the lanes of an update are its chat and its person; what is about money and checkouts has none', () => {
  expect(lanesOf(message(1, -7, 5))).toEqual({ chatId: -7, personId: 5 })
  expect(lanesOf(tapOf(1, -7, 5))).toEqual({ chatId: -7, personId: 5 })
  const { from } = tapOf(1, -7, 5).callback_query ?? expect.unreachable('it is a tap')
  const checkout = { id: '1', from, currency: 'XTR', total_amount: 1, invoice_payload: 'x' }
  expect(lanesOf({ update_id: 1, pre_checkout_query: checkout })).toEqual({})
  expect(lanesOf(paymentOf(1, 5))).toEqual({})
})

it('the end of an update tells whether other updates of its chat or person wait', async () => {
  await store(message(1, 5), message(2, 6), message(3, 6), tapOf(4, -7, 8), message(5, -9, 8))
  const followed: (readonly [number, boolean])[] = []
  for (const one of await claim()) followed.push([one.id, await finishUpdate(deps(), one)])
  expect(followed.toSorted()).toEqual([
    [1, false],
    [2, true],
    [4, true],
  ])
})

describe('an update is stored', () => {
  it('once, however often it is received, even when it was handled long before', async () => {
    await store(message(1, 5), message(2, 5))
    await store(message(2, 5), message(2, 5), message(3, 6))
    expect((await waiting()).toSorted()).toEqual([1, 2, 3])
    for (const _ of ['5 and 6', '5']) await finishAll(deps(), await claim())
    clock.advance(dayMs)
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
    expect(await rows()).toMatchObject([{ id: 1, ...empty }])
    clock.advance(4 * dayMs)
    await forgetOldUpdates(deps())
    expect(await rows()).toEqual([])
  })

  it('unless a hundred updates of the same person are waiting; payments are always stored', async () => {
    for (let at = 0; at < 12; at += 1)
      await store(...Array.from({ length: 10 }, (_, i) => message(at * 10 + i, 5)))
    await store(paymentOf(500, 5), message(501, 6))
    const kept = await waiting()
    expect(kept.length).toBe(102)
    expect(kept).toEqual(expect.arrayContaining([500, 501]))
    await database.db.update(updates).set({ doneAt: clock.now(), body: null })
    const more = Array.from({ length: 100 }, (_, at) => message(1000 + at, 5))
    expect(await store(...more)).toHaveLength(100)
  })
})

describe('updates are claimed', () => {
  it('in the order of arrival: the first of each chat and of each person', async () => {
    await store(message(901, -7, 5), message(2, 6), message(3, -7, 6), message(4, 5), tapOf(5, -8, 9))
    const first = await claim()
    expect(idsOf(first)).toEqual([2, 5, 901])
    expect(await claim()).toEqual([])
    await finishAll(deps(), first)
    expect(idsOf(await claim())).toEqual([3, 4])
  })

  it('up to the given number at once', async () => {
    await store(...[1, 2, 3, 4, 5].map((id) => message(id, id)))
    for (const count of [2, 2, 1]) expect(await claim(2)).toHaveLength(count)
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
    await updateLeases(database.db).renew(held, new Date(clock.now().getTime() + leaseMs))
    clock.advance(25_000)
    expect(await claim()).toEqual([])
  })
})

describe('an update whose process ended', () => {
  it('is claimed again, one at a time, in parallel to new updates', async () => {
    await store(message(1, 5), message(2, 6), message(3, 7))
    expect(idsOf(await claim())).toEqual([1, 2, 3])
    clock.advance(leaseMs)
    await store(message(4, 8), message(5, 9))
    expect(idsOf(await claim())).toEqual([1, 4, 5])
    expect(idsOf(await claim())).toEqual([2])
    expect(idsOf(await claim(100, 0))).toEqual([])
    expect(idsOf(await claim())).toEqual([3])
  })

  it('but handed it back before does not count as suspect', async () => {
    await store(message(1, 5))
    for (let times = 0; times < 4; times += 1) {
      const [claimed] = await claim()
      if (!claimed) return expect.unreachable('it is due')
      expect(claimed.claims).toBe(1)
      await putOff(deps(), claimed, 0)
    }
  })

  it('and that was set aside is kept until an operator has it handled again or deletes it', async () => {
    await store(message(1, 5), message(2, 6))
    for (const claimed of await claim()) await setAside(deps(), claimed)
    clock.advance(30 * dayMs)
    await forgetOldUpdates(deps())
    expect((await listSetAside(database.db)).map(({ id }) => id).toSorted()).toEqual([1, 2])
    expect(await claim()).toEqual([])
    expect(await retrySetAside(deps(), 1)).toBe(true)
    const again = await claim()
    expect(again).toMatchObject([{ id: 1, attempts: 0, claims: 1 }])
    await finishAll(deps(), again)
    expect(await dropSetAside(database.db, 2)).toBe(true)
    expect(await listSetAside(database.db)).toEqual([])
    expect(await retrySetAside(deps(), 2)).toBe(false)
    expect(await rows()).toMatchObject([empty, empty])
    await forgetOldUpdates(deps())
    expect((await rows()).map(({ id }) => id)).toEqual([1])
  })
})
