// Top-ups that are paid on a page: found when nobody tells, believed only when they fit, looked at until they end.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { topUps } from '../../src/db/schema.ts'
import { checkDueLinks, receiveNotice } from '../../src/payments/links.ts'
import type { TopUp } from '../../src/payments/top-ups.ts'
import { openPaying, type Paying } from '../support/worlds/payments.ts'

let world: Paying
let user: { id: bigint }
let topUp: TopUp & { externalId: string }

beforeAll(async () => {
  world = await openPaying()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.forgetTold()
  world.lines.length = 0
  user = await world.user()
  topUp = await world.link(user.id, 500_00n)
})
afterEach(async () => {
  world.faults.clear()
  await world.deps.db.update(topUps).set({ nextCheckAt: null })
  expect(await world.audit()).toEqual([])
})

const minute = 60_000
const look = async (afterMs = minute) => {
  world.clock.advance(afterMs)
  return checkDueLinks(world.deps)
}
const notify = (body: unknown) => receiveNotice(world.deps, 'yookassa', body)
/** What YooKassa would answer to one reading. */
const readsAs = (change: object) => {
  const amount = { value: '500.00', currency: 'RUB' }
  const paid = { id: topUp.externalId, status: 'succeeded', paid: true, amount }
  world.fault('read', {
    kind: 'garbage',
    body: JSON.stringify({ ...paid, metadata: { topUpId: topUp.id }, ...change }),
  })
}

describe('a payment', () => {
  it('made while the bot was down is found after it', async () => {
    await world.decides(topUp.externalId, 'pay')
    await look(3 * 60 * minute)
    expect(await world.told()).toEqual(['credited 50000'])
    expect(await world.available(user.id)).toBe(500_00n)
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid', nextCheckAt: null })
  })

  it('is credited once, however many look and however often it is told', async () => {
    await world.decides(topUp.externalId, 'pay')
    world.clock.advance(minute)
    const rounds = Array.from({ length: 6 }, () => checkDueLinks(world.deps))
    expect((await Promise.all(rounds)).reduce((sum, one) => sum + one, 0)).toBe(1)
    for (const event of ['payment.succeeded', 'payment.canceled', 'payment.waiting_for_capture']) {
      await notify({ event, object: { id: topUp.externalId, status: event.slice(8) } })
      expect(await look()).toBe(1)
    }
    expect(await world.told()).toEqual(['credited 50000'])
    expect(await world.available(user.id)).toBe(500_00n)
  })

  it('that is only announced is none', async () => {
    await notify({
      event: 'payment.succeeded',
      object: { id: topUp.externalId, status: 'succeeded', paid: true },
    })
    expect(await look()).toBe(1)
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.reread(topUp)).toMatchObject({ state: 'open', nextCheckAt: expect.any(Date) })
  })

  it.each([
    ['a smaller amount', { amount: { value: '5.00', currency: 'RUB' } }],
    ['a larger amount', { amount: { value: '5000.00', currency: 'RUB' } }],
    ['another currency', { amount: { value: '500.00', currency: 'KZT' } }],
    ['another top-up', { metadata: { topUpId: 'x' } }],
    ['no top-up at all', { metadata: {} }],
  ])('of %s is not credited, and said once', async (_, change) => {
    for (let times = 0; times < 2; times += 1) {
      readsAs(change)
      await notify({ object: { id: topUp.externalId } })
      await look()
    }
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual(['unmatched 50000'])
    expect(world.lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
  })

  it.each([
    ['not paid', { paid: false }],
    ['of another id', { id: 'somebody-elses' }],
    ['without an amount', { amount: undefined }],
    ['with an amount of words', { amount: { value: 'five', currency: 'RUB' } }],
  ])('that is read as %s waits for the next look', async (_, change) => {
    readsAs(change)
    await look()
    expect(await world.available(user.id)).toBe(0n)
    await world.decides(topUp.externalId, 'pay')
    await look()
    expect(await world.available(user.id)).toBe(500_00n)
  })

  it('that comes after it was given up still counts', async () => {
    await world.decides(topUp.externalId, 'cancel')
    await look()
    expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
    readsAs({})
    await notify({ object: { id: topUp.externalId } })
    await look()
    expect(await world.told()).toEqual(['not-paid 50000', 'credited 50000'])
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid' })
  })

  it('refunded in the cabinet takes its credit back, once', async () => {
    await world.decides(topUp.externalId, 'pay')
    await look()
    await world.decides(topUp.externalId, 'refund')
    for (let times = 0; times < 2; times += 1) {
      await notify({ event: 'refund.succeeded', object: { id: 'refund-1', payment_id: topUp.externalId } })
      await look()
    }
    expect(await world.told()).toEqual(['credited 50000', 'refunded 50000'])
    expect(await world.available(user.id)).toBe(0n)
  })
})

describe('an unpaid one', () => {
  it('ends when YooKassa gives it up, and that is said once', async () => {
    await look(61 * minute)
    await notify({ object: { id: topUp.externalId } })
    await look()
    expect(await world.told()).toEqual(['not-paid 50000'])
    expect(await look(24 * 60 * minute)).toBe(0)
  })

  it('ends after a day even if YooKassa says nothing', async () => {
    world.fault('read', { kind: 'error', status: 500 }, 1000)
    for (let hours = 0; hours < 25; hours += 1) await look(60 * minute)
    expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
  })

  it('is asked for often at first and seldom later', async () => {
    let looks = 0
    const step = 6000
    for (let at = 0; at < 59 * minute; at += step) looks += await look(step)
    expect(looks).toBeGreaterThan(15)
    expect(looks).toBeLessThan(40)
  })

  it('survives an outage', async () => {
    await world.decides(topUp.externalId, 'pay')
    const broken = [
      { kind: 'error', status: 500 },
      { kind: 'error', status: 429 },
      { kind: 'cut' },
      { kind: 'garbage' },
    ]
    for (const fault of broken) {
      world.fault('read', fault)
      await look()
      expect(await world.available(user.id)).toBe(0n)
    }
    await look(10 * minute)
    expect(await world.told()).toEqual(['credited 50000'])
  })
})

describe('notices', () => {
  it('of one payment cause no more than one look a second', async () => {
    const notice = { object: { id: topUp.externalId } }
    let looks = 0
    for (let times = 0; times < 40; times += 1) {
      await notify(notice)
      looks += await look(100)
    }
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThanOrEqual(4)
  })

  it('that comes while it is looked at is not forgotten', async () => {
    world.fault('read', { kind: 'hang', ms: 500 })
    world.clock.advance(minute)
    const looking = checkDueLinks(world.deps)
    await expect.poll(() => world.faults.list()).toEqual([])
    await notify({ object: { id: topUp.externalId } })
    world.clock.advance(500)
    expect(await looking).toBe(1)
    expect(await look(500)).toBe(1)
  })

  it('of nothing are taken without a word', async () => {
    for (const body of [undefined, null, 7, 'x', [], {}, { object: {} }, { object: { id: "' or ''='" } }]) {
      expect(await notify(body)).toBe(true)
    }
    expect(await notify({ object: { id: 'unknown' } })).toBe(true)
    expect(await receiveNotice(world.deps, 'stars', {})).toBe(false)
    expect(await receiveNotice(world.deps, 'no-such', {})).toBe(false)
  })
})
