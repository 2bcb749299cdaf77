// What a payment brings beside its credit: to the payer the bonus of its step and the percents of a code, to the inviter a sum once and
// percents each time. All of it once, later if the process ended in between, and back in proportion when the payment is given back.

import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { bonuses, notices, users } from '../../src/db/schema.ts'
import { redeem } from '../../src/ledger/promo.ts'
import { readInvites, storeBonuses } from '../../src/ledger/referral.ts'
import { correct } from '../../src/operator/corrections.ts'
import { addPromo, setPartner } from '../../src/operator/promo.ts'
import { readBonusSteps } from '../../src/payments/bonus-steps.ts'
import { findPayment } from '../../src/payments/payment.ts'
import { noteRefund, refundPayment } from '../../src/payments/refunds.ts'
import { createRewards, rewardsAtStake } from '../../src/payments/rewards.ts'
import { checkPayment, creditPayment, openTopUp, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { dayMs } from '../../src/runtime/clock.ts'
import { auditedPaying } from '../support/worlds/audited.ts'

const rules = { referralBonus: 25_00n, referralPercent: 10, referralPayments: undefined }
const bonusSteps = readBonusSteps('1000: 10%, 500:5%') ?? []
const refusals = { is: 'done' as 'done' | 'refused' | 'unavailable', said: '' }
const world = await auditedPaying({
  refund: async () => refusals,
  transactions: async () => ({ count: 0, movements: [] }),
})
const { db } = world.deps
const settings = { ...rules, welcomeCredit: 1n, invitedBonus: 2n, topUp: { bonusSteps } }
await storeBonuses(db, settings)

it('the amounts of the settings are stored for the audit', async () => {
  await storeBonuses(db, settings)
  const stored = (await db.select().from(bonuses)).map(({ kind, amount }) => `${kind} ${amount}`)
  const bonus = ['top-up 5', 'top-up 10']
  expect(stored).toEqual(['welcome 1', 'invited 2', 'referral 2500', 'partner 10', ...bonus])
})

const rewards = (more: Partial<Parameters<typeof createRewards>[0]> = {}) =>
  createRewards({ ...world.deps, ...rules, ...more })
const paying = (more = {}): TopUpDeps => ({ ...world.deps, bonusSteps, followUp: rewards(more) })
/** A process that ends between the credit, or the refund, and what follows. */
const dying: TopUpDeps = { ...world.deps, bonusSteps }

let charges = 0
/** Pays an invoice in Telegram. @returns the id of the charge */
async function pays({ id: userId }: { id: bigint }, credit: bigint, deps = paying(), times = 1) {
  const opened = await openTopUp(deps, userId, credit, 'stars')
  if (!opened.ok) throw new Error(opened.reason)
  charges += 1
  const chargeId = `c${charges}`
  const { id: topUpId, charge } = opened.topUp
  const paid = { provider: 'stars', topUpId, userId, currency: 'XTR', charge }
  await Promise.all(Array.from({ length: times }, () => creditPayment(deps, paid, chargeId)))
  return chargeId
}

async function invited(by?: { id: bigint }) {
  const anna = by ?? (await world.user())
  const boris = await world.user()
  await db.update(users).set({ referrerId: anna.id }).where(eq(users.id, boris.id))
  return { anna, boris }
}

const has = ({ id }: { id: bigint }) => world.available(id)
const toldTo = async ({ id }: { id: bigint }) =>
  (await db.select().from(notices).where(eq(notices.userId, id)).orderBy(notices.amount)).map(
    ({ kind, amount }) => `${kind} ${amount}`,
  )
const paymentOf = async (chargeId: string) =>
  (await findPayment(db, 'stars', chargeId)) ?? expect.unreachable(chargeId)
const isGivenBack = async (chargeId: string, roubles: bigint, deps = paying()) => {
  const payment = await paymentOf(chargeId)
  const refunded = (payment.charge * roubles * 100n + payment.credit - 1n) / payment.credit
  await noteRefund(deps, 'stars', chargeId, refunded)
}

it('a payment brings the bonus of its step, and the inviter a sum once and percents each time, however often it is reported', async () => {
  const { anna, boris } = await invited()
  await pays(boris, 499_99n, paying(), 10)
  expect([await has(boris), await has(anna)]).toEqual([499_99n, 25_00n + 49_99n])
  await pays(boris, 1000_00n)
  expect([await has(boris), await has(anna)]).toEqual([1599_99n, 174_99n])
  expect(await toldTo(anna)).toEqual(['invite-paid 2500', 'invite-paid 4999', 'invite-paid 10000'])
  expect(await toldTo(boris)).toEqual(['credited 49999', 'credited 100000'])
  await invited(anna)
  const found = await readInvites(db, anna.id)
  expect(found).toEqual({ came: 2, waiting: 1, earned: 174_99n, partnerPercent: null })
})

it('gives and tells in one statement: a process that ends in between loses no message', async () => {
  const { boris } = await invited()
  const charge = await pays(boris, 100_00n)
  const both = sql`select t.xmin::text = n.xmin::text as "isOne" from transfers t, notices n
    where t.key = ${`partner:stars:${charge}`} and n.key = ${`invite-paid:partner:stars:${charge}`}`
  expect(await rows(db, both, z.object({ isOne: z.boolean() }))).toEqual([{ isOne: true }])
})

it('what a process that ended left undone is done within the hour, for a day, and told by itself', async () => {
  const old = await invited()
  await pays(old.boris, 500_00n, dying)
  world.clock.advance(dayMs + 1)
  const left = await invited()
  await pays(left.boris, 500_00n, dying)
  expect([await has(left.boris), await has(left.anna)]).toEqual([500_00n, 0n])
  await db.update(notices).set({ doneAt: world.clock.now() }).where(eq(notices.userId, left.boris.id))
  await Promise.all([rewards().catchUp(), rewards().catchUp()])
  await rewards().catchUp()
  const all = [old.boris, old.anna, left.boris, left.anna]
  expect(await Promise.all(all.map(has))).toEqual([500_00n, 0n, 525_00n, 75_00n])
  expect(await toldTo(left.boris)).toEqual(['bonus 2500', 'credited 50000'])
})

it('a bonus that is given while the message about the top-up is being sent is told by itself', async () => {
  const boris = await world.user()
  await pays(boris, 500_00n, dying)
  await db.update(notices).set({ leaseUntil: world.clock.now() }).where(eq(notices.userId, boris.id))
  await rewards().catchUp()
  expect(await toldTo(boris)).toEqual(['bonus 2500', 'credited 50000'])
})

describe('a payment that is given back', () => {
  it('in parts takes the same share, rounded down, and all of it in the end, as a debt if it is spent', async () => {
    const { anna, boris } = await invited()
    const charge = await pays(boris, 1003_33n)
    const payment = { provider: 'stars', chargeId: charge }
    expect(await rewardsAtStake(db, payment)).toEqual({ payer: 100_33n, inviter: 125_33n })
    await world.gives(boris.id, -1103_66n)
    for (const _ of ['reported', 'and again']) await isGivenBack(charge, 333n)
    expect([await has(boris), await has(anna)]).toEqual([-333_77n - 33_37n, 125_33n - 33_37n])
    await isGivenBack(charge, 1004n)
    expect([await has(boris), await has(anna)]).toEqual([-1103_66n, 0n])
    expect(await toldTo(anna)).toContain('invite-refunded 6696')
    expect(await toldTo(boris)).toContain('bonus-refunded 6696')
    expect(await rewardsAtStake(db, payment)).toEqual({ payer: 0n, inviter: 0n })
  })

  it('leaves the sum for the first payment while another one is left, and does not give it again', async () => {
    const { anna, boris } = await invited()
    const [first, second] = [await pays(boris, 100_00n), await pays(boris, 100_00n)]
    await isGivenBack(first, 100n)
    expect(await has(anna)).toBe(35_00n)
    await isGivenBack(second, 100n)
    expect(await has(anna)).toBe(0n)
    await pays(boris, 100_00n)
    expect(await has(anna)).toBe(10_00n)
  })

  it('takes them within the hour when the process ended after the refund, once', async () => {
    const { anna, boris } = await invited()
    const [whole, part] = [await pays(boris, 500_00n), await pays(boris, 500_00n)]
    await isGivenBack(whole, 500n, dying)
    await isGivenBack(part, 100n, dying)
    await Promise.all([rewards().catchUp(), rewards().catchUp()])
    expect([await has(boris), await has(anna)]).toEqual([400_00n + 20_00n, 25_00n + 40_00n])

    const slow = await invited()
    const late = await pays(slow.boris, 500_00n)
    refusals.is = 'unavailable'
    await refundPayment(dying, 'stars', late)
    world.clock.advance(2 * dayMs)
    refusals.is = 'done'
    await refundPayment(dying, 'stars', late)
    await rewards().catchUp()
    expect([await has(slow.boris), await has(slow.anna)]).toEqual([0n, 0n])
  })

  it('takes nothing while the provider has not made the refund, nor when it refuses', async () => {
    const { anna, boris } = await invited()
    const charge = await pays(boris, 500_00n)
    refusals.is = 'unavailable'
    await refundPayment(paying(), 'stars', charge)
    await rewards().catchUp()
    expect([await has(boris), await has(anna)]).toEqual([25_00n, 75_00n])
    world.clock.advance(180_000)
    refusals.is = 'refused'
    expect(await refundPayment(paying(), 'stars', charge)).toMatchObject({ reason: 'refused' })
    await rewards().catchUp()
    refusals.is = 'done'
    expect([await has(boris), await has(anna)]).toEqual([525_00n, 75_00n])
  })

  it('brings nothing if it was given back before what follows it', async () => {
    const { anna, boris } = await invited()
    const charge = await pays(boris, 500_00n, dying)
    await isGivenBack(charge, 500n)
    await rewards().onCredited(await paymentOf(charge))
    expect([await has(boris), await has(anna)]).toEqual([0n, 0n])
  })
})

describe('who gets how many percents:', () => {
  it('of the first payments that stand, if there is a limit, and nothing when it is switched off', async () => {
    const { anna, boris } = await invited()
    const twice = paying({ referralBonus: 0n, referralPayments: 2 })
    await refundPayment(twice, 'stars', await pays(boris, 100_00n, twice))
    expect(await has(anna)).toBe(0n)
    for (const _ of ['first', 'second', 'third']) await pays(boris, 100_00n, twice)
    expect(await has(anna)).toBe(20_00n)
    await pays(boris, 100_00n, paying({ referralBonus: 0n, referralPercent: 0 }))
    expect(await has(anna)).toBe(20_00n)
    await pays(anna, 100_00n)
    expect(await has(anna)).toBe(120_00n)
  })

  it('of the first payment, also when it is followed up after the next one', async () => {
    const { anna, boris } = await invited()
    for (const amount of [100_00n, 300_00n]) await pays(boris, amount, dying)
    await rewards({ referralBonus: 0n, referralPayments: 1 }).catchUp()
    expect(await has(anna)).toBe(10_00n)
  })

  it('a partner has percents of their own until an operator takes them back', async () => {
    const { anna, boris } = await invited()
    const set = (percent: number | null) =>
      setPartner(world.deps, { by: null, userId: anna.id, percent, reason: 'a blog' })
    expect([await set(30), await set(30)]).toEqual([true, false])
    await pays(boris, 100_00n, paying({ referralBonus: 0n, referralPercent: 0 }))
    expect(await has(anna)).toBe(30_00n)
    expect(await readInvites(db, anna.id)).toMatchObject({ partnerPercent: 30 })
    await set(null)
    await pays(boris, 100_00n)
    expect(await has(anna)).toBe(30_00n + 35_00n)
  })

  it.each(['bannedAt', 'forgottenAt'] as const)('an inviter with %s gets nothing', async (mark) => {
    const { anna, boris } = await invited()
    await db
      .update(users)
      .set({ [mark]: world.clock.now() })
      .where(eq(users.id, anna.id))
    await pays(boris, 100_00n)
    await rewards().catchUp()
    expect(await has(anna)).toBe(0n)
  })
})

it('an invoice with another bonus than now is refused before it is paid; a payment in spite of that brings what it promised', async () => {
  const boris = await world.user()
  const opened = await openTopUp(paying(), boris.id, 500_00n, 'stars')
  if (!opened.ok) throw new Error(opened.reason)
  const { id: topUpId, charge } = opened.topUp
  const paid = { provider: 'stars', topUpId, userId: boris.id, currency: 'XTR', charge }
  const other = { ...paying(), bonusSteps: [] }
  expect(await checkPayment(paying(), paid)).toMatchObject({ ok: true })
  expect(await checkPayment(other, paid)).toEqual({ ok: false, reason: 'outdated' })
  await creditPayment(other, paid, 'promised')
  expect(await has(boris)).toBe(525_00n)
})

describe('a code with percents', () => {
  let codes = 0
  const issue = async (more: object = {}) => {
    codes += 1
    const code = `CODE-${codes}`
    const usual = { by: null, amount: 50_00n, percent: 20, maxUses: 10, expiresAt: null }
    expect(await addPromo(world.deps, code, { ...usual, ...more })).toBe(true)
    return code
  }
  const redeems = ({ id }: { id: bigint }, code: string) =>
    redeem(db, { userId: id, personHash: `person-${id}` }, code, world.clock.now())
  const soon = () => new Date(world.clock.now().getTime() + 1000)

  it('waits until it expires, also for a payment that is followed up later, and then makes room for another one', async () => {
    const [boris, clara] = [await world.user(), await world.user()]
    const [code, next] = [await issue({ expiresAt: soon() }), await issue()]
    await redeems(boris, code)
    await redeems(clara, code)
    await pays(boris, 100_00n, dying)
    world.clock.advance(1000)
    await redeems(await world.user(), next)
    await rewards().catchUp()
    await pays(clara, 100_00n)
    expect([await has(boris), await has(clara)]).toEqual([120_00n, 100_00n])
    expect(await redeems(clara, code)).toEqual({ ok: false, reason: 'expired' })
    expect(await redeems(clara, next)).toMatchObject({ ok: true })
  })

  it('applies to the next payment only, also of two at once, up to its limit, and goes back with it', async () => {
    const [boris, clara] = [await world.user(), await world.user()]
    const [code, other] = [await issue(), await issue()]
    await redeems(clara, code)
    const before = await pays(boris, 100_00n, dying)
    world.clock.advance(1)
    const waits = { code, percent: 20, most: 50_00n, expiresAt: null }
    const tries = await Promise.all(Array.from({ length: 5 }, () => redeems(boris, code.toLowerCase())))
    expect(new Set(tries.map((one) => JSON.stringify(one, (_, value) => `${value}`))).size).toBe(1)
    await rewards().catchUp()
    await pays(clara, 50_00n)
    expect(await redeems(boris, code)).toEqual({ ok: true, waits })
    expect(await redeems(boris, other)).toEqual({ ok: false, reason: 'waiting', code })
    await rewards().catchUp()
    expect(await has(boris), 'not to an earlier one').toBe(100_00n)
    await Promise.all([pays(boris, 100_00n), pays(boris, 100_00n)])
    expect(await has(boris)).toBe(320_00n)
    expect(await redeems(boris, code)).toEqual({ ok: false, reason: 'used-before', amount: 20_00n })
    expect(await redeems(boris, other)).toMatchObject({ ok: true })
    const large = await pays(boris, 400_00n)
    expect(await has(boris)).toBe(320_00n + 450_00n)
    await isGivenBack(large, 200n)
    expect(await has(boris)).toBe(320_00n + 225_00n)
    await isGivenBack(before, 100n)
    expect(await has(boris)).toBe(220_00n + 225_00n)
  })

  it('does not apply to an earlier payment, also of a user who had used another code before it', async () => {
    const boris = await world.user()
    const [used, next] = [await issue(), await issue()]
    await correct(world.deps, { key: 'thanks', by: null, userId: boris.id, amount: 1n, reason: used })
    await redeems(boris, used)
    await pays(boris, 100_00n)
    expect(await redeems(boris, used)).toEqual({ ok: false, reason: 'used-before', amount: 20_00n })
    await pays(boris, 100_00n, dying)
    world.clock.advance(1)
    const waiting = await redeems(boris, next)
    await rewards().catchUp()
    expect(await has(boris)).toBe(220_01n)
    expect(await redeems(boris, next)).toEqual(waiting)
    await pays(boris, 100_00n)
    expect(await has(boris)).toBe(340_01n)
  })

  it('is refused when it is used up, and waits for no more people than it may', async () => {
    const code = await issue({ maxUses: 3 })
    const crowd = await Promise.all(Array.from({ length: 8 }, () => world.user()))
    const outcomes = await Promise.all(crowd.map((one) => redeems(one, code)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3)
    expect(outcomes.filter((one) => !one.ok && one.reason === 'used-up')).toHaveLength(5)
  })
})
