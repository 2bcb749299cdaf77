// Wallets of groups on a real PostgreSQL: a refund goes to the wallet or the balance that paid, members stay within their limit
// also when they order at once, and the audit stays clean after any sequence of moves.

import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { accounts, notices, transfers } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { statementOf } from '../../src/ledger/statement.ts'
import {
  emptyWallet,
  fundWallet,
  openWallet,
  ownWallet,
  setDailyCap,
  spendingOf,
  switchWallet,
  type Wallet,
  walletAt,
} from '../../src/ledger/wallets.ts'
import { setBan } from '../../src/operator/bans.ts'
import { readFigures } from '../../src/operator/figures.ts'
import { periodOf } from '../../src/operator/periods.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { closeWalletsAndTell } from '../../src/payments/notices.ts'
import { exportData } from '../../src/privacy/export.ts'
import { forget, mayForget } from '../../src/privacy/forget.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { overGroupCap } from '../../src/sales/limits.ts'
import { moveChat } from '../../src/telegram/moved-chat.ts'
import type { User } from '../../src/users/user.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { reread, userWith } from '../support/worlds/generations.ts'
import {
  ends as end,
  orderedIn,
  orderIn,
  quoteIn,
  walletWith as walletIn,
} from '../support/worlds/wallets.ts'

/** The price of the card of these tests. */
const price = 92_45n
/** The hash of a person whose data was never deleted. */
const personHash = 'unknown'

const world = await auditedWorld()
const others = await Promise.all([1, 2, 3].map(() => openWithTransactions(world.database.url)))
afterAll(() => Promise.all(others.map((one) => one.close())))

const walletWith = (kopecks: bigint, cap?: bigint) => walletIn(world, kopecks, cap)
const fund = (wallet: Wallet, amount: bigint, key: string = randomIds.next()) =>
  fundWallet(world.deps.db, { key, wallet, amount }, world.clock.now())
const quoteOf = (wallet: Wallet, user: User, byGroup = true) => quoteIn(world, wallet, user, { byGroup })
const orders = (wallet: Wallet, user: User, byGroup = true, db = world.deps.db) =>
  orderIn({ deps: { ...world.deps, db } }, wallet, user, { byGroup })
const ordered = (wallet: Wallet, user: User, byGroup = true) => orderedIn(world, wallet, user, { byGroup })
const ends = (generation: Generation, well: boolean) => end(world, generation, well)

const inside = async ({ id, ownerId }: Wallet) => {
  const found = await ownWallet(world.deps.db, id, ownerId)
  return { available: found?.available, held: found?.held }
}
const empty = (wallet: Wallet, key: string = randomIds.next()) =>
  emptyWallet(world.deps.db, { key, wallet }, world.clock.now())
const nothing = { available: 0n, held: 0n }

describe('the money of an order in a group', () => {
  it('is held and captured in the wallet, and neither the balance nor the statement of the member changes', async () => {
    const { wallet } = await walletWith(200_00n)
    const member = await userWith(world, 0n)
    const generation = await ordered(wallet, member)
    expect(await inside(wallet)).toEqual({ available: 200_00n - price, held: price })
    await ends(generation, true)
    expect(await inside(wallet)).toEqual({ available: 200_00n - price, held: 0n })
    expect(await readBalance(world.deps.db, member.id)).toMatchObject(nothing)
    expect(await statementOf(world.deps.db, member.id)).toEqual([])
  })

  it('returns to the wallet after a failure, and after a refund by an operator', async () => {
    const { wallet } = await walletWith(200_00n)
    const member = await userWith(world, 5_00n)
    await ends(await ordered(wallet, member), false)
    expect(await inside(wallet)).toEqual({ available: 200_00n, held: 0n })
    const generation = await ordered(wallet, member)
    await ends(generation, true)
    const refund = { by: 1, generationId: generation.id, reason: 'blurred' }
    const twice = await Promise.all([
      refundGeneration(world.deps, refund),
      refundGeneration(world.deps, refund),
    ])
    expect(twice.map(({ ok }) => ok).toSorted()).toEqual([false, true])
    expect(await inside(wallet)).toEqual({ available: 200_00n, held: 0n })
    expect(await readBalance(world.deps.db, member.id)).toMatchObject({ available: 5_00n })
  })

  it('comes from the member’s own balance when they chose so', async () => {
    const { wallet } = await walletWith(200_00n)
    const member = await userWith(world, 100_00n)
    await ends(await ordered(wallet, member, false), true)
    expect(await inside(wallet)).toEqual({ available: 200_00n, held: 0n })
    expect(await readBalance(world.deps.db, member.id)).toMatchObject({ available: 100_00n - price })
  })

  it('counts towards the daily limit of the member, also when the wallet pays', async () => {
    const { wallet } = await walletWith(300_00n)
    const member = await userWith(world, 300_00n)
    const limits = { concurrent: 100, dailySpend: 2n * price, timeZone: 'Europe/Moscow' }
    await ordered(wallet, member)
    await ordered(wallet, member, false)
    const { id: quoteId } = await quoteOf(wallet, member)
    const refused = await confirm(
      { ...world.deps, limits },
      { quoteId, userId: member.id, statusMessageId: null },
    )
    expect(refused).toEqual({ ok: false, reason: 'daily-cap', most: 2n * price, spent: 2n * price })
  })
})

