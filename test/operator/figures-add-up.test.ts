// Three days with every kind of transfer, then a month: the figures of /admin and of `stats` agree to the kopeck: days sum to the month,
// models and sources sum to the total, and the total equals the ledger. Runs on a real PostgreSQL.

import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresText } from '../../src/bot/admin/figures.ts'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { openConversation } from '../../src/chat/conversations.ts'
import { beginTurn } from '../../src/chat/hold.ts'
import { type Outcome, settleAnswer } from '../../src/chat/turns.ts'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { accounts, artifacts, generations, transfers, turns, users } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, type Transfer } from '../../src/ledger/ledger.ts'
import * as moves from '../../src/ledger/moves.ts'
import { redeem } from '../../src/ledger/promo.ts'
import { storeBonuses } from '../../src/ledger/referral.ts'
import { emptyWallet, fundWallet, openWallet } from '../../src/ledger/wallets.ts'
import { entriesOf, sumsOf } from '../../src/operator/accounting.ts'
import { correct } from '../../src/operator/corrections.ts'
import { type Figures, readFigures } from '../../src/operator/figures.ts'
import { type Period, wordsBeside } from '../../src/operator/periods.ts'
import { addPromo, setPartner } from '../../src/operator/promo.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import { setSource } from '../../src/operator/sources.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { findPayment, type Payment } from '../../src/payments/payment.ts'
import type { RefundOutcome } from '../../src/payments/provider.ts'
import {
  configureProviders,
  createProviders,
  type ProviderId,
  providerIds,
} from '../../src/payments/providers.ts'
import { noteRefund, refundPayment } from '../../src/payments/refunds.ts'
import { createRewards } from '../../src/payments/rewards.ts'
import { creditPayment, openTopUp, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { dayAfter, startOfDay } from '../../src/runtime/clock.ts'
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

beforeAll(async () => {
  world = await createWorld()
  anna = await userWith(world, 100_00n)
  const topUp = { bonusSteps }
  await storeBonuses(world.deps.db, { ...given, welcomeCredit: 5_00n, invitedBonus: 4_00n, topUp })
  await tellDays()
})
afterAll(async () => {
  const found = await audit(world.deps.db)
  await world.close()
  expect(found).toEqual([])
})

const now = () => world.clock.now()
const figures = (days: number) => readFigures(world.deps.db, periodOf(String(days), now(), zone))
const moved = async (move: Transfer) => expect(await post(world.deps.db, move, now())).toEqual({ ok: true })

/** What Telegram does when it is asked to refund Stars. */
const stars: { refund: RefundOutcome } = { refund: { is: 'done' } }
const methods = configureProviders({
  ...{ TOPUP_ROUBLES_PER_STAR: '2', TOPUP_RUB_PROVIDER_TOKEN: '1:TEST:2' },
  ...{ YOOKASSA_SHOP_ID: '100500', YOOKASSA_SECRET_KEY: 'secret', CRYPTOPAY_TOKEN: '1:secret-token' },
  ...{ PLATEGA_MERCHANT_ID: randomUUID(), PLATEGA_SECRET: 'secret' },
}).configured
const bonusSteps = [{ from: 500_00n, percent: 5 }]
const given = {
  referralBonus: 3_00n,
  referralPercent: 10,
  referralPayments: undefined,
  wakeNotices: () => undefined,
}

function paying(): TopUpDeps {
  const starAccount = {
    refund: async () => stars.refund,
    transactions: async () => ({ count: 0, movements: [] }),
  }
  const context = { clock: world.clock, vatCode: undefined, returnUrl: () => '', starAccount }
  const deps = { ...world.deps, ...given }
  const limits = { min: 1_00n, max: 15_000_00n }
  const providers = createProviders(methods, context)
  return { ...deps, providers, limits, bonusSteps, followUp: createRewards(deps) }
}

async function pays(providerId: ProviderId, credit: bigint, { id: userId } = anna): Promise<Payment> {
  const opened = await openTopUp(paying(), userId, credit, providerId)
  if (!opened.ok) throw new Error(opened.reason)
  const { id: topUpId, provider, charge, currency } = opened.topUp
  const chargeId = `charge-${topUpId}`
  const credited = await creditPayment(paying(), { provider, topUpId, userId, currency, charge }, chargeId)
  expect(credited).toEqual({ ok: true, credit })
  return (await findPayment(world.deps.db, provider, chargeId)) ?? expect.unreachable()
}

/** Of Stars the operator asks Telegram; the others tell of it. */
async function givesBack({ provider, chargeId, credit, charge }: Payment) {
  if (provider === 'stars')
    expect(await refundPayment(paying(), provider, chargeId)).toEqual({ ok: true, credit })
  else expect(await noteRefund(paying(), provider, chargeId, charge)).toBe('noted')
}

const givesHalfBack = ({ provider, chargeId, charge }: Payment) =>
  noteRefund(paying(), provider, chargeId, charge / 2n)

/** The provider refuses a refund: the credit that was taken is returned. */
async function refusesRefund({ provider, chargeId }: Payment) {
  stars.refund = { is: 'refused', said: 'CHARGE_NOT_FOUND' }
  expect(await refundPayment(paying(), provider, chargeId)).toMatchObject({ ok: false, reason: 'refused' })
  stars.refund = { is: 'done' }
}

async function redeems(by: User, code: string, gift: { amount: bigint; percent: number | null }) {
  const { db } = world.deps
  expect(await addPromo(world.deps, code, { by: boss, ...gift, maxUses: 1, expiresAt: null })).toBe(true)
  expect(await redeem(db, { userId: by.id, personHash: `p${by.id}` }, code, now())).toMatchObject({
    ok: true,
  })
}

async function answered(outcome: Partial<Outcome> = {}, { id: userId } = anna) {
  const { db } = world.deps
  updates += 1
  const fresh = { userId, modelId: 'talker', system: null, modes: noModes, id: randomIds.next() }
  const conversation = await openConversation(db, { chatId: updates, topicId: 0, ...fresh }, now())
  const begun = await beginTurn(world.deps, {
    id: randomIds.next(),
    conversation,
    userId,
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

/** An order is refused, and its result comes after that. */
async function comesLate(by = anna) {
  const { db } = world.deps
  world.reset()
  const { id } = await order(world, by)
  world.gatewayAnswers(json(400, { error: { message: 'no', type: 't', code: 'c' } }))
  await step(world)
  await db.insert(artifacts).values({ generationId: id, position: 0, url: 'https://a.example/1.mp4' })
  await db.update(generations).set({ arrivedLateAt: now() }).where(eq(generations.id, id))
  world.reset()
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

  clock.advance(day)
  await pays('yookassa', 1000_00n)
  await givesBack(mistaken)
  await redeems(anna, 'SPRING', { amount: 7_01n, percent: null })
  await correct(deps, { key: 'k1', by: boss, userId: anna.id, amount: 20_00n, reason: 'sorry' })
  await correct(deps, { key: 'k2', by: boss, userId: anna.id, amount: -1_11n, reason: 'mistake' })
  await refundGeneration(deps, { by: boss, generationId: first.id, reason: 'blank' })
  await paidGeneration(world, anna)
  const lost = await answered()
  await moved(moves.refundTurn({ ...lost, walletId: null }, 265n, 'not delivered'))
  await db.update(turns).set({ refunded: 265n, delivery: 'undeliverable' }).where(eq(turns.id, lost.id))
  await emptyWallet(db, { key: 'b', wallet }, now())
  await fundWallet(db, { key: 'c', wallet, amount: 10_00n }, now())

  clock.advance(day)
  await reportOf(world, await paidGeneration(world, anna))
  await answered()
  await answered({ rates: null, captured: 1_00n })
  await answered({ isEstimate: true })
  await answered({ state: 'failed', captured: 0n, outputTokens: 0, isEstimate: true })
  await refusesRefund(await pays('stars', 40_00n))
  await comesLate()
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

describe.each([1, 30])('the lines of %i days add up', (days) => {
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

describe('a month with everything on', () => {
  let month: Period
  let found: Figures
  const of = (words: string) => readFigures(world.deps.db, periodOf(words, now(), zone))
  let people: readonly User[] = []

  type Event = (by: User, paid: Payment, at: number) => Promise<unknown>
  /** What happens every so many days, from that day of the month on. */
  const events: readonly (readonly [every: number, from: number, event: Event])[] = [
    [1, 0, (by) => answered({}, by)],
    [5, 0, (by, _, at) => redeems(by, `CODE-${at}`, { amount: 1_01n, percent: null })],
    [31, 5, (by) => redeems(by, 'PERCENT-A', { amount: 50_00n, percent: 20 })],
    [31, 6, (by) => redeems(by, 'PERCENT-B', { amount: 50_00n, percent: 20 })],
    [7, 1, (_, paid) => givesBack(paid)],
    [7, 4, (_, paid) => givesHalfBack(paid)],
    [15, 5, (_, paid) => refusesRefund(paid)],
    [7, 2, (by, _, at) => corrects(by, at, at % 2 === 0 ? 7_77n : -3_33n)],
    [31, 5, ({ id }) => moved(moves.welcome(id, 5_00n))],
    [31, 5, ({ id }) => moved(moves.invited(id, 4_00n))],
    [31, 12, async () => (onlyPayment = await pays('platega', 500_00n, dina))],
    [31, 20, async () => givesBack(onlyPayment ?? expect.unreachable())],
    [8, 5, (by) => comesLate(by)],
    [4, 1, (by) => paidGeneration(world, by)],
    [12, 9, async (by) => refunds(await paidGeneration(world, by))],
    [12, 3, async (by, _, at) => supportRefunds(await paidGeneration(world, by), month.days[at] ?? '')],
  ]
  let dina: User
  let onlyPayment: Payment | undefined
  const corrects = ({ id: userId }: User, at: number, amount: bigint) =>
    correct(world.deps, { by: boss, userId, key: `month-${at}`, amount, reason: 'so' })
  const refunds = ({ id: generationId }: Generation) =>
    refundGeneration(world.deps, { by: boss, generationId, reason: 'blank' })
  const supportRefunds = async ({ id: generationId }: Generation, date: string) => {
    const allowance = { operatorId: 900_002, day: date, most: 100_00n }
    const refund = { by: 900_002, allowance, generationId, reason: 'blurred' }
    expect(await refundGeneration(world.deps, refund)).toMatchObject({ ok: true })
  }

  /** On odd days everything happens in the last second, and orders end on the next day. */
  beforeAll(async () => {
    const { deps, clock } = world
    month = periodOf(wordsBeside(periodOf('month', now(), zone), 'after'), now(), zone)
    const goTo = (ms: number) => clock.advance(Math.max(0, ms - now().getTime()))
    goTo(month.since.getTime())
    const [boris, clara] = [await userWith(world, 100_00n), await userWith(world, 100_00n)]
    await setSource(deps.db, boris.id, 'blog')
    await deps.db.update(users).set({ referrerId: boris.id }).where(eq(users.id, clara.id))
    dina = await userWith(world, 0n)
    await deps.db.update(users).set({ referrerId: boris.id }).where(eq(users.id, dina.id))
    const partner = { by: boss, userId: boris.id, percent: 20, reason: 'a blog' }
    expect(await setPartner(deps, partner)).toBe(true)
    people = [anna, boris, clara]
    for (const [at, date] of month.days.entries()) {
      goTo(startOfDay(date, zone).getTime() + (at % 2) * (day - 1))
      const by = people[at % 3] ?? anna
      const provider = providerIds[at % providerIds.length] ?? expect.unreachable()
      const paid = await pays(provider, at % 2 === 0 ? 600_00n : 400_00n, by)
      const due = events.filter(([every, from]) => at % every === from)
      for (const [, , event] of due) await event(by, paid, at)
    }
    found = await of(month.firstDay.slice(0, 7))
  }, 60_000)

  it('is the sum of its days, each of which begins with what was owed at the end of the one before', async () => {
    const all: Record<string, bigint> = {}
    let before = found.owed.before
    for (const date of month.days) {
      const one = await of(date)
      expect(found.days).toContainEqual({ day: date, ...resultOf(one) })
      expect(one.owed.before).toBe(before)
      before = one.owed.now
      for (const [name, amount] of changesOf(one)) all[name] = (all[name] ?? 0n) + amount
    }
    expect(all).toEqual(Object.fromEntries(changesOf(found)))
    expect(before).toBe(found.owed.now)
  })

  it('is the sum of its models, and of its sources', () => {
    for (const parts of [found.models, found.sources, found.days])
      for (const name of ['sales', 'refunds', 'revenue', 'cost', 'margin'] as const)
        expect(sum(parts.map((one) => one[name]))).toBe(resultOf(found)[name])
    expect(sum(found.sources.map(({ topUps }) => topUps))).toBe(found.owed.topUps)
    expect(found.sources.map(({ source, came, ordered, paid }) => [source, came, ordered, paid])).toEqual([
      ['invited', 2, 1, 2],
      ['blog', 1, 1, 1],
      ['direct', 0, 0, 0],
    ])
    const newRevenue = found.sources.map((one) => one.newRevenue)
    expect(newRevenue).toEqual(found.sources.map(({ came, revenue }) => (came > 0 ? revenue : 0n)))
  })

  it('is what the ledger and the accounting say', async () => {
    const { db } = world.deps
    const rows = await db.select().from(transfers)
    const inMonth = rows.filter(({ createdAt }) => createdAt >= month.since && createdAt < month.until)
    const side = (name: 'credit' | 'debit', account: string) =>
      sum(inMonth.filter((one) => one[name] === account).map(({ amount }) => amount))
    const net = (account: string) => side('credit', account) - side('debit', account)
    const { owed, revenue } = found
    expect([revenue, -owed.promotions]).toEqual([net('revenue'), net('promotions')])
    const outside = owed.topUps + owed.paymentRefunds + owed.grants + owed.debits
    expect(-outside).toBe(net('provider') + net('corrections'))
    const sums = sumsOf(await entriesOf(db, month, []))
    const change = (kind: string) => sum(sums.filter(({ what }) => what === kind).map((one) => one.change))
    expect(['payment', 'refund', 'promotion', 'correction'].map(change)).toEqual([
      owed.topUps,
      owed.paymentRefunds,
      owed.promotions,
      owed.grants + owed.debits,
    ])
    const charged = (currency: string) =>
      providerIds.filter((id) => (id === 'stars') === (currency === 'XTR'))
    const moved = (what: string, currency: string) =>
      charged(currency).map((id) => `${what} ${id} ${currency}`)
    const gifts =
      'bonus bonus-back code code-back invited partner partner-back promo referral referral-back welcome'
    expect(sums.map(({ what, by, currency }) => `${what} ${by} ${currency ?? ''}`.trim()).toSorted()).toEqual(
      ['payment', 'refund']
        .flatMap((what) => ['XTR', 'RUB'].flatMap((currency) => moved(what, currency)))
        .concat(
          gifts.split(' ').map((kind) => `promotion ${kind}`),
          'correction correction',
        )
        .toSorted(),
    )
    // A Star for two roubles; a refused refund leaves them.
    for (const one of sums.filter(({ currency }) => currency === 'XTR'))
      expect(one.charge * 2_00n).toBe(one.change)
  })

  it('does not change when it is over', async () => {
    world.clock.advance(3 * day)
    await pays('stars', 500_00n)
    await paidGeneration(world, anna)
    expect(await of(month.firstDay.slice(0, 7))).toEqual(found)
    const { owed } = await of(`${dayAfter(month.lastDay, 1)}..today`)
    expect(owed.before).toBe(found.owed.now)
    const kept = await world.deps.db.select().from(accounts)
    expect(owed.now).toBe(sum(kept.map(({ available, held }) => available + held)))
  })
})

const resultOf = ({
  sales,
  refunds,
  revenue,
  cost,
}: Pick<Figures, 'sales' | 'refunds' | 'revenue' | 'cost'>) => ({
  sales,
  refunds,
  revenue,
  cost,
  margin: revenue - cost,
})

interface Numbers {
  readonly [name: string]: bigint | number | Numbers
}
const flat = (numbers: Numbers, path = ''): [name: string, amount: bigint][] =>
  Object.entries(numbers).flatMap(([name, one]) =>
    typeof one === 'object' ? flat(one, `${path}${name}.`) : [[path + name, BigInt(one)]],
  )

/** All that adds up over days. */
function changesOf(one: Figures) {
  const { mediaCost, textCost, late, lost, estimated, uncosted, total, topUps: by, owed } = one
  const { came, done, failed } = total
  const { topUps, paymentRefunds, promotions, grants, debits, sales, refunds } = owed
  return flat({
    ...resultOf(one),
    ...{ mediaCost, textCost, late, lost, estimated, uncosted, came, done, failed },
    owed: { topUps, paymentRefunds, promotions, grants, debits, sales, refunds },
    by: Object.fromEntries(by.map(({ provider, ...sums }) => [provider, sums])),
  })
}
