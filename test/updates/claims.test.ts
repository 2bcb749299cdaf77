// Claims whose answer is late or lost, and claims of updates that were stored in another order than they arrived.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createQueueWorker, leaseMs } from '../../src/runtime/queue-worker.ts'
import {
  type ClaimedUpdate,
  claimUpdates,
  finishUpdate,
  putOff,
  storeUpdates,
  updateLeases,
} from '../../src/updates/inbox.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { delayingStatements, failingStatements } from '../support/database/failing.ts'
import { handClock } from '../support/runtime/clock.ts'
import { finishAll, messageOf, tapOf } from '../support/worlds/inbox.ts'

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

const claim = () => claimUpdates(database.db, claimNow(deps()))

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

describe('updates are free again, as if they had not been claimed,', () => {
  /** A claim whose answer comes so late. */
  const claimLate = (ms: number) =>
    claimThrough(delayingStatements(database.db, claiming, Promise.resolve(), () => clock.advance(ms)))
  const claimLost = () => claimThrough(failingStatements(database.db, 1, claiming, { isExecuted: true }))

  it.each([
    ['has half expired', leaseMs / 2],
    ['has expired', leaseMs],
  ])('when the answer to their claim comes after their lease %s', async (_, ms) => {
    await storeUpdates(deps(), [messageOf(1, 5), messageOf(2, 6)])
    expect(await claimLate(ms)).toEqual([])
    const free = { attempts: 0, claims: 1 }
    expect(await claim()).toMatchObject([free, free])
  })

  it('when the answer to their claim is lost', async () => {
    await storeUpdates(deps(), [messageOf(1, 5), messageOf(2, 6)])
    for (const _ of ['first', 'second', 'third']) expect(await claimLost()).toEqual([])
    const free = { attempts: 0, claims: 1 }
    expect(await claim()).toMatchObject([free, free])
  })

  it('which does not make a suspect of another process a new update', async () => {
    await storeUpdates(deps(), [messageOf(1, 5)])
    await claim()
    clock.advance(leaseMs)
    expect(await claimLost()).toEqual([])
    expect(await claim()).toMatchObject([{ attempts: 0, claims: 2 }])
  })

  it('unless another process has claimed them meanwhile', async () => {
    await storeUpdates(deps(), [messageOf(1, 5)])
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
    expect(await database.db.select().from(updates)).toMatchObject([{ doneAt: clock.now() }])
  })
})

describe('an update that arrived before another one of its person and is stored after it', () => {
  /** Stores a message, and claims a tap of the same person before the message is committed. */
  async function claimBefore(): Promise<ClaimedUpdate> {
    const claimed = await database.db.transaction(async (tx) => {
      await storeUpdates({ ...deps(), db: tx }, [messageOf(1, 5)])
      await storeUpdates(deps(), [tapOf(2, -7, 5)])
      return claim()
    })
    const [tap] = claimed
    if (!tap) return expect.unreachable('it was stored')
    expect(claimed.map(({ id }) => id)).toEqual([2])
    return tap
  }
  const idsOf = async () => (await claim()).map(({ id }) => id)

  it('waits until the other one is handled', async () => {
    const tap = await claimBefore()
    expect(await idsOf()).toEqual([])
    await finishUpdate(deps(), tap)
    expect(await idsOf()).toEqual([1])
  })

  it('is handled first when the other one is put off', async () => {
    await putOff(deps(), await claimBefore(), 0)
    expect(await idsOf()).toEqual([1])
    expect(await idsOf()).toEqual([])
  })

  it('is handled first when the process that handles the other one has ended', async () => {
    await claimBefore()
    clock.advance(leaseMs)
    expect(await idsOf()).toEqual([1])
    expect(await idsOf()).toEqual([])
  })
})
