// Top-ups paid on a page of a provider: opened within the time that a user waits, polled until they end, with or without notifications, and
// credited only when the payment fits. When they are polled is in link-polls.test.ts.

import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { topUps } from '../../src/db/schema.ts'
import { checkDueLinks, createNotifications, openLink } from '../../src/payments/links.ts'
import type { LinkOpened, Notice } from '../../src/payments/provider.ts'
import { refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { pendingLinks } from '../../src/payments/top-ups.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { cryptopayNotice, plategaNotice } from '../support/worlds/payment-providers.ts'
import { type Linked, noticeOf } from '../support/worlds/payments.ts'

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

/** What the API answers about a payment of 500 roubles. */
const answers = {
  yookassa: (id: string, topUpId: string, change: object) => {
    const amount = { value: '500.00', currency: 'RUB' }
    return { id, status: 'succeeded', paid: true, amount, metadata: { topUpId }, ...change }
  },
  platega: (id: string, topUpId: string, change: object) => ({
    ...{ id, status: 'CONFIRMED', payload: topUpId, paymentDetails: { amount: 500, currency: 'RUB' } },
    ...change,
  }),
  cryptopay: (id: string, topUpId: string, change: object) => {
    const invoice = { invoice_id: Number(id), status: 'paid', payload: topUpId, amount: '500.00' }
    return { ok: true, result: { items: [{ ...invoice, currency_type: 'fiat', fiat: 'RUB', ...change }] } }
  },
}
type Id = keyof typeof answers
type Link = Pick<Linked, 'id' | 'externalId'> & Partial<Linked>

/** Sets what the provider answers when the app reads the payment the next time. */
const readsAs = (id: Id, { id: topUpId, externalId }: Link, change: object = {}) =>
  world.fault(
    'read',
    { kind: 'garbage', body: JSON.stringify(answers[id](externalId, topUpId, change)) },
    1,
    id,
  )
const notices: Readonly<Record<Id, (link: Link) => Notice>> = {
  yookassa: ({ notification }) => noticeOf(notification),
  platega: ({ externalId }) => plategaNotice(world.env, externalId),
  cryptopay: ({ externalId }) => cryptopayNotice(world.env, externalId),
}
/** Changes of an answer, in the fields of each provider. */
const sum = (value: string, currency = 'RUB') => ({
  yookassa: { amount: { value, currency } },
  platega: { paymentDetails: { amount: Number(value), currency } },
  cryptopay: { amount: value, fiat: currency },
})
const forTopUp = (topUpId?: string) => ({
  yookassa: { metadata: { topUpId } },
  platega: { payload: topUpId ?? 'nothing' },
  cryptopay: { payload: topUpId ?? 'nothing' },
})
const misread = {
  'an amount that is none': sum('500.001'),
  'a status that is not documented': {
    yookassa: { status: 'paid?' },
    platega: { status: 'PAID?' },
    cryptopay: { status: 'paid?' },
  },
  'another payment': {
    yookassa: { id: 'of-another' },
    platega: { id: 'of-another' },
    cryptopay: { invoice_id: 7 },
  },
}

describe.each(['yookassa', 'platega', 'cryptopay'] as const)('%s', (id) => {
  const link = (): Promise<Link> =>
    id === 'yookassa' ? world.link(user.id, credit) : world.linkBy(id, user.id, credit)
  const receives = (one: Link) => notifications.receive(id, notices[id](one))

  it('a payment that only a notification reports is not credited', async () => {
    const one = await link()
    await receives(one)
    expect(await check()).toBe(1)
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.reread(one)).toMatchObject({ state: 'open', nextCheckAt: expect.any(Date) })
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

  it('a payment of another sum, currency or top-up is not credited: the user is told once, and the operator finds it', async () => {
    for (const change of [
      ...[sum('5.00'), sum('50000.00'), sum('500.00', 'USD')],
      ...[forTopUp('another'), forTopUp()],
    ]) {
      const one = await link()
      for (let times = 0; times < 2; times += 1) {
        readsAs(id, one, change[id])
        await receives(one)
        await check()
      }
      expect(await world.available(user.id)).toBe(0n)
      expect(await world.told()).toEqual([`unmatched ${credit}`])
      expect(world.lines.filter(({ event }) => /fits no top-up/.test(event))).toHaveLength(1)
      await world.forgetTold()
      world.lines.length = 0
    }
  })

  it.each(Object.entries(misread))(
    'an answer about %s is no payment, and the link is read again',
    async (...row) => {
      const one = await link()
      readsAs(id, one, row[1][id])
      await check()
      expect([await world.available(user.id), await world.told()]).toEqual([0n, []])
      await world.decides(one.externalId, 'pay', id)
      await check()
      expect(await world.available(user.id)).toBe(credit)
    },
  )

  it('a payment that is reported after its link expired is still credited; its user is told once', async () => {
    const one = await link()
    const left = Number((await world.reread(one)).expiresAt) - world.clock.now().getTime()
    // Platega may confirm what was begun within the 15 minutes of its page up to an hour later.
    expect(left).toBe({ yookassa: 24 * 60, platega: 75, cryptopay: 60 }[id] * minute)
    await check(left + 1)
    expect(await world.told()).toEqual([`not-paid ${credit}`])
    await receives(one)
    await check()
    expect(await check(24 * 60 * minute)).toBe(0)
    readsAs(id, one)
    await receives(one)
    await check()
    expect(await world.told()).toEqual([`not-paid ${credit}`, `credited ${credit}`])
  })
})

it.each([
  ['yookassa', 128],
  ['platega', 64],
  ['cryptopay', 1024],
] as const)('a description that is too long for %s is cut to its %i characters', async (id, most) => {
  const { way } = world.provider(id)
  if (way.by !== 'link') throw new Error(`${id} has a page to pay on`)
  const { id: topUpId, charge: amount, currency } = await world.open(user.id, credit, id)
  const order = { topUpId, userId: user.id, charge: { amount, currency }, item: 'Пополнение', email: null }
  expect(await way.open({ ...order, description: 'x'.repeat(2000) })).toMatchObject({ is: 'open' })
  const page = await fetch(`${world.url}/api/${id}/payments`)
  const shown = z.array(z.object({ description: z.string() })).parse(await page.json())
  expect(shown.at(-1)?.description).toHaveLength(most)
})

it.each([
  ['00:15:00', 15],
  ['0:15:00', 15],
  ['00:15:00.5000000', 15],
  ['72:00:00', 72 * 60],
  ['soon', 24 * 60],
  [null, 24 * 60],
])(
  'a page of Platega that expires in %s is watched for %i minutes, and an hour more',
  async (expiresIn, minutes) => {
    const body = JSON.stringify({ transactionId: randomIds.next(), url: 'https://pay.example/', expiresIn })
    world.fault('create', { kind: 'garbage', body }, 1, 'platega')
    const { createdAt, expiresAt } = await world.linkBy('platega', user.id, credit)
    expect(Number(expiresAt) - Number(createdAt)).toBe((minutes + 60) * minute)
  },
)

const proofs = { platega: ['x-merchantid', 'x-secret'], cryptopay: ['crypto-pay-api-signature'] }

describe.each(['platega', 'cryptopay'] as const)('%s', (id) => {
  const link = () => world.linkBy(id, user.id, credit)

  it('a notification brings the reading of its payment forward, and a forged one nothing', async () => {
    const [one, other] = [await link(), await link()]
    const genuine = notices[id](one)
    const altered = (change: Partial<Notice>): Notice => ({ ...genuine, ...change })
    const changed = (name: string, value: string) =>
      altered({ header: (asked) => (asked === name ? value : genuine.header(asked)) })
    const forged = [
      ...proofs[id].flatMap((name) => [changed(name, ''), changed(name, `${genuine.header(name)}0`)]),
      altered({ text: 'not JSON' }),
      altered({ text: '{}' }),
      // Only CryptoPay signs the body.
      ...(id === 'cryptopay' ? [altered({ text: ` ${genuine.text}` })] : []),
    ]
    for (const notice of forged) expect(await notifications.receive(id, notice)).toBe(true)
    expect(await world.reread(one)).toMatchObject({ nextCheckAt: one.nextCheckAt })
    await notifications.receive(id, genuine)
    const soon = new Date(world.clock.now().getTime() + 1000)
    expect(await world.reread(one)).toMatchObject({ nextCheckAt: soon })
    expect(await world.reread(other)).toMatchObject({ nextCheckAt: other.nextCheckAt })
  })

  it('a page whose answer was lost is opened again; the first one is unpaid, and a report about it changes nothing', async () => {
    world.fault('create', { kind: 'cut', after: true }, 1, id)
    const { externalId } = await link()
    const page = await fetch(`${world.url}/api/${id}/payments`)
    const shown = z.array(z.object({ id: z.string() })).parse(await page.json())
    const [lost, kept] = shown.slice(-2).map((one) => one.id)
    expect([kept, lost === externalId]).toEqual([externalId, false])
    await world.decides(lost ?? '', 'pay', id)
    await notifications.receive(id, notices[id]({ id: '', externalId: lost ?? '' }))
    await check()
    expect(await world.available(user.id)).toBe(0n)
    expect(await pendingLinks(world.deps.db, user.id)).toHaveLength(1)
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

  it('that Platega does not make by itself returns the credit and shows why', async () => {
    const externalId = await paid()
    const byHand = { accepted: false, manualControlRequired: true, message: 'Возврат в процессе' }
    for (const [operation, body, reason] of [
      ['cancelable', { supported: false, blockReason: 'Insufficient funds' }, /Insufficient funds/],
      ['refund', byHand, /support of Platega/],
    ] as const) {
      garbage(operation, body)
      const said = expect.stringMatching(reason)
      expect(await refund(externalId)).toMatchObject({ ok: false, reason: 'refused', said })
      expect(await world.available(user.id)).toBe(credit)
    }
  })

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
})

it('a page whose provider does not answer is asked for again within twelve seconds, and one that is refused is not', async () => {
  const { way } = world.provider('yookassa')
  if (way.by !== 'link') throw new Error('YooKassa has a page to pay on')
  const order = { description: 'Top-up', item: 'Пополнение', email: null }
  const silence: LinkOpened = { is: 'unavailable', said: 'no answer' }
  for (const [answer, takesMs, asked] of [
    [silence, 0, [0, 1, 2]],
    [silence, 5500, [0, 6.5]],
    [silence, 11_000, [0, 12]],
    [silence, 11_001, [0]],
    [{ is: 'refused', said: 'no' } as const, 0, [0]],
  ] as const) {
    const { id } = await world.user()
    const opening = await world.open(id, 500_00n, 'yookassa')
    const begun = world.clock.now().getTime()
    const seen: number[] = []
    const open = async () => {
      seen.push((world.clock.now().getTime() - begun) / 1000)
      world.clock.advance(takesMs)
      return answer
    }
    const opened = await openLink(world.deps, { ...way, open }, opening, order)
    expect([seen, opened]).toEqual([asked, undefined])
    expect(await pendingLinks(world.deps.db, id)).toEqual([])
  }
})
