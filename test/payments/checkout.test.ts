// The answers to Telegram's pre-checkout query, in time even when the database does not answer, and the handling of payment updates.

import assert from 'node:assert/strict'
import { Bot } from 'grammy'
import type { Update, UserFromGetMe } from 'grammy/types'
import postgres from 'postgres'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { paymentUpdates } from '../../src/bot/account/checkout.ts'
import { notices } from '../../src/db/schema.ts'
import { assignPayment } from '../../src/operator/assigned-payments.ts'
import { openUnmatched } from '../../src/payments/payment.ts'
import { creditPayment, openTopUp, type TopUp } from '../../src/payments/top-ups.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { loadTexts } from '../../src/texts.ts'
import { handClock } from '../support/runtime/clock.ts'
import { watchedClock } from '../support/telegram/local-telegram.ts'
import { gate } from '../support/worlds/generations.ts'
import { openPaying, providerFrom } from '../support/worlds/payments.ts'

let user: { id: bigint; telegramId: number }
let topUp: TopUp
const answers: object[] = []
const botInfo = { id: 1, is_bot: true, first_name: 'Bot', username: 'some_bot' } as UserFromGetMe

function botAt(clock: Clock, providers = world.deps.providers): Bot {
  const made = new Bot('1:token', { botInfo })
  made.api.config.use(async (_prev, method, payload) => {
    answers.push({ method, ...payload })
    // The only method called here, answerPreCheckoutQuery, returns `true`.
    return { ok: true, result: true } as never
  })
  const deps = { ...world.deps, clock, texts: loadTexts(), topUps: { ...world.deps, providers } }
  made.use(paymentUpdates(deps))
  return made
}

const world = await openPaying()
const bot = botAt(handClock())
afterAll(() => world.close())
beforeEach(async () => {
  answers.length = 0
  user = await world.user()
  topUp = await world.open(user.id, 500_00n, 'telegram-rub')
})

const price = { currency: 'RUB', total_amount: 500_00 }
const from = () => ({ id: user.telegramId, is_bot: false, first_name: 'Anna', language_code: 'ru' })
const query = (change: object = {}): Update => ({
  update_id: 1,
  pre_checkout_query: { id: 'q', from: from(), ...price, invoice_payload: topUp.id, ...change },
})
const answer = (ok: boolean, error_message?: unknown) => ({
  method: 'answerPreCheckoutQuery',
  pre_checkout_query_id: 'q',
  ok,
  ...(error_message ? { error_message } : {}),
})

it('the bot accepts a correct checkout until the top-up is paid, and refuses others with a reason', async () => {
  const boris = { id: 1, is_bot: false, first_name: 'Boris', language_code: 'ru' }
  const because = (reason: string) => answer(false, expect.stringContaining(reason))
  for (const [change, said] of [
    [{ invoice_payload: 'x' }, because('Такого счёта нет')],
    [{ from: boris }, because('другому человеку')],
    [{ currency: 'XTR' }, because('Сумма не совпадает')],
    [{}, answer(true)],
  ] as const) {
    await bot.handleUpdate(query(change))
    expect(answers.splice(0)).toEqual([said])
  }
  const of = { provider: 'telegram-rub', topUpId: topUp.id, userId: user.id }
  await creditPayment(world.deps, { ...of, currency: 'RUB', charge: 500_00n }, topUp.id)
  await bot.handleUpdate(query())
  expect(answers).toEqual([because('уже оплачен')])
})

it('an invoice of an earlier Star rate is refused before it is paid, and credited if it was paid', async () => {
  const atRate = (TOPUP_ROUBLES_PER_STAR: string) => [providerFrom({ TOPUP_ROUBLES_PER_STAR })]
  const opened = await openTopUp({ ...world.deps, providers: atRate('12.0') }, user.id, 120_00n, 'stars')
  assert(opened.ok)
  const { id: topUpId, charge } = opened.topUp
  expect(charge).toBe(10n)
  const asked = query({ currency: 'XTR', total_amount: 10, invoice_payload: topUpId })
  await botAt(handClock(), atRate('12')).handleUpdate(asked)
  const corrected = botAt(handClock(), atRate('1.20'))
  await corrected.handleUpdate(asked)
  expect(answers).toEqual([
    answer(true),
    answer(false, 'Счёт устарел: цена или бонус изменились. Создайте новый: /topup'),
  ])
  await corrected.handleUpdate(payment(topUpId, 'charge-early', { currency: 'XTR', total_amount: 10 }))
  expect(await world.available(user.id)).toBe(120_00n)
})

it('the bot refuses a checkout within the ten seconds when the database does not answer', async () => {
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => undefined })
  const [locked, answered] = [gate(), gate()]
  const locking = sql.begin(async (tx) => {
    await tx`lock table top_ups in access exclusive mode`
    locked.open()
    await answered.opened
  })
  await locked.opened
  const clock = watchedClock()
  const handled = botAt(clock).handleUpdate(query())
  await clock.asked(8000)
  clock.advance(8000)
  await handled
  answered.open()
  await locking
  await sql.end()
  expect(answers).toEqual([answer(false, expect.stringContaining('попробуйте через минуту'))])
})

