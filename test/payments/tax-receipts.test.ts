// Receipts of a self-employed operator: each payment has one receipt for what is left of it, whatever the tax service answers and whenever a
// process ends. The clock is moved by hand.

import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { findingsOf } from '../../src/cli/doctor/finding.ts'
import { receiptsCheck } from '../../src/cli/doctor/shop.ts'
import { parseConfig } from '../../src/config.ts'
import { notices, taxReceipts, topUps } from '../../src/db/schema.ts'
import { taxReceiptsCheck } from '../../src/operator/checks.ts'
import { checkDueLinks } from '../../src/payments/links.ts'
import { noteRefund, refundPayment } from '../../src/payments/refunds.ts'
import { createMyTax } from '../../src/payments/self-employed/my-tax.ts'
import { createTaxReceiptWorker } from '../../src/payments/self-employed/receipts.ts'
import { creditPayment, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { taxPassword } from '../../src/sandbox/payments/tax.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import type { Linked } from '../support/worlds/payments.ts'

const world = await auditedPaying()
const { db } = world.deps
const inn = '770012345678'
const deps: TopUpDeps = { ...world.deps, seller: { inn, providers: ['yookassa', 'telegram-rub'] } }
const minute = 60_000
const hour = 60 * minute

/** A process that works on receipts. */
function process(password = taxPassword) {
  const access = { inn, password, url: world.env.SELF_EMPLOYED_URL ?? '' }
  const service = createMyTax(access, world.clock, 'Asia/Yekaterinburg')
  const loop = createTaxReceiptWorker({ ...deps, clock: world.clock, service, inn, item: 'Пополнение' })
  return { loop, service }
}
let worker = process()
/** Replaces the process by another one. */
async function restarts(next = process()): Promise<void> {
  await worker.loop.stop()
  await worker.service.close()
  worker = next
  worker.loop.start()
}
beforeEach(async () => {
  await db.delete(taxReceipts)
  await world.forgetTold()
  await restarts()
})
afterEach(async () => {
  await worker.loop.stop()
  world.faults.clear()
})

const rows = () => db.select().from(taxReceipts)
/** Lets time pass, and what is due then be done. */
async function after(ms: number): Promise<void> {
  world.clock.advance(ms)
  const isIdle = async () => {
    const now = world.clock.now()
    const isBusy = (await rows()).some(
      (one) => one.inn === inn && (one.lease || (one.dueAt && one.dueAt <= now)),
    )
    if (isBusy) world.clock.advance(1000)
    return !isBusy
  }
  await vi.waitUntil(isIdle, { timeout: 10_000, interval: 20 })
}

const registered = z.array(
  z.object({
    name: z.string(),
    totalAmount: z.number(),
    request: z.looseObject({ operationTime: z.string() }),
    cancellationInfo: z.object({ comment: z.string() }).nullable(),
  }),
)
/** The receipts of a payment at the tax service. */
async function receiptsOf({ id }: Linked) {
  const all: unknown = await (await fetch(`${world.url}/api/tax/receipts`)).json()
  return registered.parse(all).filter(({ name }) => name.endsWith(`№ ${id}`))
}
const shortly = async (topUp: Linked) =>
  (await receiptsOf(topUp)).map((one) => `${one.totalAmount} ${one.cancellationInfo?.comment ?? 'valid'}`)

async function paid(amount = 500_00n): Promise<Linked> {
  const user = await world.user()
  const topUp = await world.link(user.id, amount)
  await world.decides(topUp.externalId, 'pay')
  world.clock.advance(10_000)
  await checkDueLinks(deps)
  return topUp
}
const saleOf = ({ id: number }: Linked) => ({
  ...{ number, item: 'Пополнение', amount: 500_00n },
  at: world.clock.now(),
})
const givesBack = (topUp: Linked, refunded: bigint) =>
  noteRefund(deps, 'yookassa', topUp.externalId, refunded)
const breaks = (operation: string, fault: object, times = 1) => world.fault(operation, fault, times, 'tax')

it('a payment gets one receipt for the sum paid, at its time in the zone of the operator, and the payer the link', async () => {
  const topUp = await paid(500_50n)
  const { id, userId, currency, charge, externalId } = topUp
  const repeated = { provider: 'yookassa', topUpId: id, userId, currency, charge }
  expect(await creditPayment(deps, repeated, externalId)).toMatchObject({ reason: 'duplicate' })
  const soldAt = (await rows())[0]?.createdAt.getTime() ?? 0
  await after(0)
  const [one, ...others] = await receiptsOf(topUp)
  expect(others).toEqual([])
  const local = new Date(soldAt + 5 * hour).toISOString().replace(/\..*/, '+05:00')
  expect(one?.request).toEqual({
    operationTime: local,
    requestTime: expect.stringMatching(/^2026-11-2\dT\d\d:\d\d:\d\d\+05:00$/),
    services: [{ name: `Пополнение № ${topUp.id}`, amount: '500.50', quantity: 1 }],
    totalAmount: '500.50',
    client: { contactPhone: null, displayName: null, incomeType: 'FROM_INDIVIDUAL', inn: null },
    paymentType: 'CASH',
    ignoreMaxTotalIncomeRestriction: false,
  })
  expect(await world.told()).toEqual(['credited 50050', 'tax-receipt 50050'])
  const [, { key = '' } = {}] = await db.select().from(notices).orderBy(notices.id)
  expect((await fetch(key.replace('tax-receipt:', ''))).status).toBe(200)
  await after(2 * hour)
  expect(await shortly(topUp)).toEqual(['500.5 valid'])
})

it('Stars, other currencies, methods that are not listed, and payments before the switch-on get none', async () => {
  const user = await world.user()
  for (const [seller, provider, currency] of [
    [deps.seller, 'stars', 'XTR'],
    [deps.seller, 'yookassa', 'USD'],
    [{ inn, providers: ['telegram-rub'] }, 'yookassa', 'RUB'],
    [undefined, 'yookassa', 'RUB'],
  ] as const) {
    const { id: topUpId, userId } = await world.open(user.id, 500_00n, 'yookassa')
    await db.update(topUps).set({ provider, currency }).where(eq(topUps.id, topUpId))
    const credit = { topUpId, userId, provider, currency, charge: 500_00n }
    expect(await creditPayment({ ...deps, seller }, credit, `c-${topUpId}`)).toMatchObject({ ok: true })
  }
  expect(await rows()).toEqual([])
})

describe('a registration without an answer', () => {
  it.each([
    ['was carried out', { kind: 'cut', after: true }],
    ['did not arrive', { kind: 'cut' }],
    ['got a page that is no answer', { kind: 'garbage' }],
    ['failed in the service', { kind: 'error', status: 500 }],
  ])('that %s: the receipt is looked for ten minutes later, and is registered once', async (_, fault) => {
    breaks('income', fault)
    const topUp = await paid()
    await after(0)
    const before = await receiptsOf(topUp)
    expect(await rows()).toMatchObject([{ said: expect.any(String) }])
    await after(9 * minute)
    expect(await receiptsOf(topUp)).toEqual(before)
    await after(2 * minute)
    expect(await shortly(topUp)).toEqual(['500 valid'])
    expect(await world.told()).toEqual(['credited 50000', 'tax-receipt 50000'])
    expect(await rows()).toMatchObject([{ dueAt: null, said: null, failingSince: null }])
  })

  it.each([true, false])(
    'whose process was killed (carried out: %s): another process finds out',
    async (isDone) => {
      await worker.loop.stop()
      const topUp = await paid()
      if (isDone) await worker.service.register(saleOf(topUp))
      const dead = { sentAt: world.clock.now(), lease: 'dead', leaseUntil: new Date(0), claims: 1 }
      await db.update(taxReceipts).set(dead)
      await restarts()
      await after(minute)
      expect(await shortly(topUp)).toEqual(isDone ? ['500 valid'] : [])
      await after(10 * minute)
      expect(await shortly(topUp)).toEqual(['500 valid'])
      expect(await world.told()).toContain('tax-receipt 50000')
    },
  )
})

it('while the list of incomes cannot be read, or says less than is needed, nothing is registered, and operators learn it', async () => {
  const content = [{ approvedReceiptUuid: 'a', name: 'b', totalAmount: 1 }]
  for (const body of [undefined, '{"content":[]}', JSON.stringify({ content, hasMore: false })])
    breaks('incomes', { kind: 'garbage', body })
  for (const status of [500, 401]) breaks('incomes', { kind: 'error', status })
  const topUp = await paid()
  await after(0)
  const [failed] = await rows()
  expect(Number(failed?.dueAt) - Number(failed?.failingSince)).toBe(minute)
  while (world.faults.list().length > 0) await after(minute)
  expect(await taxReceiptsCheck(db, world.clock.now())).toEqual([])
  breaks('incomes', { kind: 'garbage', body: '{"content":[],"hasMore":true}' }, 51)
  expect(await worker.service.find('1', world.clock.now())).toMatchObject({ is: 'unavailable' })
  expect(world.faults.list()).toMatchObject([{ times: 1 }])
  world.faults.clear()
  breaks('incomes', { kind: 'error', status: 503, description: 'Ведутся работы' }, 50)
  for (let hours = 0; hours < 3; hours += 1) await after(hour)
  expect(await receiptsOf(topUp)).toEqual([])
  const fact = `1: ${topUp.id} · 503 Ведутся работы`
  expect(await taxReceiptsCheck(db, world.clock.now())).toEqual([{ fact }])
  expect(await taxReceiptsCheck(db, new Date(world.clock.now().getTime() + 48 * hour))).toEqual([])
  world.faults.clear()
  await after(hour)
  expect(await shortly(topUp)).toEqual(['500 valid'])
  expect(await taxReceiptsCheck(db, world.clock.now())).toEqual([])
})

describe('after a refund', () => {
  it('of a part the receipt is canceled and one for the rest is registered, of the rest that is canceled as well', async () => {
    const topUp = await paid()
    await after(0)
    await givesBack(topUp, 120_00n)
    await after(10 * minute)
    expect(await shortly(topUp)).toEqual(['500 Возврат средств', '380 valid'])
    expect(await world.told()).toContain('tax-receipt 38000')
    const times = (await receiptsOf(topUp)).map(({ request }) => request.operationTime)
    expect(new Set(times).size).toBe(1)
    await givesBack(topUp, 500_00n)
    await givesBack(topUp, 120_00n)
    await after(10 * minute)
    expect(await shortly(topUp)).toEqual(['500 Возврат средств', '380 Возврат средств'])
    expect(await world.told()).toHaveLength(5)
  })

  it('before the registration nothing is registered, and during it the receipt is canceled', async () => {
    await worker.loop.stop()
    const [late, last, early] = [await paid(300_00n), await paid(), await paid()]
    await givesBack(early, 500_00n)
    breaks('income', { kind: 'hang', ms: 5000 })
    await restarts()
    const isSent = async () => (await rows()).some(({ sentAt }) => sentAt !== null)
    await vi.waitUntil(isSent, { timeout: 10_000, interval: 20 })
    const others = (await rows()).filter(({ id }) => id !== late.id)
    expect(others, 'one after the other').toMatchObject([{ claims: 0 }, { claims: 0 }])
    await givesBack(late, 100_00n)
    await after(5000)
    await after(10 * minute)
    expect([await receiptsOf(early), await shortly(last)]).toEqual([[], ['500 valid']])
    expect(await shortly(late)).toEqual(['300 Возврат средств', '200 valid'])
    expect((await world.told()).join()).not.toMatch(/tax-receipt (0|30000)\b/)
  })

  it('a moment after the registration, while the list does not show the receipt yet, the receipt is canceled all the same', async () => {
    const topUp = await paid()
    await after(0)
    breaks('incomes', { kind: 'garbage', body: '{"content":[],"hasMore":false}' }, 9)
    await givesBack(topUp, 500_00n)
    await after(9 * minute)
    world.faults.clear()
    await after(2 * minute)
    expect(await shortly(topUp)).toEqual(['500 Возврат средств'])
  })

  it('that the provider refuses the receipt stays, and a cancellation without an answer is made once', async () => {
    const topUp = await paid()
    await after(0)
    world.fault('refund', { kind: 'error', status: 400 })
    expect(await refundPayment(deps, 'yookassa', topUp.externalId)).toMatchObject({ reason: 'refused' })
    await after(hour)
    expect(await shortly(topUp)).toEqual(['500 valid'])
    breaks('cancel', { kind: 'cut', after: true })
    expect(await refundPayment(deps, 'yookassa', topUp.externalId)).toMatchObject({ ok: true })
    await after(0)
    await after(minute)
    expect(await shortly(topUp)).toEqual(['500 Возврат средств'])
    expect(await rows()).toMatchObject([{ amount: 0n, dueAt: null, said: null }])
  })
})

it('a second receipt of the same payment is canceled as a mistake', async () => {
  await worker.loop.stop()
  const topUp = await paid()
  for (let times = 0; times < 2; times += 1) await worker.service.register(saleOf(topUp))
  await restarts()
  await after(0)
  expect(await shortly(topUp)).toEqual(['500 valid', '500 Чек сформирован ошибочно'])
})

it('a wrong password is tried once in ten minutes, is shown nowhere, and the rows of another taxpayer are left alone', async () => {
  await worker.loop.stop()
  await paid()
  const other = await paid()
  const isOther = eq(taxReceipts.id, other.id)
  await db.update(taxReceipts).set({ inn: '770000000000' }).where(isOther)
  for (const description of ['first wrong-password', 'second'])
    breaks('auth/lkfl', { kind: 'error', status: 422, description })
  await restarts(process('wrong-password'))
  const said = async () => (await rows()).find(({ id }) => id !== other.id)?.said
  for (let minutes = 0; minutes < 9; minutes += 1) {
    await after(minute)
    expect(await said()).toBe('422 first ***')
  }
  await after(10 * minute)
  expect(await said()).toBe('422 second')
  expect(await db.select().from(taxReceipts).where(isOther)).toMatchObject([{ said: null, claims: 0 }])
})

it('after a withdrawn token the process signs in again', async () => {
  await paid()
  await after(0)
  breaks('incomes', { kind: 'error', status: 401 })
  breaks('auth/lkfl', { kind: 'error', status: 500, description: 'asked again' })
  const { id } = await paid()
  await after(0)
  await after(minute)
  expect((await rows()).find((one) => one.id === id)?.said).toBe('500 asked again')
})

it('the doctor signs in, and payments with a receipt of their own are left out by default', async () => {
  const read = (more: object = {}) => {
    const { SELF_EMPLOYED_URL } = world.env
    const own = { SELF_EMPLOYED_INN: inn, SELF_EMPLOYED_PASSWORD: taxPassword, SELF_EMPLOYED_URL, ...more }
    const required = { BOT_TOKEN: '1:abc', GATEWAY_URL: 'https://g.example', GATEWAY_KEY: 'key' }
    const parsed = parseConfig({ ...required, DATABASE_URL: 'pglite:./d', ...own })
    if (!parsed.ok) throw new Error(parsed.problems.join())
    return parsed.config
  }
  const providers = (more: object = {}) => read(more).topUp.selfEmployed?.providers
  expect(providers()).toEqual(['telegram-rub', 'yookassa', 'platega', 'cryptopay'])
  expect(providers({ RECEIPT_VAT_CODE: '1' })).toEqual(['platega', 'cryptopay'])
  expect(providers({ SELF_EMPLOYED_PROVIDERS: 'yookassa, platega' })).toEqual(['yookassa', 'platega'])
  const check = async (more: object = {}) => {
    const found = await findingsOf(receiptsCheck(read(more), world.clock), world.clock)
    return found.map(({ verdict, what }) => `${verdict} ${what}`).join()
  }
  expect(await check()).toMatch(/^ok .* by telegram-rub, /)
  expect(await check({ SELF_EMPLOYED_PASSWORD: 'wrong' })).toMatch(/^wrong .*: 422 Указанный Вами ИНН/)
  expect(await check({ SELF_EMPLOYED_INN: '', SELF_EMPLOYED_PASSWORD: '' })).toBe('')
})
