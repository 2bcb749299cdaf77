// Updates are claimed and finished in batches: how many statements that takes, and what happens when a batch is interrupted.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { createMetrics } from '../../src/metrics.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { claimUpdates } from '../../src/updates/claim.ts'
import { createHandling } from '../../src/updates/handling.ts'
import { finishUpdates, putOff, storeUpdates } from '../../src/updates/inbox.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { delayingStatements, failingStatements } from '../support/database/failing.ts'
import { type InFlight, inFlight } from '../support/database/in-flight.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { handClock } from '../support/runtime/clock.ts'
import { messageOf, type Process, startProcess, unhandledIn } from '../support/worlds/inbox.ts'

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

const claim = (most = 100) => claimUpdates(deps(), { fresh: most, suspect: 1 })
const waiting = () => unhandledIn(database.db)

/** Lets time pass in small steps until the condition holds. */
const until = async (isSo: () => boolean | Promise<boolean>, stepMs = 2) => {
  for (let looks = 0; !(await isSo()); looks += 1) {
    if (looks > 3000) throw new Error('the condition never held')
    await flight.none()
    clock.advance(stepMs)
    await database.db.execute('select 1')
  }
}
const isEmpty = async () => (await waiting()).length === 0

const stopped = async ({ handling }: Process) => {
  let isOver = false
  const stopping = handling.stop().then(() => {
    isOver = true
  })
  await until(() => isOver, 100)
  await stopping
}

/** Several updates of different chats. */
const several = (count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => messageOf(first + at, at + 1))

describe('the number of statements', () => {
  const isOfIntake = (text: string) => !/duties|^\s*(select 1|begin|commit|set )/i.test(text)

  /** The statements of one process while the work lasts. */
  async function countOf(work: (receives: Process['receives']) => Promise<void>) {
    const observed = observedDatabase(database.url)
    const process = startProcess({ db: observed.db, clock, handle: async () => undefined })
    await process.receives(messageOf(1, 1))
    await until(isEmpty)
    observed.statements.length = 0
    await work(process.receives)
    const count = observed.statements.filter(isOfIntake).length
    await stopped(process)
    await observed.close()
    return count
  }

  it('is three for an update that comes alone, or four when it comes just before the previous one is finished', async () => {
    const count = await countOf(async (receives) => {
      for (let id = 2; id <= 11; id += 1) {
        await receives(messageOf(id, id))
        await until(isEmpty)
      }
    })
    expect(count).toBeGreaterThanOrEqual(30)
    expect(count).toBeLessThanOrEqual(40)
  })

  it('is below a fourth of the number of updates when many come together', async () => {
    const count = await countOf(async (receives) => {
      for (let at = 0; at < 5; at += 1) await receives(...several(100, 100 * (at + 1)))
      await until(isEmpty)
    })
    expect(count).toBeLessThan(500 / 4)
  })
})

describe('a batch of handled updates', () => {
  it('does not mark an update whose lease was lost, and marks the others', async () => {
    await storeUpdates(deps(), several(3))
    const [lost, ...kept] = await claim()
    if (!lost) return expect.unreachable('it was stored')
    await putOff(deps(), lost, 0)
    const [again] = await claim()
    await finishUpdates(deps(), [lost, ...kept])
    expect(await waiting()).toEqual([lost.id])
    expect(again?.id).toBe(lost.id)
  })

  it('does not mark an update whose lease was lost, although other updates of the batch have its new lease', async () => {
    await storeUpdates(deps(), several(1))
    const [lost] = await claim()
    if (!lost) return expect.unreachable('it was stored')
    await putOff(deps(), lost, 0)
    await storeUpdates(deps(), several(3).slice(1))
    // One claim, so one lease for the repeated update and the two new ones.
    const claimed = await claim()
    const others = claimed.filter(({ id }) => id !== lost.id)
    expect(new Set(claimed.map(({ lease }) => lease)).size).toBe(1)
    await finishUpdates(deps(), [lost, ...others])
    expect(await waiting()).toEqual([lost.id])
  })

  const finishing = /set done_at/

  it('is marked after an outage, and no update of it is handled twice', async () => {
    await storeUpdates(deps(), several(20))
    const handled: number[] = []
    const process = startProcess({
      db: failingStatements(flight.db, 3, finishing),
      clock,
      handle: async ({ update_id: id }) => void handled.push(id),
    })
    await until(isEmpty, 100)
    await process.handling.stop()
    expect(handled.toSorted((a, b) => a - b)).toEqual(several(20).map(({ update_id: id }) => id))
  })

  it('that may have been written when the connection was lost is written again', async () => {
    await storeUpdates(deps(), [messageOf(1, 1), messageOf(2, 1)])
    const handled: number[] = []
    const process = startProcess({
      db: failingStatements(flight.db, 3, finishing, { isExecuted: true }),
      clock,
      handle: async ({ update_id: id }) => void handled.push(id),
    })
    await until(isEmpty, 100)
    await stopped(process)
    expect(handled).toEqual([1, 2])
  })

  it('that cannot be written at all is handled again, and its chats wait for it', async () => {
    await storeUpdates(deps(), [messageOf(1, 1), messageOf(2, 1), messageOf(3, 2)])
    const handled: number[] = []
    const process = startProcess({
      db: failingStatements(database.db, 1, finishing, { code: '22P02' }),
      clock,
      handle: async ({ update_id: id }) => void handled.push(id),
    })
    await until(isEmpty, 100)
    await process.handling.stop()
    expect(handled.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 3, 3])
    expect(handled.filter((id) => id !== 3)).toEqual([1, 1, 2])
  })

  it('is written before the process has stopped', async () => {
    await storeUpdates(deps(), several(5))
    let handled = 0
    const process = startProcess({
      db: database.db,
      clock,
      async handle() {
        handled += 1
      },
    })
    await until(() => handled === 5, 0)
    let hasStopped = false
    const stopping = process.handling.stop().then(() => {
      hasStopped = true
    })
    await database.db.execute('select 1')
    expect(hasStopped).toBe(false)
    await until(() => hasStopped)
    await stopping
    expect(await waiting()).toEqual([])
  })
})

