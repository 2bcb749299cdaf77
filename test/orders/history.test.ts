// What the history shows of orders, and the marks of its owner. The rows are changed without their money, so there is no audit.

import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { artifacts, generations } from '../../src/db/schema.ts'
import { type Generation, hasResults, mayReport } from '../../src/orders/generation.ts'
import {
  deliveredFiles,
  type HistoryQuery,
  markFetched,
  markOrder,
  readHistory,
  readReceipt,
  shownStateOf,
  videosOf,
} from '../../src/orders/history.ts'
import type { User } from '../../src/users/user.ts'
import { createWorld, order, reread, userWith } from '../support/worlds/generations.ts'

const world = await createWorld()
const { deps, clock } = world
afterAll(() => world.close())

async function ordered(user: User, change: Partial<Generation> = {}): Promise<string> {
  const { id } = await order(world, user)
  if (Object.keys(change).length > 0)
    await deps.db.update(generations).set(change).where(eq(generations.id, id))
  return id
}
const rich = () => userWith(world, 5000_00n)
const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

describe('a page of the history', () => {
  it('has five orders, the newest first, and those of one moment each on one page', async () => {
    const anna = await rich()
    await ordered(await rich())
    const moment: string[] = []
    for (let at = 0; at < 7; at += 1) moment.push(await ordered(anna))
    clock.advance(1000)
    const last = await ordered(anna)
    const pages = [await readHistory(deps, anna.id, 0), await readHistory(deps, anna.id, 1)]
    expect(pages.map(({ page, total, entries }) => [page, total, entries.length])).toEqual([
      [0, 8, 5],
      [1, 8, 3],
    ])
    expect(pages.flatMap(({ entries }) => idsOf(entries))).toEqual([last, ...moment.toSorted().toReversed()])
  })

  it('is the last one when a later one is asked for, and the first one of an empty list', async () => {
    const anna = await rich()
    expect(await readHistory(deps, anna.id, 3)).toEqual({ entries: [], page: 0, total: 0 })
    for (let at = 0; at < 6; at += 1) await ordered(anna)
    expect(await readHistory(deps, anna.id, 9)).toMatchObject({ page: 1, entries: [{}] })
  })

  it.each<[string, Partial<Generation>, HistoryQuery]>([
    ['the chat', { chatId: -44 }, { chatId: -44 }],
    ['the model', { modelId: 'MODEL-X' }, { modelIds: ['MODEL-X', 'MODEL-Y'] }],
    ['the state', { state: 'unknown' }, { states: ['unknown', 'running'] }],
    ['a favourite', { favouriteAt: new Date(0) }, { favourite: true }],
    ['a removed order', { hiddenAt: new Date(0) }, { hidden: true }],
  ])('has only the orders that fit: %s', async (_, change, query) => {
    const anna = await rich()
    await ordered(anna)
    const fitting = await ordered(anna, change)
    await ordered(anna)
    const { entries, total } = await readHistory(deps, anna.id, 0, query)
    expect([idsOf(entries), total]).toEqual([[fitting], 1])
    expect((await readHistory(deps, anna.id, 0)).total).toBe(change.hiddenAt ? 2 : 3)
  })
})

const now = new Date('2026-11-21T12:00:00Z')
const paid = { state: 'succeeded', captured: 10n, amount: 10n, delivery: 'delivered' } as const

it.each<[ReturnType<typeof shownStateOf>, string, Partial<Generation>]>([
  ['done', 'paid in full and delivered', paid],
  ['partly', 'paid in part', { ...paid, captured: 9n }],
  ['partly', 'refunded in part', { ...paid, refunded: 9n }],
  ['refunded', 'refunded in full', { ...paid, refunded: 10n }],
  ['sending', 'on its way to the chat', { ...paid, delivery: 'pending' }],
  ['undelivered', 'not delivered', { ...paid, delivery: 'undeliverable' }],
  ['failed', 'that failed', { state: 'failed', delivery: 'delivered', captured: 0n }],
  ['late', 'that came after its refund', { state: 'failed', arrivedLateAt: now, delivery: 'delivered' }],
  ['sending', 'that comes after its refund', { state: 'failed', arrivedLateAt: now, delivery: 'pending' }],
  ['working', 'that runs', { state: 'running' }],
])('standingOf() returns %j for an order %s', async (standing, _, change) => {
  const generation = { ...(await order(world, await rich())), ...change }
  expect(shownStateOf(generation)).toBe(standing)
  expect(hasResults(generation)).toBe(!['failed', 'working'].includes(standing))
  const isCharged = ['done', 'partly', 'sending', 'undelivered'].includes(standing) && !change.arrivedLateAt
  expect(mayReport(generation), 'only a charged order may be reported').toBe(isCharged)
})

