// Worlds that all tests of a file share. After each test the audit must find nothing, and remains of the test are cleared.

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, expect } from 'vitest'
import { alarms, salesStops, taskCandidates } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { createWorld, type GenerationWorld, neverLooked } from './generations.ts'
import { openPaying, type Paying } from './payments.ts'

export async function auditedWorld(): Promise<GenerationWorld> {
  const world = await createWorld()
  const { db } = world.deps
  afterAll(() => world.close())
  afterEach(async () => {
    expect(await audit(db)).toEqual([])
    await db.execute(
      sql`update generations set next_check_at = ${neverLooked}, task_id = null, lease = null, lease_until = null, claims = 0`,
    )
    await db.delete(taskCandidates)
    await db.delete(salesStops)
    world.reset()
  })
  return world
}

/** A world for tests of delivery. After each test every scripted fault must have occurred. */
export async function auditedDelivery(): Promise<Delivery> {
  const delivery = await createDelivery()
  afterAll(() => delivery.close())
  afterEach(async () => {
    expect(delivery.telegram.faults.list()).toEqual([])
    delivery.telegram.faults.clear()
    await delivery.db.delete(salesStops)
    await delivery.db.delete(alarms)
    expect(await audit(delivery.db)).toEqual([])
  })
  return delivery
}

export async function auditedPaying(...given: Parameters<typeof openPaying>): Promise<Paying> {
  const world = await openPaying(...given)
  afterAll(() => world.close())
  afterEach(async () => {
    world.faults.clear()
    expect(await world.audit()).toEqual([])
  })
  return world
}
