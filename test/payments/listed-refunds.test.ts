// Refunds that were made in the cabinet of YooKassa while no notification arrives: found in its list of refunds, at the start and hourly.

import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { assignPayment } from '../../src/operator/assigned-payments.ts'
import { checkDueLinks } from '../../src/payments/links.ts'
import { openUnmatched } from '../../src/payments/payment.ts'
import { checkListedRefunds, createTopUpWatch } from '../../src/payments/reconcile.ts'
import { auditedPaying } from '../support/worlds/audited.ts'

const world = await auditedPaying()
let user: { id: bigint }
/** YooKassa's id of a paid payment of 500 roubles. */
let charge: string

beforeEach(async () => {
  user = await world.user()
  charge = (await world.link(user.id, 500_00n)).externalId
  await world.decides(charge, 'pay')
  world.clock.advance(minute)
  await checkDueLinks(world.deps)
  await world.forgetTold()
  world.lines.length = 0
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const roubles = (value: string) => ({ value, currency: 'RUB' })
const refundsPart = (value: string) =>
  world.asksYookassa('POST', '/refunds', { payment_id: charge, amount: roubles(value) })
const way = () => {
  const found = world.provider('yookassa').way
  if (found.by !== 'link' || !found.listRefunds) throw new Error('YooKassa has a list of refunds')
  return { listRefunds: found.listRefunds }
}
const compare = async (change: object = {}) => {
  await checkListedRefunds(world.deps, 'yookassa', { ...way(), ...change })
  await checkDueLinks(world.deps)
}
const logged = () =>
  world.lines.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event)

it('a refund in the cabinet without any notification takes the credit within the hour', async () => {
  const noticed = Promise.withResolvers<void>()
  const loops = createTopUpWatch({ ...world.deps, clock: world.clock, wakeNotices: noticed.resolve })
  for (const loop of loops) loop.start()
  await expect.poll(() => world.clock.isWaitedFor(hour)).toBe(true)
  await world.decides(charge, 'refund')
  expect(await world.available(user.id)).toBe(500_00n)
  world.clock.advance(hour)
  const inAMinute = () => {
    world.clock.advance(minute)
    return world.available(user.id)
  }
  await expect.poll(inAMinute).toBe(0n)
  await noticed.promise
  await Promise.all(loops.map((loop) => loop.stop()))
  expect(await world.told()).toEqual(['refunded 50000'])
})

it('a refund is found on any page of the list', async () => {
  await world.decides(charge, 'refund')
  for (let count = 0; count < 100; count += 1) {
    const confirmation = { type: 'redirect', return_url: 'https://t.me/another_bot' }
    const asked = { amount: roubles('1.00'), capture: true, confirmation }
    const opened = await world.asksYookassa('POST', '/payments', asked)
    const { id } = z.object({ id: z.string() }).parse(opened)
    await world.decides(id, 'pay')
    await world.decides(id, 'refund')
  }
  const pages: (readonly number[])[] = []
  const listRefunds = async (since: Date, cursor?: string) => {
    const page = await way().listRefunds(since, cursor)
    if (page.is === 'page') pages.push([page.chargeIds.length, page.next === undefined ? 0 : 1])
    return page
  }
  await compare({ listRefunds })
  expect(pages[0]).toEqual([100, 1])
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.at(-1)?.[1]).toBe(0)
  expect(await world.told()).toEqual(['refunded 50000'])
})

it.each<[string, number, bigint, string[]]>([
  ['six days', 6 * day, 0n, ['refunded 50000']],
  ['eight days', 8 * day, 500_00n, []],
])('a refund is looked for a week, and taken once: made %s ago', async (_, age, left, told) => {
  await world.decides(charge, 'refund')
  world.clock.advance(age)
  await Promise.all([compare(), compare()])
  await compare()
  expect(await world.available(user.id)).toBe(left)
  expect(await world.told()).toEqual(told)
})

it('a list that does not end is given up, and logged', async () => {
  let pages = 0
  const listRefunds = async () => {
    pages += 1
    return { is: 'page', chargeIds: [], next: 'again' } as const
  }
  await compare({ listRefunds })
  expect([pages, ...logged()]).toEqual([100, 'the list of refunds does not end'])
})