it('the receipt says what was charged and what came back, once the order has ended, to its owner only', async () => {
  const anna = await rich()
  const id = await ordered(anna)
  expect(await readReceipt(deps, id, anna.id)).toMatchObject({ charged: 0n, returned: undefined })
  await deps.db.update(generations).set({ settledAt: now, captured: 2_45n }).where(eq(generations.id, id))
  expect(await readReceipt(deps, id, anna.id)).toMatchObject({ charged: 2_45n, returned: 90_00n })
  expect(await readReceipt(deps, id, (await rich()).id)).toBeUndefined()
})

it('a result that was fetched from the history counts as delivered only if it had not been deliverable', async () => {
  const anna = await rich()
  const pending = await ordered(anna, { delivery: 'pending' })
  const delivered = await ordered(anna, { delivery: 'delivered', deliveredAt: now })
  const [lost, other] = [
    await ordered(anna, { delivery: 'undeliverable' }),
    await ordered(anna, { delivery: 'undeliverable' }),
  ]
  clock.advance(1000)
  for (const id of [pending, delivered, lost]) await markFetched(deps, id)
  expect(await reread(world, { id: pending })).toMatchObject({ delivery: 'pending', deliveredAt: null })
  expect(await reread(world, { id: delivered })).toMatchObject({ deliveredAt: now })
  expect(await reread(world, { id: lost })).toMatchObject({ delivery: 'delivered', deliveredAt: clock.now() })
  expect(await reread(world, { id: other })).toMatchObject({ delivery: 'undeliverable' })
})

it('the videos that can be continued are those of the user and model that have succeeded and have a task', async () => {
  const [anna, boris] = [await rich(), await rich()]
  const video = async (user: User, taskId: string | null, change: Partial<Generation> = {}) => {
    const id = await ordered(user, { state: 'succeeded', modelId: 'MODEL-V', taskId, ...change })
    const resultId = taskId === 'v1' ? 'r1' : null
    await deps.db.insert(artifacts).values({ generationId: id, position: 0, url: '', resultId })
    return id
  }
  const continued = async (by: 'task' | 'result', most: number) => {
    const found = await videosOf(deps.db, anna.id, { modelId: 'MODEL-V' }, by, most)
    return found.map(({ generation, continuedBy }) => [generation.id, continuedBy])
  }
  const first = await video(anna, 'v1')
  clock.advance(1000)
  const second = await video(anna, 'v2')
  await video(boris, 'v3')
  await video(anna, 'v4', { modelId: 'MODEL-W' })
  await video(anna, 'v5', { state: 'failed' })
  await video(anna, null)
  expect(await continued('task', 9)).toEqual([
    [second, 'v2'],
    [first, 'v1'],
  ])
  expect(await continued('task', 1)).toEqual([[second, 'v2']])
  expect(await continued('result', 9)).toEqual([[first, 'r1']])
})

it('the delivered files are those in messages of the user’s orders that are on the list, the newest orders first', async () => {
  const [anna, boris] = [await rich(), await rich()]
  const files = async (user: User, rows: Partial<typeof artifacts.$inferInsert>[], change = {}) => {
    clock.advance(1000)
    const generationId = await ordered(user, change)
    const sent = { generationId, url: 'https://files.example/1', fileId: 'file', messageId: 5 }
    await deps.db.insert(artifacts).values(rows.map((row, position) => ({ position, ...sent, ...row })))
    return generationId
  }
  const first = await files(anna, [{}, {}])
  const second = await files(anna, [{}, { messageId: null }, { fileId: null }])
  await files(anna, [{}], { hiddenAt: now })
  await files(boris, [{}])
  const sentAsLink = await files(anna, [{ fileId: null }])
  expect(sentAsLink).not.toBe(second)
  const found = await deliveredFiles(deps.db, anna.id, 3)
  expect(found.map(({ generationId, position }) => [generationId, position])).toEqual([
    [second, 0],
    [first, 0],
    [first, 1],
  ])
  expect(await deliveredFiles(deps.db, anna.id, 1)).toHaveLength(1)
})

it('only the owner of an order marks it, and hides it only when it has ended', async () => {
  const [owner, stranger] = [await rich(), await rich()]
  const id = await ordered(owner)
  const marks = async (by: User, all: readonly Parameters<typeof markOrder>[3][]) => {
    for (const mark of all) await markOrder(deps, id, by.id, mark)
    const { favouriteAt, hiddenAt } = await reread(world, { id })
    return [favouriteAt, hiddenAt]
  }
  expect(await marks(owner, ['hide'])).toEqual([null, null])
  await deps.db.update(generations).set({ settledAt: now }).where(eq(generations.id, id))
  expect(await marks(stranger, ['favourite', 'hide'])).toEqual([null, null])
  const marked = [clock.now(), clock.now()]
  expect(await marks(owner, ['favourite', 'hide'])).toEqual(marked)
  expect(await marks(stranger, ['ordinary', 'show'])).toEqual(marked)
  expect(await marks(owner, ['ordinary', 'show'])).toEqual([null, null])
})
