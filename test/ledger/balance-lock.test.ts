// Optimistic locks on a user's balance row.

import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { sealBalance } from '../../src/ledger/balance-lock.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

/** Whether the data of the user may be deleted in the same statement. */
const isSealed = async (userId: bigint): Promise<boolean> => {
  const sealed = sql`with sealed as (${sealBalance(userId)}) select user_id::text from sealed`
  return (await rows(world.deps.db, sealed, z.object({ user_id: z.string() }))).length === 1
}

it('a balance is sealed only while nothing of it is held', async () => {
  const user = await userWith(world, 500_00n)
  expect(await isSealed(user.id)).toBe(true)
  await order(world, user)
  expect(await isSealed(user.id)).toBe(false)
})
