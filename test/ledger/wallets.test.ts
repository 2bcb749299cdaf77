// Wallets of groups on a real PostgreSQL: a refund goes to the wallet or the balance that paid, members stay within their limit
// also when they order at once, and the audit stays clean after any sequence of moves.

import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { accounts, notices } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { isAccountOf, readBalance } from '../../src/ledger/ledger.ts'
import { statementOf } from '../../src/ledger/statement.ts'
import {
  emptyWallet,
  fundWallet,
  openWallet,
  ownWallet,
  spendingOf,
  switchWallet,
  type Wallet,
  walletAt,
} from '../../src/ledger/wallets.ts'
import { setBan } from '../../src/operator/corrections.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { closeWalletsAndTell } from '../../src/payments/notices.ts'
import { exportData } from '../../src/privacy/export.ts'
import { forget, mayForget } from '../../src/privacy/forget.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { overGroupCap } from '../../src/sales/limits.ts'
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
const has = async (wallet: Wallet, available: bigint, held = 0n) =>
  expect(await inside(wallet)).toEqual({ available, held })
const empty = (wallet: Wallet, key: string = randomIds.next()) =>
  emptyWallet(world.deps.db, { key, wallet }, world.clock.now())
const balanceOf = async ({ id }: User) => (await readBalance(world.deps.db, id)).available
const refusedFor = (reason: string) => ({ ok: false, reason })
const tap = (quoteId: string, { id: userId }: User, limits = world.deps.limits) =>
  confirm({ ...world.deps, limits }, { quoteId, userId, statusMessageId: null })
const poor = () => userWith(world, 0n)

describe('the money of an order in a group', () => {
  it('is held and captured in the wallet and returns to it; neither the balance nor the statement of the member changes', async () => {
    const { wallet } = await walletWith(200_00n)
    const member = await userWith(world, 5_00n)
    const before = await statementOf(world.deps.db, member.id)
    await ends(await ordered(wallet, member), false)
    await has(wallet, 200_00n)
    const generation = await ordered(wallet, member)
    await has(wallet, 200_00n - price, price)
    await ends(generation, true)
    await has(wallet, 200_00n - price)
    const refund = { by: 1, generationId: generation.id, reason: 'blurred' }
    expect(await refundGeneration(world.deps, refund)).toMatchObject({ ok: true })
    await has(wallet, 200_00n)
    expect(await readBalance(world.deps.db, member.id)).toMatchObject({ available: 5_00n, held: 0n })
    expect(await statementOf(world.deps.db, member.id)).toEqual(before)
  })

  it('comes from the member’s own balance when they chose so, and counts towards their daily limit in either case', async () => {
    const { wallet } = await walletWith(300_00n)
    const member = await userWith(world, 300_00n)
    await ends(await ordered(wallet, member, false), true)
    await has(wallet, 300_00n)
    expect(await balanceOf(member)).toBe(300_00n - price)
    await ordered(wallet, member)
    const most = 2n * price
    const limits = { ...world.deps.limits, dailySpend: most }
    const refused = await tap((await quoteOf(wallet, member)).id, member, limits)
    expect(refused).toEqual({ ...refusedFor('daily-cap'), most, spent: most })
  })
})

