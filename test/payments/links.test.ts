// Top-ups paid on a page of YooKassa: opened within the time that a user waits, polled until they end, with or without notifications, and
// credited only when the payment fits.

import { isNotNull, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { topUps } from '../../src/db/schema.ts'
import {
  checkDueLinks,
  closedBy,
  createNotifications,
  openLink,
  pollLinksOf,
} from '../../src/payments/links.ts'
import type { LinkOpened, LinkState } from '../../src/payments/provider.ts'
import { createTopUpWatch } from '../../src/payments/reconcile.ts'
import { unpaidTopUps } from '../../src/payments/top-ups.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { type Linked, noticeOf } from '../support/worlds/payments.ts'

const world = await auditedPaying()
const notifications = createNotifications(world.deps)
let user: { id: bigint }
let topUp: Linked

beforeEach(async () => {
  const state = sql`case state when 'open' then 'expired' else state end`
  await world.deps.db.update(topUps).set({ nextCheckAt: null, state })
  await world.forgetTold()
  world.lines.length = 0
  user = await world.user()
  topUp = await world.link(user.id, 500_00n)
})

const minute = 60_000
const check = async (afterMs = minute) => {
  world.clock.advance(afterMs)
  return checkDueLinks(world.deps)
}
const withProof = (proof: string) => ({
  object: { id: topUp.externalId, metadata: { topUpId: topUp.id, proof } },
})
const notify = (body: unknown) => notifications.receive('yookassa', noticeOf(body))
/** Scripts YooKassa's answer to the next reading of the payment. */
const readsAs = (change: object) => {
  const amount = { value: '500.00', currency: 'RUB' }
  const paid = { id: topUp.externalId, status: 'succeeded', paid: true, amount }
  world.fault('read', {
    kind: 'garbage',
    body: JSON.stringify({ ...paid, metadata: { topUpId: topUp.id }, ...change }),
  })
}

/** The providers, with `reading` in place of their request for the state of a payment. */
const readBy = (reading: (externalId: string, read: () => Promise<LinkState>) => Promise<LinkState>) =>
  world.deps.providers.map((provider) => {
    const { way } = provider
    if (way.by !== 'link') return provider
    return { ...provider, way: { ...way, read: (id: string) => reading(id, () => way.read(id)) } }
  })

it('links are polled although no provider takes payments inside of Telegram', async () => {
  await world.decides(topUp.externalId, 'pay')
  const noticed = Promise.withResolvers<void>()
  const providers = world.deps.providers.filter(({ way }) => way.by === 'link')
  const loops = createTopUpWatch({ ...world.deps, providers, wakeNotices: () => noticed.resolve() })
  world.clock.advance(minute)
  for (const loop of loops) loop.start()
  await noticed.promise
  await Promise.all(loops.map((loop) => loop.stop()))
  expect(await world.told()).toEqual(['credited 50000'])
})

it('an unpaid link is checked when it expires, and not later', async () => {
  const { expiresAt } = await world.reread(topUp)
  const left = Number(expiresAt) - world.clock.now().getTime()
  readsAs({ status: 'pending', paid: false })
  expect(await check(left - minute)).toBe(1)
  const { nextCheckAt } = await world.reread(topUp)
  expect(nextCheckAt).toEqual(expiresAt)
})

it('a link that has expired may still be paid while it is checked again, and is the only one of its user then', async () => {
  await world.link((await world.user()).id, 300_00n)
  const unpaid = async () => (await unpaidTopUps(world.deps.db, user.id)).map(({ id }) => id)
  expect(await unpaid()).toEqual([topUp.id])
  await world.decides(topUp.externalId, 'cancel')
  await check()
  expect(await unpaid()).toEqual([])
  await notify(topUp.notification)
  expect(await unpaid()).toEqual([topUp.id])
})

it('a link is checked on although another one that was due at the same time has been paid', async () => {
  const other = await world.link((await world.user()).id, 300_00n)
  await world.decides(topUp.externalId, 'pay')
  const after = async (read: () => Promise<LinkState>): Promise<LinkState> => {
    await expect.poll(() => world.reread(topUp)).toMatchObject({ state: 'paid', nextCheckAt: null })
    return read()
  }
  const providers = readBy((id, read) => (id === other.externalId ? after(read) : read()))
  world.clock.advance(minute)
  expect(await checkDueLinks({ ...world.deps, providers })).toBe(2)
  await world.decides(other.externalId, 'pay')
  expect(await check()).toBe(1)
  expect(await world.reread(other)).toMatchObject({ state: 'paid', nextCheckAt: null })
})

describe('a payment', () => {
  it('that only a notification reports is not credited', async () => {
    await notify({
      event: 'payment.succeeded',
      object: { id: topUp.externalId, status: 'succeeded', paid: true },
    })
    expect(await check()).toBe(1)
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.reread(topUp)).toMatchObject({ state: 'open', nextCheckAt: expect.any(Date) })
  })

  it.each([
    ['a smaller amount', { amount: { value: '5.00', currency: 'RUB' } }],
    ['a larger amount', { amount: { value: '5000.00', currency: 'RUB' } }],
    ['another currency', { amount: { value: '500.00', currency: 'KZT' } }],
    ['another top-up', { metadata: { topUpId: 'x' } }],
    ['no top-up at all', { metadata: {} }],
  ])('of %s is not credited, and the user is told once', async (_, change) => {
    for (let times = 0; times < 2; times += 1) {
      readsAs(change)
      await notify(topUp.notification)
      await check()
    }
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual(['unmatched 50000'])
    expect(world.lines.filter(({ event }) => /fits no top-up/.test(event))).toHaveLength(1)
  })

  it.each([
    ['not paid', { paid: false }],
    ['of another id', { id: 'of-another-payment' }],
    ['with an amount of words', { amount: { value: 'five', currency: 'RUB' } }],
  ])('that is read as %s is checked again', async (_, change) => {
    readsAs(change)
    await check()
    expect(await world.available(user.id)).toBe(0n)
    await world.decides(topUp.externalId, 'pay')
    await check()
    expect(await world.available(user.id)).toBe(500_00n)
  })

  it('made after the top-up expired is still credited; its user is told once', async () => {
    await check(61 * minute)
    await notify(topUp.notification)
    await check()
    expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
    expect(await check(24 * 60 * minute)).toBe(0)
    readsAs({})
    await notify(topUp.notification)
    await check()
    expect(await world.told()).toEqual(['not-paid 50000', 'credited 50000'])
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid' })
  })
})