it.each<[string, string, object | undefined, string]>([
  ['the list cannot be read', 'list', { kind: 'error', status: 500 }, 'refunds cannot be listed'],
  ['its payment cannot be read', 'read', { kind: 'error', status: 500 }, 'top-up cannot be read'],
  ['its payment does not show it yet', 'read', undefined, 'payment fits no top-up'],
])('a refund is noted in the next hour if %s', async (_, operation, fault, event) => {
  await world.decides(charge, 'refund')
  const paid = { id: charge, status: 'succeeded', paid: true, amount: roubles('500.00') }
  world.fault(operation, fault ?? { kind: 'garbage', body: JSON.stringify(paid) })
  await compare()
  expect(logged()).toEqual([expect.stringContaining(event)])
  expect(await world.available(user.id)).toBe(500_00n)
  await compare()
  expect(await world.available(user.id)).toBe(0n)
})

it('a refund of a part takes that part of the credit, once, and one of the rest the whole', async () => {
  await refundsPart('0.01')
  for (const _ of ['once', 'and again']) await compare()
  expect(logged()).toEqual([])
  expect(await world.available(user.id)).toBe(499_99n)
  await refundsPart('499.99')
  await compare()
  expect(await world.available(user.id)).toBe(0n)
  expect(await world.told()).toEqual(['refunded 1', 'refunded 49999'])
})

it('a payment that was refunded before it was found is credited and taken, also when it is closed', async () => {
  const topUp = await world.link(user.id, 300_00n)
  const canceled = { id: topUp.externalId, status: 'canceled', paid: false, amount: roubles('300.00') }
  world.fault('read', { kind: 'garbage', body: JSON.stringify(canceled) })
  world.clock.advance(minute)
  await checkDueLinks(world.deps)
  expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
  await world.decides(topUp.externalId, 'pay')
  await world.decides(topUp.externalId, 'refund')
  await compare()
  expect(await world.told()).toEqual(['not-paid 30000', 'credited 30000', 'refunded 30000'])
  expect(await world.available(user.id)).toBe(500_00n)
})

it('a payment of which a part was refunded before it was assigned keeps the rest of its credit', async () => {
  const topUp = await world.link(user.id, 200_00n)
  await world.decides(topUp.externalId, 'pay')
  const read = {
    ...{ id: topUp.externalId, status: 'succeeded', paid: true, metadata: {} },
    ...{ amount: roubles('200.00'), refunded_amount: roubles('50.00') },
  }
  for (const _ of ['report', 'after the assignment'])
    world.fault('read', { kind: 'garbage', body: JSON.stringify(read) })
  world.clock.advance(minute)
  await checkDueLinks(world.deps)
  const of = { by: null, chargeId: topUp.externalId, userId: user.id, credit: 100_00n, reason: 'restored' }
  expect(await assignPayment(world.deps, of)).toEqual({ ok: true })
  await checkDueLinks(world.deps)
  expect(await world.available(user.id)).toBe(575_00n)
})

it('a payment that fits no top-up leaves the list of the operator when it is refunded, and loses its credit when it was assigned', async () => {
  const left = async () => (await openUnmatched(world.deps.db)).map(({ chargeId }) => chargeId)
  for (const isAssigned of [false, true]) {
    const { externalId: id } = await world.link(user.id, 300_00n)
    await world.decides(id, 'pay')
    const read = { id, status: 'succeeded', paid: true, amount: roubles('300.00'), metadata: {} }
    world.fault('read', { kind: 'garbage', body: JSON.stringify(read) })
    world.clock.advance(minute)
    await checkDueLinks(world.deps)
    await world.forgetTold()
    await world.decides(id, 'refund')
    expect(await left()).toContain(id)
    const of = { by: null, chargeId: id, userId: user.id, credit: 300_00n, reason: 'restored' }
    if (isAssigned) expect(await assignPayment(world.deps, of)).toEqual({ ok: true })
    await compare()
    expect(await left()).not.toContain(id)
    expect(await world.told()).toEqual(['credited 30000', 'refunded 30000'])
    expect(await world.available(user.id)).toBe(500_00n)
  }
})
