// How many orders a user may have at once and how much they may spend in a day, also with taps in several processes at once.

import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { generations } from '../../src/db/schema.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { refundOrder } from '../../src/ledger/moves.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import type { Generation, GenerationDeps } from '../../src/orders/generation.ts'
import { dayAfter, localDay, startOfDay } from '../../src/runtime/clock.ts'
import { type Limits, overLimit } from '../../src/sales/limits.ts'
import type { User } from '../../src/users/user.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { quoteFor, userWith } from '../support/worlds/generations.ts'
import { ends as end } from '../support/worlds/wallets.ts'

/** The price of the cheapest card of the tests. */
const price = 92_45n
const hour = 60 * 60_000

const world = await auditedWorld()
/** Two other processes, with connections of their own. */
const others = [await openDatabase(world.database.url), await openDatabase(world.database.url)] as const
afterAll(() => Promise.all(others.map((other) => other.close())))

const limited = (limits: Partial<Limits>, { db }: Pick<OpenDatabase, 'db'> = world.deps): GenerationDeps => ({
  ...world.deps,
  db,
  limits: { ...world.deps.limits, ...limits },
})

async function order(deps: GenerationDeps, user: User) {
  const { quote } = await quoteFor(world, user)
  return confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
}

async function ordered(deps: GenerationDeps, user: User): Promise<Generation> {
  const tapped = await order(deps, user)
  if (!tapped.ok) throw new Error(`not ordered: ${tapped.reason}`)
  return tapped.generation
}

const ends = (generation: Generation, well = true) => end(world, generation, well)

async function givenBack({ id, userId, amount, spentOn }: Generation): Promise<void> {
  const mark = sql`update generations set refunded = captured where id = ${id} and refunded is null returning id`
  const move = refundOrder({ id, userId, amount, spentOn }, 'blurred')
  expect(await post(world.deps.db, move, world.clock.now(), mark)).toEqual({ ok: true })
}

describe('generations at once', () => {
  it('are limited; another generation is accepted only after one of them has ended, with or without success', async () => {
    const deps = limited({ concurrent: 2 })
    const user = await userWith(world, 1000_00n)
    const first = await ordered(deps, user)
    const second = await ordered(deps, user)
    expect(await order(deps, user)).toEqual({ ok: false, reason: 'too-many', most: 2 })
    await ends(first)
    const third = await ordered(deps, user)
    expect(await order(deps, user)).toMatchObject({ reason: 'too-many' })
    await ends(second, false)
    await ends(third)
    expect(await order(deps, user)).toMatchObject({ ok: true })
  })

  it('are refused before a lack of money is reported: a top-up would not help', async () => {
    const deps = limited({ concurrent: 1 })
    const user = await userWith(world, price)
    await ordered(deps, user)
    expect(await order(deps, user)).toMatchObject({ reason: 'too-many' })
  })
})

