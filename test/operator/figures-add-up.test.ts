// Three days with every kind of transfer: the lines of /admin and of `stats` add up to the kopeck. On a real PostgreSQL.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresText } from '../../src/bot/admin/figures.ts'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { openConversation } from '../../src/chat/conversations.ts'
import { beginTurn } from '../../src/chat/hold.ts'
import { type Outcome, settleAnswer } from '../../src/chat/turns.ts'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { artifacts, generations, payments, topUps, turns } from '../../src/db/schema.ts'
import { post, type Transfer } from '../../src/ledger/ledger.ts'
import * as moves from '../../src/ledger/moves.ts'
import { emptyWallet, fundWallet, openWallet } from '../../src/ledger/wallets.ts'
import { correct } from '../../src/operator/corrections.ts'
import { readFigures } from '../../src/operator/figures.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import { configureProviders } from '../../src/payments/providers.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { loadTexts } from '../../src/texts.ts'
import type { User } from '../../src/users/user.ts'
import {
  createWorld,
  type GenerationWorld,
  json,
  order,
  step,
  userWith,
} from '../support/worlds/generations.ts'
import { boss, paidGeneration, periodOf, reportOf } from '../support/worlds/operator.ts'

const day = 24 * 60 * 60_000
const zone = 'Europe/Moscow'
// The user pays double; an answer of 3 input and 1000 output tokens costs 0.3 + 132 kopecks at the gateway.
const [talker] = textModelList.parse([
  { id: 'talker', family: 'gpt', rates: { input: '1000', output: '1320' }, multiplier: '2', label: 'Talker' },
]) as [TextModel]
const rates = { input: '1000', output: '1320', multiplier: '2' }

let world: GenerationWorld
let anna: User
let updates = 0
/** The amount owed to users at the end of each day. */
const ends: bigint[] = []

beforeAll(async () => {
  world = await createWorld()
  anna = await userWith(world, 100_00n)
  await tellDays()
})
afterAll(() => world.close())

const now = () => world.clock.now()
const figures = (days: number) => readFigures(world.deps.db, periodOf(String(days), now(), zone))
const moved = async (move: Transfer) => expect(await post(world.deps.db, move, now())).toEqual({ ok: true })

async function pays(provider: string, credit: bigint) {
  const id = randomIds.next()
  const row = { userId: anna.id, provider, credit, charge: credit, currency: 'RUB', createdAt: now() }
  await world.deps.db.insert(topUps).values({ id, state: 'paid', ...row })
  await world.deps.db.insert(payments).values({ topUpId: id, chargeId: `charge-${id}`, ...row })
  const payment = { provider, chargeId: `charge-${id}`, userId: anna.id, credit, topUpId: id }
  await moved(moves.deposit(payment))
  return payment
}

async function answered(outcome: Partial<Outcome> = {}) {
  const { db } = world.deps
  updates += 1
  const fresh = { userId: anna.id, modelId: 'talker', system: null, modes: noModes, id: randomIds.next() }
  const conversation = await openConversation(db, { chatId: updates, topicId: 0, ...fresh }, now())
  const begun = await beginTurn(world.deps, {
    id: randomIds.next(),
    conversation,
    userId: anna.id,
    model: talker,
    text: 'Why?',
    files: [],
    messageId: null,
    updateId: updates,
    inputTokens: 3,
    leastOutput: 1000,
  })
  if (!begun.ok) throw new Error(begun.reason)
  const said = { state: 'done', text: 'So.', thinking: '', sources: [], isEstimate: false } as const
  const used = { failure: null, inputTokens: 3, outputTokens: 1000, rates, captured: 265n }
  const ended = await settleAnswer(world.deps, begun.turn, {
    outcome: { ...said, ...used, ...outcome },
    parts: [{ kind: 'text', text: 'So.', entities: [] }],
    lease: begun.turn.lease ?? '',
  })
  if (!ended) throw new Error('not settled')
  return ended
}

async function refused(): Promise<string> {
  world.reset()
  const { id } = await order(world, anna)
  world.gatewayAnswers(json(400, { error: { message: 'no', type: 't', code: 'c' } }))
  await step(world)
  return id
}

