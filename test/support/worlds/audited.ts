// Worlds that all tests of a file share. Remains of a test are cleared after it. After the last one the audit, which takes 40 ms of processor
// time, must find nothing: money that was once moved wrongly stays so.

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, expect } from 'vitest'
import { alarms, salesStops, taskCandidates } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { createWorld, type GenerationWorld, neverLooked } from './generations.ts'
import { openPaying, type Paying } from './payments.ts'

function closesClean(findings: () => Promise<unknown[]>, world: { close(): Promise<void> }): void {
  afterAll(async () => {
    const found = await findings()
    await world.close()
    expect(found).toEqual([])
  })
}

export async function auditedWorld(): Promise<GenerationWorld> {
  const world = await createWorld()
  const { db } = world.deps
  closesClean(() => audit(db), world)
  afterEach(async () => {
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
  closesClean(() => audit(delivery.db), delivery)
  afterEach(async () => {
    expect(delivery.telegram.faults.list()).toEqual([])
    delivery.telegram.faults.clear()
    await delivery.db.delete(salesStops)
    await delivery.db.delete(alarms)
  })
  return delivery
}

export async function auditedPaying(...given: Parameters<typeof openPaying>): Promise<Paying> {
  const world = await openPaying(...given)
  closesClean(() => world.audit(), world)
  afterEach(() => world.faults.clear())
  return world
}
