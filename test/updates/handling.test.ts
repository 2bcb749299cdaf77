// Updates are handled in order per chat and person, tried again after failures, and taken over from processes that have ended; also when
// chance decides which of several processes stores, handles, fails and dies.

import { GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { updateLimits } from '../../src/updates/handling.ts'
import { claimUpdates, lanesOf, listSetAside, storeUpdates } from '../../src/updates/inbox.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase } from '../support/database/database.ts'
import { failing, failingStatements } from '../support/database/failing.ts'
import { inFlight } from '../support/database/in-flight.ts'
import { handClock } from '../support/runtime/clock.ts'
import {
  messageOf as message,
  type Process,
  paymentOf,
  startProcess,
  tapOf,
  unhandledIn,
  untilSo,
} from '../support/worlds/inbox.ts'

let clock = handClock()
const processes: Process[] = []
const deps = () => ({ db: database.db, clock, ids: randomIds })

const database = await freshDatabase('postgres')
const flight = inFlight(database.db)
beforeEach(async () => {
  await database.db.delete(updates)
  clock = handClock()
})
// A process that still runs could claim updates of the next test.
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.die()))
})
afterAll(() => database.close())

const store = (...told: Update[]) => storeUpdates(deps(), told)
const waiting = () => unhandledIn(database.db)
const until = (isSo: () => boolean | Promise<boolean>) => untilSo(flight, clock, isSo)
/** Lets time pass faster, in steps in which leases can be renewed. */
const inTime = (isSo: () => boolean | Promise<boolean>, stepMs = 1000) =>
  untilSo(flight, clock, isSo, { stepMs })
const rows = () => database.db.select().from(updates).orderBy(updates.id)
/** The time until the first update is due. */
const pauseMs = async () => Number((await rows())[0]?.dueAt) - clock.now().getTime()
const isEmpty = async () => (await waiting()).length === 0

/** A process with such handlers. */
function run(handle: (update: Update, attempt: number) => Promise<void>, db: Database = flight.db) {
  const begun: number[] = []
  const process = startProcess({
    db,
    clock,
    handle: (update, _, attempt) => {
      begun.push(update.update_id)
      return handle(update, attempt)
    },
  })
  processes.push(process)
  return { ...process, begun }
}

/** A process whose handlers end when the test says so. */
function held() {
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const process = run(({ update_id: id }) => {
    const end = Promise.withResolvers<void>()
    ends.set(id, end)
    return end.promise
  })
  return {
    ...process,
    end: (id: number) => ends.get(id)?.resolve(),
    fail: (id: number) => ends.get(id)?.reject(new Error('no database')),
  }
}

/** Stops the process. @returns whether it has stopped */
function stopping({ handling }: Pick<Process, 'handling'>): () => boolean {
  let isOver = false
  void handling.stop().then(() => {
    isOver = true
  })
  return () => isOver
}

const several = (count: number, first = 1) => Array.from({ length: count }, (_, at) => first + at)

describe('updates are handled', () => {
  it('in parallel in different chats, one after another in one chat, whose lane a hung handler blocks only for a while', async () => {
    await store(message(1, 5), message(2, 5), message(3, 6), paymentOf(9, 5))
    const one = held()
    await until(() => one.begun.length === 3)
    expect(one.begun.toSorted()).toEqual([1, 3, 9])
    await store(message(4, 7))
    one.handling.nudge()
    await until(() => one.begun.includes(4))
    expect(one.begun).not.toContain(2)
    one.end(3)
    one.end(4)
    await inTime(() => one.begun.length === 6)
    expect(one.begun.slice(4).toSorted(), 'a hung payment is tried again').toEqual([2, 9])
    one.end(2)
    one.end(9)
    await until(isEmpty)
  })

  it('again after a failure, and their chat waits for them', async () => {
    await store(message(1, 5), message(2, 5))
    const one = held()
    await until(() => one.begun.length === 1)
    one.fail(1)
    await until(async () => (await rows()).some(({ attempts, lease }) => attempts === 1 && lease === null))
    expect(one.begun).toEqual([1])
    const paused = await pauseMs()
    expect(paused > 900 && paused <= 1000, `${paused}`).toBe(true)
    await inTime(() => one.begun.length === 2)
    expect(one.begun).toEqual([1, 1])
    one.end(1)
    await until(() => one.begun.length === 3)
    one.end(2)
    await until(isEmpty)
  })

  it('while a failing payment blocks neither the payer nor the chat', async () => {
    await store(paymentOf(1, 5), message(2, 5))
    const one = held()
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
    await until(isEmpty)
  })
})