describe('a refusal', () => {
  it('names the limit of a member in this wallet, which ends with a refund or the day and does not bind the owner', async () => {
    const { owner, wallet } = await walletWith(1000_00n, 2n * price)
    const { wallet: another } = await walletWith(1000_00n)
    const member = await poor()
    await ordered(wallet, await poor())
    await ordered(another, member)
    await ends(await ordered(wallet, member), false)
    const generation = await ordered(wallet, member)
    await ends(generation, true)
    await ordered(wallet, member)
    const full = { ...refusedFor('wallet-cap'), most: 2n * price, spent: 2n * price }
    expect(await orders(wallet, member)).toEqual(full)
    for (const _ of [1, 2, 3]) await ordered(wallet, owner)
    const refund = { by: 1, generationId: generation.id, reason: 'blurred' }
    expect(await refundGeneration(world.deps, refund)).toMatchObject({ ok: true })
    await ordered(wallet, member)
    expect(await orders(wallet, member)).toEqual(full)
    world.clock.advance(24 * 60 * 60_000)
    await ordered(wallet, member)
  })

  it('is decided by the statement that makes the hold: a wallet that is being switched off pays nothing', async () => {
    const { wallet } = await walletWith(200_00n)
    const member = await poor()
    const { id } = await quoteOf(wallet, member)
    const tapped = await others[0]?.db.transaction(async (tx) => {
      await switchWallet(tx, wallet, false)
      const begun = tap(id, member)
      await lockWaits(world.deps.db)
      return { begun }
    })
    expect(await tapped?.begun).toEqual(refusedFor('wallet-off'))
  })

  it('is given when the wallet is that of another group, or the card showed another wallet or payer', async () => {
    const { db } = world.deps
    const { wallet } = await walletWith(500_00n)
    const [member, elsewhere] = [await userWith(world, 500_00n), -4000]
    const shown = await quoteOf(wallet, member, false)
    await db.execute(
      `update drafts set by_group = true, revision = revision + 1 where id = '${shown.draftId}'`,
    )
    expect(await tap(shown.id, member)).toEqual(refusedFor('outdated'))
    expect(await orders({ ...wallet, chatId: elsewhere }, member)).toEqual(refusedFor('wallet-off'))
    const spending = { userId: member.id, walletId: wallet.id, amount: price, personHash }
    expect(await overGroupCap(world.deps, spending, elsewhere)).toEqual(refusedFor('wallet-off'))
    const { id } = await quoteOf(wallet, member)
    await db.update(accounts).set({ chatId: elsewhere }).where(eq(accounts.id, wallet.id))
    expect(await tap(id, member)).toEqual(refusedFor('wallet-off'))
    await has(wallet, 500_00n)
    expect(await balanceOf(member)).toBe(500_00n)
  })
})

describe('the wallet of a banned owner pays nothing', () => {
  const banOf = ({ id: userId }: User, banned = true) =>
    setBan(world.deps, { by: null, userId, banned, reason: 'refunded elsewhere' })

  it('until the owner switches it on after the ban', async () => {
    const [{ owner, wallet }, { wallet: another }] = [await walletWith(2n * price), await walletWith(price)]
    const member = await poor()
    const { id } = await quoteOf(wallet, member)
    expect(await banOf(owner)).toBe(true)
    expect(await tap(id, member)).toEqual(refusedFor('wallet-off'))
    expect(await orders(wallet, member)).toEqual(refusedFor('wallet-off'))
    await has(wallet, 2n * price)
    await ordered(another, member)
    expect(await banOf(owner, false)).toBe(true)
    expect(await orders(wallet, member)).toEqual(refusedFor('wallet-off'))
    expect(await switchWallet(world.deps.db, wallet, true)).toBe(true)
    expect(await banOf(owner, false)).toBe(false)
    await ordered(wallet, member)
  })

  it('also if it was being switched on or opened at the moment of the ban', async () => {
    const { db } = world.deps
    const open = (tx: Database, { ownerId, chatId }: Wallet) =>
      openWallet(tx, { ownerId, chatId: Number(chatId), title: '', dailyCap: 1n }, world.clock.now())
    for (const begin of [open, (tx: Database, wallet: Wallet) => switchWallet(tx, wallet, true)]) {
      const { owner, wallet } = await walletWith(2n * price)
      const member = await poor()
      await switchWallet(db, wallet, false)
      await others[0]?.db.transaction(async (tx) => {
        await begin(tx, wallet)
        await banOf(owner)
      })
      expect(await ownWallet(db, wallet.id, wallet.ownerId)).toMatchObject({ isOn: true })
      expect(await orders(wallet, member)).toEqual(refusedFor('wallet-off'))
      const spending = { userId: member.id, walletId: wallet.id, amount: price, personHash }
      const refused = await overGroupCap(world.deps, spending, Number(wallet.chatId))
      expect(refused).toEqual(refusedFor('wallet-off'))
      await has(wallet, 2n * price)
    }
  })
})

