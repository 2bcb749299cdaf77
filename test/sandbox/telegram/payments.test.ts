// Payments of the local Telegram: invoices, pre-checkout queries, Stars and refunds.

import type { Bot } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type LocalTelegram,
  startTelegram,
  token,
  watchedClock,
} from '../../support/telegram/local-telegram.ts'
import { createUser, labelsOf, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser
let clock: ReturnType<typeof watchedClock>

beforeEach(async () => {
  clock = watchedClock()
  local = await startTelegram({ clock })
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('/topup')
})
afterEach(async () => {
  await bot.stop()
  await local.discard()
})

const start = () => new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }))
const stars = (amount: number) => [{ label: 'Top-up', amount }]
const starInvoice = (payload = 'order-1') =>
  bot.api.sendInvoice(anna.id, 'Top-up', 'For 100 ₽', payload, 'XTR', stars(50))

describe('a payment', () => {
  it('fails when the bot does not answer within ten seconds, and a later answer is refused', async () => {
    const paying = anna.pays(await starInvoice())
    await clock.asked(10_000)
    const query = (await bot.api.getUpdates()).at(-1)?.pre_checkout_query
    expect(query).toMatchObject({
      currency: 'XTR',
      total_amount: 50,
      invoice_payload: 'order-1',
      from: { id: 11 },
    })
    clock.advance(10_000)
    expect(await paying).toEqual({ ok: false, error: expect.stringContaining('10 seconds') })
    await expect(bot.api.answerPreCheckoutQuery(query?.id ?? '', true)).rejects.toThrow('query is too old')
  })
})

describe('a refund', () => {
  it('is made once per charge id, and reported in the chat', async () => {
    bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true))
    await start()
    const paid = await anna.pays(await starInvoice())
    const charge = paid.ok ? paid.telegram_payment_charge_id : ''
    await expect(bot.api.refundStarPayment(12, charge)).rejects.toThrow('CHARGE_NOT_FOUND')
    await bot.api.refundStarPayment(anna.id, charge)
    await expect(bot.api.refundStarPayment(anna.id, charge)).rejects.toThrow('CHARGE_ALREADY_REFUNDED')
    await anna.sees((message) => message.refunded_payment?.telegram_payment_charge_id === charge)
    const { transactions } = await bot.api.getStarTransactions({ offset: 0, limit: 100 })
    expect(transactions.map((one) => [one.id, one.receiver !== undefined])).toEqual([
      [charge, false],
      [charge, true],
    ])
  })
})

describe('an invoice', () => {
  const good = {
    chat_id: 11,
    title: 'Top-up',
    description: 'x',
    payload: 'p',
    currency: 'XTR',
    prices: stars(5),
  }
  const provider_token = '381764678:TEST:100037'
  const payButton = { text: 'Pay', pay: true }

  it.each([
    ['no title', { title: '' }, 'parameter "title" is required'],
    ['a title of 33 characters', { title: 'x'.repeat(33) }, 'INVOICE_TITLE_TOO_LONG'],
    ['a description of 256', { description: 'x'.repeat(256) }, 'INVOICE_DESCRIPTION_TOO_LONG'],
    ['a payload of 130 bytes', { payload: 'я'.repeat(65) }, 'INVOICE_PAYLOAD_INVALID'],
    ['two prices in Stars', { prices: [...stars(5), ...stars(6)] }, 'STARS_INVOICE_INVALID'],
    ['a provider for Stars', { provider_token }, 'PAYMENT_PROVIDER_INVALID'],
    ['roubles without a provider', { currency: 'RUB' }, 'PAYMENT_PROVIDER_INVALID'],
    ['no price', { prices: [] }, 'there must be at least one price'],
    ['a price of zero', { prices: stars(0) }, 'CURRENCY_TOTAL_AMOUNT_INVALID'],
    [
      'less roubles than about one dollar',
      { currency: 'RUB', provider_token, prices: stars(8652) },
      'CURRENCY_TOTAL_AMOUNT_INVALID',
    ],
    [
      'a keyboard whose first button does not pay',
      { reply_markup: { inline_keyboard: [[{ text: 'x', callback_data: 'x' }, payButton]] } },
      'BUTTON_TYPE_INVALID',
    ],
    [
      'a keyboard without a pay button',
      { reply_markup: { inline_keyboard: [[{ text: 'x', callback_data: 'x' }]] } },
      'REPLY_MARKUP_BUY_EMPTY',
    ],
  ])('is refused with %s', async (_, change, text) => {
    const answer = await fetch(`${local.url}/bot${token}/sendInvoice`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...good, ...change }),
    })
    expect(await answer.json()).toEqual({ ok: false, error_code: 400, description: `Bad Request: ${text}` })
  })

  it('is accepted with a keyboard whose first button pays', async () => {
    const reply_markup = { inline_keyboard: [[payButton], [{ text: 'x', callback_data: 'x' }]] }
    const other = { reply_markup }
    const sent = await bot.api.sendInvoice(11, 'Top-up', 'x', 'p', 'XTR', stars(5), other)
    expect(labelsOf(sent)).toEqual(['Pay', 'x'])
  })
})