describe('a failed update', () => {
  it('is put off after an outage, without counting as one whose process ended', async () => {
    await store(message(1, 5))
    const attempts: number[] = []
    run(
      async (_, attempt) => {
        attempts.push(attempt)
        if (attempt === 1) throw new Error('no database')
      },
      failing(flight.db, 5, /^update$/),
    )
    await inTime(isEmpty)
    const [row] = await rows()
    expect([attempts, row?.claims]).toEqual([[1, 2], 0])
  })

  it('is put off for as long as Telegram asks for', async () => {
    await store(message(1, 5))
    const asked = { ok: false, error_code: 429, description: '', parameters: { retry_after: 60 } } as const
    run(() => Promise.reject(new GrammyError('refused', asked, 'sendMessage', {})))
    await until(async () => (await pauseMs()) > 50_000)
    expect(await pauseMs()).toBeLessThanOrEqual(60_000)
  })

  it('is given up after its limit of attempts, and not before', async () => {
    for (const [update, { attempts }, limit] of [
      [message(1, 5), updateLimits.other, 10],
      [paymentOf(2, 5), updateLimits.money, 300],
    ] as const) {
      expect(attempts).toBe(limit)
      await store(update)
      await database.db.update(updates).set({ attempts: limit - 2 })
      const one = run(() => Promise.reject(new Error('no database')))
      await inTime(isEmpty, 5000)
      const { update_id: id } = update
      expect(one.begun).toEqual([id, id])
      await one.die()
    }
  })
})

describe('a handled update', () => {
  const finishing = /set done_at/

  it.each([
    ['is marked after an outage', {}],
    ['that may have been marked when the connection was lost is marked again', { isExecuted: true }],
  ])('%s, and is not handled twice', async (_, failure) => {
    // Of different chats.
    await store(...several(20).map((id) => message(id, id)))
    const one = run(async () => undefined, failingStatements(flight.db, 3, finishing, failure))
    await inTime(isEmpty)
    await inTime(stopping(one))
    expect(one.begun.toSorted((a, b) => a - b)).toEqual(several(20))
  })

  it('that cannot be marked is handled again, and its chat waits for it', async () => {
    await store(message(1, 1), message(2, 1), message(3, 2))
    const one = run(async () => undefined, failingStatements(flight.db, 1, finishing, { code: '22P02' }))
    await inTime(isEmpty)
    expect(one.begun.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 3])
    expect(one.begun.filter((id) => id !== 3)).toEqual([1, 1, 2])
  })
})

// Updates whose process ended while it handled them may have ended it, so each is handled alone, and only a few times.
describe('an update whose process ended', () => {
  const claim = () => claimUpdates(database.db, claimNow(deps(), 100))

  /** Claims these updates for a process that ends at once, and lets its lease expire. */
  const abandon = async (...ids: number[]) => {
    expect((await claim()).map(({ id }) => id).toSorted()).toEqual(ids)
    clock.advance(leaseMs)
  }
  /** Shorter than the pauses between idle claims. */
  const soon = { looks: 300 }

  it('twice is set aside and not handled a third time; its chat continues', async () => {
    await store(message(1, 5), message(2, 5), message(3, 6))
    await abandon(1, 3)
    await abandon(1)
    const one = run(async () => undefined)
    await inTime(isEmpty)
    expect(one.begun.toSorted()).toEqual([2, 3])
    expect((await listSetAside(database.db)).map(({ id }) => id)).toEqual([1])
  })

  it('if it is a payment is handled by the tenth process, and set aside after ten ended ones', async () => {
    for (const [id, ended, begun] of [
      [1, 9, [1]],
      [2, 10, []],
    ] as const) {
      await store(paymentOf(id, 5))
      for (let at = 0; at < ended; at += 1) await abandon(id)
      const one = run(async () => undefined)
      await untilSo(flight, clock, isEmpty, soon)
      expect(one.begun).toEqual(begun)
      await one.die()
    }
    expect((await listSetAside(database.db)).map(({ id }) => id)).toEqual([2])
  })
})

