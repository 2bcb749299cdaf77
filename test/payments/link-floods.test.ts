// Limits of the requests for the states of payments at YooKassa: notifications without end, many due links, many unpaid links of one user.

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { topUps } from '../../src/db/schema.ts'
import { checkDueLinks, receiveNotification } from '../../src/payments/links.ts'
import { openTopUp, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { openPaying, type Paying } from '../support/worlds/payments.ts'

let world: Paying
/** The deps of the world, with providers that note which payments they are asked about. */
let deps: TopUpDeps
const asked: string[] = []

beforeAll(async () => {
  world = await openPaying()
  const providers = world.deps.providers.map((provider) => {
    const { way } = provider
    if (way.by !== 'link') return provider
    const read = (id: string) => {
      asked.push(id)
      return way.read(id)
    }
    return { ...provider, way: { ...way, read } }
  })
  deps = { ...world.deps, providers }
  await deps.db.execute('create sequence row_changes')
  await deps.db.execute(`
    create function count_change() returns trigger language plpgsql as $$
    begin perform nextval('row_changes'); return new; end $$`)
  await deps.db.execute(`
    create trigger counted before update on top_ups for each row execute function count_change()`)
})
afterAll(() => world.close())
afterEach(async () => {
  await deps.db.update(topUps).set({ nextCheckAt: null })
  world.clock.advance(minute)
  asked.length = 0
})

const second = 1000
const minute = 60 * second

/** Polls what is due, as the loop does: until a pass has nothing to do. */
async function poll(afterMs: number): Promise<number> {
  world.clock.advance(afterMs)
  let polled = 0
  for (let pass = -1; pass !== 0; polled += pass) {
    pass = await checkDueLinks(deps)
  }
  return polled
}

/** Payment ids of this many links, ten per user. */
async function links(count: number): Promise<string[]> {
  const made: string[] = []
  let user = await world.user()
  for (let at = 0; at < count; at += 1) {
    if (at % 10 === 0) user = await world.user()
    made.push((await world.link(user.id, 500_00n)).externalId)
  }
  return made
}

async function closedLinks(count: number): Promise<string[]> {
  const ids = await links(count)
  for (const id of ids) await world.decides(id, 'cancel')
  for (let left = count; left > 0; ) left -= await poll(second)
  expect(await deps.db.$count(topUps, sql`next_check_at is not null`)).toBe(0)
  return ids
}

const notify = (id: string) => receiveNotification(deps, 'yookassa', { object: { id } })

async function rowChanges(): Promise<number> {
  const [found] = await deps.db.execute<{ count: number }>(
    'select last_value::integer as count from row_changes',
    'objects',
  )
  return found?.count ?? 0
}

it('a thousand notifications about fifty closed top-ups change each row once, and cause one request for each a minute later', async () => {
  const ids = await closedLinks(50)
  asked.length = 0
  const before = await rowChanges()
  for (let tenth = 0; tenth < 100; tenth += 1) {
    for (let at = 0; at < 10; at += 1) await notify(ids[(tenth * 10 + at) % 50] ?? '')
    await poll(100)
  }
  expect(asked).toEqual([])
  expect((await rowChanges()) - before).toBe(50)
  for (let seconds = 0; seconds < 60; seconds += 1) await poll(second)
  expect(asked.toSorted()).toEqual(ids.toSorted())
  // For each: the notification, the claim, the release.
  expect((await rowChanges()) - before).toBe(150)
})

it('a notification that arrives while a closed top-up is polled causes another poll, a minute later', async () => {
  const [id = ''] = await closedLinks(1)
  await notify(id)
  world.fault('read', { kind: 'hang', ms: 500 })
  world.clock.advance(minute)
  const polling = checkDueLinks(deps)
  await expect.poll(() => world.faults.list()).toEqual([])
  for (let times = 0; times < 3; times += 1) await notify(id)
  world.clock.advance(500)
  expect(await polling).toBe(1)
  expect(await poll(minute - second)).toBe(0)
  expect(await poll(second)).toBe(1)
  expect(await poll(10 * minute)).toBe(0)
})

it('all processes together ask about ten payments per second, about open ones first', async () => {
  const closed = await closedLinks(12)
  for (const id of closed) await notify(id)
  world.clock.advance(minute - second)
  const open = await links(4)
  asked.length = 0
  world.clock.advance(10 * second)
  const passes = await Promise.all([checkDueLinks(deps), checkDueLinks(deps), checkDueLinks(deps)])
  expect(passes.toSorted()).toEqual([0, 0, 10])
  expect(asked.filter((id) => open.includes(id))).toHaveLength(4)
  expect(await poll(100)).toBe(1)
  expect(await poll(second)).toBe(5)
})

it('a user can have ten unpaid links; another one can be opened when one of them has ended', async () => {
  const user = await world.user()
  const opens = () => openTopUp(deps, user.id, 500_00n, 'yookassa')
  const made = []
  for (let at = 0; at < 10; at += 1) made.push((await world.link(user.id, 500_00n)).externalId)
  expect(await opens()).toEqual({ ok: false, reason: 'too-many-links', most: 10 })
  expect(await openTopUp(deps, user.id, 500_00n, 'telegram-rub')).toMatchObject({ ok: true })
  const other = await world.user()
  expect(await openTopUp(deps, other.id, 500_00n, 'yookassa')).toMatchObject({ ok: true })
  await world.decides(made[3] ?? '', 'cancel')
  await poll(minute)
  await notify(made[3] ?? '')
  expect(await opens()).toMatchObject({ ok: true })
})