describe('stored updates', () => {
  const hang = () => new Promise<void>(() => undefined)
  const counter = () => {
    let told = 0
    const tellOthers = () => {
      told += 1
    }
    return { tellOthers, told: () => told }
  }
  const claimed = async (ids: readonly number[]) => {
    const held = (await database.db.select().from(updates)).filter(({ lease }) => lease !== null)
    return ids.every((id) => held.some((row) => row.id === id))
  }
  /** A process whose handlers never end, with one update of the chat 1, and how often it told the others since then. */
  const hung = async () => {
    const { tellOthers, told } = counter()
    const process = startProcess({ db: flight.db, clock, handle: hang, tellOthers })
    await process.receives(messageOf(1, 1))
    await until(() => claimed([1]))
    const before = told()
    return { process, told: () => told() - before }
  }

  it('are not told to other processes when this process takes them', async () => {
    const { process, told } = await hung()
    await process.receives(messageOf(2, 2), messageOf(3, 3))
    await until(() => claimed([2, 3]))
    expect(told()).toBe(0)
    await process.die()
  })

  it('are told to other processes when one waits for an earlier update of its chat, which another process may hold', async () => {
    const { process, told } = await hung()
    await process.receives(messageOf(2, 1), messageOf(3, 3))
    // The claim is visible before its process has read the answer.
    await until(async () => (await claimed([3])) && told() > 0)
    expect(told()).toBe(1)
    await process.die()
  })

  it('are told to other processes when this process has no place for all of them', async () => {
    const { process, told } = await hung()
    await process.receives(...several(300, 100))
    await until(() => told() === 1)
    await process.receives(messageOf(2, 2000))
    await until(() => told() === 2)
    await process.die()
  })

  it('are told to other processes when they cannot be claimed', async () => {
    const { tellOthers, told } = counter()
    const db = failingStatements(flight.db, 1000, /^\s*with fresh/)
    const process = startProcess({ db, clock, handle: hang, tellOthers })
    await process.receives(messageOf(1, 1))
    await until(() => told() > 0)
    await process.die()
  })

  it('are told to other processes by a process that does not handle updates yet', () => {
    const { tellOthers, told } = counter()
    const given = { ...deps(), log: silentLog, metrics: createMetrics(), handle: hang, tellOthers }
    createHandling(given).take([messageOf(1, 1)])
    expect(told()).toBe(1)
  })

  it('are told to other processes by a process that stops before it can claim them', async () => {
    const { tellOthers, told } = counter()
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const db = delayingStatements(database.db, /^\s*with fresh/, answered.promise, begun.resolve)
    // Without a due watch: that is stopped first, and until then the worker may claim once more.
    const handling = createHandling({
      ...deps(),
      db,
      log: silentLog,
      metrics: createMetrics(),
      handle: hang,
      tellOthers,
    })
    handling.start()
    await begun.promise
    handling.take(await storeUpdates(deps(), [messageOf(1, 1)]))
    const stopping = handling.stop()
    answered.resolve()
    await stopping
    expect(told()).toBe(1)
    expect(await waiting()).toEqual([1])
  })

  it('are told to other processes by a process that has stopped handling updates', async () => {
    const { tellOthers, told } = counter()
    const process = startProcess({ db: flight.db, clock, handle: hang, tellOthers })
    await process.handling.stop()
    await process.receives(messageOf(1, 1))
    expect(told()).toBe(1)
  })
})
