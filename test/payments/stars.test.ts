// Reconciliation with Telegram's list of Star transactions: unreported payments are credited, refunds made elsewhere are noted. The
// bot of these tests accepts every checkout and then loses all updates, like a process that was killed.

import { EventEmitter, on } from 'node:events'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStarAccount } from '../../src/bot/account/checkout.ts'
import type { Movement } from '../../src/payments/provider.ts'
import { createTopUpWatch, reconcile } from '../../src/payments/reconcile.ts'
import { refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { creditPayment, type TopUp } from '../../src/payments/top-ups.ts'
import { startTelegram } from '../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../support/users/user.ts'
import { openPaying, providerFrom } from '../support/worlds/payments.ts'

const local = await startTelegram()
const bot = local.bot()
bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true))
await new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }))
const world = await openPaying(createStarAccount(bot.api))
let anna: SandboxUser
let user: { id: bigint; telegramId: number }
let offset: number

afterAll(async () => {
  expect(await world.audit()).toEqual([])
  await bot.stop()
  await local.discard()
  await world.close()
})
beforeEach(async () => {
  user = await world.user()
  anna = await createUser(local.url, { first_name: 'Anna', id: user.telegramId })
  await anna.sends('/topup')
  offset = (await reconcile(world.deps, stars(), 0)).next
  await world.forgetTold()
  world.lines.length = 0
})
afterEach(() => local.faults.clear())

const stars = () => world.provider('stars')
const invoice = (payload: string, amount: number, to = anna.id) =>
  bot.api.sendInvoice(to, 'Top-up', 'x', payload, 'XTR', [{ label: 'x', amount }])
const pay = async (topUp: TopUp, payer = anna) => {
  const paid = await payer.pays(await invoice(topUp.id, Number(topUp.charge), payer.id))
  if (!paid.ok) throw new Error(paid.error)
  return paid.telegram_payment_charge_id
}
/** Runs the background work like the app; `news` resolves to the newest notice after one was written. */
function watching(provider = stars()) {
  const told = new EventEmitter()
  const heard = on(told, 'news')
  const { deps, clock } = world
  const wakeNotices = () => void told.emit('news')
  const loops = createTopUpWatch({ ...deps, clock, wakeNotices, providers: [provider] })
  for (const loop of loops) loop.start()
  return {
    stop: () => Promise.all(loops.map((loop) => loop.stop())),
    async news(): Promise<string | undefined> {
      await heard.next()
      return (await world.told()).at(-1)
    },
  }
}

/** Resumes refunds when no other process can still be asking Telegram. */
const resumeLater = () => {
  world.clock.advance(2 * 60_000)
  return resumeRefunds(world.deps)
}

const compare = () => reconcile(world.deps, stars(), 0)

describe('a payment whose update was lost', () => {
  it('is found at the start or within the hour', async () => {
    const first = await world.open(user.id, 100_00n, 'stars')
    const second = await world.open(user.id, 60_00n, 'stars')
    await pay(first)
    const watch = watching()
    expect(await watch.news()).toBe('credited 10000')
    await pay(second)
    world.clock.advance(60 * 60_000)
    expect(await watch.news()).toBe('credited 6000')
    await watch.stop()
  })

  it('is credited although another provider has a payment of the same id', async () => {
    const charge = await pay(await world.open(user.id, 100_00n, 'stars'))
    const { id: topUpId } = await world.open(user.id, 160_00n, 'telegram-rub')
    const paid = { provider: 'telegram-rub', topUpId, userId: user.id, currency: 'RUB', charge: 160_00n }
    expect(await creditPayment(world.deps, paid, charge)).toMatchObject({ ok: true })
    await compare()
    expect(await world.available(user.id)).toBe(260_00n)
  })

  it.each([
    ['of another user', async (topUp: TopUp) => pay(topUp, await payerOf(await world.user()))],
    ['of an unknown user', async (topUp: TopUp) => pay(topUp, await payerOf({ telegramId: 77 }))],
    ['of another amount', (topUp: TopUp) => pay({ ...topUp, charge: 1n })],
  ])('%s is not credited but logged', async (_, paying) => {
    await paying(await world.open(user.id, 100_00n, 'stars'))
    await compare()
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual([])
    expect(world.lines.some(({ level }) => level === 'error' || level === 'warn')).toBe(true)
  })
})

