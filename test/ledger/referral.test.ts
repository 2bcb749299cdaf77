// Invitations: only new users can be invited, never by themselves, and the bonus is paid once.

import { eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createReferralReward } from '../../src/bot/account/promo.ts'
import { rows } from '../../src/db/client.ts'
import { notices, payments, topUps, transfers, users } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { deposit, refundPayment, welcome } from '../../src/ledger/moves.ts'
import {
  inviteCode,
  payersWithoutBonus,
  payReferral,
  readInvites,
  setReferrer,
} from '../../src/ledger/referral.ts'
import { correct } from '../../src/operator/corrections.ts'
import { forget } from '../../src/privacy/forget.ts'
import { dayMs } from '../../src/runtime/clock.ts'
import type { User } from '../../src/users/user.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'

const bonus = 25_00n

describe('referrals', () => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld('postgres')
  })
  afterAll(async () => {
    expect(await audit(world.deps.db)).toEqual([])
    await world.close()
  })

  const pay = (invited: User) => payReferral(world.deps.db, invited.id, bonus, world.clock.now())
  const refer = (invited: User, by: User) => setReferrer(world.deps.db, invited.id, inviteCode(by.id))
  const available = async ({ id }: User) => (await readBalance(world.deps.db, id)).available

  async function topUp({ id: userId }: User, chargeId: string): Promise<void> {
    const { db, clock } = world.deps
    const sums = { credit: 100_00n, charge: 100n, currency: 'XTR', createdAt: clock.now() }
    await db.insert(topUps).values({ id: chargeId, userId, provider: 'stars', state: 'paid', ...sums })
    const payment = { provider: 'stars', chargeId, topUpId: chargeId, userId }
    await db.insert(payments).values({ ...payment, ...sums })
    await post(db, deposit({ ...payment, credit: sums.credit }), clock.now())
  }

  async function guest(chargeId: string) {
    const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
    expect(await refer(boris, anna)).toBe(true)
    await topUp(boris, chargeId)
    return { anna, boris }
  }

  it('pays the inviter once, at the first top-up', async () => {
    const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
    await refer(boris, anna)
    expect(await pay(boris)).toEqual({ ok: false })
    const gift = 3_00n
    await post(world.deps.db, welcome(anna.id, gift), world.clock.now())
    await topUp(boris, 'r1')
    expect(await pay(boris)).toEqual({ ok: true, referrerId: anna.id })
    await topUp(boris, 'r2')
    expect(await pay(boris)).toEqual({ ok: false })
    expect(await available(anna)).toBe(gift + bonus)
    expect(await readInvites(world.deps.db, anna.id)).toEqual({ came: 1, earned: bonus })
  })

  it('finds the inviter by a code of several characters, and pays a bonus of a kopeck', async () => {
    const { db, clock } = world.deps
    await db.execute(sql`select setval(pg_get_serial_sequence('users', 'id'), 123456)`)
    const { anna, boris } = await guest('r10')
    expect(inviteCode(anna.id)).toBe('2n9d')
    expect(await payReferral(db, boris.id, 1n, clock.now())).toEqual({ ok: true, referrerId: anna.id })
    expect(await available(anna)).toBe(1n)
  })

  it('pays and writes the notice in one statement: a process that ends in between loses no message', async () => {
    const { boris } = await guest('r9')
    const { db, clock } = world.deps
    const reward = createReferralReward({ db, clock, bonus, wakeNotices: () => undefined })
    await reward.onCredited({ userId: boris.id })
    const both = sql`
      select t.xmin::text = n.xmin::text as "isOne" from transfers t, notices n
      where t.key = ${`referral:${boris.id}`} and n.key = ${`invite-paid:${boris.id}`}`
    expect(await rows(db, both, z.object({ isOne: z.boolean() }))).toEqual([{ isOne: true }])
  })

  it('pays later, within a day, if the process ended after the credit', async () => {
    const { db, clock } = world.deps
    const old = await guest('r11')
    world.clock.advance(dayMs)
    const paid = await guest('r12')
    await pay(paid.boris)
    const left = await guest('r13')
    expect(await payersWithoutBonus(db, clock.now())).not.toContain(paid.boris.id)
    const reward = (amount: bigint) =>
      createReferralReward({ db, clock, bonus: amount, wakeNotices: () => undefined }).catchUp()
    await reward(0n)
    expect(await available(left.anna)).toBe(0n)
    await reward(bonus)
    await reward(bonus)
    const { anna: late } = await guest('r14')
    world.clock.advance(dayMs + 1)
    await reward(bonus)
    expect(await available(late), 'after a day nothing is paid').toBe(0n)
    expect(await Promise.all([old, paid, left].map(({ anna }) => available(anna)))).toEqual([
      bonus,
      bonus,
      bonus,
    ])
  })

  it('pays once for ten concurrent calls', async () => {
    const { anna, boris } = await guest('r3')
    const paid = await Promise.all(Array.from({ length: 10 }, () => pay(boris)))
    expect(paid.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await available(anna)).toBe(bonus)
  })

  it('pays nothing when it is switched off, without an inviter, or for a refunded payment', async () => {
    const { anna, boris } = await guest('r4')
    expect(await payReferral(world.deps.db, boris.id, 0n, world.clock.now())).toEqual({ ok: false })
    await topUp(anna, 'r5')
    expect(await pay(anna)).toEqual({ ok: false })
    const now = world.clock.now()
    await world.deps.db.update(payments).set({ refundedAt: now }).where(eq(payments.chargeId, 'r4'))
    const taken = { provider: 'stars', chargeId: 'r4', topUpId: 'r4', userId: boris.id, credit: 100_00n }
    expect(await post(world.deps.db, refundPayment(taken), now)).toEqual({ ok: true })
    expect(await pay(boris)).toEqual({ ok: false })
  })

  describe('a bonus whose payment was given back', () => {
    const refundOf = async ({ id: userId }: User, chargeId: string) => {
      const { db, clock } = world.deps
      const refunded = { provider: 'stars', chargeId, topUpId: chargeId, userId, credit: 100_00n }
      await db.update(payments).set({ refundedAt: clock.now() }).where(eq(payments.chargeId, chargeId))
      await post(db, { ...refundPayment(refunded), mayOwe: true }, clock.now())
    }
    const reward = () => {
      const { db, clock } = world.deps
      return createReferralReward({ db, clock, bonus, wakeNotices: () => undefined })
    }
    const toldTo = async ({ id }: User) => {
      const own = await world.deps.db.select().from(notices).where(eq(notices.userId, id))
      return own.map(({ kind, amount }) => `${kind} ${amount}`)
    }

    it('goes when no payment of the invited user is left, once, and makes a debt if it is spent', async () => {
      const { anna, boris } = await guest('b1')
      await topUp(boris, 'b2')
      const { onCredited, onRefunded } = reward()
      await onCredited({ userId: boris.id })
      await correct(
        { db: world.deps.db, clock: world.clock },
        { key: 'b1', by: null, userId: anna.id, amount: -10_00n, reason: 'spent' },
      )
      await refundOf(boris, 'b1')
      await onRefunded({ userId: boris.id })
      expect(await available(anna)).toBe(15_00n)
      await refundOf(boris, 'b2')
      await Promise.all(Array.from({ length: 5 }, () => onRefunded({ userId: boris.id })))
      expect(await available(anna)).toBe(-10_00n)
      expect(await toldTo(anna)).toEqual(['invite-paid 2500', 'corrected -1000', 'invite-refunded 2500'])
      expect(await readInvites(world.deps.db, anna.id)).toEqual({ came: 1, earned: 0n })
    })

    it('is not given again for a later payment', async () => {
      const { anna, boris } = await guest('b3')
      await pay(boris)
      await refundOf(boris, 'b3')
      await reward().onRefunded({ userId: boris.id })
      await topUp(boris, 'b4')
      await reward().onCredited({ userId: boris.id })
      expect(await available(anna)).toBe(0n)
    })

    it('is taken within the hour when the process ended after the refund', async () => {
      const { anna, boris } = await guest('b5')
      await pay(boris)
      await refundOf(boris, 'b5')
      await reward().catchUp()
      await reward().catchUp()
      expect(await available(anna)).toBe(0n)
    })

    it('stays after the refund of a payment of somebody else', async () => {
      const { anna, boris } = await guest('b6')
      await pay(boris)
      const other = await guest('b7')
      await refundOf(other.boris, 'b7')
      await reward().onRefunded({ userId: other.boris.id })
      await reward().catchUp()
      expect([await available(anna), await available(other.anna)]).toEqual([bonus, 0n])
    })
  })

  it.each(['bannedAt', 'forgottenAt'] as const)('pays nothing to an inviter with %s', async (mark) => {
    const { anna, boris } = await guest(`r-${mark}`)
    await world.deps.db
      .update(users)
      .set({ [mark]: world.clock.now() })
      .where(eq(users.id, anna.id))
    expect(await pay(boris)).toEqual({ ok: false })
    expect(await refer(await userWith(world, 0n), anna)).toBe(false)
  })

  it('accepts no self-invitation, no second inviter, no circle and no unknown code', async () => {
    const [anna, boris, clara] = [
      await userWith(world, 0n),
      await userWith(world, 0n),
      await userWith(world, 0n),
    ]
    expect(await refer(anna, anna)).toBe(false)
    expect(await refer(anna, clara)).toBe(false)
    expect(await refer(clara, boris)).toBe(true)
    expect(await refer(clara, anna)).toBe(false)
    expect(await refer(boris, clara)).toBe(false)
    for (const code of ['', 'zzzzzzzzzz', 'ZZ', '-1', '1; drop', 'zzzzzzzzzzz']) {
      expect(await setReferrer(world.deps.db, anna.id, code)).toBe(false)
    }
  })

  it('counts an invited user whose data was deleted', async () => {
    const { anna, boris } = await guest('r6')
    await forget(world.deps.db, boris.id, 'boris', world.clock.now())
    expect(await readInvites(world.deps.db, anna.id)).toEqual({ came: 1, earned: 0n })
  })
})