/** Records which updates the handlers got, and all mistakes: updates of a lane out of order or at the same time. */
function createJournal() {
  const running = new Map<number, { readonly process: Process; readonly update: Update }>()
  const done: Update[] = []
  const mistakes: string[] = []
  const lanes = (update: Update) => {
    const { chatId = 0, personId = 0 } = lanesOf(update)
    return { chatId, personId }
  }
  const isSameLane = (one: Update, other: Update) =>
    lanes(one).chatId === lanes(other).chatId || lanes(one).personId === lanes(other).personId
  return {
    mistakes,
    begins(process: Process, update: Update) {
      const { update_id: id } = update
      for (const { update: other } of running.values())
        if (isSameLane(update, other)) mistakes.push(`${id} began during ${other.update_id} of its lane`)
      for (const other of done)
        if (other.update_id > id && isSameLane(update, other))
          mistakes.push(`${id} began after ${other.update_id} of its lane`)
      running.set(id, { process, update })
    },
    ends(update: Update, isHandled: boolean) {
      running.delete(update.update_id)
      if (isHandled) done.push(update)
    },
    dies(process: Process) {
      for (const [id, one] of running) if (one.process === process) running.delete(id)
    },
  }
}

function someUpdate(below: (limit: number) => number, id: number): Update {
  const [person, group] = [11 + below(4), -21 - below(2)]
  if (below(10) < 6) return message(id, person)
  return below(2) === 0 ? tapOf(id, group, person) : message(id, group, person)
}

it.each([7919, 15_838])(
  'updates of a lane are handled in order and one at a time by several processes, while these die and handlers fail; seed %d',
  async (seed) => {
    const random = seededRandom(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const journal = createJournal()
    const addProcess = () =>
      processes.push(
        startProcess({
          db: flight.db,
          clock,
          async handle(update, self) {
            journal.begins(self, update)
            for (let left = below(3); left > 0; left -= 1) await self.db.execute('select 1')
            const isHandled = below(100) >= 5
            journal.ends(update, isHandled)
            if (!isHandled) throw new Error('no database')
          },
        }),
      )
    for (let at = 0; at < 2; at += 1) addProcess()

    /** Stores the updates in batches, by processes chosen by chance. */
    const receiving = async () => {
      for (let id = 1; id <= 100; ) {
        const batch = several(Math.min(1 + below(8), 101 - id), id).map((one) => someUpdate(below, one))
        id += batch.length
        await processes[below(processes.length)]?.receives(...batch)
        // Like NOTIFY.
        for (const { handling } of processes) handling.nudge()
        for (let pauses = below(4); pauses > 0; pauses -= 1) await database.db.execute('select 1')
      }
    }
    let isReceived = false
    const received = receiving().then(() => {
      isReceived = true
    })
    let deaths = 0
    for (let looks = 0; looks < 5000; looks += 1) {
      if (isReceived && (await isEmpty())) break
      if (deaths < 3 && below(100) < 2) {
        const [dead] = processes.splice(below(processes.length), 1)
        void dead?.die()
        if (dead) journal.dies(dead)
        deaths += 1
        addProcess()
      }
      // Longer steps only while no statement is under way, so that no living process loses its lease.
      await (isReceived ? flight.none() : database.db.execute('select 1'))
      clock.advance(isReceived ? 100 : 2)
    }
    await received
    expect(await isEmpty()).toBe(true)
    expect(journal.mistakes).toEqual([])
  },
)
