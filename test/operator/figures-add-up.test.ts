// Three days, whose figures are computed by hand, then a month with every kind of transfer: the figures agree to the kopeck:
// days sum to the month, models and sources sum to the total, and the total equals the ledger. Runs on a real PostgreSQL.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figuresText } from '../../src/bot/admin/texts.ts'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { accounts, transfers, turns, users } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, type Transfer } from '../../src/ledger/ledger.ts'
import * as moves from '../../src/ledger/moves.ts'
import { emptyWallet, fundWallet, openWallet, type Wallet } from '../../src/ledger/wallets.ts'
import { entriesOf, sumsOf } from '../../src/operator/accounting.ts'
import { correct } from '../../src/operator/corrections.ts'
import { type Figures, readFigures } from '../../src/operator/figures.ts'
import { type Period, wordsBeside } from '../../src/operator/periods.ts'
import { setPartner } from '../../src/operator/promo.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import { setSource } from '../../src/operator/sources.ts'
import type { Generation } from '../../src/orders/generation.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { configureProviders, providerIds } from '../../src/payments/providers.ts'
import { dayAfter, startOfDay } from '../../src/runtime/clock.ts'
import { loadTexts, withoutHtml } from '../../src/texts.ts'
import type { User } from '../../src/users/user.ts'
import { order, userWith } from '../support/worlds/generations.ts'
import { boss, paidGeneration, periodOf, reportOf, terminal } from '../support/worlds/operator.ts'
import { createTrade, talker } from '../support/worlds/trade.ts'

const day = 24 * 60 * 60_000
const zone = 'Europe/Moscow'
const { world, pays, givesBack, givesHalfBack, refusesRefund, redeems, answered, comesLate } =
  await createTrade()
let anna: User
let wallet: Wallet