describe('a refusal', () => {
  it('names the limit of the member, which does not bind the owner', async () => {
    const { owner, wallet } = await walletWith(500_00n, price)
    const member = await userWith(world, 0n)
    await ends(await ordered(wallet, member), false)
    await ordered(wallet, member)
    expect(await orders(wallet, member)).toEqual({
      ok: false,
      reason: 'wallet-cap',
      most: price,
      spent: price,
    })
    await ordered(wallet, owner)
    await ordered(wallet, owner)
    world.clock.advance(24 * 60 * 60_000)
    await ordered(wallet, member)
  })

  it('for the limit of the member ends when the operator refunds, and counts neither other members nor other wallets', async () => {
    const { wallet } = await walletWith(1000_00n, 2n * price)
    const { wallet: another } = await walletWith(1000_00n)
    const member = await userWith(world, 0n)
    await ordered(wallet, await userWith(world, 0n))
    await ordered(another, member)
    const generation = await ordered(wallet, member)
    await ends(generation, true)
    await ordered(wallet, member)
    expect(await orders(wallet, member)).toMatchObject({ reason: 'wallet-cap', spent: 2n * price })
    const refund = { by: 1, generationId: generation.id, reason: 'blurred' }
    expect(await refundGeneration(world.deps, refund)).toMatchObject({ ok: true })
    await ordered(wallet, member)
    expect(await orders(wallet, member)).toMatchObject({ reason: 'wallet-cap', spent: 2n * price })
  })

  it('is decided by the statement that makes the hold: a wallet that is being switched off pays nothing', async () => {
    const { wallet } = await walletWith(200_00n)
    const member = await userWith(world, 0n)
    const quote = await quoteOf(wallet, member)
    const tapped = await others[0]?.db.transaction(async (tx) => {
      await switchWallet(tx, wallet, false)
      const tap = confirm(world.deps, { quoteId: quote.id, userId: member.id, statusMessageId: null })
      await lockWaits(world.deps.db)
      return { tap }
    })
    expect(await tapped?.tap).toEqual({ ok: false, reason: 'wallet-off' })
  })

  it('is given when the wallet has too little money or is switched off', async () => {
    const { wallet } = await walletWith(price - 1n)
    const member = await userWith(world, 500_00n)
    expect(await orders(wallet, member)).toEqual({ ok: false, reason: 'wallet-short' })
    await switchWallet(world.deps.db, wallet, false)
    expect(await orders(wallet, member)).toEqual({ ok: false, reason: 'wallet-off' })
    expect(await readBalance(world.deps.db, member.id)).toMatchObject({ available: 500_00n })
  })

  it('is given when the wallet is that of another group, or has become one after the card was shown', async () => {
    const { wallet } = await walletWith(500_00n)
    const [member, elsewhere] = [await userWith(world, 500_00n), -4000]
    expect(await orders({ ...wallet, chatId: elsewhere }, member)).toEqual({
      ok: false,
      reason: 'wallet-off',
    })
    const spending = { userId: member.id, walletId: wallet.id, amount: price, personHash }
    expect(await overGroupCap(world.deps, spending, elsewhere)).toEqual({
      ok: false,
      reason: 'wallet-off',
    })
    const quote = await quoteOf(wallet, member)
    await world.deps.db.update(accounts).set({ chatId: elsewhere }).where(eq(accounts.id, wallet.id))
    const made = await confirm(world.deps, { quoteId: quote.id, userId: member.id, statusMessageId: null })
    expect(made).toEqual({ ok: false, reason: 'wallet-off' })
    expect(await inside(wallet)).toEqual({ available: 500_00n, held: 0n })
    expect(await readBalance(world.deps.db, member.id)).toMatchObject({ available: 500_00n })
  })

  it('is not given when the wallet has exactly enough', async () => {
    const { wallet } = await walletWith(price)
    const { id: userId } = await userWith(world, 0n)
    const reason = (amount: bigint) =>
      overGroupCap(world.deps, { userId, walletId: wallet.id, amount, personHash }, Number(wallet.chatId))
    expect(await reason(price)).toBeUndefined()
    expect(await reason(price + 1n)).toEqual({ ok: false, reason: 'wallet-short' })
  })

  it('is given when the card showed another payer', async () => {
    const { wallet } = await walletWith(500_00n)
    const member = await userWith(world, 500_00n)
    const quote = await quoteOf(wallet, member, false)
    await world.deps.db.execute(
      `update drafts set by_group = true, revision = revision + 1 where id = '${quote.draftId}'`,
    )
    const made = await confirm(world.deps, { quoteId: quote.id, userId: member.id, statusMessageId: null })
    expect(made).toEqual({ ok: false, reason: 'outdated' })
  })
})