/** So many orders at once, by these members in turn, in several processes. @returns how many were refused, by their reasons */
const allAtOnce = async (wallet: Wallet, count: number, ...members: User[]) => {
  const made = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      orders(wallet, members[at % members.length] ?? expect.unreachable(), true, others[at % 3]?.db),
    ),
  )
  return made.map((one) => (one.ok ? 'ok' : one.reason))
}

it('members who order at once stay within the limit of each and within the money of the wallet', async () => {
  const { wallet } = await walletWith(3n * price, 2n * price)
  const reasons = await allAtOnce(wallet, 12, await poor(), await poor())
  expect(reasons.filter((one) => one === 'ok')).toHaveLength(3)
  await has(wallet, 0n, 3n * price)
  const { wallet: limited } = await walletWith(10n * price, price)
  const seven = Array.from({ length: 7 }, () => 'wallet-cap')
  expect((await allAtOnce(limited, 8, await poor())).toSorted()).toEqual(['ok', ...seven])
})

describe('the owner', () => {
  it('fills the wallet from their own balance only, which their statement shows', async () => {
    const { owner, wallet } = await walletWith(0n)
    expect(await fund(wallet, 10_00n)).toEqual({ ok: true })
    expect(await fund(wallet, 1n)).toEqual(refusedFor('insufficient'))
    const filled = { kind: 'fund', change: -10_00n, available: 0n }
    expect((await statementOf(world.deps.db, owner.id)).at(-1)).toMatchObject(filled)
  })

  it('takes back what is not held, once for each tap, even a single kopeck', async () => {
    const { owner, wallet } = await walletWith(price + 1n)
    await ordered(wallet, await poor())
    expect(await empty(wallet, 'one tap')).toBe(1n)
    expect(await fund(wallet, 3_00n)).toEqual({ ok: true })
    expect(await empty(wallet, 'one tap')).toBe(0n)
    await has(wallet, 3_00n, price)
    expect(await balanceOf(owner)).toBe(7_01n)
  })

  it('switches only this wallet, whatever wallets other groups and other owners have', async () => {
    const { db, clock } = world.deps
    const [{ wallet: elsewhere }, { wallet: former }] = [await walletWith(0n), await walletWith(0n)]
    const isOn = async ({ id, ownerId }: Wallet) => (await ownWallet(db, id, ownerId))?.isOn
    expect(await switchWallet(db, former, false)).toBe(true)
    const { id: ownerId } = await poor()
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
    const [balance] = await db.select().from(accounts).where(isAccountOf(ownerId))
    for (const id of [balance?.id ?? 0n, elsewhere.id])
      expect(await ownWallet(db, id, ownerId)).toBeUndefined()
  })

  it('sees who spent what within a period, without orders that cost nothing or were made before', async () => {
    const { owner, wallet } = await walletWith(8n * price)
    const [member, unlucky] = [await poor(), await poor()]
    await ends(await ordered(wallet, member), true)
    const before = await ordered(wallet, member)
    world.clock.advance(1000)
    const since = world.clock.now()
    await ends(before, false)
    for (const [user, well] of [
      [unlucky, false],
      [member, true],
      [member, false],
      [owner, true],
      [owner, true],
    ] as const)
      await ends(await ordered(wallet, user), well)
    await ordered((await walletWith(price)).wallet, member)
    const found = await spendingOf(world.deps.db, wallet.id, since, 10)
    expect(found.map(({ spent, orders: count }) => [spent, count])).toEqual([
      [2n * price, 2],
      [price, 1],
    ])
  })

  it('who opens the wallet again keeps its money and its limit; no other wallet of the group is on', async () => {
    const { owner, wallet } = await walletWith(50_00n, 7_00n)
    const { db, clock } = world.deps
    const open = ({ id: ownerId }: User, title = 'We') =>
      openWallet(db, { ownerId, chatId: Number(wallet.chatId), title, dailyCap: 1n }, clock.now())
    const kept = { id: wallet.id, isOn: true, title: 'We all', dailyCap: 7_00n }
    expect(await open(owner, 'We all')).toMatchObject(kept)
    await has(wallet, 50_00n)
    const [one, two] = [await poor(), await poor()]
    expect(await open(one)).toBeUndefined()
    await switchWallet(db, wallet, false)
    expect((await Promise.all([open(one), open(two)])).filter(Boolean)).toHaveLength(1)
    expect(await switchWallet(db, wallet, true)).toBe(false)
  })
})

