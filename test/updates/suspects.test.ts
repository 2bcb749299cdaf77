// Suspects: updates whose process ended while it handled them. They may have ended it, so each is handled alone, and only a few times.

import type { Update } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimUpdates, listSetAside, storeUpdates } from '../../src/updates/inbox.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { type InFlight, inFlight } from '../support/database/in-flight.ts'
import { handClock } from '../support/runtime/clock.ts'
import { messageOf, startProcess, unhandledIn } from '../support/worlds/inbox.ts'

let database: TestDatabase
/** The statements of the handling; no time passes while one of them is not answered, so that no lease expires meanwhile. */
let flight: InFlight
let clock = handClock()
const deps = () => ({ db: database.db, clock, ids: randomIds })

beforeAll(async () => {
  database = await freshDatabase('postgres')
  flight = inFlight(database.db)
})
beforeEach(async () => {
  await database.db.delete(updates)
  clock = handClock()
})
afterAll(() => database.close())

const claim = () => claimUpdates(database.db, claimNow(deps(), 100))
const waiting = () => unhandledIn(database.db)

/** Claims these updates for a process that ends at once, and lets its lease expire. */
const abandon = async (...ids: number[]) => {
  expect((await claim()).map(({ id }) => id).toSorted()).toEqual(ids)
  clock.advance(leaseMs)
}

/** Lets a little time pass after each look until the condition holds. @param mostMs shorter than the pauses of the due watch by default */
const until = async (isSo: () => boolean | Promise<boolean>, mostMs = 600) => {
  for (let ms = 0; !(await isSo()); ms += 2) {
    if (ms > mostMs) throw new Error('the condition never held')
    await flight.none()
    clock.advance(2)
    await database.db.execute('select 1')
  }
}

/** A process whose handlers of these updates never end. */
function start(...hanging: number[]) {
  const begun: number[] = []
  const handle = async ({ update_id: id }: Update) => {
    begun.push(id)
    if (hanging.includes(id)) await new Promise<void>(() => undefined)
  }
  return { ...startProcess({ db: flight.db, clock, handle }), begun }
}

it('a hung handler of a new update does not delay an update whose process has ended', async () => {
  await storeUpdates(deps(), [messageOf(1, 5)])
  await claim()
  await database.db.update(updates).set({ leaseUntil: new Date(clock.now().getTime() + 100) })
  await storeUpdates(deps(), [messageOf(2, 6)])
  const process = start(2)
  await until(() => process.begun.includes(2))
  expect(process.begun).toEqual([2])
  await until(() => process.begun.includes(1), 2000)
  await process.die()
})

it('updates whose process has ended are handled one after another without a pause', async () => {
  await storeUpdates(deps(), [messageOf(1, 5), messageOf(2, 6), messageOf(3, 7)])
  await abandon(1, 2, 3)
  const process = start()
  await until(async () => (await waiting()).length === 0)
  expect(process.begun).toEqual([1, 2, 3])
  await process.die()
})

const paid = { currency: 'XTR', total_amount: 1, invoice_payload: 'x', telegram_payment_charge_id: 'c' }
const payment = messageOf(1, 5, 5, {
  text: undefined,
  successful_payment: { ...paid, provider_payment_charge_id: '' },
})

it.each([
  ['nine processes ended is handled by the tenth', 9, [1]],
  ['ten processes ended is set aside', 10, []],
])('a payment during which %s', async (_, processes, begun) => {
  await storeUpdates(deps(), [payment])
  for (let at = 0; at < processes; at += 1) await abandon(1)
  const process = start()
  await until(async () => (await waiting()).length === 0)
  expect(process.begun).toEqual(begun)
  expect(await listSetAside(database.db)).toHaveLength(begun.length === 0 ? 1 : 0)
  await process.die()
})

it('updates of a person that were handled do not count towards the hundred that may wait', async () => {
  const several = (first: number) => Array.from({ length: 100 }, (_, at) => messageOf(first + at, 5))
  await storeUpdates(deps(), several(1))
  await database.db.update(updates).set({ doneAt: clock.now(), body: null })
  expect(await storeUpdates(deps(), several(101))).toHaveLength(100)
})
