// All kinds of transfers: the balances before and after, a repetition, and a balance that is too small.

import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
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
import { createWorld, userWith } from '../support/worlds/generations.ts'
import { hold, postAll } from '../support/worlds/moves.ts'

const world = await createWorld()
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

type Balance = readonly [available: bigint, held: bigint]
type Moves = (userId: bigint) => readonly Transfer[]

const examples: readonly (readonly [what: string, before: Balance, moves: Moves, after: Balance])[] = [
  ['a deposit', [0n, 5_00n], (userId) => [deposit(payment(userId, 500_00n))], [500_00n, 5_00n]],
  [
    'a refund of a payment',
    [500_00n, 5_00n],
    (userId) => [refundPayment(payment(userId, 500_00n))],
    [0n, 5_00n],
  ],
  [
    'a refund of a generation',
    [1_00n, 0n],
    (userId) => [refundOrder({ ...order(userId, 92_45n), spentOn: null }, 'blurred')],
    [93_45n, 0n],
  ],
  ['the welcome credit', [0n, 0n], (userId) => [welcome(userId, 50_00n)], [50_00n, 0n]],
  ['a promo code', [1_00n, 0n], (userId) => [promotion(userId, unique('SPRING'), 100_00n)], [101_00n, 0n]],
  ['a bonus', [0n, 0n], (userId) => [referral(userId, userId + 1_000_000n, 30_00n)], [30_00n, 0n]],
  ['a gift', [0n, 0n], (userId) => [correction(unique('action'), userId, 1n, 'rounding')], [1n, 0n]],
  ['a debit', [12_34n, 0n], (userId) => [correction(unique('action'), userId, -12_34n, 'mistake')], [0n, 0n]],
]

/** A user with this balance. */
async function userAt([available, held]: Balance): Promise<bigint> {
  const { id } = await userWith(world, available + held)
  if (held > 0n) expect(await act([hold(order(id, held))])).toEqual({ ok: true })
  return id
}

it.each(examples)(
  '%s moves its amount once, and nothing without its guard or its money',
  async (_, before, moves, after) => {
    const userId = await userAt(before)
    const closed = await postAll(world.deps.db, moves(userId), world.clock.now(), sql`select 1 where false`)
    expect(closed).toEqual({ ok: false, reason: 'guarded' })
    expect(await balance(userId)).toEqual(before)
    expect(await act(moves(userId))).toEqual({ ok: true })
    expect(await balance(userId)).toEqual(after)

    const rich = await userAt([before[0] + 1_000_00n, before[1]])
    const same = moves(rich)
    expect(await act(same)).toEqual({ ok: true })
    expect(await act(same)).toEqual({ ok: false, reason: 'duplicate' })
    expect(await balance(rich)).toEqual([after[0] + 1_000_00n, after[1]])

    if (after[0] > before[0]) return
    const poor = await userAt([before[0] - 1n, before[1]])
    expect(await act(moves(poor))).toEqual({ ok: false, reason: 'insufficient' })
    expect(await balance(poor)).toEqual([before[0] - 1n, before[1]])
  },
)

it('the examples cover every kind that `post` writes for a user', () => {
  const kinds = examples.flatMap(([, , moves]) => moves(1n).map(({ kind }) => kind))
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
