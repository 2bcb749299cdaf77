// When the links of YooKassa are polled: by their age and a notification, until they end; and the limits of that: notifications without end,
// many due links, many unpaid links of one user.

import { isNotNull, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { topUps } from '../../src/db/schema.ts'
import { checkDueLinks, closedBy, createNotifications, pollLinksOf } from '../../src/payments/links.ts'
import type { LinkState } from '../../src/payments/provider.ts'
import { openTopUp, pendingLinks, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { type Linked, noticeOf } from '../support/worlds/payments.ts'

const world = await auditedPaying()
const credit = 500_00n
const second = 1000
const minute = 60 * second
let user: { id: bigint }

beforeEach(async () => {
  const state = sql`case state when 'open' then 'expired' else state end`
  await world.deps.db.update(topUps).set({ nextCheckAt: null, state })
  await world.forgetTold()
  world.lines.length = 0
  world.clock.advance(minute)
  asked.length = 0
  user = await world.user()
})

/** The providers, with `reading` in place of their request for the state of a payment. */
const readBy = (reading: (externalId: string, read: () => Promise<LinkState>) => Promise<LinkState>) =>
  world.deps.providers.map((provider) => {
    const { way } = provider
    if (way.by !== 'link') return provider
    return { ...provider, way: { ...way, read: (id: string) => reading(id, () => way.read(id)) } }
  })
const asked: string[] = []
/** The deps of the world, with providers that note which payments they are asked about. */
const deps: TopUpDeps = {
  ...world.deps,
  providers: readBy((id, read) => {
    asked.push(id)
    return read()
  }),
}
const rarely: TopUpDeps = { ...world.deps, pollIntervalMs: minute }
const notifications = createNotifications(deps)
const notify = (body: unknown) => notifications.receive('yookassa', noticeOf(body))
const check = async (afterMs = minute) => {
  world.clock.advance(afterMs)
  return checkDueLinks(deps)
}

describe('a link of YooKassa', () => {
  let topUp: Linked
  beforeEach(async () => {
    topUp = await world.link(user.id, credit)
  })
  const readsAsUnpaid = () => {
    const amount = { value: '500.00', currency: 'RUB' }
    const pending = { id: topUp.externalId, status: 'pending', paid: false, amount }
    world.fault('read', { kind: 'garbage', body: JSON.stringify(pending) })
  }
  const withProof = (proof: string) => ({
    object: { id: topUp.externalId, metadata: { topUpId: topUp.id, proof } },
  })

  it('that is unpaid is checked when it expires, and not later', async () => {
    const { expiresAt } = await world.reread(topUp)
    const left = Number(expiresAt) - world.clock.now().getTime()
    readsAsUnpaid()
    expect(await check(left - minute)).toBe(1)
    const { nextCheckAt } = await world.reread(topUp)
    expect(nextCheckAt).toEqual(expiresAt)
  })

  it('that has expired may still be paid while it is checked again, and is the only one of its user then', async () => {
    await world.link((await world.user()).id, 300_00n)
    const unpaid = async () => (await pendingLinks(world.deps.db, user.id)).map(({ id }) => id)
    expect(await unpaid()).toEqual([topUp.id])
    await world.decides(topUp.externalId, 'cancel')
    await check()
    expect(await unpaid()).toEqual([])
    await notify(topUp.notification)
    expect(await unpaid()).toEqual([topUp.id])
  })

  it('is checked on although another one that was due at the same time has been paid', async () => {
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

  it('that is unpaid is reported to the user as expired by the statement that ends its polling', async () => {
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
      return { is: 'canceled' }
    }
    world.clock.advance(minute)
    await checkDueLinks({ ...world.deps, providers: readBy(payFirst) })
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid' })
    expect(await world.told()).toEqual(['credited 50000'])
  })

  it('that cannot be read is polled for a week after its expiry, and is then closed with an error that names it', async () => {
    const day = 24 * 60 * minute
    for (const status of [500, 404, 500, 404, 500, 404, 500, 404])
      world.fault('read', { kind: 'error', status })
    const errors = () => world.lines.filter(({ level }) => level === 'error')
    for (let days = 1; days <= 7; days += 1) {
      expect(await check(day)).toBe(1)
      const { state, nextCheckAt } = await world.reread(topUp)
      expect([state, Number(nextCheckAt) - world.clock.now().getTime()]).toEqual(['open', 10 * minute])
    }
    expect(errors()).toEqual([])
    expect(closedBy(topUp, world.clock.now())).toEqual(new Date(Number(topUp.expiresAt) + 7 * day))
    await check(day)
    expect(await world.reread(topUp)).toMatchObject({ state: 'expired', nextCheckAt: null })
    const { id, externalId } = topUp
    expect(errors()).toMatchObject([{ topUp: id, externalId, state: 'open' }])
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
      readsAsUnpaid()
      expect(await checkDueLinks({ ...world.deps, random: () => chance })).toBe(1)
      const { nextCheckAt } = await world.reread(topUp)
      expect(Number(nextCheckAt) - world.clock.now().getTime()).toBe(seconds * 1000)
    }
  })

  it.each([
    ['a proven notification', 'within a third of the interval', () => notify(topUp.notification), 1000],
    ['one without its proof', 'within a minute', () => notify({ object: { id: topUp.externalId } }), minute],
    ['one with another proof', 'within a minute', () => notify(withProof('x')), minute],
    ['a question of its user', 'within a minute', () => pollLinksOf(world.deps, user.id), minute],
    ['one where polls are rare', 'within a minute', () => pollLinksOf(rarely, user.id), minute],
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

  it('is not brought forward by the proof of another one', async () => {
    const { nextCheckAt } = await world.reread(topUp)
    const { metadata } = (await world.link(user.id, 300_00n)).notification.object
    await notify({ object: { id: topUp.externalId, metadata } })
    expect((await world.reread(topUp)).nextCheckAt).toEqual(nextCheckAt)
  })

  it('is the subject of no notification without a known payment: it is accepted and ignored', async () => {
    for (const body of [undefined, null, 7, 'x', [], {}, { object: {} }, { object: { id: "' or ''='" } }]) {
      expect(await notify(body)).toBe(true)
    }
    expect(await notify({ object: { id: 'unknown' } })).toBe(true)
    expect(await notifications.receive('stars', noticeOf({}))).toBe(false)
    expect(await notifications.receive('no-such', noticeOf({}))).toBe(false)
  })
})

await deps.db.execute('create sequence row_changes')
await deps.db.execute(`
  create function count_change() returns trigger language plpgsql as $$
  begin perform nextval('row_changes'); return new; end $$`)
await deps.db.execute(`
  create trigger counted before update on top_ups for each row execute function count_change()`)

/** Polls what is due, as the loop does: until a pass has nothing to do. */
async function poll(afterMs: number): Promise<number> {
  world.clock.advance(afterMs)
  let polled = 0
  for (let pass = -1; pass !== 0; polled += pass) {
    pass = await checkDueLinks(deps)
  }
  return polled
}

/** This many links of one user. */
async function links(count: number, user?: { id: bigint }): Promise<Linked[]> {
  const { id } = user ?? (await world.user())
  const made: Linked[] = []
  for (let at = 0; at < count; at += 1) made.push(await world.link(id, 500_00n))
  return made
}

async function closedLinks(count: number): Promise<Linked[]> {
  const made = [...(await links(Math.min(count, 10))), ...(await links(Math.max(count - 10, 0)))]
  asked.length = 0
  for (const { externalId } of made) await world.decides(externalId, 'cancel')
  for (let left = count; left > 0; ) left -= await poll(second)
  expect(await deps.db.$count(topUps, sql`next_check_at is not null`)).toBe(0)
  return made
}

const idsOf = (made: readonly Linked[]) => made.map(({ externalId }) => externalId)

async function rowChanges(): Promise<number> {
  const [found] = await deps.db.execute<{ count: number }>(
    'select last_value::integer as count from row_changes',
    'objects',
  )
  return found?.count ?? 0
}

it('a hundred notifications about ten closed top-ups change each row once, and cause one request for each a minute later', async () => {
  const closed = await closedLinks(10)
  asked.length = 0
  const before = await rowChanges()
  for (let tenth = 0; tenth < 10; tenth += 1) {
    for (const link of closed) await notify(link.notification)
    await poll(100)
  }
  expect(asked).toEqual([])
  expect((await rowChanges()) - before).toBe(10)
  for (let seconds = 0; seconds < 60; seconds += 1) await poll(second)
  expect(asked.toSorted()).toEqual(idsOf(closed).toSorted())
  // For each: the notification, the claim, the release.
  expect((await rowChanges()) - before).toBe(30)
})

it('a notification that arrives while a closed top-up is polled causes another poll, a minute later', async () => {
  const closed = await closedLinks(1)
  for (const link of closed) await notify(link.notification)
  world.fault('read', { kind: 'hang', ms: 500 })
  world.clock.advance(minute)
  const polling = checkDueLinks(deps)
  await expect.poll(() => world.faults.list()).toEqual([])
  for (let times = 0; times < 3; times += 1) for (const link of closed) await notify(link.notification)
  world.clock.advance(500)
  expect(await polling).toBe(1)
  expect(await poll(minute - second)).toBe(0)
  expect(await poll(second)).toBe(1)
  expect(await poll(10 * minute)).toBe(0)
})

it('a pass asks about ten payments, about open ones first', async () => {
  const closed = await closedLinks(12)
  for (const link of closed) await notify(link.notification)
  world.clock.advance(minute - second)
  const open = idsOf(await links(4))
  asked.length = 0
  world.clock.advance(10 * second)
  expect(await checkDueLinks(deps)).toBe(10)
  expect(asked.filter((id) => open.includes(id))).toHaveLength(4)
  expect(await checkDueLinks(deps)).toBe(6)
  await deps.db.update(topUps).set({ claims: 1, nextCheckAt: world.clock.now() })
  expect(await checkDueLinks(deps), 'after processes that ended').toBe(1)
})

it('ten links with forged notifications, whose user asks for their end, delay the credit of somebody else by two seconds at most', async () => {
  const others = await links(10)
  const user = others[0]?.userId ?? 0n
  const paid = await world.link((await world.user()).id, 500_00n)
  await world.decides(paid.externalId, 'pay')
  await poll(20 * second)
  asked.length = 0
  await notify(paid.notification)
  for (let seconds = 0; seconds < 2 && !asked.includes(paid.externalId); seconds += 1) {
    await Promise.all(idsOf(others).map((id) => notify({ object: { id } })))
    await pollLinksOf(deps, user)
    world.clock.advance(second)
    await checkDueLinks(deps)
  }
  expect(await world.available(paid.userId)).toBe(500_00n)
})

it('two thousand made-up payment ids within two seconds cost 23 statements', async () => {
  const observed = observedDatabase(world.databaseUrl)
  const intake = createNotifications({ ...deps, db: observed.db })
  for (let tenth = 0; tenth < 20; tenth += 1) {
    for (let at = 0; at < 100; at += 1)
      await intake.receive('yookassa', noticeOf({ object: { id: `no-${tenth}-${at}` } }))
    world.clock.advance(second / 10)
  }
  expect(observed.statements.length).toBe(23)
  await observed.close()
})

it('a user can have ten unpaid links; another one can be opened when one of them has ended', async () => {
  const user = await world.user()
  const opens = () => openTopUp(deps, user.id, 500_00n, 'yookassa')
  const made = await links(10, user)
  expect(await opens()).toEqual({ ok: false, reason: 'too-many-links', most: 10 })
  expect(await openTopUp(deps, user.id, 500_00n, 'telegram-rub')).toMatchObject({ ok: true })
  const other = await world.user()
  expect(await openTopUp(deps, other.id, 500_00n, 'yookassa')).toMatchObject({ ok: true })
  for (const { externalId } of made.slice(3, 4)) await world.decides(externalId, 'cancel')
  await poll(minute)
  for (const link of made.slice(3, 4)) await notify(link.notification)
  expect(await opens()).toMatchObject({ ok: true })
})