async function tellDays() {
  const { deps, clock } = world
  const { db } = deps
  const wallet = await openWallet(db, { ownerId: anna.id, chatId: -7, title: 'We', dailyCap: 100_00n }, now())
  if (!wallet) throw new Error('no wallet')

  await pays('stars', 300_00n)
  const mistaken = await pays('stars', 50_00n)
  await moved(moves.welcome(anna.id, 5_00n))
  const first = await paidGeneration(world, anna)
  await answered()
  await fundWallet(db, { key: 'a', wallet, amount: 30_00n }, now())
  ends.push((await figures(1)).owed.now)

  clock.advance(day)
  await pays('yookassa', 1000_00n)
  await moved(moves.refundPayment(mistaken))
  await db.update(payments).set({ refundedAt: now() }).where(eq(payments.chargeId, mistaken.chargeId))
  await moved(moves.promotion(anna.id, 'SPRING', 7_01n))
  await moved(moves.referral(anna.id, 99n, 3_00n))
  await correct(deps, { key: 'k1', by: boss, userId: anna.id, amount: 20_00n, reason: 'sorry' })
  await correct(deps, { key: 'k2', by: boss, userId: anna.id, amount: -1_11n, reason: 'mistake' })
  await refundGeneration(deps, { by: boss, generationId: first.id, reason: 'blank' })
  await paidGeneration(world, anna)
  const lost = await answered()
  await moved(moves.refundTurn({ ...lost, walletId: null }, 265n, 'not delivered'))
  await db.update(turns).set({ refunded: 265n }).where(eq(turns.id, lost.id))
  await emptyWallet(db, { key: 'b', wallet }, now())
  await fundWallet(db, { key: 'c', wallet, amount: 10_00n }, now())
  ends.push((await figures(1)).owed.now)

  clock.advance(day)
  await reportOf(world, await paidGeneration(world, anna))
  await answered()
  await answered({ rates: null, captured: 1_00n })
  await answered({ isEstimate: true })
  await answered({ state: 'failed', captured: 0n, outputTokens: 0, isEstimate: true })
  // The provider refuses a refund: the credit that was taken is returned.
  const kept = await pays('stars', 40_00n)
  const taken = moves.refundPayment(kept)
  await moved(taken)
  await moved(moves.correction(taken.key, anna.id, kept.credit, 'refund refused'))
  const late = await refused()
  const file = { generationId: late, position: 0, url: 'https://a.example/1.mp4' }
  await db.insert(artifacts).values(file)
  await db.update(generations).set({ arrivedLateAt: now() }).where(eq(generations.id, late))
  world.reset()
  await order(world, anna)
}

/** All amounts of a line, in kopecks. */
const amountsIn = (line: string): bigint[] =>
  [...line.replace(/\s/g, ' ').matchAll(/([−+]?)(\d(?:\d| (?=\d{3}))*)(?:,(\d\d))? ₽/g)].map(
    ([, sign, whole = '', part = '00']) => {
      const amount = BigInt(whole.replaceAll(' ', '') + part)
      return sign === '−' ? -amount : amount
    },
  )
const sum = (amounts: readonly (bigint | undefined)[]): bigint =>
  amounts.reduce<bigint>((all, one) => all + (one ?? 0n), 0n)

async function stats(days: number): Promise<readonly string[]> {
  const deps = { ...world.deps, ask: undefined, timeZone: zone }
  const { code, lines } = await runCommand(deps, ['stats', String(days)])
  expect(code).toBe(0)
  return lines
}

async function caption(days: number): Promise<readonly string[]> {
  const period = periodOf(String(days), now(), zone)
  const found = await readFigures(world.deps.db, period)
  const sold = { catalog: world.deps.catalog, textModels: [talker] }
  const text = figuresText(loadTexts()('ru'), period, found, sold)
  return text.replace(/<[^>]*>|[\u2066-\u2069]/g, '').split('\n')
}

const amountsAfter = (lines: readonly string[], start: string): bigint[] => {
  const line = lines.find((one) => one.trim().startsWith(start))
  if (!line) throw new Error(`no line ${start} in\n${lines.join('\n')}`)
  return amountsIn(line)
}