it('the bot refuses a checkout that cannot be checked', async () => {
  const unpriced = world.deps.providers.map((provider) => ({
    ...provider,
    charge: () => {
      throw new Error('no price')
    },
  }))
  await botAt(handClock(), unpriced).handleUpdate(query())
  await world.deps.db.execute('alter table top_ups rename to top_ups_away')
  await bot.handleUpdate(query())
  await world.deps.db.execute('alter table top_ups_away rename to top_ups')
  const refused = answer(false, expect.stringContaining('попробуйте через минуту'))
  expect(answers).toEqual([refused, refused])
})

const asStars = () =>
  world.deps.db.execute(`update top_ups set provider = 'stars', currency = 'XTR' where id = '${topUp.id}'`)

/** A refund as Telegram reports it; the sender may be the bot. */
const refund = (update_id: number, invoice_payload: string, charge: string): Update => ({
  update_id,
  message: {
    message_id: 1,
    date: 0,
    chat: { id: user.telegramId, type: 'private', first_name: 'Anna' },
    from: { id: 1, is_bot: true, first_name: 'Bot' },
    refunded_payment: {
      ...{ currency: 'XTR', total_amount: 500_00, invoice_payload },
      telegram_payment_charge_id: charge,
    },
  },
})

it.each(['before', 'during'])(
  'a refund that is handled %s the report of its payment takes what the payment credits',
  async (when) => {
    await asStars()
    await world.forgetTold()
    const charge = `${when}-${topUp.id}`
    const report = () => bot.handleUpdate(payment(topUp.id, charge, { currency: 'XTR' }))
    const early = bot.handleUpdate(refund(2, topUp.id, charge))
    if (when === 'before') await early
    await Promise.all([early, report()])
    await report()
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual(['credited 50000', 'refunded 50000'])
  },
)

it('a payment that fits no invoice and whose refund is handled first can never be assigned', async () => {
  const charge = `stray-${topUp.id}`
  await bot.handleUpdate(refund(2, 'nothing', charge))
  await bot.handleUpdate(payment('nothing', charge, { currency: 'XTR' }))
  expect(await providersOf(charge)).toEqual([])
  const of = { by: null, chargeId: charge, userId: user.id, credit: 500_00n, reason: 'paid' }
  expect(await assignPayment(world.deps, of)).toEqual({ ok: false, reason: 'unknown-payment' })
  expect(await world.available(user.id)).toBe(0n)
})

const payment = (invoice_payload: string, charge: string, change: object = {}): Update => ({
  update_id: 5,
  message: {
    ...{ message_id: 7, date: 0, chat: { id: -100, type: 'supergroup', title: 'We' }, from: from() },
    successful_payment: {
      ...{ ...price, invoice_payload, telegram_payment_charge_id: charge, provider_payment_charge_id: '' },
      ...change,
    },
  },
})

it('a payment is credited once, with one notice for the chat that it was paid in and without a message', async () => {
  await world.forgetTold()
  for (const _ of ['report', 'repeated report']) await bot.handleUpdate(payment(topUp.id, topUp.id))
  expect(await world.available(user.id)).toBe(500_00n)
  expect(answers).toEqual([])
  const written = await world.deps.db.select().from(notices)
  expect(written).toMatchObject([{ kind: 'credited', userId: user.id, chatId: -100, amount: 500_00n }])
})

it('a payment that fits no invoice leads to one notice', async () => {
  await world.forgetTold()
  for (const _ of ['report', 'repeated report']) await bot.handleUpdate(payment('nothing', 'charge-9'))
  expect(await world.available(user.id)).toBe(0n)
  expect([answers, await world.told()]).toEqual([[], ['unmatched 0']])
})

it('records a payment that fits no invoice under the provider of the top-up that it names', async () => {
  await world.deps.db.execute(`update top_ups set provider = 'bank-invoice' where id = '${topUp.id}'`)
  await bot.handleUpdate(payment(topUp.id, 'charge-10', { total_amount: 1 }))
  expect(await providersOf('charge-10')).toEqual(['bank-invoice'])
})

it('records a payment that names no top-up of its currency under the provider of that currency', async () => {
  for (const [currency, provider] of [
    ['XTR', 'stars'],
    ['RUB', 'telegram-rub'],
    ['USD', 'telegram'],
  ] as const) {
    const chargeId = `charge-${currency}`
    await bot.handleUpdate(payment('nothing', chargeId, { currency }))
    const other = currency === 'RUB' ? 'XTR' : 'RUB'
    await world.deps.db.execute(`update top_ups set currency = '${other}' where id = '${topUp.id}'`)
    await bot.handleUpdate(payment(topUp.id, `${chargeId}-2`, { currency }))
    for (const id of [chargeId, `${chargeId}-2`]) expect(await providersOf(id)).toEqual([provider])
  }
})

async function providersOf(chargeId: string): Promise<string[]> {
  const open = await openUnmatched(world.deps.db)
  return open.filter((one) => one.chargeId === chargeId).map(({ provider }) => provider)
}