describe('the wallet of a banned owner', () => {
  it('pays nothing, until the owner switches it on after the ban', async () => {
    const { db } = world.deps
    const [{ owner, wallet }, { wallet: another }] = [await walletWith(2n * price), await walletWith(price)]
    const member = await userWith(world, 0n)
    const quote = await quoteOf(wallet, member)
    const ban = { by: null, userId: owner.id, banned: true, reason: 'refunded elsewhere' }
    expect(await setBan(world.deps, ban)).toBe(true)
    const made = await confirm(world.deps, { quoteId: quote.id, userId: member.id, statusMessageId: null })
    expect(made).toEqual({ ok: false, reason: 'wallet-off' })
    expect(await orders(wallet, member)).toEqual({ ok: false, reason: 'wallet-off' })
    expect(await inside(wallet)).toEqual({ available: 2n * price, held: 0n })
    await ordered(another, member)
    expect(await setBan(world.deps, { ...ban, banned: false })).toBe(true)
    expect(await orders(wallet, member)).toEqual({ ok: false, reason: 'wallet-off' })
    expect(await switchWallet(db, wallet, true)).toBe(true)
    expect(await setBan(world.deps, { ...ban, banned: false })).toBe(false)
    await ordered(wallet, member)
  })

  it('pays nothing if it was being switched on or opened at the moment of the ban', async () => {
    const { db } = world.deps
    const again = ({ ownerId, chatId }: Wallet) => ({
      ownerId,
      chatId: Number(chatId),
      title: '',
      dailyCap: 1n,
    })
    const open = (tx: Database, wallet: Wallet) => openWallet(tx, again(wallet), world.clock.now())
    for (const begin of [open, (tx: Database, wallet: Wallet) => switchWallet(tx, wallet, true)]) {
      const { owner, wallet } = await walletWith(2n * price)
      const member = await userWith(world, 0n)
      await switchWallet(db, wallet, false)
      await others[0]?.db.transaction(async (tx) => {
        await begin(tx, wallet)
        await setBan(world.deps, { by: null, userId: owner.id, banned: true, reason: 'refunded elsewhere' })
      })
      expect(await ownWallet(db, wallet.id, wallet.ownerId)).toMatchObject({ isOn: true })
      expect(await orders(wallet, member)).toEqual({ ok: false, reason: 'wallet-off' })
      const spending = { userId: member.id, walletId: wallet.id, amount: price, personHash }
      expect(await overGroupCap(world.deps, spending, Number(wallet.chatId))).toEqual({
        ok: false,
        reason: 'wallet-off',
      })
      expect(await inside(wallet)).toEqual({ available: 2n * price, held: 0n })
    }
  })
})