beforeAll(async () => {
  anna = await userWith(world, 100_00n)
  const group = { ownerId: anna.id, chatId: -7, title: 'We', dailyCap: 100_00n }
  wallet = (await openWallet(world.deps.db, group, now())) ?? expect.unreachable()
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

const refunds = ({ id: generationId }: Generation) =>
  refundGeneration(world.deps, { by: boss, generationId, reason: 'blank' })

async function tellDays() {
  const { deps, clock } = world
  const { db } = deps
  await pays(anna, 'stars', 300_00n)
  const first = await paidGeneration(world, anna)
  await answered(anna)

  clock.advance(day)
  await pays(anna, 'yookassa', 1000_00n)
  await refunds(first)
  await paidGeneration(world, anna)
  const lost = await answered(anna)
  await moved(moves.refundTurn({ ...lost, walletId: null }, 265n, 'not delivered'))
  await db.update(turns).set({ refunded: 265n, delivery: 'undeliverable' }).where(eq(turns.id, lost.id))
  await fundWallet(db, { key: 'a', wallet, amount: 10_00n }, now())

  clock.advance(day)
  await reportOf(world, await paidGeneration(world, anna))
  await answered(anna)
  await answered(anna, { rates: null, captured: 1_00n })
  await answered(anna, { isEstimate: true })
  await answered(anna, { state: 'failed', captured: 0n, outputTokens: 0, isEstimate: true })
  await refusesRefund(await pays(anna, 'stars', 40_00n))
  await comesLate(anna)
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

/** The text of /admin in Russian, with all models or in so many characters. */
function textOf(period: Period, found: Figures, longest?: number): readonly string[] {
  const reading = { ...terminal(world.deps), textModels: [talker] }
  const html = figuresText(reading, reading.texts('ru'), period, found, longest)
  return withoutHtml(html)
    .replaceAll(/[\u2066-\u2069]/g, '')
    .split('\n')
}

const amountsAfter = (lines: readonly string[], start: string): bigint[] => {
  const line = lines.find((one) => one.startsWith(start))
  if (!line) throw new Error(`no line ${start} in\n${lines.join('\n')}`)
  return amountsIn(line)
}

function addUp(lines: readonly string[]): void {
  const after = (start: string) => amountsAfter(lines, start)
  const [revenue = 0n, sales = 0n, refunds = 0n] = after('🟦 Выручка')
  const [cost = 0n, media, text] = after('🟧 Шлюз')
  expect([sales - refunds, sum([media, text]), revenue - cost]).toEqual([revenue, cost, ...after('Маржа')])
  const models = lines.filter((line) => line.includes('%) · ')).map(amountsIn)
  for (const [sold = 0n, back = 0n, paid = 0n, left] of models) expect(sold - back - paid).toBe(left)
  const totals = [0, 1, 2, 3].map((at) => sum(models.map((one) => one[at])))
  expect(totals).toEqual([sales, refunds, cost, revenue - cost])
  const [owed, ...parts] = after('💰 Долг')
  const topUps = after('Пополнения')
  expect(sum(lines.filter((line) => line.startsWith('💳')).flatMap(amountsIn))).toBe(topUps[0])
  const changes = [...topUps, ...after('Бонусы'), ...after('Исправления'), ...after('Продажи')]
  expect([sum(parts), sum([...after('Было'), ...changes])]).toEqual([owed, owed])
  expect(after('Продажи')).toEqual([-sales, refunds])
}

it('the lines of a day add up, and are those of the terminal', async () => {
  const period = periodOf('1', now(), zone)
  const found = await figures(1)
  addUp(textOf(period, found))
  const said = await runCommand(terminal(world.deps), ['stats', '1'])
  const html = figuresText(terminal(world.deps), loadTexts()('en'), period, found)
  expect(said).toEqual({ code: 0, lines: withoutHtml(html).split('\n') })
})

describe('the figures', () => {
  it('of the last day are those computed by hand', async () => {
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
    const owed = { paymentRefunds: 0n, grants: 0n, debits: 0n, held: price, groups: 10_00n }
    expect(today.owed).toMatchObject(owed)
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
  const found = await readFigures(world.deps.db, period, configured)
  // 3.5 % of 1000 roubles; nothing says what a Star brings.
  expect(found.commissions).toEqual({ known: 35_00n, unknown: ['stars'] })
  expect(found.margin).toBe((await figures(30)).margin - 35_00n)
  const text = textOf(period, found)
  expect(text).toContain('💳 Вычтены комиссии за пополнения: 35\u00a0₽')
  expect(text).toContain('⚠️ До комиссий: stars')
})

describe('a month with everything on', () => {
  let month: Period
  let found: Figures
  const of = (words: string) => readFigures(world.deps.db, periodOf(words, now(), zone))
  let people: readonly User[] = []

  type Event = (by: User, paid: Payment, at: number) => Promise<unknown>
  /** What happens every so many days, from that day of the month on. */
  const events: readonly (readonly [every: number, from: number, event: Event])[] = [
    [1, 0, (by) => answered(by)],
    [5, 0, (by, _, at) => redeems(by, `CODE-${at}`, { amount: 1_01n, percent: null })],
    [31, 5, (by) => redeems(by, 'PERCENT-A', { amount: 50_00n, percent: 20 })],
    [31, 6, (by) => redeems(by, 'PERCENT-B', { amount: 50_00n, percent: 20 })],
    [7, 1, (_, paid) => givesBack(paid)],
    [7, 4, (_, paid) => givesHalfBack(paid)],
    [15, 5, (_, paid) => refusesRefund(paid)],
    [7, 2, (by, _, at) => corrects(by, at, at % 2 === 0 ? 7_77n : -3_33n)],
    [31, 5, ({ id }) => moved(moves.welcome(id, 5_00n))],
    [31, 5, ({ id }) => moved(moves.invited(id, 4_00n))],
    [31, 12, async () => (onlyPayment = await pays(dina, 'platega', 500_00n))],
    [31, 20, async () => givesBack(onlyPayment ?? expect.unreachable())],
    [8, 5, (by) => comesLate(by)],
    [31, 8, () => fundWallet(world.deps.db, { key: 'b', wallet, amount: 30_00n }, now())],
    [31, 15, () => emptyWallet(world.deps.db, { key: 'c', wallet }, now())],
    [4, 1, (by) => paidGeneration(world, by)],
    [12, 9, async (by) => refunds(await paidGeneration(world, by))],
    [12, 3, async (by, _, at) => supportRefunds(await paidGeneration(world, by), month.days[at] ?? '')],
  ]
  let dina: User
  let onlyPayment: Payment | undefined
  const corrects = ({ id: userId }: User, at: number, amount: bigint) =>
    correct(world.deps, { by: boss, userId, key: `month-${at}`, amount, reason: 'so' })
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
      const paid = await pays(by, provider, at % 2 === 0 ? 600_00n : 400_00n)
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

  it('adds up in the chat, also where the text has no room for each model', () => {
    const whole = textOf(month, found)
    const short = textOf(month, found, whole.join('\n').length - 1)
    expect(short.join('\n').length).toBeLessThan(whole.join('\n').length)
    expect(short.at(-1)).toMatch(/^Остальные модели \(2\)/)
    for (const lines of [whole, short]) addUp(lines)
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
    await pays(anna, 'stars', 500_00n)
    await paidGeneration(world, anna)
    expect(await of(month.firstDay.slice(0, 7))).toEqual(found)
    const { owed } = await of(`${dayAfter(month.lastDay, 1)}..today`)
    expect(owed.before).toBe(found.owed.now)
    const kept = await world.deps.db.select().from(accounts)
    expect(owed.now).toBe(sum(kept.map(({ available, held }) => available + held)))
  })
})

function resultOf(one: Pick<Figures, 'sales' | 'refunds' | 'revenue' | 'cost'>) {
  const { sales, refunds, revenue, cost } = one
  return { sales, refunds, revenue, cost, margin: revenue - cost }
}

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
