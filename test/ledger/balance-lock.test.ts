// Optimistic locks on a user's balance row.

import { eq, inArray, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { balances } from '../../src/db/schema.ts'
import { sealBalance } from '../../src/ledger/balance-lock.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

/** Seals the balance of a user. @returns the users whose balances were sealed */
async function sealed(userId: bigint): Promise<bigint[]> {
  const query = sql`with sealed as (${sealBalance(userId)}) select user_id from sealed`
  const found = await rows(world.deps.db, query, z.object({ user_id: z.coerce.bigint() }))
  return found.map((one) => one.user_id)
}

it('a balance is sealed only while nothing of it is held', async () => {
  const user = await userWith(world, 500_00n)
  expect(await sealed(user.id)).toEqual([user.id])
  await order(world, user)
  expect(await sealed(user.id)).toEqual([])
})

it('no other balance is sealed, even one that was changed in the same transaction', async () => {
  const [user, other] = [await userWith(world, 1n), await userWith(world, 1n)]
  const { db } = world.deps
  await db
    .update(balances)
    .set({ available: 1n })
    .where(inArray(balances.userId, [user.id, other.id]))
  expect(await sealed(user.id)).toEqual([user.id])
})

it('a balance that another statement changes meanwhile is not sealed', async () => {
  const user = await userWith(world, 1n)
  const { db } = world.deps
  const waiting = async () => {
    const query = sql`select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    const [found] = await rows(db, query, z.object({ count: z.coerce.number() }))
    return found?.count
  }
  const { sealing } = await db.transaction(async (change) => {
    await change.update(balances).set({ available: 1n }).where(eq(balances.userId, user.id))
    const begun = { sealing: sealed(user.id) }
    await expect.poll(waiting).toBe(1)
    return begun
  })
  expect(await sealing).toEqual([])
})