describe('members who order at once', () => {
  it('stay within the limit of each member, and within the money of the wallet', async () => {
    const { wallet } = await walletWith(3n * price, 2n * price)
    const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, at) => orders(wallet, at % 2 ? anna : boris, true, others[at % 3]?.db)),
    )
    expect(all.filter(({ ok }) => ok)).toHaveLength(3)
    expect(await inside(wallet)).toEqual({ available: 0n, held: 3n * price })
  })

  it('get exactly one order when the limit of the member leaves room for one', async () => {
    const { wallet } = await walletWith(10n * price, price)
    const anna = await userWith(world, 0n)
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => orders(wallet, anna, true, others[at % 3]?.db)),
    )
    const reasons = all.map((one) => (one.ok ? 'ok' : one.reason)).toSorted()
    expect(reasons).toEqual(['ok', ...Array.from({ length: 7 }, () => 'wallet-cap')])
  })

  it('and pay themselves, settle and get refunds at the same time cause no deadlock', {
    timeout: 60_000,
  }, async () => {
    const { wallet } = await walletWith(60n * price)
    const members = [await userWith(world, 40n * price), await userWith(world, 40n * price)]
    const busy = async (at: number) => {
      const member = members[at % 2]
      if (!member) return
      for (let round = 0; round < 3; round += 1) {
        const made = await orders(wallet, member, (at + round) % 3 > 0, others[at % 3]?.db)
        if (made.ok) await ends(made.generation, round % 2 === 0)
      }
    }
    await Promise.all(Array.from({ length: 9 }, (_, at) => busy(at)))
    expect(await inside(wallet)).toMatchObject({ held: 0n })
  })
})

describe('the owner', () => {
  it('fills the wallet once for each tap, from their own balance only', async () => {
    const { owner, wallet } = await walletWith(0n)
    const tries = await Promise.all([1, 2, 3].map(() => fund(wallet, 10_00n, 'one tap')))
    expect(tries.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await fund(wallet, 1n)).toEqual({ ok: false, reason: 'insufficient' })
    expect(await readBalance(world.deps.db, owner.id)).toMatchObject(nothing)
    expect((await statementOf(world.deps.db, owner.id)).at(-1)).toMatchObject({
      kind: 'fund',
      change: -10_00n,
      available: 0n,
    })
  })

  it('takes back what is not held, also while members order', async () => {
    const { owner, wallet } = await walletWith(4n * price)
    const member = await userWith(world, 0n)
    const generation = await ordered(wallet, member)
    const [taken] = await Promise.all([empty(wallet), orders(wallet, member, true, others[0]?.db)])
    expect(taken).toBeGreaterThan(0n)
    await ends(generation, false)
    await empty(wallet, 'again')
    expect(await empty(wallet, 'again')).toBe(0n)
    expect(await inside(wallet)).toMatchObject({ available: 0n })
    const { available } = await readBalance(world.deps.db, owner.id)
    expect([4n * price + 10_00n, 3n * price + 10_00n]).toContain(available)
  })

  it('takes back all of it once for each tap, even a single kopeck', async () => {
    const { owner, wallet } = await walletWith(1n)
    expect(await empty(wallet, 'one tap')).toBe(1n)
    expect(await fund(wallet, 3_00n)).toEqual({ ok: true })
    expect(await empty(wallet, 'one tap')).toBe(0n)
    expect(await inside(wallet)).toEqual({ available: 3_00n, held: 0n })
    expect(await readBalance(world.deps.db, owner.id)).toMatchObject({ available: 7_01n })
  })

  it('switches only this wallet, whatever wallets other groups and other owners have', async () => {
    const { db, clock } = world.deps
    const [{ wallet: elsewhere }, { wallet: former }] = [await walletWith(0n), await walletWith(0n)]
    const isOn = async ({ id, ownerId }: Wallet) => (await ownWallet(db, id, ownerId))?.isOn
    expect(await switchWallet(db, former, false)).toBe(true)
    const { id: ownerId } = await userWith(world, 0n)
    const group = { ownerId, chatId: Number(former.chatId), title: 'We', dailyCap: 1n }
    const wallet = await openWallet(db, group, clock.now())
    if (!wallet) return expect.unreachable('no other wallet of the group is on')
    expect(await switchWallet(db, wallet, false)).toBe(true)
    expect(await Promise.all([elsewhere, former, wallet].map(isOn))).toEqual([true, false, false])
    for (const _ of ['off', 'on']) expect(await switchWallet(db, wallet, true)).toBe(true)
    expect(await Promise.all([elsewhere, former, wallet].map(isOn))).toEqual([true, false, true])
    expect((await walletAt(db, Number(former.chatId)))?.id).toBe(wallet.id)
    expect((await walletAt(db, Number(elsewhere.chatId)))?.id).toBe(elsewhere.id)
    expect(await walletAt(db, 1)).toBeUndefined()
  })

  it('sees who spent what, without orders that cost nothing', async () => {
    const { owner, wallet } = await walletWith(6n * price)
    const [member, unlucky] = [await userWith(world, 0n), await userWith(world, 0n)]
    await ends(await ordered(wallet, unlucky), false)
    await ends(await ordered(wallet, member), true)
    await ends(await ordered(wallet, member), false)
    await ends(await ordered(wallet, owner), true)
    await ends(await ordered(wallet, owner), true)
    const found = await spendingOf(world.deps.db, wallet.id, new Date(0), 10)
    expect(found.map(({ spent, orders: count }) => [spent, count])).toEqual([
      [2n * price, 2],
      [price, 1],
    ])
  })

  it('sees what was spent within the period, not reduced by money that came back for earlier orders', async () => {
    const { wallet } = await walletWith(3n * price)
    const member = await userWith(world, 0n)
    const before = await ordered(wallet, member)
    world.clock.advance(1000)
    const since = world.clock.now()
    await ends(before, false)
    await ends(await ordered(wallet, member), true)
    const found = await spendingOf(world.deps.db, wallet.id, since, 10)
    expect(found.map(({ spent, orders: count }) => [spent, count])).toEqual([[price, 1]])
  })

  it('who opens the wallet again keeps its money and its limit', async () => {
    const { owner, wallet } = await walletWith(50_00n, 7_00n)
    const again = { ownerId: owner.id, chatId: Number(wallet.chatId), title: 'We all', dailyCap: 1n }
    const opened = await openWallet(world.deps.db, again, world.clock.now())
    expect(opened).toMatchObject({ id: wallet.id, isOn: true, title: 'We all', dailyCap: 7_00n })
    expect(await inside(wallet)).toEqual({ available: 50_00n, held: 0n })
  })

  it('shares the group with no other wallet that is switched on', async () => {
    const { wallet } = await walletWith(0n)
    const [one, two] = [await userWith(world, 0n), await userWith(world, 0n)]
    const open = (user: User, chatId = wallet.chatId ?? 0) =>
      openWallet(world.deps.db, { ownerId: user.id, chatId, title: 'We', dailyCap: 1n }, world.clock.now())
    expect(await open(one)).toBeUndefined()
    await switchWallet(world.deps.db, wallet, false)
    const both = await Promise.all([open(one), open(two)])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await switchWallet(world.deps.db, wallet, true)).toBe(false)
  })
})

