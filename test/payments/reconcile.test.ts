// What no report has told is found in the lists of the providers, at the start and hourly: payments and refunds in Telegram's list of Star
// transactions, and refunds that were made in the cabinet of YooKassa.

import { EventEmitter, on } from 'node:events'
import { Api, GrammyError } from 'grammy'
import { beforeEach, describe, expect, it } from 'vitest'
import { createStarAccount } from '../../src/bot/account/checkout.ts'
import { assignPayment } from '../../src/operator/corrections.ts'
import { checkDueLinks } from '../../src/payments/links.ts'
import type { Movement } from '../../src/payments/provider.ts'
import type { Provider } from '../../src/payments/providers.ts'
import { checkListedRefunds, createTopUpWatch, reconcile } from '../../src/payments/reconcile.ts'
import { creditPayment } from '../../src/payments/top-ups.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { providerFrom } from '../support/worlds/payments.ts'

/** Telegram's list. */
const list: Movement[] = []
const world = await auditedPaying({
  refund: () => Promise.reject(new Error('nobody asks for a refund')),
  transactions: async (offset) => {
    const movements = list.slice(offset, offset + 100)
    return { count: movements.length, movements }
  },
})
let user: { id: bigint; telegramId: number }
beforeEach(async () => {
  user = await world.user()
  await world.forgetTold()
  world.lines.length = 0
  list.length = 0
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const logged = () =>
  world.lines.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event)

/** Runs the background work like the app; `news` resolves to the newest notice after one was written. */
function watching(...providers: Provider[]) {
  const told = new EventEmitter()
  const heard = on(told, 'news')
  const { deps, clock } = world
  const wakeNotices = () => void told.emit('news')
  const loops = createTopUpWatch({ ...deps, clock, wakeNotices, providers })
  for (const loop of loops) loop.start()
  return {
    stop: () => Promise.all(loops.map((loop) => loop.stop())),
    async news(): Promise<string | undefined> {
      await heard.next()
      return (await world.told()).at(-1)
    },
  }
}
const compared = () => expect.poll(() => world.clock.isWaitedFor(hour)).toBe(true)

describe('in the list of Stars', () => {
  const stars = () => world.provider('stars')
  /** A payment that no update reports. */
  async function paid(credit: bigint, change: Partial<Movement> = {}): Promise<Movement> {
    const topUp = await world.open(user.id, credit, 'stars')
    const of = { topUpId: topUp.id, chargeId: `charge-${topUp.id}`, telegramId: user.telegramId }
    const movement = {
      is: 'paid',
      ...of,
      charge: { currency: 'XTR', amount: topUp.charge },
      ...change,
    } as const
    list.push(movement)
    return movement
  }

  it('a payment is found at the start or within the hour, on any page, and so is its refund', async () => {
    const other = { topUpId: 'of another bot', telegramId: 7, charge: { currency: 'XTR', amount: 1n } }
    await paid(100_00n)
    for (let at = 0; at < 110; at += 1) list.push({ is: 'paid', chargeId: `other-${at}`, ...other })
    const watch = watching(stars())
    expect(await watch.news()).toBe('credited 10000')
    await compared()
    await paid(60_00n)
    world.clock.advance(hour)
    expect(await watch.news()).toBe('credited 6000')
    await compared()
    list.push(...list.slice(-1).map((one) => ({ ...one, is: 'refunded' as const })))
    world.clock.advance(hour)
    expect(await watch.news()).toBe('refunded 6000')
    await watch.stop()
    expect((await reconcile(world.deps, stars(), 113)).next).toBe(113)
  })

  /** A payment by another provider, which keeps no list. */
  async function paidInRoubles(chargeId: string): Promise<void> {
    const { id: topUpId } = await world.open(user.id, 160_00n, 'telegram-rub')
    const other = { provider: 'telegram-rub', topUpId, userId: user.id, currency: 'RUB', charge: 160_00n }
    expect(await creditPayment(world.deps, other, chargeId)).toMatchObject({ ok: true })
  }

  it('a payment is found although another provider has a payment of the same id', async () => {
    await paidInRoubles((await paid(100_00n)).chargeId)
    await reconcile(world.deps, stars())
    expect(await world.available(user.id)).toBe(260_00n)
  })

  it('a payment of another user, an unknown user or another amount is not credited but logged', async () => {
    const { telegramId } = await world.user()
    for (const change of [{ telegramId }, { telegramId: 77 }, { charge: { currency: 'XTR', amount: 1n } }]) {
      await paid(100_00n, change)
      await reconcile(world.deps, stars())
      expect(await world.available(user.id)).toBe(0n)
      expect(await world.told()).toEqual([])
      expect(logged()).toEqual([expect.stringContaining('payment fits no top-up')])
      world.lines.length = 0
      list.length = 0
    }
  })

  it('a credited payment that is missing an hour later is an error in the log, once', async () => {
    const credited = async () => {
      const movement = await paid(100_00n)
      const of = { provider: 'stars', topUpId: movement.topUpId, userId: user.id, currency: 'XTR' }
      const { chargeId, charge } = movement
      const credit = await creditPayment(world.deps, { ...of, charge: charge.amount }, chargeId)
      expect(credit).toMatchObject({ ok: true })
      return movement
    }
    const unlisted = async () => {
      const movement = await credited()
      list.pop()
      return movement
    }
    await credited()
    await unlisted()
    const watch = watching(stars())
    await compared()
    world.clock.advance(hour / 2)
    await credited()
    const forged = await unlisted()
    const late = await unlisted()
    await paidInRoubles('unlisted')
    const elsewhere = {
      provider: 'telegram-rub',
      topUpId: 'lost',
      userId: user.id,
      currency: 'RUB',
      charge: 1n,
    }
    await creditPayment(world.deps, elsewhere, forged.chargeId)
    const lost = { provider: 'stars', topUpId: 'lost', userId: user.id, currency: 'XTR', charge: 1n }
    await creditPayment(world.deps, lost, 'assigned')
    const assigned = { by: null, chargeId: 'assigned', userId: user.id, credit: 100n, reason: 'restored' }
    expect(await assignPayment(world.deps, assigned)).toEqual({ ok: true })
    world.lines.length = 0
    world.clock.advance(hour / 2)
    await compared()
    list.push(late)
    world.clock.advance(hour / 2)
    const fresh = await unlisted()
    for (const pause of [hour / 2, hour, hour]) {
      world.clock.advance(pause)
      await compared()
      list.push(fresh)
    }
    await watch.stop()
    const event = 'credited payment is missing in the list of its provider'
    const facts = { provider: 'stars', chargeId: forged.chargeId, credit: '10000' }
    expect(world.lines.filter(({ level }) => level === 'error')).toMatchObject([{ ...facts, event }])
  })

  it('a price is rounded up to whole Stars', () => {
    for (const [rate, credits, prices] of [
      ['2', [200n, 201n, 399n, 401n], [1n, 2n, 2n, 3n]],
      ['1.35', [135n, 136n], [1n, 2n]],
    ] as const) {
      const { charge } = providerFrom({ TOPUP_ROUBLES_PER_STAR: rate })
      expect(credits.map((credit) => charge(credit).amount)).toEqual(prices)
    }
  })

  it('of Telegram paid and refunded invoices are taken, from an entry on, and gifts are not', async () => {
    const asked: object[] = []
    const api = new Api('1:a')
    const invoice = {
      type: 'user',
      transaction_type: 'invoice_payment',
      user: { id: 7 },
      invoice_payload: 't',
    }
    const gift = { type: 'user', transaction_type: 'gift_purchase', user: { id: 7 } }
    const of = { id: 'c', amount: 5, date: 0 }
    const transactions = [
      { ...of, source: invoice },
      { ...of, receiver: invoice },
      { ...of, receiver: gift },
    ]
    api.config.use(async (_prev, method, payload) => {
      asked.push({ method, ...payload })
      // The double knows the result type of its method; the generic type does not.
      return { ok: true, result: { transactions } } as never
    })
    const page = await createStarAccount(api).transactions(3)
    const charge = { currency: 'XTR', amount: 5n }
    const taken = { chargeId: 'c', topUpId: 't', telegramId: 7, charge }
    const movements = ['paid', 'refunded'].map((is) => ({ is, ...taken }))
    expect(page).toEqual({ count: 3, movements })
    expect(asked).toEqual([{ method: 'getStarTransactions', offset: 3, limit: 100 }])
  })

  it('Telegram’s answer to a refund tells whether it was made, refused, or has to be asked for again', async () => {
    const api = new Api('1:a')
    const account = createStarAccount(api)
    let error: Error | undefined
    api.config.use((_prev, method) => Promise.reject(error ?? new Error(method)))
    const refused = (error_code: number, description: string) =>
      new GrammyError('refused', { ok: false, error_code, description }, 'refundStarPayment', {})
    for (const [answer, outcome] of [
      [refused(400, 'Bad Request: CHARGE_ALREADY_REFUNDED'), { is: 'done' }],
      [
        refused(400, 'Bad Request: CHARGE_NOT_FOUND'),
        { is: 'refused', said: 'Bad Request: CHARGE_NOT_FOUND' },
      ],
      [refused(429, 'Too Many Requests'), { is: 'unavailable', said: 'Too Many Requests' }],
      [new Error('cut'), { is: 'unavailable', said: expect.stringContaining('cut') }],
    ] as const) {
      error = answer
      expect(await account.refund(1, 'c')).toEqual(outcome)
    }
  })
})

describe('in the cabinet of YooKassa', () => {
  /** YooKassa's id of a paid payment of 500 roubles. */
  let charge: string
  beforeEach(async () => {
    charge = (await world.link(user.id, 500_00n)).externalId
    await world.decides(charge, 'pay')
    world.clock.advance(minute)
    await checkDueLinks(world.deps)
    await world.forgetTold()
    world.lines.length = 0
  })

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

  it('a refund without any notification takes the credit within the hour', async () => {
    const watch = watching(...world.deps.providers)
    for (const ms of [hour, 1000]) await expect.poll(() => world.clock.isWaitedFor(ms)).toBe(true)
    await world.decides(charge, 'refund')
    expect(await world.available(user.id)).toBe(500_00n)
    world.clock.advance(hour)
    const inAMinute = () => {
      world.clock.advance(minute)
      return world.available(user.id)
    }
    await expect.poll(inAMinute).toBe(0n)
    expect(await watch.news()).toBe('refunded 50000')
    await watch.stop()
  })

  it('a refund is found on any page of the list', async () => {
    await world.decides(charge, 'refund')
    const listRefunds = async (_: Date, cursor = '1') => {
      const chargeIds = cursor === '3' ? [charge] : [`other-${cursor}`]
      return { is: 'page', chargeIds, ...(cursor === '3' ? {} : { next: `${Number(cursor) + 1}` }) } as const
    }
    await compare({ listRefunds })
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
})