describe('a credited payment', () => {
  const hour = 60 * 60_000
  const list: Movement[] = []
  const history = async (from: number) => ({ count: list.length - from, movements: list.slice(from) })
  const credited = async (chargeId: string) => {
    const topUp = await world.open(user.id, 100_00n, 'stars')
    const charge = { currency: 'XTR', amount: topUp.charge }
    const paid = { provider: 'stars', topUpId: topUp.id, userId: user.id, currency: 'XTR' }
    const credit = await creditPayment(world.deps, { ...paid, charge: topUp.charge }, chargeId)
    expect(credit).toMatchObject({ ok: true })
    return { is: 'paid', chargeId, topUpId: topUp.id, telegramId: user.telegramId, charge } as const
  }
  const compared = () => expect.poll(() => world.clock.isWaitedFor(hour)).toBe(true)
  const missing = () => world.lines.filter(({ level }) => level === 'error')

  it('that is not in the list of Telegram an hour later is an error in the log, once', async () => {
    list.push(await credited('before-the-start'))
    await credited('before-the-start-unlisted')
    const watch = watching({ ...stars(), history })
    await compared()
    world.clock.advance(hour / 2)
    list.push(await credited('listed'))
    await credited('forged')
    const late = await credited('listed-late')
    world.clock.advance(hour / 2)
    await compared()
    list.push(late)
    for (let hours = 0; hours < 3; hours += 1) {
      world.clock.advance(hour)
      await compared()
    }
    await watch.stop()
    const event = 'credited payment is missing in the list of its provider'
    const facts = { provider: 'stars', chargeId: 'forged', credit: '10000' }
    expect(missing()).toMatchObject([{ facts, event }])
  })
})

async function payerOf({ telegramId: id }: { telegramId: number }): Promise<SandboxUser> {
  const boris = await createUser(local.url, { first_name: 'Boris', id })
  await boris.sends('/topup')
  return boris
}

describe('a refund', () => {
  let charge: string
  beforeEach(async () => {
    charge = await pay(await world.open(user.id, 100_00n, 'stars'))
    await compare()
    await world.forgetTold()
  })
  const refund = () => refundPayment(world.deps, 'stars', charge)
  const refundsInList = async () => {
    const { transactions } = await bot.api.getStarTransactions({ offset, limit: 100 })
    return transactions.filter(({ id, receiver }) => id === charge && receiver).length
  }

  it('made elsewhere is recognised when the operator asks for it before it was noted', async () => {
    await bot.api.refundStarPayment(user.telegramId, charge)
    expect(await refund()).toEqual({ ok: true, credit: 100_00n })
    expect(await world.available(user.id)).toBe(0n)
    expect(await refundsInList()).toBe(1)
  })

  it('with an unknown outcome is finished by resumeRefunds', async () => {
    const fault = { kind: 'cut', after: true } as const
    local.faults.add({ target: 'telegram', operation: 'refundStarPayment', fault, times: 1 })
    expect(await refund()).toEqual({ ok: false, reason: 'pending' })
    expect(await world.available(user.id)).toBe(0n)
    await resumeLater()
    expect(await refundsInList()).toBe(1)
    expect(await world.told()).toEqual(['refunded 10000'])
    expect(await world.available(user.id)).toBe(0n)
  })

  it('that Telegram refuses returns the credit', async () => {
    const topUp = await world.open(user.id, 60_00n, 'stars')
    const paid = { provider: 'stars', topUpId: topUp.id, userId: user.id, currency: 'XTR', charge: 30n }
    await creditPayment(world.deps, paid, 'unknown-to-telegram')
    const said = 'Bad Request: CHARGE_NOT_FOUND'
    const refused = { ok: false, reason: 'refused', said }
    expect(await refundPayment(world.deps, 'stars', 'unknown-to-telegram')).toEqual(refused)
    expect(await world.available(user.id)).toBe(160_00n)
  })
})

it('a price is rounded up to whole Stars', () => {
  for (const [rate, credits, stars] of [
    ['2', [200n, 201n, 399n, 401n], [1n, 2n, 2n, 3n]],
    ['1.35', [135n, 136n], [1n, 2n]],
  ] as const) {
    const { charge } = providerFrom({ TOPUP_ROUBLES_PER_STAR: rate })
    expect(credits.map((credit) => charge(credit).amount)).toEqual(stars)
  }
})

// The last test, since each later one would read these pages.
it('a payment is found on any page of the list', async () => {
  const topUp = await world.open(user.id, 2_000_00n, 'stars')
  const foreign = await invoice('of another bot', 1)
  for (let count = 0; count < 110; count += 1) await anna.pays(foreign)
  await pay(topUp)
  const { next: end } = await compare()
  expect(end).toBeGreaterThan(110)
  expect(await world.available(user.id)).toBe(2_000_00n)
  expect((await reconcile(world.deps, stars(), end)).next).toBe(end)
})
