// All kinds of transfers: the balances before and after, a repetition, and a balance that is too small.

import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { transferKinds } from '../../src/db/schema.ts'
import { type Posted, readBalance, type Transfer } from '../../src/ledger/ledger.ts'
import {
  correction,
  deposit,
  promotion,
  refundOrder,
  refundPayment,
  rewardOf,
  welcome,
} from '../../src/ledger/moves.ts'
import { createWorld, userWith } from '../support/worlds/generations.ts'
import { hold, postAll } from '../support/worlds/moves.ts'

const world = await createWorld()
afterAll(() => world.close())

const act = (...moves: Transfer[]): Promise<Posted> => postAll(world.deps.db, moves, world.clock.now())
const balance = async (userId: bigint) => {
  const { available, held } = await readBalance(world.deps.db, userId)
  return [available, held]
}

let next = 0
const unique = (what: string) => {
  next += 1
  return `${what}-${next}`
}
const payment = (userId: bigint) => {
  const [chargeId, topUpId] = [unique('charge'), unique('top-up')]
  return { provider: 'stars', chargeId, userId, credit: 500_00n, topUpId }
}
const order = (userId: bigint, amount: bigint) => ({ id: unique('order'), userId, amount })

const reward = (name: 'referral' | 'bonus' | 'partner', userId: bigint, of = unique('charge')): Transfer =>
  rewardOf({ name, of, userId, amount: 30_00n })

type Balance = readonly [available: bigint, held: bigint]

const examples: readonly (readonly [string, Balance, (userId: bigint) => Transfer, Balance])[] = [
  ['a deposit', [0n, 5_00n], (id) => deposit(payment(id)), [500_00n, 5_00n]],
  ['a refund of a payment', [500_00n, 5_00n], (id) => refundPayment(payment(id)), [0n, 5_00n]],
  [
    'a refund of a generation',
    [1_00n, 0n],
    (id) => refundOrder({ ...order(id, 92_45n), spentOn: null }, 'blurred'),
    [93_45n, 0n],
  ],
  ['the welcome credit', [0n, 0n], (id) => welcome(id, 50_00n), [50_00n, 0n]],
  ['a promo code', [1_00n, 0n], (id) => promotion(id, unique('SPRING'), 100_00n), [101_00n, 0n]],
  ['a bonus', [0n, 0n], (id) => reward('referral', id), [30_00n, 0n]],
  ['a bonus for a top-up', [0n, 0n], (id) => reward('bonus', id), [30_00n, 0n]],
  ['percents of a partner', [0n, 0n], (id) => reward('partner', id), [30_00n, 0n]],
  ['a gift', [0n, 0n], (id) => correction(unique('action'), id, 1n, 'rounding'), [1n, 0n]],
  ['a debit', [12_34n, 0n], (id) => correction(unique('action'), id, -12_34n, 'mistake'), [0n, 0n]],
]

/** A user with this balance. */
async function userAt([available, held]: Balance): Promise<bigint> {
  const { id } = await userWith(world, available + held)
  if (held > 0n) expect(await act(hold(order(id, held)))).toEqual({ ok: true })
  return id
}

it.each(examples)(
  '%s moves its amount once, and nothing without its guard or its money',
  async (_, before, moveOf, after) => {
    const userId = await userAt(before)
    const guard = sql`select 1 where false`
    const closed = await postAll(world.deps.db, [moveOf(userId)], world.clock.now(), guard)
    expect(closed).toEqual({ ok: false, reason: 'guarded' })
    expect(await balance(userId)).toEqual(before)
    expect(await act(moveOf(userId))).toEqual({ ok: true })
    expect(await balance(userId)).toEqual(after)

    const rich = await userAt([before[0] + 1_000_00n, before[1]])
    const same = moveOf(rich)
    expect(await act(same)).toEqual({ ok: true })
    expect(await act(same)).toEqual({ ok: false, reason: 'duplicate' })
    expect(await balance(rich)).toEqual([after[0] + 1_000_00n, after[1]])

    if (after[0] > before[0]) return
    const poor = await userAt([before[0] - 1n, before[1]])
    expect(await act(moveOf(poor))).toEqual({ ok: false, reason: 'insufficient' })
    expect(await balance(poor)).toEqual([before[0] - 1n, before[1]])
  },
)

it('the examples cover every kind that `post` writes for a user', () => {
  const kinds = examples.map(([, , moveOf]) => moveOf(1n).kind)
  const others = new Set(['hold', 'capture', 'release', 'fund', 'take-back'])
  expect(new Set(kinds)).toEqual(new Set(transferKinds.filter((kind) => !others.has(kind))))
})

it('a promo code is used once by each user, and a reward is given once for what it names', async () => {
  const [anna, boris] = [await userAt([0n, 0n]), await userAt([0n, 0n])]
  const duplicate = { ok: false, reason: 'duplicate' }
  for (const [userId, code, posted] of [
    [anna, 'A', { ok: true }],
    [boris, 'A', { ok: true }],
    [anna, 'B', { ok: true }],
    [anna, 'A', duplicate],
  ] as const)
    expect(await act(promotion(userId, code, 1_00n))).toEqual(posted)
  expect(await act(reward('referral', anna, '77'))).toEqual({ ok: true })
  expect(await act(reward('referral', boris, '77'))).toEqual(duplicate)
  expect(await balance(boris)).toEqual([1_00n, 0n])
})