describe('a group', () => {
  it('that becomes a supergroup keeps its wallet', async () => {
    const { wallet } = await walletWith(price)
    await moveChat(world.deps.db, wallet.chatId ?? 0, -1_000_000_000_001)
    const moved = await ownWallet(world.deps.db, wallet.id, wallet.ownerId)
    expect(moved).toMatchObject({ chatId: -1_000_000_000_001, isOn: true })
    if (moved) await ordered(moved, await userWith(world, 0n))
  })

  it('that the owner or the bot has left spends nothing more, and the owner takes the rest back', async () => {
    for (const isOwner of [true, false]) {
      const { owner, wallet } = await walletWith(price)
      const { chatId } = wallet
      expect(await closeWalletsAndTell(world.deps, 1, chatId ?? 0, 999_999)).toEqual([])
      const leaver = isOwner ? (owner.telegramId ?? 0) : undefined
      expect(await closeWalletsAndTell(world.deps, 2, chatId ?? 0, leaver)).toEqual([String(wallet.id)])
      expect(await closeWalletsAndTell(world.deps, 3, chatId ?? 0, leaver)).toEqual([])
      const written = await world.deps.db.select().from(notices).where(eq(notices.userId, owner.id))
      expect(written).toMatchObject([{ kind: 'wallet-off', chatId: null, amount: price }])
      expect(await orders(wallet, await userWith(world, 0n))).toMatchObject({ reason: 'wallet-off' })
      expect(await empty(wallet)).toBe(price)
    }
  })
})

describe('the data of the owner', () => {
  it('cannot be deleted while an order by the wallet is open; afterwards the wallet is off and has no group', async () => {
    const { owner, wallet } = await walletWith(2n * price)
    const member = await userWith(world, 0n)
    const generation = await ordered(wallet, member)
    expect(await mayForget(world.deps.db, owner.id)).toEqual({ ok: false, reason: 'live' })
    await ends(generation, false)
    expect(await exportData(world.deps.db, owner.id, world.clock.now())).toContain(`"title": "We"`)
    expect(await forget(world.deps.db, owner.id, 'person', world.clock.now())).toEqual({ ok: true })
    expect(await ownWallet(world.deps.db, wallet.id, wallet.ownerId)).toMatchObject({
      chatId: null,
      title: '',
      isOn: false,
    })
    expect((await reread(world, generation)).walletId).toBe(wallet.id)
    expect(await switchWallet(world.deps.db, wallet, true)).toBe(false)
  })
})

