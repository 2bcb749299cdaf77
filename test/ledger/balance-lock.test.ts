// Optimistic locks on a user's balance row.

import { eq, inArray, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { balances } from '../../src/db/schema.ts'
import { sealBalance, unchangedBalance } from '../../src/ledger/balance-lock.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

/** Seals the balance of a user. @returns the users whose balances were sealed */
async function sealed(userId: bigint): Promise<bigint[]> {
  const query = sql`with sealed as (${sealBalance(userId)}) select user_id from sealed`
  const found = await rows(world.deps.db, query, z.object({ user_id: z.coerce.bigint() }))
  return found.map((one) => one.user_id)
}

/** Locks the balance of a user. @returns the amount on hold of each locked balance: one amount, or none if the lock failed */
async function locked(userId: bigint): Promise<bigint[]> {
  const found = await rows(world.deps.db, unchangedBalance(userId), z.object({ held: z.coerce.bigint() }))
  return found.map(({ held }) => held)
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

it('a lock returns what one user has on hold, and no other balance, even one that was changed in the same transaction', async () => {
  const [user, other] = [await userWith(world, 500_00n), await userWith(world, 1n)]
  const { amount } = await order(world, user)
  const { db } = world.deps
  await db
    .update(balances)
    .set({ checksum: sql`${balances.checksum}` })
    .where(inArray(balances.userId, [user.id, other.id]))
  expect(await locked(user.id)).toEqual([amount])
})

it.each([
  ['sealed', sealed],
  ['locked', locked],
])('a balance that another statement changes meanwhile is not %s', async (_, act) => {
  const user = await userWith(world, 1n)
  const { db } = world.deps
  const waiting = async () => {
    const query = sql`select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    const [found] = await rows(db, query, z.object({ count: z.coerce.number() }))
    return found?.count
  }
  const { acting } = await db.transaction(async (change) => {
    await change.update(balances).set({ available: 1n }).where(eq(balances.userId, user.id))
    const begun = { acting: act(user.id) }
    await expect.poll(waiting).toBe(1)
    return begun
  })
  expect(await acting).toEqual([])
})
