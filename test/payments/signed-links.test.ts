// Payments at Platega and CryptoPay, whose notifications carry a proof of their sender: what only they do differently from YooKassa, and what
// must not depend on the provider, with the answers of their own APIs.

import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { topUps } from '../../src/db/schema.ts'
import { checkDueLinks, createNotifications } from '../../src/payments/links.ts'
import type { Notice } from '../../src/payments/provider.ts'
import { refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { unpaidTopUps } from '../../src/payments/top-ups.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { cryptopayNotice, plategaNotice } from '../support/worlds/payment-providers.ts'

const world = await auditedPaying()
const notifications = createNotifications(world.deps)
const minute = 60_000
const credit = 500_00n

let user: { id: bigint }
beforeEach(async () => {
  const state = sql`case state when 'open' then 'expired' else state end`
  await world.deps.db.update(topUps).set({ nextCheckAt: null, state })
  await world.forgetTold()
  world.lines.length = 0
  user = await world.user()
})

const check = async (afterMs = minute) => {
  world.clock.advance(afterMs)
  return checkDueLinks(world.deps)
}
const altered = (notice: Notice, change: Partial<Notice>): Notice => ({ ...notice, ...change })

/** What the API answers about a payment of 500 roubles. */
const answers = {
  platega: (id: string, topUpId: string, change: object = {}) => ({
    ...{ id, status: 'CONFIRMED', payload: topUpId, paymentDetails: { amount: 500, currency: 'RUB' } },
    ...change,
  }),
  cryptopay: (id: string, topUpId: string, change: object = {}) => {
    const invoice = { invoice_id: Number(id), status: 'paid', payload: topUpId, amount: '500.00' }
    return { ok: true, result: { items: [{ ...invoice, currency_type: 'fiat', fiat: 'RUB', ...change }] } }
  },
}
const proofs = { platega: ['x-merchantid', 'x-secret'], cryptopay: ['crypto-pay-api-signature'] }
const notices = { platega: plategaNotice, cryptopay: cryptopayNotice }

describe.each(['platega', 'cryptopay'] as const)('%s', (id) => {
  const link = () => world.linkBy(id, user.id, credit)
  const notice = (externalId: string) => notices[id](world.env, externalId)
  const readsAs = (externalId: string, topUpId: string, change: object) =>
    world.fault(
      'read',
      { kind: 'garbage', body: JSON.stringify(answers[id](externalId, topUpId, change)) },
      1,
      id,
    )

  it('a notification brings the reading of its payment forward, and a forged one nothing', async () => {
    const { externalId, nextCheckAt, ...topUp } = await link()
    const other = await link()
    const genuine = notice(externalId)
    const changed = (name: string, value: string) =>
      altered(genuine, { header: (asked) => (asked === name ? value : genuine.header(asked)) })
    const forged = [
      ...proofs[id].flatMap((name) => [changed(name, ''), changed(name, `${genuine.header(name)}0`)]),
      altered(genuine, { text: 'not JSON' }),
      altered(genuine, { text: '{}' }),
      // Only CryptoPay signs the body.
      ...(id === 'cryptopay' ? [altered(genuine, { text: ` ${genuine.text}` })] : []),
    ]
    for (const one of forged) expect(await notifications.receive(id, one)).toBe(true)
    expect(await world.reread(topUp)).toMatchObject({ nextCheckAt })
    await notifications.receive(id, genuine)
    const soon = new Date(world.clock.now().getTime() + 1000)
    expect(await world.reread(topUp)).toMatchObject({ nextCheckAt: soon })
    expect(await world.reread(other)).toMatchObject({ nextCheckAt: other.nextCheckAt })
  })

  it('a notification of a payment that was not made credits nothing', async () => {
    const { externalId } = await link()
    await notifications.receive(id, notice(externalId))
    await check()
    expect(await world.available(user.id)).toBe(0n)
  })

  it('a payment whose notification was lost is credited by a poll, also after answers that cannot be read', async () => {
    const { externalId } = await link()
    await world.decides(externalId, 'pay', id)
    const errors = [401, 429, 500].map((status) => ({ kind: 'error', status }))
    for (const fault of [...errors, { kind: 'garbage' }, { kind: 'cut' }]) {
      world.fault('read', fault, 1, id)
      expect(await check(10 * minute)).toBe(1)
      expect(await world.told()).toEqual([])
    }
    await check(10 * minute)
    expect(await world.told()).toEqual([`credited ${credit}`])
  })

  it.each([
    ['a smaller sum', { paymentDetails: { amount: 5, currency: 'RUB' }, amount: '5.00' }],
    ['a larger sum', { paymentDetails: { amount: 50_000, currency: 'RUB' }, amount: '50000' }],
    ['another currency', { paymentDetails: { amount: 500, currency: 'USDT' }, fiat: 'USD' }],
    ['another top-up', { payload: 'another' }],
  ])('a payment of %s is not credited, and the operator finds it', async (_, change) => {
    const { externalId, id: topUpId } = await link()
    readsAs(externalId, topUpId, change)
    await check()
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual([`unmatched ${credit}`])
    expect(world.lines.filter(({ event }) => /fits no top-up/.test(event))).toHaveLength(1)
  })

  it.each([
    ['a part of a kopeck', { paymentDetails: { amount: 500.001, currency: 'RUB' }, amount: '500.001' }],
    ['a status that is not documented', { status: 'PAID?' }],
    ['another payment', { id: 'of-another', invoice_id: 7 }],
  ])('an answer about %s is not taken for a payment, and the link is read again', async (_, change) => {
    const { externalId, id: topUpId } = await link()
    readsAs(externalId, topUpId, change)
    await check()
    expect([await world.available(user.id), await world.told()]).toEqual([0n, []])
    await world.decides(externalId, 'pay', id)
    await check()
    expect(await world.available(user.id)).toBe(credit)
  })

  it('a payment that is reported after its link expired is still credited', async () => {
    const { externalId, id: topUpId, expiresAt } = await link()
    const left = Number(expiresAt) - world.clock.now().getTime()
    // Platega may confirm what was begun within the 15 minutes of its page up to an hour later.
    expect(left).toBe((id === 'platega' ? 75 : 60) * minute)
    await check(left + 1)
    expect(await world.told()).toEqual([`not-paid ${credit}`])
    expect(await check(10 * minute)).toBe(0)
    readsAs(externalId, topUpId, {})
    await notifications.receive(id, notice(externalId))
    await check()
    expect(await world.told()).toEqual([`not-paid ${credit}`, `credited ${credit}`])
  })

  it('a page whose answer was lost is opened again; the first one is unpaid, and a report about it changes nothing', async () => {
    world.fault('create', { kind: 'cut', after: true }, 1, id)
    const { externalId } = await link()
    const shown = z
      .array(z.object({ id: z.string() }))
      .parse(await (await fetch(`${world.url}/api/${id}/payments`)).json())
    const lost = shown.at(-2)?.id ?? ''
    expect([shown.at(-1)?.id, lost === externalId]).toEqual([externalId, false])
    await world.decides(lost, 'pay', id)
    await notifications.receive(id, notice(lost))
    await check()
    expect([await world.available(user.id), (await unpaidTopUps(world.deps.db, user.id)).length]).toEqual([
      0n,
      1,
    ])
  })
})

describe('a refund at Platega', () => {
  const paid = async () => {
    const { externalId } = await world.linkBy('platega', user.id, credit)
    await world.decides(externalId, 'pay', 'platega')
    await check()
    await world.forgetTold()
    return externalId
  }
  const garbage = (operation: string, body: object) =>
    world.fault(operation, { kind: 'garbage', body: JSON.stringify(body) }, 1, 'platega')
  const refund = (externalId: string) => refundPayment(world.deps, 'platega', externalId)

  it.each([
    ['cancelable', { supported: false, blockReason: 'Insufficient funds' }, /Insufficient funds/],
    [
      'refund',
      { accepted: false, manualControlRequired: true, message: 'Возврат в процессе' },
      /support of Platega/,
    ],
  ])(
    'that Platega does not make by itself (%s) returns the credit and shows why',
    async (operation, body, said) => {
      const externalId = await paid()
      garbage(operation, body)
      expect(await refund(externalId)).toMatchObject({
        ok: false,
        reason: 'refused',
        said: expect.stringMatching(said),
      })
      expect(await world.available(user.id)).toBe(credit)
    },
  )

  it('whose answer was lost is not asked for again: its state tells that it was made', async () => {
    const externalId = await paid()
    world.fault('refund', { kind: 'cut', after: true }, 1, 'platega')
    expect(await refund(externalId)).toEqual({ ok: false, reason: 'pending' })
    world.clock.advance(3 * minute)
    for (const operation of ['cancelable', 'refund']) garbage(operation, {})
    await resumeRefunds(world.deps)
    expect(world.faults.list()).toHaveLength(2)
    expect(await world.told()).toEqual([`refunded ${credit}`])
    expect(await world.available(user.id)).toBe(0n)
  })

  it('that the bank of the payer forced is taken from the credit by its notification', async () => {
    const externalId = await paid()
    await world.decides(externalId, 'refund', 'platega')
    await notifications.receive('platega', plategaNotice(world.env, externalId))
    await check()
    expect(await world.told()).toEqual([`refunded ${credit}`])
  })
})
