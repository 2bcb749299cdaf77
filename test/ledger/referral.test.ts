// Invitations: only new users can be invited, never by themselves. What they bring is in test/payments/rewards.test.ts.

import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { inviteCode, readInvites, setReferrer } from '../../src/ledger/referral.ts'
import { forget } from '../../src/privacy/forget.ts'
import type { User } from '../../src/users/user.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

const refer = (invited: User, by: User) => setReferrer(world.deps.db, invited.id, inviteCode(by.id))

it('accepts no self-invitation, no second inviter, no circle and no unknown code', async () => {
  const anna = await userWith(world, 0n)
  const [boris, clara] = [await userWith(world, 0n), await userWith(world, 0n)]
  for (const [invited, by, isInvited] of [
    [anna, anna, false],
    [anna, clara, false],
    [clara, boris, true],
    [clara, anna, false],
    [boris, clara, false],
  ] as const)
    expect(await refer(invited, by)).toBe(isInvited)
  for (const code of ['', 'zzzzzzzzzz', 'ZZ', '-1', '1; drop', 'zzzzzzzzzzz'])
    expect(await setReferrer(world.deps.db, anna.id, code)).toBe(false)
})

it('finds the inviter by a code of several characters, and counts an invited user whose data was deleted', async () => {
  const { db, clock } = world.deps
  await db.execute(sql`select setval(pg_get_serial_sequence('users', 'id'), 123456)`)
  const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
  expect(inviteCode(anna.id)).toBe('2n9d')
  expect(await refer(boris, anna)).toBe(true)
  await forget(db, boris.id, 'boris', clock.now())
  expect(await readInvites(db, anna.id)).toMatchObject({ came: 1, waiting: 1, earned: 0n })
})
