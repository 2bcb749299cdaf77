// For how long each cause stops sales.

import { afterEach, expect, it } from 'vitest'
import { salesStops } from '../../src/db/schema.ts'
import { salesStopped, stopSales } from '../../src/sales/sales.ts'
import { auditedWorld } from '../support/worlds/audited.ts'

const { clock, deps } = await auditedWorld()
const { db } = deps
afterEach(() => db.delete(salesStops))
const isStopped = () => salesStopped(db, clock.now())

it.each([
  ['unauthorised', 300_000],
  ['out-of-balance', 300_000],
  ['unreachable', 30_000],
] as const)(
  'sales that were stopped as %s begin again after %i ms, or later if they are stopped again',
  async (cause, ms) => {
    expect(await isStopped()).toBe(false)
    await stopSales(db, cause, clock.now())
    clock.advance(ms - 1)
    expect(await isStopped()).toBe(true)
    await stopSales(db, cause, clock.now())
    clock.advance(ms - 1)
    expect(await isStopped()).toBe(true)
    clock.advance(1)
    expect(await isStopped()).toBe(false)
  },
)
