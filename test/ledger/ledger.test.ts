// A post of each kind of transfer: atomic, once, never below zero; on both engines.

import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { transferKinds } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, readBalance, type Transfer } from '../../src/ledger/ledger.ts'
import {
  correction,
  deposit,
  promotion,
  refundOrder,
  refundPayment,
  rewardOf,
  welcome,
} from '../../src/ledger/moves.ts'
import { acceptAllTransfers } from '../../src/operator/corrections.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { createWorld, userWith } from '../support/worlds/generations.ts'
import { hold, postAll, settle } from '../support/worlds/moves.ts'

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
  ['a hold', [92_45n, 5_00n], (id) => hold(order(id, 92_45n)), [0n, 97_45n]],
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

describe.each(['postgres', 'pglite'] as const)('on %s', async (engine) => {
  const world = await createWorld(engine)
  const { db } = world.deps
  afterAll(() => world.close())

  const act = (...moves: Transfer[]) => postAll(db, moves, world.clock.now())
  const balance = async (userId: bigint) => {
    const { available, held } = await readBalance(db, userId)
    return [available, held]
  }
  /** A user with this balance. */
  async function userAt([available, held]: Balance): Promise<bigint> {
    const { id } = await userWith(world, available + held)
    if (held > 0n) expect(await act(hold(order(id, held)))).toEqual({ ok: true })
    return id
  }

  it.each(examples)(
    '%s moves its amount once, and nothing without its guard or its money',
    async (...row) => {
      const [, before, moveOf, after] = row
      const userId = await userAt(before)
      const closed = await post(db, moveOf(userId), world.clock.now(), sql`select 1 where false`)
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

  it('settling captures the whole hold, a part of it, or nothing, and releases the rest', async () => {
    for (const [captured, available] of [
      [90_00n, 10_00n],
      [30_00n, 70_00n],
      [0n, 100_00n],
    ] as const) {
      const userId = await userAt([100_00n, 0n])
      const one = order(userId, 90_00n)
      expect(await act(hold(one), ...settle(one, captured))).toEqual({ ok: true })
      expect(await balance(userId)).toEqual([available, 0n])
    }
  })

  it('a transfer of zero or within one account is refused', async () => {
    const move = hold(order(await userAt([10_00n, 0n]), 0n))
    for (const wrong of [move, { ...move, amount: 1n, credit: 'available' } as const])
      await expect(post(db, wrong, world.clock.now())).rejects.toThrow()
  })
})

it('the examples cover every kind that `post` writes for a user', () => {
  const kinds = examples.map(([, , moveOf]) => moveOf(1n).kind)
  const others = new Set(['capture', 'release', 'fund', 'take-back'])
  expect(new Set(kinds)).toEqual(new Set(transferKinds.filter((kind) => !others.has(kind))))
})

it('transfers that the ledger writes while all transfers are accepted stay in the checksum', async () => {
  const world = await createWorld()
  const other = await openDatabase(world.database.url)
  const { db, clock } = world.deps
  const { id } = await userWith(world, 100_00n)
  await db.execute(sql`update accounts set checksum = checksum + 1 where kind = 'user' and owner_id = ${id}`)
  const accepted = await db.transaction(async (tx) => {
    await post(tx, hold({ id: 'race', userId: id, amount: 1_00n }), clock.now())
    const accepting = acceptAllTransfers({ ...world.deps, db: other.db }, 'upgrade')
    await lockWaits(db)
    return { accepting }
  })
  expect(await accepted.accepting).toBe(1)
  const names = (await audit(db)).map(({ invariant }) => invariant)
  expect(names).not.toContain('the transfers of a user are those that the ledger wrote')
  await other.close()
  await world.close()
})
