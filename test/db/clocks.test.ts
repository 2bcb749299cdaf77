// Clock differences between machines and the database.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { synchronise } from '../../src/db/upkeep.ts'
import { createMetrics } from '../../src/metrics.ts'
import { type AdjustableClock, createSteadyClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createHandling } from '../../src/updates/handling.ts'
import { claimUpdates, storeUpdates } from '../../src/updates/inbox.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { messageOf } from '../support/worlds/inbox.ts'

const second = 1000
const hour = 3600 * second

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

  it('that are wrong agree with the database after the synchronisation, and small differences stay', async () => {
    for (const wrongMs of [45 * second, -45 * second, 5 * hour]) {
      const clock = machine(wrongMs)
      await synchronise(database.db, clock, silentLog)
      expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(2 * second)
    }
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
    await storeUpdates(ahead.deps, [messageOf(1, 1)])
    behind.handling.start()
    // Two synchronised clocks still differ by as much as a query takes, so the update may be due a moment later.
    const hasBegun = begun.promise.then(() => true)
    const looked = () => database.db.execute('select 1').then(() => false)
    while (!(await Promise.race([hasBegun, looked()]))) behind.handling.nudge()
    expect(await claimUpdates(ahead.deps.db, claimNow(ahead.deps))).toEqual([])
    ended.resolve()
    await behind.handling.stop()
    expect(handled).toEqual(['behind'])
  })
})
