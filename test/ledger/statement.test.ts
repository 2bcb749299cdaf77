// The statement of a user: its lines add up to the balance after any sequence of movements, and each names its kind.

import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { foldLines } from '../../src/bot/account/statement.ts'
import { readBalance, type Transfer } from '../../src/ledger/ledger.ts'
import {
  correction,
  promotion,
  refundOrder,
  rewardBackOf,
  rewardOf,
  welcome,
} from '../../src/ledger/moves.ts'
import { statementOf } from '../../src/ledger/statement.ts'
import { createWorld, userWith } from '../support/worlds/generations.ts'
import { hold, holdTurn, postAll, settle, settleTurn } from '../support/worlds/moves.ts'

const world = await createWorld()
afterAll(() => world.close())

const kinds = ['give', 'take', 'promo', 'order', 'refunded order', 'open', 'ask'] as const
const act = fc.record({
  kind: fc.constantFrom(...kinds),
  amount: fc.bigInt(1n, 500_00n),
  kept: fc.bigInt(0n, 100n),
})
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
let count = 0

function movesOf(userId: bigint, { kind, amount, kept }: Act): Transfer[][] {
  count += 1
  const id = `s${count}`
  const order = { id, userId, amount }
  const captured = (amount * kept) / 100n
  const refund = () => refundOrder({ id, userId, amount: captured, spentOn: null }, 'bad')
  const ended = [[hold(order)], settle(order, captured)]
  const moves = {
    give: [[correction(id, userId, amount, 'a gift')]],
    take: [[correction(id, userId, -amount, 'a mistake')]],
    promo: [[promotion(userId, id, amount)]],
    open: [[hold(order)]],
    ask: [[holdTurn(order)], settleTurn(order, captured)],
    order: ended,
    'refunded order': captured > 0n ? [...ended, [refund()]] : ended,
  }
  return moves[kind]
}

/** Posts the moves of one act, and stops after a move that is refused. */
async function perform(userId: bigint, one: Act): Promise<void> {
  for (const moves of movesOf(userId, one)) {
    const posted = await postAll(world.deps.db, moves, world.clock.now())
    if (!posted.ok) return
  }
}

function leadToEachOther(folded: ReturnType<typeof foldLines>, now: bigint): void {
  const isAnswers = (line: (typeof folded)[number] | undefined) =>
    line !== undefined && 'answers' in line && line.answers > 0
  let available = 0n
  for (const [at, line] of folded.entries()) {
    available += line.change
    expect(line.available).toBe(available)
    expect(isAnswers(line) && isAnswers(folded[at - 1])).toBe(false)
  }
  expect(available).toBe(now)
}

it('has lines of the previous balance plus a change, also where lines are folded; the last line is the balance', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
    const { id } = await userWith(world, 300_00n)
    for (const one of acts) await perform(id, one)
    const lines = await statementOf(world.deps.db, id)
    let available = 0n
    for (const line of lines) {
      available += line.change
      expect(line.available).toBe(available)
    }
    const { available: now, held } = await readBalance(world.deps.db, id)
    expect(lines.at(-1)).toMatchObject({ available: now, held })
    const last = await statementOf(world.deps.db, id, 3)
    expect(last).toEqual(lines.slice(-3))
    leadToEachOther(foldLines(lines), now)
  })
  await fc.assert(property, { numRuns: 12, seed: 4 })
})

it('names every kind of move, does not name an invited user, and contains no moves of other users', async () => {
  const { id } = await userWith(world, 0n)
  await userWith(world, 7_00n)
  expect(await statementOf(world.deps.db, id)).toEqual([])
  const one = { id: 'k', userId: id, amount: 50_00n }
  const bonus = { name: 'bonus', of: 'stars:c1', userId: id, amount: 4_00n, topUpId: 't1' } as const
  const steps = [
    [welcome(id, 10_00n)],
    [promotion(id, 'SUMMER', 90_00n)],
    [rewardOf({ name: 'referral', of: '1000000', userId: id, amount: 5_00n })],
    [rewardOf(bonus)],
    [rewardOf({ ...bonus, name: 'code', note: 'MAY-20' })],
    [rewardOf({ name: 'partner', of: 'stars:c2', userId: id, amount: 3_00n })],
    [rewardBackOf({ name: 'partner', of: 'stars:c2', userId: id, amount: 3_00n }, 0n)],
    [rewardBackOf(bonus, 0n)],
    [hold(one)],
    settle(one, 30_00n),
    [refundOrder({ ...one, amount: 30_00n, spentOn: null }, 'sorry')],
    [correction('k1', id, 1_00n, 'thanks')],
    [correction('k2', id, -2_00n, 'oops')],
  ]
  for (const moves of steps)
    expect(await postAll(world.deps.db, moves, world.clock.now())).toEqual({ ok: true })
  const lines = await statementOf(world.deps.db, id)
  expect(lines.map(({ kind, change, note }) => [kind, change, note])).toEqual([
    ['welcome', 10_00n, null],
    ['promo', 90_00n, 'SUMMER'],
    ['referral', 5_00n, null],
    ['bonus', 4_00n, null],
    ['promo', 4_00n, 'MAY-20'],
    ['referral', 3_00n, null],
    ['referral-back', -3_00n, null],
    ['bonus-back', -4_00n, null],
    ['hold', -50_00n, null],
    ['capture', 0n, null],
    ['release', 20_00n, null],
    ['refund-order', 30_00n, 'sorry'],
    ['given', 1_00n, 'thanks'],
    ['taken', -2_00n, 'oops'],
  ])
  expect(lines.at(-1)?.available).toBe(108_00n)
})