it('the operator’s figures count the money in wallets as owed', async () => {
  const period = periodOf(1, world.clock.now(), 'Europe/Moscow')
  const before = await readFigures(world.deps.db, period)
  const { wallet } = await walletWith(2n * price)
  await ordered(wallet, await userWith(world, 0n))
  const after = await readFigures(world.deps.db, period)
  expect(after.owed.groups - before.owed.groups).toBe(2n * price)
  expect(after.owed.now - before.owed.now).toBe(2n * price + 10_00n)
})

describe('the audit finds', () => {
  const spoil = async (change: string, back: string, name: string) => {
    const { db } = world.deps
    await db.execute(change)
    const found = await audit(db)
    await db.execute(back)
    expect(found.map(({ invariant }) => invariant)).toContain(name)
  }

  it('money that a wallet has without a transfer, and an order that another wallet paid', async () => {
    const { wallet } = await walletWith(2n * price)
    const { id } = await ordered(wallet, await userWith(world, 0n))
    const add = (by: string) => `update accounts set available = available ${by} 1 where id = ${wallet.id}`
    await spoil(add('+'), add('-'), 'the money of a wallet is the sum of its transfers')
    const spent = (by: string) =>
      `update wallet_members set spent = spent ${by} 1 where account_id = ${wallet.id}`
    const counted = 'what a member has spent from a wallet in a day is what the orders of that day cost'
    await spoil(spent('+'), spent('-'), counted)
    const setTo = (to: string) => `update generations set wallet_id = ${to} where id = '${id}'`
    await spoil(
      setTo('null'),
      setTo(String(wallet.id)),
      'the money of the generation is that of whoever pays for it',
    )
    const debit = (to: string) => `update transfers set debit = '${to}' where key = 'hold:${id}'`
    await spoil(debit('available'), debit('group'), 'each transfer has the accounts and the key of its kind')
    const owner = (to: bigint) =>
      `update transfers set user_id = ${to} where kind = 'fund' and wallet_id = ${wallet.id}`
    await spoil(
      owner(wallet.ownerId - 1n),
      owner(wallet.ownerId),
      'only its owner fills and empties a wallet',
    )
  })
})

const act = fc.oneof(
  fc.record({ do: fc.constant('fund' as const), amount: fc.bigInt(1n, 300_00n) }),
  fc.record({ do: fc.constant('empty' as const) }),
  fc.record({
    do: fc.constant('order' as const),
    by: fc.nat(1),
    byGroup: fc.boolean(),
    end: fc.constantFrom('well', 'badly', 'never'),
  }),
  fc.record({ do: fc.constant('cap' as const), cap: fc.option(fc.bigInt(0n, 400_00n)) }),
  fc.record({ do: fc.constant('switch' as const), on: fc.boolean() }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

async function perform(one: Act, wallet: Wallet, people: readonly User[]): Promise<void> {
  const { db } = world.deps
  switch (one.do) {
    case 'fund':
      return void (await fund(wallet, one.amount))
    case 'empty':
      return void (await empty(wallet))
    case 'cap':
      return setDailyCap(db, wallet.id, one.cap)
    case 'switch':
      return void (await switchWallet(db, wallet, one.on))
    case 'order': {
      const [user] = people.slice(one.by)
      const made = user && (await orders(wallet, user, one.byGroup))
      if (made?.ok && one.end !== 'never') await ends(made.generation, one.end === 'well')
    }
  }
}

it('any sequence of moves keeps the audit clean, and no money appears or gets lost', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), async (acts) => {
    const { owner, wallet } = await walletWith(0n)
    const people = [owner, await userWith(world, 150_00n)]
    for (const one of acts) await perform(one, wallet, people)
    expect(await audit(world.deps.db)).toEqual([])
    const [row] = await world.deps.db.select().from(accounts).where(eq(accounts.id, wallet.id))
    const moved = await world.deps.db.select().from(transfers).where(eq(transfers.walletId, wallet.id))
    const flow = moved.reduce((sum, { debit, credit, amount }) => {
      const into = credit === 'group' || credit === 'group-held' ? amount : 0n
      return sum + into - (debit === 'group' || debit === 'group-held' ? amount : 0n)
    }, 0n)
    expect((row?.available ?? 0n) + (row?.held ?? 0n)).toBe(flow)
  })
  await fc.assert(property, { numRuns: 8, seed: 7 })
}, 120_000)