describe('an unpaid top-up', () => {
  it('is reported to the user as expired by the statement that ends its polling', async () => {
    await world.deps.db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the end'; end $$`)
    await world.deps.db.execute(sql`
      create trigger refuse before update on top_ups for each row
      when (old.state = 'expired') execute function refuse()`)
    await world.decides(topUp.externalId, 'cancel')
    await check()
    await world.deps.db.execute(sql`drop function refuse cascade`)
    expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
    expect(await world.told()).toEqual(['not-paid 50000'])
  })

  it('that another process has seen as paid is not closed by a slow poll that read an older state', async () => {
    const payFirst = async (): Promise<LinkState> => {
      await world.decides(topUp.externalId, 'pay')
      await notify(topUp.notification)
      await check(leaseMs)
      return { is: 'canceled', reason: 'expired' }
    }
    world.clock.advance(minute)
    await checkDueLinks({ ...world.deps, providers: readBy(payFirst) })
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid' })
    expect(await world.told()).toEqual(['credited 50000'])
  })

  it('is not closed by a failed read after its expiry', async () => {
    for (const status of [500, 404]) {
      world.fault('read', { kind: 'error', status })
      expect(await check(25 * 60 * minute)).toBe(1)
      const { state, nextCheckAt } = await world.reread(topUp)
      expect([state, Number(nextCheckAt) - world.clock.now().getTime()]).toEqual(['open', 10 * minute])
      expect(await world.told()).toEqual([])
    }
  })

  it('that cannot be read is polled for a week after its expiry, and is then closed with an error that names it', async () => {
    const day = 24 * 60 * minute
    world.fault('read', { kind: 'error', status: 500 }, 1000)
    const errors = () => world.lines.filter(({ level }) => level === 'error')
    for (let days = 1; days <= 7; days += 1) expect(await check(day)).toBe(1)
    expect(await world.reread(topUp)).toMatchObject({ state: 'open' })
    expect(errors()).toEqual([])
    expect(closedBy(topUp, world.clock.now())).toEqual(new Date(Number(topUp.expiresAt) + 7 * day))
    await check(day)
    expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
    const { id, externalId } = topUp
    expect(errors().map(({ facts }) => facts)).toEqual([{ topUp: id, externalId, state: 'open' }])
    expect(await world.told()).toEqual(['not-paid 50000'])
  })

  it('is polled again after a fifth of its age, at most 10 minutes, more or less', async () => {
    const created = world.clock.now().getTime()
    for (const [age, chance, seconds] of [
      [9000, 0.5, 9],
      [10 * minute, 0, 108],
      [20 * minute, 0.5, 240],
      [120 * minute, 0.5, 600],
    ] as const) {
      world.clock.advance(created + age - world.clock.now().getTime())
      readsAs({ status: 'pending', paid: false })
      expect(await checkDueLinks({ ...world.deps, random: () => chance })).toBe(1)
      const { nextCheckAt } = await world.reread(topUp)
      expect(Number(nextCheckAt) - world.clock.now().getTime()).toBe(seconds * 1000)
    }
  })

  it('is credited after an outage of YooKassa', async () => {
    await world.decides(topUp.externalId, 'pay')
    const errors = [500, 429].map((status) => ({ kind: 'error', status }))
    for (const fault of [...errors, { kind: 'cut' }, { kind: 'garbage' }]) {
      world.fault('read', fault)
      await check()
      expect(await world.available(user.id)).toBe(0n)
    }
    await check(10 * minute)
    expect(await world.told()).toEqual(['credited 50000'])
  })
})