describe('spending in a day', () => {
  it('is the sum of what is held and what was captured, and an order may use the cap up to the last kopeck', async () => {
    const user = await userWith(world, 1000_00n)
    await ends(await ordered(world.deps, user))
    await ordered(world.deps, user)
    const short = limited({ dailySpend: 3n * price - 1n })
    const most = 3n * price - 1n
    expect(await order(short, user)).toEqual({ ok: false, reason: 'daily-cap', most, spent: 2n * price })
    expect(await order(limited({ dailySpend: 3n * price }), user)).toMatchObject({ ok: true })
  })

  it('is told as exceeded only while there is no room: the balance may have changed since the refusal', async () => {
    const user = await userWith(world, 1000_00n)
    await ordered(world.deps, user)
    const reasonFor = (amount: bigint) =>
      overLimit(limited({ dailySpend: 2n * price }), { userId: user.id, amount })
    expect(await reasonFor(price)).toBeUndefined()
    expect(await reasonFor(price + 1n)).toMatchObject({ reason: 'daily-cap', spent: price })
  })

  it('excludes what was released or refunded', async () => {
    const deps = limited({ dailySpend: price })
    const user = await userWith(world, 1000_00n)
    await ends(await ordered(deps, user), false)
    const bad = await ordered(deps, user)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap' })
    await ends(bad)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap' })
    await givenBack(bad)
    expect(await order(deps, user)).toMatchObject({ ok: true })
  })

  it('excludes all parts of a refund', async () => {
    const user = await userWith(world, 1000_00n)
    const bad = await ordered(world.deps, user)
    await ends(bad)
    const mark = sql`update generations set refunded = 1 where id = ${bad.id} returning id`
    const part = refundOrder({ ...bad, amount: 1n }, 'lost')
    expect(await post(world.deps.db, part, world.clock.now(), mark)).toEqual({ ok: true })
    await world.deps.db.update(generations).set({ delivery: 'delivered' }).where(eq(generations.id, bad.id))
    const refund = { by: null, generationId: bad.id, reason: 'blurred' }
    const second = { ...refund, part: { amount: 2n, before: 1n } }
    expect(await refundGeneration(world.deps, second)).toMatchObject({ ok: true })
    expect(await refundGeneration(world.deps, refund)).toMatchObject({ amount: price - 3n })
    expect(await order(limited({ dailySpend: price }), user)).toMatchObject({ ok: true })
  })

  it('begins anew with each day of the zone, also while an order of the day before is held', async () => {
    const deps = limited({ dailySpend: 2n * price })
    const user = await userWith(world, 1000_00n)
    await ends(await ordered(deps, user))
    await ordered(deps, user)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap', spent: 2n * price })
    const today = localDay(world.clock.now(), 'Europe/Moscow')
    const midnight = startOfDay(dayAfter(today, 1), 'Europe/Moscow').getTime()
    world.clock.advance(midnight - world.clock.now().getTime() - 1)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap', spent: 2n * price })
    world.clock.advance(1)
    const held = await ordered(deps, user)
    await ordered(deps, user)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap', spent: 2n * price })
    await ends(held, false)
    await ordered(deps, user)
  })

  it('is not reduced by money that comes back for orders of an earlier day', async () => {
    const deps = limited({ dailySpend: price })
    const user = await userWith(world, 1000_00n)
    const old = await ordered(deps, user)
    world.clock.advance(24 * hour)
    await ordered(deps, user)
    await ends(old, false)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap', spent: price })
  })

  it('is not reduced by refunds of older captures', async () => {
    const deps = limited({ dailySpend: price })
    const user = await userWith(world, 1000_00n)
    const old = await ordered(deps, user)
    await ends(old)
    world.clock.advance(25 * hour)
    await ordered(deps, user)
    await givenBack(old)
    expect(await order(deps, user)).toMatchObject({ reason: 'daily-cap', spent: price })
  })
})

describe('concurrent taps in three processes', () => {
  const tapAll = async (limits: Partial<Limits>, cards: number, user: User) => {
    const processes = [world.deps, ...others].map((opened) => limited(limits, opened))
    const quotes = await Promise.all(Array.from({ length: cards }, () => quoteFor(world, user)))
    return Promise.all(
      quotes.map(({ quote }, at) => {
        const deps = processes[at % processes.length] ?? world.deps
        return confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
      }),
    )
  }

  it.each([1, 5])('never make more than %s generations at once', async (concurrent) => {
    const user = await userWith(world, 10_000_00n)
    const taps = await tapAll({ concurrent }, 18, user)
    expect(taps.filter((tap) => tap.ok)).toHaveLength(concurrent)
    expect(taps.filter((tap) => !tap.ok && tap.reason === 'too-many')).toHaveLength(18 - concurrent)
  })

  it('never spend more than the cap, and use all of it', async () => {
    const orders = 3n
    const user = await userWith(world, 10_000_00n)
    const taps = await tapAll({ dailySpend: orders * price + 1n }, 18, user)
    expect(taps.filter((tap) => tap.ok)).toHaveLength(Number(orders))
    expect(taps.filter((tap) => !tap.ok && tap.reason === 'daily-cap')).toHaveLength(18 - Number(orders))
    expect(await readBalance(world.deps.db, user.id)).toMatchObject({ held: orders * price })
  })

  it.each([
    ['one order at once', { concurrent: 1 }],
    ['one order in a day', { dailySpend: price }],
  ])(
    'make a single order when all of them read the balance before the first write: %s',
    async (_, limits) => {
      const user = await userWith(world, 10_000_00n)
      const process = limited(limits, others[0])
      const quotes = await Promise.all([1, 2, 3, 4].map(() => quoteFor(world, user)))
      const lock = sql`select from accounts where kind = 'user' and owner_id = ${user.id}::bigint for update`
      const taps = await world.deps.db.transaction(async (tx) => {
        await tx.execute(lock)
        const tapped = quotes.map(({ quote }) =>
          confirm(process, { quoteId: quote.id, userId: user.id, statusMessageId: null }),
        )
        await lockWaits(world.deps.db, quotes.length)
        return { tapped }
      })
      const ended = await Promise.all(taps.tapped)
      expect(ended.filter((tap) => tap.ok)).toHaveLength(1)
    },
  )

  it('all succeed when there is room for all', async () => {
    const user = await userWith(world, 10_000_00n)
    const taps = await tapAll({ concurrent: 18, dailySpend: 18n * price }, 18, user)
    expect(taps.every((tap) => tap.ok)).toBe(true)
  })
})
