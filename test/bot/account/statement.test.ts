// The statement: its lines add up to the balance after any sequence of movements, in the chat and in the CSV file.

import { eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldLines } from '../../../src/bot/account/statement.ts'
import { generations, transfers, users } from '../../../src/db/schema.ts'
import { readBalance, type Transfer } from '../../../src/ledger/ledger.ts'
import {
  correction,
  promotion,
  refundOrder,
  rewardBackOf,
  rewardOf,
  welcome,
} from '../../../src/ledger/moves.ts'
import { statementOf } from '../../../src/ledger/statement.ts'
import { csv, csvAmount } from '../../../src/runtime/csv.ts'
import { groupOf } from '../../support/users/group.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf } from '../../support/users/user.ts'
import { createWorld, type GenerationWorld, userWith } from '../../support/worlds/generations.ts'
import { hold, holdTurn, postAll, settle, settleTurn } from '../../support/worlds/moves.ts'

describe('sums', () => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld()
  })
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
})

it('the CSV file quotes cells where needed, marks text that a spreadsheet would run, and writes amounts as the language does', () => {
  const amounts = [0n, 5n, -92_45n, 1_234_567_89n].map((kopecks) => csvAmount(kopecks, ','))
  expect([...amounts, csvAmount(-92_45n, '.')]).toEqual(['0,00', '0,05', '-92,45', '1234567,89', '-92.45'])
  expect(csv([['a;b', 'c,d', '-5.00']], '.')).toBe('\uFEFFa;b,"c,d",-5.00\r\n')
  const rows = [['a;b', 'say "hi"', '=1+1', '-5,00', '-note', 'x\ny']]
  expect(csv(rows, ',')).toBe(`\uFEFF"a;b";"say ""hi""";'=1+1;-5,00;'-note;"x\ny"\r\n`)
})

describe('/statement', () => {
  // Its own sandbox: the audit would find the rows that these tests change.
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
  })
  afterAll(() => sandbox.stop())

  /** Sets the time of all movements of a user: midnight in Moscow may come between them while a test runs. */
  async function movesAreOf({ id }: { readonly id: number }, createdAt: Date): Promise<void> {
    const { db } = sandbox.app
    const own = db.select({ id: users.id }).from(users).where(eq(users.telegramId, id))
    await db.update(transfers).set({ createdAt }).where(inArray(transfers.userId, own))
  }

  it('shows the last movements and sends all of them as a file; it names no id of an order or a model', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/image a fox')
    const { text = '' } = await anna.asks('/statement', / · Order · .*: −₽5.28 → ₽94.72/)
    expect(text).toMatch(/Balance: ₽94.72/)
    expect(text).toMatch(/\+₽100.00 → ₽100.00/)
    const { document } = await anna.sees((message) => /\.csv$/.test(message.document?.file_name ?? ''))
    expect(document?.file_name).toMatch(/^statement-\d{4}-\d\d-\d\d\.csv$/)
    const file = await fetch(`${sandbox.url}/api/files/${document?.file_id}`)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const rows = bytes.toString().trim().split('\r\n').slice(1)
    const cells = rows.map((row) => row.split(','))
    expect(cells.reduce((total, [, , change]) => total + Number(change), 0)).toBeCloseTo(94.72)
    expect(cells.at(-1)?.[3]).toBe('94.72')
    expect(cells.at(-1)?.[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(bytes.toString()).not.toContain(id)
    expect(cells.slice(-2).map((row) => row[7])).toEqual(['1', '1'])
    const past = { modelId: 'MODEL-OF-THE-PAST' }
    await sandbox.app.db.update(generations).set(past).where(eq(generations.id, id))
    await anna.asks('/statement', / · Order · a model that is no longer sold/)
    expect(await anna.transcript()).not.toContain('MODEL-OF-THE-PAST')
    await anna.in(await groupOf(sandbox, anna)).asks('/statement', /our private chat/)
  })

  it('names the model of an answer, and folds the answers of a day into one line', async () => {
    const dora = await sandbox.user('Dora')
    for (const question of ['one', 'two', 'three']) {
      await dora.asks(`/chat ${question} [short]`, (one) => labelsOf(one).includes('🔁 Again'))
      if (question !== 'one') continue
      await dora.asks('/statement', / · Answer · Assistant: −/)
    }
    await movesAreOf(dora, new Date('2026-11-21T12:00:00Z'))
    const { text = '' } = await dora.asks('/statement', /2 of 2[\s\S]*answers/)
    expect(text.match(/3 answers: −₽[\d.]+ → ₽99.\d\d/g)).toHaveLength(1)
  })

  it('has one line for a question that is still being answered, and says what is held for it', async () => {
    const finn = await sandbox.user('Finn')
    await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
    await finn.sends('Tell me everything about boards [long]')
    await finn.seesDraft(/boards/)
    const { text = '' } = await finn.asks('/statement', /latest entries/)
    expect(text).toMatch(/2 of 2/)
    const [, change, after] = text.match(/Answer · Assistant: −₽([\d.]+) → ₽([\d.]+)/) ?? []
    expect(Number(change) + Number(after)).toBeCloseTo(100)
    expect(text).toContain(`Balance: ₽${after}`)
    expect(text).toContain(`Set aside for orders in progress: ₽${change}`)
    await finn.stops()
    await finn.sees(/Stopped/)
  })
})
