// Limits of the requests for the states of payments at YooKassa: notifications without end, many due links, many unpaid links of one user.

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, it } from 'vitest'
import { topUps } from '../../src/db/schema.ts'
import { checkDueLinks, createNotifications, pollLinksOf } from '../../src/payments/links.ts'
import { openTopUp, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { observedDatabase } from '../support/database/statements.ts'
import { type Linked, noticeOf, openPaying } from '../support/worlds/payments.ts'

const world = await openPaying()
afterAll(() => world.close())
const asked: string[] = []
/** The deps of the world, with providers that note which payments they are asked about. */
const deps: TopUpDeps = {
  ...world.deps,
  providers: world.deps.providers.map((provider) => {
    const { way } = provider
    if (way.by !== 'link') return provider
    const read = (id: string) => {
      asked.push(id)
      return way.read(id)
    }
    return { ...provider, way: { ...way, read } }
  }),
}
const notifications = createNotifications(deps)
await deps.db.execute('create sequence row_changes')
await deps.db.execute(`
  create function count_change() returns trigger language plpgsql as $$
  begin perform nextval('row_changes'); return new; end $$`)
await deps.db.execute(`
  create trigger counted before update on top_ups for each row execute function count_change()`)
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

/** This many links of one user. */
async function links(count: number, user?: { id: bigint }): Promise<Linked[]> {
  const { id } = user ?? (await world.user())
  const made: Linked[] = []
  for (let at = 0; at < count; at += 1) made.push(await world.link(id, 500_00n))
  return made
}

async function closedLinks(count: number): Promise<Linked[]> {
  const made = [...(await links(Math.min(count, 10))), ...(await links(Math.max(count - 10, 0)))]
  for (const { externalId } of made) await world.decides(externalId, 'cancel')
  for (let left = count; left > 0; ) left -= await poll(second)
  expect(await deps.db.$count(topUps, sql`next_check_at is not null`)).toBe(0)
  return made
}

const notify = ({ notification }: Linked) => notifications.receive('yookassa', noticeOf(notification))
const forge = (id: string) => notifications.receive('yookassa', noticeOf({ object: { id } }))
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
    for (const link of closed) await notify(link)
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
  for (const link of closed) await notify(link)
  world.fault('read', { kind: 'hang', ms: 500 })
  world.clock.advance(minute)
  const polling = checkDueLinks(deps)
  await expect.poll(() => world.faults.list()).toEqual([])
  for (let times = 0; times < 3; times += 1) for (const link of closed) await notify(link)
  world.clock.advance(500)
  expect(await polling).toBe(1)
  expect(await poll(minute - second)).toBe(0)
  expect(await poll(second)).toBe(1)
  expect(await poll(10 * minute)).toBe(0)
})

it('a pass asks about ten payments, about open ones first', async () => {
  const closed = await closedLinks(12)
  for (const link of closed) await notify(link)
  world.clock.advance(minute - second)
  const open = idsOf(await links(4))
  asked.length = 0
  world.clock.advance(10 * second)
  expect(await checkDueLinks(deps)).toBe(10)
  expect(asked.filter((id) => open.includes(id))).toHaveLength(4)
  expect(await checkDueLinks(deps)).toBe(6)
})

it('ten links with forged notifications, whose user asks for their end, delay the credit of somebody else by two seconds at most', async () => {
  const others = await links(10)
  const user = others[0]?.userId ?? 0n
  const paid = await world.link((await world.user()).id, 500_00n)
  await world.decides(paid.externalId, 'pay')
  await poll(20 * second)
  asked.length = 0
  await notify(paid)
  for (let seconds = 0; seconds < 2 && !asked.includes(paid.externalId); seconds += 1) {
    await Promise.all(idsOf(others).map(forge))
    await pollLinksOf(deps, user)
    world.clock.advance(second)
    await checkDueLinks(deps)
  }
  expect(await world.available(paid.userId)).toBe(500_00n)
})

it('two thousand made-up payment ids within two seconds cost 25 statements', async () => {
  const observed = observedDatabase(world.databaseUrl)
  const intake = createNotifications({ ...deps, db: observed.db })
  for (let tenth = 0; tenth < 20; tenth += 1) {
    for (let at = 0; at < 100; at += 1)
      await intake.receive('yookassa', noticeOf({ object: { id: `no-${tenth}-${at}` } }))
    world.clock.advance(second / 10)
  }
  expect(observed.statements.length).toBeLessThanOrEqual(25)
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
  for (const link of made.slice(3, 4)) await notify(link)
  expect(await opens()).toMatchObject({ ok: true })
})
