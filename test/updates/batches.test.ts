// Updates are claimed in batches and marked one by one: what happens when that is interrupted.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { delayingStatements, failingStatements } from '../support/database/failing.ts'
import { type InFlight, inFlight } from '../support/database/in-flight.ts'
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

describe('a handled update', () => {
  const finishing = /set done_at/

  it('is marked after an outage, and is not handled twice', async () => {
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

  it('that may have been marked when the connection was lost is marked again', async () => {
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

  it('that cannot be marked is handled again, and its chat waits for it', async () => {
    await storeUpdates(deps(), [messageOf(1, 1), messageOf(2, 1), messageOf(3, 2)])
    const handled: number[] = []
    const process = startProcess({
      db: failingStatements(database.db, 1, finishing, { code: '22P02' }),
      clock,
      handle: async ({ update_id: id }) => void handled.push(id),
    })
    await until(isEmpty, 100)
    await process.handling.stop()
    expect(handled.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 3])
    expect(handled.filter((id) => id !== 3)).toEqual([1, 1, 2])
  })

  it('is marked before the process has stopped', async () => {
    await storeUpdates(deps(), several(5))
    const answered = Promise.withResolvers<void>()
    let marking = 0
    const process = startProcess({
      db: delayingStatements(flight.db, finishing, answered.promise, () => {
        marking += 1
      }),
      clock,
      handle: async () => undefined,
    })
    await expect.poll(() => marking).toBe(5)
    let hasStopped = false
    const stopping = process.handling.stop().then(() => {
      hasStopped = true
    })
    await new Promise(setImmediate)
    expect(hasStopped).toBe(false)
    answered.resolve()
    await stopping
    expect(await waiting()).toEqual([])
  })
})
