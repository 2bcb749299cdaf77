// How many orders a user may have at once and how much they may spend in a day, also with taps in several processes at once; and what a
// member may spend from the wallet of a group, and how it counts towards their own daily cap.

import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { readFunds } from '../../src/chat/hold.ts'
import { type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { generations } from '../../src/db/schema.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { refundOrder } from '../../src/ledger/moves.ts'
import { ownWallet, type Wallet } from '../../src/ledger/wallets.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import type { Generation, GenerationDeps } from '../../src/orders/generation.ts'
import { forget } from '../../src/privacy/forget.ts'
import { dayAfter, localDay, startOfDay } from '../../src/runtime/clock.ts'
import { groupRoomOf, type Limits, overLimit, overRoom } from '../../src/sales/limits.ts'
import { ensureUser, hashOfPerson, type User } from '../../src/users/user.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { quoteFor, userWith } from '../support/worlds/generations.ts'
import { ends as end, orderedIn, orderIn, walletWith } from '../support/worlds/wallets.ts'

/** The price of the cheapest card of the tests. */
const price = 92_45n
const hour = 60 * 60_000

const world = await auditedWorld()
const { clock } = world
const { db } = world.deps
/** Two other processes, with connections of their own. */
const others = [await openDatabase(world.database.url), await openDatabase(world.database.url)] as const
afterAll(() => Promise.all(others.map((other) => other.close())))

const limited = (limits: Partial<Limits>, { db }: Pick<OpenDatabase, 'db'> = world.deps): GenerationDeps => ({
  ...world.deps,
  db,
  limits: { ...world.deps.limits, ...limits },
})
const rich = () => userWith(world, 10_000_00n)
const tap = (deps: GenerationDeps, { id: userId }: User, { id: quoteId }: { id: string }) =>
  confirm(deps, { quoteId, userId, statusMessageId: null })
const order = async (deps: GenerationDeps, user: User) => tap(deps, user, (await quoteFor(world, user)).quote)

async function ordered(deps: GenerationDeps, user: User): Promise<Generation> {
  const tapped = await order(deps, user)
  if (!tapped.ok) throw new Error(`not ordered: ${tapped.reason}`)
  return tapped.generation
}

const ends = (generation: Generation, well = true) => end(world, generation, well)

async function givenBack({ id, userId, amount, spentOn }: Generation): Promise<void> {
  const mark = sql`update generations set refunded = captured where id = ${id} and refunded is null returning id`
  const move = refundOrder({ id, userId, amount, spentOn }, 'blurred')
  expect(await post(db, move, clock.now(), mark)).toEqual({ ok: true })
}

/** A kopeck of a price comes back, as for a part that was lost. */
async function kopeckBack(generation: Generation): Promise<void> {
  const mark = sql`update generations set refunded = 1 where id = ${generation.id} returning id`
  const part = refundOrder({ ...generation, amount: 1n }, 'lost')
  expect(await post(db, part, clock.now(), mark)).toEqual({ ok: true })
}

/** Ends the delivery of an order. */
async function sent({ id }: Generation): Promise<void> {
  await db.update(generations).set({ delivery: 'delivered', nextCheckAt: null }).where(eq(generations.id, id))
}

it('orders at once are limited until one of them has ended, with or without success, before a lack of money is reported', async () => {
  const deps = limited({ concurrent: 2 })
  const user = await userWith(world, 3n * price)
  const [first, second] = [await ordered(deps, user), await ordered(deps, user)]
  const tooMany = { ok: false, reason: 'too-many', most: 2 }
  expect(await order(deps, user)).toEqual(tooMany)
  await ends(first)
  const third = await ordered(deps, user)
  expect(await order(deps, user), 'a top-up would not help').toEqual(tooMany)
  await ends(second, false)
  await ends(third)
  expect(await order(deps, user)).toMatchObject({ ok: true })
})

describe('spending in a day', () => {
  const capped = (spent: bigint) => ({ ok: false, reason: 'daily-cap', most: 2n * price, spent })

  it('is that of the later day when the clock of another process is a day behind', async () => {
    const [deps, user] = [limited({ dailySpend: 2n * price }), await rich()]
    await ordered(deps, user)
    clock.advance(-24 * hour)
    await ordered(deps, user)
    clock.advance(24 * hour)
    expect(await order(deps, user)).toEqual(capped(2n * price))
  })

  it('is the sum of what is held and what was captured, and an order may use the cap up to the last kopeck', async () => {
    const user = await rich()
    await ends(await ordered(world.deps, user))
    const most = 2n * price - 1n
    const refused = { ok: false, reason: 'daily-cap', most, spent: price }
    expect(await order(limited({ dailySpend: most }), user)).toEqual(refused)
    const deps = limited({ dailySpend: 2n * price })
    const asked = (amount: bigint) => overLimit(deps, { userId: user.id, amount })
    expect([await asked(price), await asked(price + 1n)]).toEqual([undefined, capped(price)])
    await ordered(deps, user)
    expect(await order(deps, user)).toEqual(capped(2n * price))
  })

  it('excludes what was released or refunded, also in parts', async () => {
    const deps = limited({ dailySpend: price })
    const user = await rich()
    await ends(await ordered(deps, user), false)
    const bad = await ordered(deps, user)
    const full = { reason: 'daily-cap' }
    expect(await order(deps, user)).toMatchObject(full)
    await ends(bad)
    expect(await order(deps, user)).toMatchObject(full)
    await givenBack(bad)
    const second = await ordered(deps, user)
    await ends(second)
    await kopeckBack(second)
    await sent(second)
    const refund = { by: null, generationId: second.id, reason: 'blurred' }
    const ofPart = { ...refund, part: { amount: 2n, before: 1n } }
    expect(await refundGeneration(world.deps, ofPart)).toMatchObject({ ok: true })
    expect(await order(deps, user)).toMatchObject(full)
    expect(await refundGeneration(world.deps, refund)).toMatchObject({ amount: price - 3n })
    expect(await order(deps, user)).toMatchObject({ ok: true })
  })

  it('begins anew with each day of the zone, also while an order of the day before is held', async () => {
    const deps = limited({ dailySpend: 2n * price })
    const user = await rich()
    await ends(await ordered(deps, user))
    await ordered(deps, user)
    expect(await order(deps, user)).toEqual(capped(2n * price))
    const today = localDay(clock.now(), 'Europe/Moscow')
    const midnight = startOfDay(dayAfter(today, 1), 'Europe/Moscow').getTime()
    clock.advance(midnight - clock.now().getTime() - 1)
    expect(await order(deps, user)).toEqual(capped(2n * price))
    clock.advance(1)
    const held = await ordered(deps, user)
    await ordered(deps, user)
    expect(await order(deps, user)).toEqual(capped(2n * price))
    await ends(held, false)
    await ordered(deps, user)
  })

  it('is not reduced by money that comes back for orders of an earlier day, released or refunded', async () => {
    const deps = limited({ dailySpend: 2n * price })
    const user = await rich()
    const [open, captured] = [await ordered(deps, user), await ordered(deps, user)]
    await ends(captured)
    clock.advance(25 * hour)
    for (const _ of [1, 2]) await ordered(deps, user)
    await ends(open, false)
    await givenBack(captured)
    expect(await order(deps, user)).toEqual(capped(2n * price))
  })
})

describe('concurrent taps in three processes', () => {
  /** @returns how many taps were accepted, and for what the others were refused */
  const tapAll = async (limits: Partial<Limits>, user: User) => {
    const processes = [world.deps, ...others].map((opened) => limited(limits, opened))
    const quotes = await Promise.all(Array.from({ length: 18 }, () => quoteFor(world, user)))
    const taps = await Promise.all(
      quotes.map(({ quote }, at) => tap(processes[at % processes.length] ?? world.deps, user, quote)),
    )
    const reasons = taps.map((one) => (one.ok ? 'ok' : one.reason))
    return [reasons.filter((one) => one === 'ok').length, ...new Set(reasons.filter((one) => one !== 'ok'))]
  }

  it.each<[string, Partial<Limits>, (number | string)[]]>([
    ['one at once', { concurrent: 1 }, [1, 'too-many']],
    ['five at once', { concurrent: 5 }, [5, 'too-many']],
    ['all of the daily cap', { dailySpend: 3n * price + 1n }, [3, 'daily-cap']],
    ['all that there is room for', { concurrent: 18, dailySpend: 18n * price }, [18]],
  ])('order %s, and no more', async (_, limits, outcome) => {
    const user = await rich()
    expect(await tapAll(limits, user)).toEqual(outcome)
    expect((await readBalance(db, user.id)).held).toBe(BigInt(outcome[0] ?? 0) * price)
  })

  it.each([
    ['one order at once', { concurrent: 1 }],
    ['one order in a day', { dailySpend: price }],
  ])('make a single order when all read before the first write: %s', async (_, limits) => {
    const user = await rich()
    const process = limited(limits, others[0])
    const quotes = await Promise.all([1, 2, 3, 4].map(() => quoteFor(world, user)))
    const lock = sql`select from accounts where kind = 'user' and owner_id = ${user.id}::bigint for update`
    const taps = await db.transaction(async (tx) => {
      await tx.execute(lock)
      const tapped = quotes.map(({ quote }) => tap(process, user, quote))
      await lockWaits(db, quotes.length)
      return { tapped }
    })
    const ended = await Promise.all(taps.tapped)
    expect(ended.filter(({ ok }) => ok)).toHaveLength(1)
  })
})

// From the wallet of a group.

async function groupWith(kopecks: bigint, cap: bigint | null) {
  const { owner, wallet: opened } = await walletWith(world, kopecks, cap)
  const wallet = (await ownWallet(db, opened.id, owner.id)) ?? expect.unreachable()
  return { owner, wallet }
}

/** An order of a member that the wallet of the group has paid. */
async function paidBy(wallet: Wallet, member: User): Promise<Generation> {
  const made = await orderedIn(world, wallet, member)
  await ends(made)
  return made
}

describe('what a member has spent from a wallet', () => {
  it('excludes a failed order and all parts of a refund, which return to the wallet', async () => {
    const { wallet } = await groupWith(3n * price, 2n * price)
    const member = await userWith(world, 0n)
    await end(world, await orderedIn(world, wallet, member), false)
    const bad = await paidBy(wallet, member)
    await paidBy(wallet, member)
    const spent = async () => {
      const { cap } = await groupRoomOf(world.deps, wallet, member.id)
      expect((await readFunds(world.deps, member.id)).spent, 'it counts towards the daily cap').toBe(
        cap?.spent,
      )
      return cap?.spent
    }
    expect(await spent()).toBe(2n * price)
    await kopeckBack(bad)
    expect(await spent()).toBe(2n * price - 1n)
    await sent(bad)
    const one = { by: null, generationId: bad.id, reason: 'blurred' }
    const ofPart = { ...one, part: { amount: 2n, before: 1n } }
    expect(await refundGeneration(world.deps, ofPart)).toMatchObject({ ok: true })
    expect(await spent()).toBe(2n * price - 3n)
    await refundGeneration(world.deps, one)
    expect(await spent()).toBe(price)
    await paidBy(wallet, member)
    expect((await ownWallet(db, wallet.id, wallet.ownerId))?.available).toBe(price)
    clock.advance(24 * hour + 1)
    expect(await spent()).toBe(0n)
  })

  it('counts as the whole limit on the day on which the member’s data was deleted', async () => {
    const { wallet } = await groupWith(3n * price, price)
    const { wallet: open } = await groupWith(price, null)
    const member = await userWith(world, 0n)
    await sent(await paidBy(wallet, member))
    const personHash = hashOfPerson('1:token', member.telegramId ?? 0)
    expect(await forget(db, member.id, personHash, clock.now())).toEqual({ ok: true })
    const again = { telegramId: member.telegramId ?? 0, languageCode: 'en' }
    const { user: back } = await ensureUser(db, again, clock.now())
    expect(back.id).not.toBe(member.id)
    const refused = { ok: false, reason: 'wallet-cap', most: price, spent: price }
    expect(await orderIn(world, wallet, back, { personHash })).toEqual(refused)
    await orderedIn(world, open, back, { personHash })
    await orderedIn(world, wallet, await userWith(world, 0n))
    clock.advance(24 * hour + 1)
    await orderedIn(world, wallet, back, { personHash })
  })

  it('is not limited for the owner, or without a limit', async () => {
    const { owner, wallet } = await groupWith(2n * price, price)
    const member = await userWith(world, 0n)
    const available = 2n * price
    expect(await groupRoomOf(world.deps, wallet, owner.id)).toEqual({ available })
    const open = { ...wallet, dailyCap: null }
    expect(await groupRoomOf(world.deps, open, member.id)).toEqual({ available })
    const cap = { most: price, spent: 0n }
    expect(await groupRoomOf(world.deps, wallet, member.id)).toEqual({ available, cap })
  })
})

it('a card says that the wallet does not pay only if an amount exceeds its money or the limit of the member', () => {
  const cap = { most: 10n, spent: 4n }
  expect(overRoom({ available: 6n, cap }, 6n)).toBeUndefined()
  expect(overRoom({ available: 9n, cap }, 7n)).toEqual({ ok: false, reason: 'wallet-cap', ...cap })
  expect(overRoom({ available: 5n, cap }, 6n)).toEqual({ ok: false, reason: 'wallet-short' })
  expect(overRoom({ available: 6n }, 7n)).toEqual({ ok: false, reason: 'wallet-short' })
  expect(overRoom({ available: 7n }, 7n)).toBeUndefined()
})