describe('notifications', () => {
  it.each([
    ['a proven notification', 'within a third of the interval', () => notify(topUp.notification), 1000],
    ['one without its proof', 'within a minute', () => notify({ object: { id: topUp.externalId } }), minute],
    ['one with another proof', 'within a minute', () => notify(withProof('x')), minute],
    ['a question of its user', 'within a minute', () => pollLinksOf(world.deps, user.id), minute],
  ])('%s makes only the open link it is about due %s', async (_, __, ask, afterMs) => {
    const other = await world.link((await world.user()).id, 300_00n)
    const done = await world.link(user.id, 300_00n)
    await world.decides(done.externalId, 'cancel')
    await notify(done.notification)
    await check(1000)
    const inAnHour = new Date(world.clock.now().getTime() + 60 * minute)
    await world.deps.db.update(topUps).set({ nextCheckAt: inAnHour }).where(isNotNull(topUps.nextCheckAt))
    await ask()
    const due = new Date(world.clock.now().getTime() + afterMs)
    expect(await world.reread(topUp)).toMatchObject({ state: 'open', nextCheckAt: due })
    expect(await world.reread(other)).toMatchObject({ state: 'open', nextCheckAt: inAnHour })
    expect(await world.reread(done)).toMatchObject({ state: 'expired', nextCheckAt: null })
    expect(await check(afterMs)).toBe(1)
  })

  it('with the proof of another top-up bring nothing forward', async () => {
    const { nextCheckAt } = await world.reread(topUp)
    const { metadata } = (await world.link(user.id, 300_00n)).notification.object
    await notify({ object: { id: topUp.externalId, metadata } })
    expect((await world.reread(topUp)).nextCheckAt).toEqual(nextCheckAt)
  })

  it('without a known payment are accepted and ignored', async () => {
    for (const body of [undefined, null, 7, 'x', [], {}, { object: {} }, { object: { id: "' or ''='" } }]) {
      expect(await notify(body)).toBe(true)
    }
    expect(await notify({ object: { id: 'unknown' } })).toBe(true)
    expect(await notifications.receive('stars', noticeOf({}))).toBe(false)
    expect(await notifications.receive('no-such', noticeOf({}))).toBe(false)
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
    expect([seen, opened]).toEqual([asked, { ok: false, reason: 'unavailable' }])
    expect(await unpaidTopUps(world.deps.db, id)).toEqual([])
  }
})
