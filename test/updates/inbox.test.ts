// The inbox: updates are stored once, claimed in order per chat and person by any number of processes, and set aside or forgotten; claims
// whose answer is late or lost, and claims of updates that were stored in another order than they arrived.

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createQueueWorker, leaseMs } from '../../src/runtime/queue-worker.ts'
import {
  type ClaimedUpdate,
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
import { freshDatabase } from '../support/database/database.ts'
import { delayingStatements, failingStatements } from '../support/database/failing.ts'
import { handClock } from '../support/runtime/clock.ts'
import { finishAll, messageOf as message, paymentOf, tapOf, unhandledIn } from '../support/worlds/inbox.ts'

let clock = handClock()
const deps = () => ({ db: database.db, clock, ids: randomIds })

const database = await freshDatabase('postgres')
beforeEach(async () => {
  await database.db.delete(updates)
  clock = handClock()
})
afterAll(() => database.close())

const dayMs = 24 * 3600_000
const empty = { body: null, chatId: null, personId: null }
const store = (...told: Parameters<typeof storeUpdates>[1]) => storeUpdates(deps(), told)
const claim = (max = 100, maxSuspects = 1) => claimUpdates(database.db, claimNow(deps(), max, maxSuspects))
const idsOf = (claimed: readonly ClaimedUpdate[]) => claimed.map(({ id }) => id).toSorted((a, b) => a - b)
const claimedIds = async (...given: Parameters<typeof claim>) => idsOf(await claim(...given))
const one = async () => (await claim())[0] ?? expect.unreachable('an update is due')
const rows = () => database.db.select().from(updates)
const several = (count: number, first = 1) => Array.from({ length: count }, (_, at) => first + at)

it('the lanes of an update are its chat and its person; what is about money and checkouts has none', () => {
  expect(lanesOf(message(1, -7, 5))).toEqual({ chatId: -7, personId: 5 })
  expect(lanesOf(tapOf(1, -7, 5))).toEqual({ chatId: -7, personId: 5 })
  const { from } = tapOf(1, -7, 5).callback_query ?? expect.unreachable('it is a tap')
  const checkout = { id: '1', from, currency: 'XTR', total_amount: 1, invoice_payload: 'x' }
  expect(lanesOf({ update_id: 1, pre_checkout_query: checkout })).toEqual({})
  expect(lanesOf(paymentOf(1, 5))).toEqual({})
})

describe('an update is stored', () => {
  it('once, however often it is received, even when it was handled long before', async () => {
    await store(message(1, 5), message(2, 5))
    await store(message(2, 5), message(2, 5), message(3, 6))
    expect((await unhandledIn(database.db)).toSorted()).toEqual([1, 2, 3])
    for (const _ of ['5 and 6', '5']) await finishAll(deps(), await claim())
    clock.advance(dayMs)
    await forgetOldUpdates(deps())
    await store(message(1, 5))
    expect(await claim()).toEqual([])
  })

  it('without characters that no column can store, and no longer than needed: its id is deleted after some days', async () => {
    const words = 'nul \u0000, half a pair \ud83d, whole 😀'
    await store(message(1, 5, 5, { text: words }))
    const claimed = await one()
    expect(claimed.update.message?.text).toBe('nul  , half a pair \ufffd, whole 😀')
    await finishAll(deps(), [claimed])
    expect(await rows()).toMatchObject([{ id: 1, ...empty }])
    clock.advance(4 * dayMs)
    await forgetOldUpdates(deps())
    expect(await rows()).toEqual([])
  })

  it('unless a hundred updates of the same person are waiting; payments are always stored', async () => {
    for (let at = 0; at < 12; at += 1) await store(...several(10, at * 10).map((id) => message(id, 5)))
    await store(paymentOf(500, 5), message(501, 6))
    const kept = await unhandledIn(database.db)
    expect(kept.length).toBe(102)
    expect(kept).toEqual(expect.arrayContaining([500, 501]))
    await database.db.update(updates).set({ doneAt: clock.now(), body: null })
    expect(await store(...several(100, 1000).map((id) => message(id, 5)))).toHaveLength(100)
  })
})

describe('updates are claimed', () => {
  it('in the order of arrival: the first of each chat and of each person, up to the given number at once', async () => {
    await store(message(901, -7, 5), message(2, 6), message(3, -7, 6), message(4, 5), tapOf(5, -8, 9))
    const first = [...(await claim(2)), ...(await claim(2))]
    expect(first).toHaveLength(3)
    expect(idsOf(first)).toEqual([2, 5, 901])
    expect(await claim()).toEqual([])
    await finishAll(deps(), first)
    expect(await claimedIds()).toEqual([3, 4])
  })

  it('by only one of several processes', async () => {
    await store(...several(60).map((id) => message(id, id)))
    const all = (await Promise.all(Array.from({ length: 12 }, () => claimedIds(7)))).flat()
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(7)
  })

  it('again when their lease was not renewed for half a minute, and not while it is', async () => {
    await store(message(1, 5), message(2, 5))
    const lost = await one()
    clock.advance(29_000)
    expect(await claim()).toEqual([])
    await updateLeases(database.db).renew([lost], new Date(clock.now().getTime() + leaseMs))
    clock.advance(29_000)
    expect(await claim()).toEqual([])
    clock.advance(1000)
    const again = await one()
    expect(again).toMatchObject({ id: 1, claims: 2 })
    await finishUpdate(deps(), lost)
    expect(await claim()).toEqual([])
    await finishUpdate(deps(), again)
    expect(await claimedIds()).toEqual([2])
  })
})

describe('an update whose process ended', () => {
  it('is claimed again, one at a time, in parallel to new updates', async () => {
    await store(message(1, 5), message(2, 6), message(3, 7))
    expect(await claimedIds()).toEqual([1, 2, 3])
    clock.advance(leaseMs)
    await store(message(4, 8), message(5, 9))
    expect(await claimedIds()).toEqual([1, 4, 5])
    expect(await claimedIds()).toEqual([2])
    expect(await claimedIds(100, 0)).toEqual([])
    expect(await claimedIds()).toEqual([3])
  })

  it('but handed it back before does not count as suspect', async () => {
    await store(message(1, 5))
    for (let times = 0; times < 4; times += 1) {
      const claimed = await one()
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

describe('updates whose claim has no answer in time', () => {
  /** Lets a worker claim once. @returns the updates that it works on */
  async function claimThrough(db: Database): Promise<ClaimedUpdate[]> {
    const worked: ClaimedUpdate[] = []
    const worker = createQueueWorker<ClaimedUpdate>(
      { ...deps(), log: silentLog },
      {
        ...updateLeases(db),
        claim: (claim) => claimUpdates(db, claim),
        work: async (claimed) => void worked.push(claimed),
      },
      { slots: 10, failed: 'failed' },
    )
    worker.start()
    await worker.stop()
    return worked
  }
  const claiming = /^\s*with fresh/
  const claimLate = (ms: number) =>
    claimThrough(delayingStatements(database.db, claiming, Promise.resolve(), () => clock.advance(ms)))
  const claimLost = () => claimThrough(failingStatements(database.db, 1, claiming, { isExecuted: true }))

  it.each([
    ['comes after half of their lease', 1, () => claimLate(leaseMs / 2)],
    ['comes after their lease', 1, () => claimLate(leaseMs)],
    ['is lost', 3, claimLost],
  ])('are free again as if they had not been claimed when the answer %s', async (_, times, claimed) => {
    await store(message(1, 5), message(2, 6))
    const leases = async () => (await rows()).map(({ lease }) => lease)
    for (let left = times; left > 0; left -= 1) {
      expect(await claimed()).toEqual([])
      await expect.poll(leases).toEqual([null, null])
    }
    const free = { attempts: 0, claims: 1 }
    expect(await claim()).toMatchObject([free, free])
  })

  it('stay suspects of another process', async () => {
    await store(message(1, 5))
    await claim()
    clock.advance(leaseMs)
    expect(await claimLost()).toEqual([])
    expect(await claim()).toMatchObject([{ attempts: 0, claims: 2 }])
  })

  it('stay with another process that has claimed them meanwhile', async () => {
    await store(message(1, 5))
    const taken = Promise.withResolvers<ClaimedUpdate[]>()
    const takeOver = () => {
      clock.advance(leaseMs)
      taken.resolve(claim())
    }
    const isTaken = taken.promise.then(() => undefined)
    expect(await claimThrough(delayingStatements(database.db, claiming, isTaken, takeOver))).toEqual([])
    const kept = await taken.promise
    expect(await claim()).toEqual([])
    await finishAll(deps(), kept)
    expect(await rows()).toMatchObject([{ doneAt: clock.now() }])
  })
})

describe('an update that arrived before another one of its person and is stored after it', () => {
  /** Stores a message, and claims a tap of the same person before the message is committed. */
  async function claimBefore(): Promise<ClaimedUpdate> {
    const claimed = await database.db.transaction(async (tx) => {
      await storeUpdates({ ...deps(), db: tx }, [message(1, 5)])
      await store(tapOf(2, -7, 5))
      return claim()
    })
    expect(idsOf(claimed)).toEqual([2])
    return claimed[0] ?? expect.unreachable('it was stored')
  }

  it.each<[string, (tap: ClaimedUpdate) => unknown]>([
    ['waits until the other one is handled', (tap) => finishUpdate(deps(), tap)],
    ['is handled first when the other one is put off', (tap) => putOff(deps(), tap, 0)],
    ['is handled first when the process that handles the other one has ended', () => clock.advance(leaseMs)],
  ])('%s', async (_, ends) => {
    const tap = await claimBefore()
    expect(await claimedIds()).toEqual([])
    await ends(tap)
    expect(await claimedIds()).toEqual([1])
    expect(await claimedIds()).toEqual([])
  })
})