describe.each([1, 2, 30])('the lines of %i days add up', (days) => {
  it('in the terminal', async () => {
    const lines = await stats(days)
    const after = (start: string) => amountsAfter(lines, start)
    const [sales, refunds, revenue = 0n] = after('Sales')
    expect(sum([sales, -(refunds ?? 0n)])).toBe(revenue)
    const [media, text, cost = 0n] = after('Gateway')
    expect(sum([media, text])).toBe(cost)
    expect(after('Margin')).toEqual([revenue - cost])
    const models = lines.filter((line) => line.includes('sales − refunds − cost')).map(amountsIn)
    for (const [sold = 0n, back = 0n, paid = 0n, left] of models) expect(sold - back - paid).toBe(left)
    const totals = [0, 1, 2, 3].map((at) => sum(models.map((one) => one[at])))
    expect(totals).toEqual([sales, refunds, cost, revenue - cost])
    const from = lines.findIndex((line) => line.startsWith('Owed to users before'))
    const to = lines.findIndex((line) => line.startsWith('Owed to users at the end'))
    const [topUp = 0n, ...byProvider] = after('top-ups')
    expect(sum(byProvider)).toBe(topUp)
    const changes = lines
      .slice(from + 1, to)
      .flatMap((line) => (line.includes('top-ups') ? [topUp] : amountsIn(line)))
    const [owed, ...parts] = after('Owed to users at the end')
    expect(sum([...after('Owed to users before'), ...changes])).toBe(owed)
    expect(sum(parts)).toBe(owed)
    expect([-(sales ?? 0n), refunds]).toEqual([...after('sales'), ...after('refunds of orders')])
  })

  it('in the chat, with the same amounts', async () => {
    const lines = await caption(days)
    const terminal = (await stats(days)).flatMap(amountsIn).map((amount) => (amount < 0n ? -amount : amount))
    for (const amount of lines.flatMap(amountsIn)) expect(terminal).toContain(amount < 0n ? -amount : amount)
    expect(lines.join('\n').length).toBeLessThanOrEqual(1024)
  })
})

describe('the figures of the last day', () => {
  it('are those computed by hand', async () => {
    const today = await figures(1)
    const price = 92_45n
    // Two answers, of 132.3 kopecks each. The one without rates and the one that the gateway refused add nothing.
    const text = 2_65n
    expect(today).toMatchObject({
      sales: price + 2n * 265n + 1_00n,
      refunds: 0n,
      mediaCost: 2n * price,
      textCost: text,
      late: { count: 1, cost: price },
      estimated: 1,
      uncosted: { count: 1, sales: 1_00n },
      topUps: [{ provider: 'stars', count: 1, credit: 40_00n }],
    })
    expect(today.owed).toMatchObject({
      paymentRefunds: 0n,
      grants: 0n,
      debits: 0n,
      held: price,
      groups: 10_00n,
    })
  })

  it('subtract a refund on its own day, and keep the cost', async () => {
    const found = await figures(3)
    expect(found.bars.map(({ revenue }) => revenue)).toEqual([95_10n, 0n, 98_75n])
    expect(found.bars.map(({ cost }) => cost)).toEqual([93_77n, 93_77n, 187_55n])
    expect(found).toMatchObject({
      total: { came: 1, ordered: 1, paid: 1, done: 8, failed: 2 },
      activeUsers: 1,
      openReports: 1,
    })
    expect(found.models).toMatchObject([
      { modelId: 'talker', done: 5, failed: 1 },
      { modelId: 'MODEL-VIDEO-REEL', done: 3, failed: 1 },
    ])
  })

  it('begin with what was owed at the end of the day before', async () => {
    expect((await figures(1)).owed.before).toBe(ends[1])
    const { before, now: owedNow } = (await figures(2)).owed
    expect(before).toBe(ends[0])
    expect((await figures(30)).owed).toMatchObject({
      before: 0n,
      now: owedNow,
      promotions: 15_01n,
      debits: -1_11n,
    })
  })
})

it('the margin is after the commissions that the settings name, and says which are missing', async () => {
  const period = periodOf('30', now(), zone)
  const { configured } = configureProviders({
    TOPUP_ROUBLES_PER_STAR: '1.20',
    YOOKASSA_SHOP_ID: '100500',
    YOOKASSA_SECRET_KEY: 'secret',
    YOOKASSA_COMMISSION: '3.5',
  })
  const before = await figures(30)
  const found = await readFigures(world.deps.db, period, configured)
  // 3.5 % of 1000 roubles; nothing says what a Star brings.
  expect(found.commissions).toEqual({ known: 35_00n, unknown: ['stars'] })
  expect(found.margin).toBe(before.margin - 35_00n)
  const text = figuresText(loadTexts()('ru'), period, found, { catalog: world.deps.catalog, textModels: [] })
  expect(text).toContain('Вычтены комиссии за пополнения: 35\u00a0₽')
  expect(text).toContain('До комиссий: stars')
})
