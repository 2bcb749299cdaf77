// Promo codes: limit, expiry and "once per person" hold with concurrent calls, and every refusal has its reason. Invitations: only new users
// can be invited, never by themselves. What both bring with a payment is in test/payments/rewards.test.ts.

import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createGuesses, mostGuesses } from '../../src/bot/account/promo.ts'
import { promoCodes } from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { redeem } from '../../src/ledger/promo.ts'
import { inviteCode, readInvites, setReferrer } from '../../src/ledger/referral.ts'
import { forget } from '../../src/privacy/forget.ts'
import type { User } from '../../src/users/user.ts'
import { handClock } from '../support/runtime/clock.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { userWith } from '../support/worlds/generations.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

type Promo = Partial<typeof promoCodes.$inferInsert> & { code: string }

const world = await auditedWorld()

const issue = async (promo: Promo) => {
  const usual = { amount: 50_00n, maxUses: 10, createdAt: world.clock.now() }
  await makePromos(world.deps.db, { ...usual, ...promo })
}
const use = ({ id }: User, code: string, personHash = `person-${id}`) =>
  redeem(world.deps.db, { userId: id, personHash }, code, world.clock.now())
const usesOf = async (code: string) => {
  const [found] = await world.deps.db.select().from(promoCodes).where(eq(promoCodes.code, code))
  return found?.uses
}

it('an unknown code is refused, and an expired one, exact to the second', async () => {
  expect(await use(await userWith(world, 0n), 'NOPE')).toEqual({ ok: false, reason: 'unknown' })
  const expiresAt = new Date(world.clock.now().getTime() + 1000)
  await issue({ code: 'SHORT', expiresAt })
  expect(await use(await userWith(world, 0n), 'SHORT')).toMatchObject({ ok: true })
  world.clock.advance(1000)
  expect(await use(await userWith(world, 0n), 'SHORT')).toEqual({ ok: false, reason: 'expired' })
})

it('a user is told that they have used the code before, even when it is used up', async () => {
  await issue({ code: 'ONCE', maxUses: 1 })
  const anna = await userWith(world, 0n)
  await use(anna, 'ONCE')
  expect(await use(anna, 'once')).toEqual({ ok: false, reason: 'used-before', amount: 50_00n })
  expect(await use(await userWith(world, 0n), 'ONCE')).toEqual({ ok: false, reason: 'used-up' })
  expect(await usesOf('ONCE')).toBe(1)
})

it('a code credits one user once, in any case, and keeps its limit, with concurrent calls', async () => {
  await issue({ code: 'ЛЕТО-26', maxUses: 4 })
  const anna = await userWith(world, 1_00n)
  const tries = await Promise.all(Array.from({ length: 10 }, () => use(anna, ' лето-26 ')))
  expect(tries.filter(({ ok }) => ok)).toEqual([{ ok: true, amount: 50_00n }])
  expect(await usesOf('ЛЕТО-26')).toBe(1)
  expect(await readBalance(world.deps.db, anna.id)).toMatchObject({ available: 51_00n })
  const crowd = await Promise.all(Array.from({ length: 12 }, () => userWith(world, 0n)))
  const outcomes = await Promise.all(crowd.map((user) => use(user, 'ЛЕТО-26')))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3)
  expect(await usesOf('ЛЕТО-26')).toBe(4)
})

it('a person who came back after deletion can use only codes created since', async () => {
  await issue({ code: 'BEFORE' })
  const anna = await userWith(world, 0n)
  expect(await use(anna, 'BEFORE', 'anna')).toMatchObject({ ok: true })
  world.clock.advance(1000)
  expect(await forget(world.deps.db, anna.id, 'anna', world.clock.now())).toEqual({ ok: true })
  world.clock.advance(1000)
  await issue({ code: 'AFTER' })
  const again = await userWith(world, 0n)
  expect(await use(again, 'BEFORE', 'anna')).toEqual({ ok: false, reason: 'returned' })
  expect(await use(again, 'AFTER', 'anna')).toMatchObject({ ok: true })
  expect(await usesOf('BEFORE')).toBe(1)
})

const refer = (invited: User, by: User) => setReferrer(world.deps.db, invited.id, inviteCode(by.id))

it('nobody invites themselves, has a second inviter, closes a circle or uses an unknown code', async () => {
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

it('a code of several characters finds the inviter, who counts an invited user whose data was deleted', async () => {
  const { db, clock } = world.deps
  await db.execute(sql`select setval(pg_get_serial_sequence('users', 'id'), 123456)`)
  const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
  expect(inviteCode(anna.id)).toBe('2n9d')
  expect(await refer(boris, anna)).toBe(true)
  await forget(db, boris.id, 'boris', clock.now())
  expect(await readInvites(db, anna.id)).toMatchObject({ came: 1, waiting: 1, earned: 0n })
})

it('wrong codes are limited within an hour for each person', () => {
  const clock = handClock()
  const guesses = createGuesses(clock)
  for (let at = 0; at < mostGuesses; at += 1) {
    expect(guesses.mayTry('anna')).toBe(true)
    guesses.wrong('anna')
    clock.advance(60_000)
  }
  expect([guesses.mayTry('anna'), guesses.mayTry('boris')]).toEqual([false, true])
  for (const [minutes, mayTry] of [
    [54, false],
    [1, true],
  ] as const) {
    clock.advance(minutes * 60_000)
    expect(guesses.mayTry('anna')).toBe(mayTry)
  }
  guesses.wrong('anna')
  expect(guesses.mayTry('anna')).toBe(false)
})