it('a group that the owner or the bot has left spends nothing more, and the owner takes the rest back', async () => {
  for (const isOwner of [true, false]) {
    const { owner, wallet } = await walletWith(price)
    const leaver = isOwner ? (owner.telegramId ?? 0) : undefined
    const closes = (update: number, who = leaver) =>
      closeWalletsAndTell(world.deps, update, wallet.chatId ?? 0, who)
    expect(await closes(1, 999_999)).toEqual([])
    expect(await closes(2)).toEqual([String(wallet.id)])
    expect(await closes(3)).toEqual([])
    const written = await world.deps.db.select().from(notices).where(eq(notices.userId, owner.id))
    expect(written).toMatchObject([{ kind: 'wallet-off', amount: price }])
    expect(await switchWallet(world.deps.db, wallet, true)).toBe(true)
    expect(await closes(2), 'the same event, handled again').toEqual([String(wallet.id)])
    expect(await world.deps.db.$count(notices, eq(notices.userId, owner.id))).toBe(1)
    expect(await orders(wallet, await poor())).toMatchObject({ reason: 'wallet-off' })
    expect(await empty(wallet)).toBe(price)
  }
})

it('the data of the owner cannot be deleted while an order by the wallet is open; then the wallet is off and has no group', async () => {
  const { db, clock } = world.deps
  const { owner, wallet } = await walletWith(2n * price)
  const generation = await ordered(wallet, await poor())
  expect(await mayForget(db, owner.id)).toEqual(refusedFor('live'))
  await ends(generation, false)
  expect(await exportData(db, owner.id, clock.now())).toContain(`"title": "We"`)
  expect(await forget(db, owner.id, 'person', clock.now())).toEqual({ ok: true })
  const left = { chatId: null, title: '', isOn: false }
  expect(await ownWallet(db, wallet.id, wallet.ownerId)).toMatchObject(left)
  expect((await reread(world, generation)).walletId).toBe(wallet.id)
  expect(await switchWallet(db, wallet, true)).toBe(false)
})

it('the audit finds money that a wallet has without a transfer, and an order that another wallet paid', async () => {
  const { db } = world.deps
  const { wallet } = await walletWith(2n * price)
  const { id } = await ordered(wallet, await poor())
  const own = `kind = 'fund' and wallet_id = ${wallet.id}`
  const rows = [
    ['the money of a wallet is', `accounts set available = available`, '+ 1', '- 1', `id = ${wallet.id}`],
    ['what a member', `wallet_members set spent = spent`, '+ 1', '- 1', `account_id = ${wallet.id}`],
    ['the money of the generation', 'generations set wallet_id =', 'null', `${wallet.id}`, `id = '${id}'`],
    ['each transfer has', 'transfers set debit =', `'available'`, `'group'`, `key = 'hold:${id}'`],
    ['only its owner', 'transfers set user_id =', `${wallet.ownerId - 1n}`, `${wallet.ownerId}`, own],
  ] as const
  for (const [name, set, spoilt, back, where] of rows) {
    await db.execute(`update ${set} ${spoilt} where ${where}`)
    const found = (await audit(db)).map(({ invariant }) => invariant)
    await db.execute(`update ${set} ${back} where ${where}`)
    expect(found).toContainEqual(expect.stringMatching(`^${name}`))
  }
})