describe('/invite', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', { REFERRAL_BONUS: '25', INVITED_BONUS: '7', WELCOME_CREDIT: '0' })
  })
  afterAll(() => sandbox.stop())

  const codeIn = (text = '') => /start=(ref_[0-9a-z]+)/.exec(text)?.[1] ?? ''

  it('gives a link, counts the new users who came by it, and gives them a bonus of their own, once', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/invite')
    const code = codeIn((await anna.sees(/you get ₽25\b(?!\.\d)[\s\S]*Joined with your link: 0/)).text)
    expect(code).not.toContain(String(anna.id))
    await anna.sends(`/start ${code}`)
    const boris = await sandbox.user('Boris')
    await boris.sends(`/start ${code}`)
    await boris.sees(/Hello, Boris[\s\S]*₽7 is on your balance/)
    await boris.sends(`/start ${code}`)
    await boris.sends('/statement')
    await boris.sees(/Gift for coming by an invitation/)
    const old = await sandbox.user('Clara')
    await old.sends('/help')
    await old.sends(`/start ${code}`)
    await old.sees(/Hello, Clara/)
    await anna.sends('/invite')
    await anna.sees(/joins with your link gets ₽7[\s\S]*Joined with your link: 1\. Earned: ₽0/)
    const { db } = sandbox.app
    expect(await db.$count(transfers, like(transfers.key, 'invited:%'))).toBe(1)
    expect(await audit(db)).toEqual([])
  })
})
