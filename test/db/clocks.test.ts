// Clock differences between machines and the database.

import { expect, it } from 'vitest'
import { synchronise } from '../../src/db/upkeep.ts'
import { type AdjustableClock, createSteadyClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { freshDatabase } from '../support/database/database.ts'

const second = 1000

/** The clock of a machine whose time of day is wrong by `wrongMs`. */
const machine = (wrongMs: number): AdjustableClock =>
  createSteadyClock({ startedAt: Date.now() - performance.now() + wrongMs, elapsed: () => performance.now() })

it('clocks of machines that are wrong agree with the database after the synchronisation; small differences stay', async () => {
  const { db, close } = await freshDatabase('postgres')
  for (const wrongMs of [45 * second, -45 * second, 5 * 3600 * second]) {
    const clock = machine(wrongMs)
    await synchronise(db, clock, silentLog)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(2 * second)
  }
  const clock = machine(50)
  const adjusted: number[] = []
  await synchronise(db, { ...clock, adjust: (ms) => adjusted.push(ms) }, silentLog)
  expect(adjusted).toEqual([])
  await close()
})
