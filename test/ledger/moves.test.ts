// All kinds of transfers: the balances before and after, a repetition, and a balance that is too small.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transferKinds } from '../../src/db/schema.ts'
import { type Posted, readBalance, type Transfer } from '../../src/ledger/ledger.ts'
import {
  correction,
  deposit,
  promotion,
  referral,
  refundOrder,
  refundPayment,
  welcome,
} from '../../src/ledger/moves.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'
import { hold, postAll } from '../support/worlds/moves.ts'

let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const act = (moves: readonly Transfer[]): Promise<Posted> => postAll(world.deps.db, moves, world.clock.now())
const balance = async (userId: bigint) => {
  const { available, held } = await readBalance(world.deps.db, userId)
  return [available, held]
}

let next = 0
const unique = (what: string) => {
  next += 1
  return `${what}-${next}`
}

const payment = (userId: bigint, credit: bigint) => ({
  provider: 'stars',
  chargeId: unique('charge'),
  userId,
  credit,
  topUpId: unique('top-up'),
})
const order = (userId: bigint, amount: bigint) => ({ id: unique('order'), userId, amount })

interface Example {
  readonly what: string
  /** The available and the held balance. */
  readonly before: readonly [bigint, bigint]
  readonly after: readonly [bigint, bigint]
  readonly moves: (userId: bigint) => readonly Transfer[]
  /** The user's account that is debited, if any. */
  readonly needs?: 'available'
}

const examples: readonly Example[] = [
  {
    what: 'a deposit',
    before: [0n, 5_00n],
    moves: (userId) => [deposit(payment(userId, 500_00n))],
    after: [500_00n, 5_00n],
  },
  {
    what: 'a refund of a payment',
    before: [500_00n, 5_00n],
    moves: (userId) => [refundPayment(payment(userId, 500_00n))],
    after: [0n, 5_00n],
    needs: 'available',
  },
  {
    what: 'a refund of a generation',
    before: [1_00n, 0n],
    moves: (userId) => [refundOrder({ ...order(userId, 92_45n), spentOn: null }, 'blurred')],
    after: [93_45n, 0n],
  },
  {
    what: 'the welcome credit',
    before: [0n, 0n],
    moves: (userId) => [welcome(userId, 50_00n)],
    after: [50_00n, 0n],
  },
  {
    what: 'a promo code',
    before: [1_00n, 0n],
    moves: (userId) => [promotion(userId, unique('SPRING'), 100_00n)],
    after: [101_00n, 0n],
  },
  {
    what: 'a bonus for an invitation',
    before: [0n, 0n],
    moves: (userId) => [referral(userId, userId + 1_000_000n, 30_00n)],
    after: [30_00n, 0n],
  },
  {
    what: 'a correction that gives',
    before: [0n, 0n],
    moves: (userId) => [correction(unique('action'), userId, 12_34n, 'sorry')],
    after: [12_34n, 0n],
  },
  {
    what: 'a correction that gives a kopeck',
    before: [0n, 0n],
    moves: (userId) => [correction(unique('action'), userId, 1n, 'rounding')],
    after: [1n, 0n],
  },
  {
    what: 'a correction that takes',
    before: [12_34n, 0n],
    moves: (userId) => [correction(unique('action'), userId, -12_34n, 'mistake')],
    after: [0n, 0n],
    needs: 'available',
  },
]

/** A user with this balance. */
async function userAt([available, held]: readonly [bigint, bigint]): Promise<bigint> {
  const { id } = await userWith(world, available + held)
  if (held > 0n) expect(await act([hold(order(id, held))])).toEqual({ ok: true })
  return id
}

describe.each(examples.map((one) => [one.what, one] as const))('%s', (_, { before, after, moves }) => {
  it('changes the available and the held balance as expected', async () => {
    const userId = await userAt(before)
    expect(await balance(userId)).toEqual(before)
    expect(await act(moves(userId))).toEqual({ ok: true })
    expect(await balance(userId)).toEqual(after)
  })

  it('is idempotent: a repetition is a duplicate and moves nothing', async () => {
    const rich = 1_000_000_00n
    const userId = await userAt([before[0] + rich, before[1] + rich])
    const same = moves(userId)
    expect(await act(same)).toEqual({ ok: true })
    const once = await balance(userId)
    expect(await act(same)).toEqual({ ok: false, reason: 'duplicate' })
    expect(await balance(userId)).toEqual(once)
  })

  it('moves nothing when its guard returns no row', async () => {
    const userId = await userAt(before)
    const closed = await postAll(world.deps.db, moves(userId), world.clock.now(), sql`select 1 where false`)
    expect(closed).toEqual({ ok: false, reason: 'guarded' })
    expect(await balance(userId)).toEqual(before)
  })
})

describe('with one kopeck missing, nothing moves', () => {
  const costing = examples.filter(({ needs }) => needs !== undefined)

  it.each(costing.map((one) => [one.what, one] as const))('%s', async (_, { before, moves }) => {
    const [available, held] = before
    const poor = [available - 1n, held] as const
    const userId = await userAt(poor)
    expect(await act(moves(userId))).toEqual({ ok: false, reason: 'insufficient' })
    expect(await balance(userId)).toEqual(poor)
  })
})

it('the examples cover every kind that `post` writes for a user', () => {
  const kinds = examples.flatMap(({ moves }) => moves(1n).map(({ kind }) => kind))
  const others = new Set(['hold', 'capture', 'release', 'fund', 'take-back'])
  expect(new Set(kinds)).toEqual(new Set(transferKinds.filter((kind) => !others.has(kind))))
})

describe('idempotence keys allow', () => {
  const redeem = (userId: bigint, code: string) => act([promotion(userId, code, 1_00n)])

  it('one code for two users, and two codes for one user', async () => {
    const [anna, boris] = [await userAt([0n, 0n]), await userAt([0n, 0n])]
    expect([await redeem(anna, 'A'), await redeem(boris, 'A'), await redeem(anna, 'B')]).toEqual(
      Array(3).fill({ ok: true }),
    )
    expect(await redeem(anna, 'A')).toEqual({ ok: false, reason: 'duplicate' })
  })

  it('one referral bonus for each invited user, whoever the inviter is', async () => {
    const [anna, boris] = [await userAt([0n, 0n]), await userAt([0n, 0n])]
    const invited = 77_000_000n
    expect(await act([referral(anna, invited, 1_00n)])).toEqual({ ok: true })
    expect(await act([referral(boris, invited, 1_00n)])).toEqual({ ok: false, reason: 'duplicate' })
    expect(await balance(boris)).toEqual([0n, 0n])
  })
})
