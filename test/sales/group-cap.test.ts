// What a member may spend from the wallet of a group in a day, and how it counts towards their own daily cap.

import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { readFunds } from '../../src/chat/hold.ts'
import { generations } from '../../src/db/schema.ts'
import { post } from '../../src/ledger/ledger.ts'
import { refundOrder } from '../../src/ledger/moves.ts'
import { ownWallet, type Wallet } from '../../src/ledger/wallets.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { forget } from '../../src/privacy/forget.ts'
import { dayMs } from '../../src/runtime/clock.ts'
import { groupRoomOf, overRoom } from '../../src/sales/limits.ts'
import { ensureUser, hashOfPerson, type User } from '../../src/users/user.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { userWith } from '../support/worlds/generations.ts'
import { ends, orderedIn, orderIn, walletWith as walletIn } from '../support/worlds/wallets.ts'

const price = 92_45n
const world = await auditedWorld()
const { clock, deps } = world
const { db } = deps

async function walletWith(kopecks: bigint, cap: bigint | null) {
  const { owner, wallet: opened } = await walletIn(world, kopecks, cap)
  const wallet = await ownWallet(db, opened.id, owner.id)
  if (!wallet) throw new Error('not found')
  return { owner, wallet }
}

/** Makes an order of a member that the group's wallet pays, and settles it as succeeded. */
async function paidBy(wallet: Wallet, member: User): Promise<Generation> {
  const made = await orderedIn(world, wallet, member)
  await ends(world, made)
  return made
}

/** Ends the delivery of an order. */
async function sent({ id }: Generation): Promise<void> {
  await db.update(generations).set({ delivery: 'delivered', nextCheckAt: null }).where(eq(generations.id, id))
}

async function partOfRefund(order: Generation): Promise<void> {
  const mark = sql`update generations set refunded = 1 where id = ${order.id} returning id`
  const part = refundOrder({ ...order, amount: 1n }, 'lost')
  expect(await post(db, part, clock.now(), mark)).toEqual({ ok: true })
}

describe('what a member has spent from a wallet', () => {
  it('excludes all parts of a refund, which return to the wallet', async () => {
    const { wallet } = await walletWith(3n * price, 2n * price)
    const member = await userWith(world, 0n)
    const bad = await paidBy(wallet, member)
    await paidBy(wallet, member)
    const spent = async () => {
      const { cap } = await groupRoomOf(deps, wallet, member.id)
      expect((await readFunds(deps, member.id)).spent, 'it counts towards the daily cap').toBe(cap?.spent)
      return cap?.spent
    }
    expect(await spent()).toBe(2n * price)
    await partOfRefund(bad)
    expect(await spent()).toBe(2n * price - 1n)
    await sent(bad)
    const one = { by: null, generationId: bad.id, reason: 'blurred' }
    const ofPart = { ...one, part: { amount: 2n, before: 1n } }
    expect(await refundGeneration(deps, ofPart)).toMatchObject({ ok: true })
    expect(await spent()).toBe(2n * price - 3n)
    await refundGeneration(deps, one)
    expect(await spent()).toBe(price)
    await paidBy(wallet, member)
    expect((await ownWallet(db, wallet.id, wallet.ownerId))?.available).toBe(price)
    clock.advance(dayMs + 1)
    expect(await spent()).toBe(0n)
  })

  it('counts as the whole limit on the day on which the member’s data was deleted', async () => {
    const { wallet } = await walletWith(3n * price, price)
    const { wallet: open } = await walletWith(price, null)
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
    clock.advance(dayMs + 1)
    await orderedIn(world, wallet, back, { personHash })
  })

  it('is not limited for the owner, or without a limit', async () => {
    const { owner, wallet } = await walletWith(2n * price, price)
    const member = await userWith(world, 0n)
    const available = 2n * price
    expect(await groupRoomOf(deps, wallet, owner.id)).toEqual({ available })
    const open = { ...wallet, dailyCap: null }
    expect(await groupRoomOf(deps, open, member.id)).toEqual({ available })
    const cap = { most: price, spent: 0n }
    expect(await groupRoomOf(deps, wallet, member.id)).toEqual({ available, cap })
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
