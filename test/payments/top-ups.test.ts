// Which payments pass the checkout and are credited: the right amount and currency from the right user, once, in time even when the database
// does not answer; and what becomes of those that fit no top-up.

import assert from 'node:assert/strict'
import { DrizzleQueryError } from 'drizzle-orm'
import { Bot } from 'grammy'
import type { Update, UserFromGetMe } from 'grammy/types'
import postgres from 'postgres'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentUpdates } from '../../src/bot/account/checkout.ts'
import { assignPayment } from '../../src/operator/corrections.ts'
import { openUnmatched } from '../../src/payments/payment.ts'
import { noteRefund } from '../../src/payments/refunds.ts'
import {
  creditPayment,
  type FollowUp,
  openTopUp,
  payMessage,
  type TopUp,
  takeSettledPayMessages,
} from '../../src/payments/top-ups.ts'
import { forget } from '../../src/privacy/forget.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { writeNote } from '../../src/telegram/message-notes.ts'
import { loadTexts } from '../../src/texts.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { handClock } from '../support/runtime/clock.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { gate } from '../support/worlds/generations.ts'
import { providerFrom } from '../support/worlds/payments.ts'

const world = await auditedPaying()
const { db } = world.deps
let user: { id: bigint; telegramId: number }
let stranger: { id: bigint; telegramId: number }
let topUp: TopUp
/** What the bot asked Telegram for. */
const answers: object[] = []

beforeAll(async () => {
  stranger = await world.user()
})
beforeEach(async () => {
  answers.length = 0
  user = await world.user()
  topUp = await world.open(user.id, 500_00n, 'telegram-rub')
  await world.forgetTold()
})

function botAt(clock: Clock = handClock(), providers = world.deps.providers): Bot {
  const botInfo = { id: 1, is_bot: true, first_name: 'Bot', username: 'some_bot' } as UserFromGetMe
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
const bot = botAt()

const price = { currency: 'RUB', total_amount: 500_00 }
const personOf = ({ telegramId: id } = user) =>
  ({ id, is_bot: false, first_name: 'Anna', language_code: 'ru' }) as const
const query = (change: object = {}): Update => ({
  update_id: 1,
  pre_checkout_query: { id: 'q', from: personOf(), ...price, invoice_payload: topUp.id, ...change },
})
const payment = (invoice_payload: string, charge: string, change: object = {}): Update => ({
  update_id: 5,
  message: {
    ...{ message_id: 7, date: 0, chat: { id: -100, type: 'supergroup', title: 'We' }, from: personOf() },
    successful_payment: {
      ...{ ...price, invoice_payload, telegram_payment_charge_id: charge, provider_payment_charge_id: '' },
      ...change,
    },
  },
})
/** A refund as Telegram reports it; the sender may be the bot. */
const refund = (invoice_payload: string, charge: string): Update => ({
  update_id: 2,
  message: {
    ...{ message_id: 1, date: 0, chat: { id: user.telegramId, type: 'private', first_name: 'Anna' } },
    from: { id: 1, is_bot: true, first_name: 'Bot' },
    refunded_payment: {
      ...{ currency: 'XTR', total_amount: 500_00, invoice_payload },
      telegram_payment_charge_id: charge,
    },
  },
})

const right = () => {
  const of = { provider: 'telegram-rub', topUpId: topUp.id, userId: user.id }
  return { ...of, currency: 'RUB', charge: 500_00n }
}
const lost = () => ({ ...right(), topUpId: 'of-a-lost-backup' })
const assigns = (chargeId: string) =>
  assignPayment(world.deps, { by: null, chargeId, userId: user.id, credit: 450_00n, reason: 'restored' })
const recorded = async (chargeId: string) =>
  (await openUnmatched(db)).filter((one) => one.chargeId === chargeId)
const unmatched = { ok: false, reason: 'unmatched' }

describe('a checkout', () => {
  const answer = (ok: boolean, error_message?: unknown) => ({
    method: 'answerPreCheckoutQuery',
    pre_checkout_query_id: 'q',
    ok,
    ...(error_message ? { error_message } : {}),
  })
  const because = (reason: string) => answer(false, expect.stringContaining(reason))
  const laterAgain = because('попробуйте через минуту')

  it('is accepted until its top-up is paid, and refused with a reason if it does not fit', async () => {
    for (const [change, said] of [
      [{ invoice_payload: 'x' }, because('Такого счёта нет')],
      [{ from: personOf(stranger) }, because('другому человеку')],
      [{ currency: 'XTR' }, because('Сумма не совпадает')],
      [{ total_amount: 500 }, because('Сумма не совпадает')],
      [{ total_amount: 500_01 }, because('Сумма не совпадает')],
      [{}, answer(true)],
    ] as const) {
      await bot.handleUpdate(query(change))
      expect(answers.splice(0)).toEqual([said])
    }
    await creditPayment(world.deps, right(), topUp.id)
    await bot.handleUpdate(query())
    expect(answers).toEqual([because('уже оплачен')])
  })

  it('of an earlier Star rate is refused, and its payment is credited if it was made', async () => {
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

  it('is refused within the ten seconds when the database does not answer', async () => {
    const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => undefined })
    const [locked, answered] = [gate(), gate()]
    const locking = sql.begin(async (tx) => {
      await tx`lock table top_ups in access exclusive mode`
      locked.open()
      await answered.opened
    })
    await locked.opened
    const clock = handClock()
    const handled = botAt(clock).handleUpdate(query())
    await clock.asked(8000)
    clock.advance(8000)
    await handled
    answered.open()
    await locking
    await sql.end()
    expect(answers).toEqual([laterAgain])
  })

  it('that cannot be checked is refused', async () => {
    const unpriced = world.deps.providers.map((provider) => ({
      ...provider,
      charge: () => {
        throw new Error('no price')
      },
    }))
    await botAt(handClock(), unpriced).handleUpdate(query())
    await db.execute('alter table top_ups rename to top_ups_away')
    await bot.handleUpdate(query())
    await db.execute('alter table top_ups_away rename to top_ups')
    expect(answers).toEqual([laterAgain, laterAgain])
  })
})

it('a top-up at a limit of its provider is opened, and a top-up beyond a limit is not', async () => {
  const max = 15_000_00n
  const leasts = { yookassa: 50_00n, 'telegram-rub': 100_00n }
  for (const [provider, min] of Object.entries(leasts)) {
    const opened = (credit: bigint) => openTopUp(world.deps, user.id, credit, provider)
    expect(await opened(min)).toMatchObject({ ok: true, topUp: { credit: min } })
    expect(await opened(max)).toMatchObject({ ok: true, topUp: { credit: max } })
    for (const credit of [min - 1n, max + 1n])
      expect(await opened(credit)).toEqual({ ok: false, reason: 'out-of-range', min, max })
  }
})

describe('a report of a payment', () => {
  it('takes what it credits if its refund is handled at the same time', async () => {
    await db.execute(`update top_ups set provider = 'stars', currency = 'XTR' where id = '${topUp.id}'`)
    const charge = `during-${topUp.id}`
    const report = () => bot.handleUpdate(payment(topUp.id, charge, { currency: 'XTR' }))
    await Promise.all([bot.handleUpdate(refund(topUp.id, charge)), report()])
    await report()
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual(['credited 50000', 'refunded 50000'])
  })

  it('that fits no invoice leads to one notice, and to none after its refund: it can never be assigned', async () => {
    for (const _ of ['report', 'repeated report']) await bot.handleUpdate(payment('nothing', 'charge-9'))
    expect([answers, await world.told()]).toEqual([[], ['unmatched 0']])
    const charge = `stray-${topUp.id}`
    await bot.handleUpdate(refund('nothing', charge))
    await bot.handleUpdate(payment('nothing', charge, { currency: 'XTR' }))
    expect(await recorded(charge)).toEqual([])
    expect(await assigns(charge)).toEqual({ ok: false, reason: 'unknown-payment' })
    expect(await world.available(user.id)).toBe(0n)
  })

  it('that fits no invoice is recorded under the provider of the top-up that it names, or else of its currency', async () => {
    const set = (change: string) => db.execute(`update top_ups set ${change} where id = '${topUp.id}'`)
    for (const [change, topUpId, currency, provider] of [
      [`provider = 'bank-invoice'`, topUp.id, 'RUB', 'bank-invoice'],
      [`currency = 'RUB'`, 'nothing', 'XTR', 'stars'],
      [`currency = 'RUB'`, topUp.id, 'XTR', 'stars'],
      [`currency = 'XTR'`, topUp.id, 'RUB', 'telegram-rub'],
      [`currency = 'XTR'`, topUp.id, 'USD', 'telegram'],
    ] as const) {
      const chargeId = `${change}-${topUpId}-${currency}`
      await set(change)
      await bot.handleUpdate(payment(topUpId, chargeId, { currency, total_amount: 1 }))
      expect(await recorded(chargeId), chargeId).toMatchObject([{ provider }])
    }
  })
})

describe('a payment', () => {
  it('that fits no top-up is recorded once, and assigned to a user once', async () => {
    const chargeId = `lost-${topUp.id}`
    for (const _ of [1, 2]) await creditPayment(world.deps, lost(), chargeId)
    const facts = { named: 'of-a-lost-backup', userId: user.id, charge: 500_00n }
    expect(await recorded(chargeId)).toMatchObject([facts])
    const assigned = await Promise.all([1, 2, 3].map(() => assigns(chargeId)))
    expect(assigned.filter(({ ok }) => ok)).toHaveLength(1)
    const before = { ok: false, reason: 'assigned-before' }
    expect(await assigns(chargeId)).toEqual(before)
    expect(await world.available(user.id)).toBe(450_00n)
    expect(await recorded(chargeId)).toEqual([])
    expect(await creditPayment(world.deps, lost(), chargeId)).toEqual(unmatched)
    expect(await recorded(chargeId)).toEqual([])
    expect(await noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)).toBe('noted')
    expect(await assigns(chargeId)).toEqual(before)
  })

  it('that arrives while the data of its payer is being deleted is recorded, and credited to nobody', async () => {
    const chargeId = `orphan-${topUp.id}`
    const other = await openWithTransactions(world.databaseUrl)
    const { credited } = await other.db.transaction(async (tx) => {
      expect(await forget(tx, user.id, 'person', world.clock.now())).toEqual({ ok: true })
      const begun = creditPayment(world.deps, right(), chargeId)
      await lockWaits(other.db)
      return { credited: begun }
    })
    expect(await credited).toEqual({ ok: false, reason: 'unmatched' })
    expect(await world.available(user.id)).toBe(0n)
    const facts = { named: topUp.id, userId: user.id, charge: 500_00n }
    expect(await recorded(chargeId)).toMatchObject([facts])
    expect(world.lines.at(-1)).toMatchObject({
      level: 'error',
      chargeId,
      reason: 'payer forgotten',
    })
    await other.close()
  })

  it('that fits no top-up and was refunded by its provider cannot be assigned', async () => {
    const chargeId = `returned-${topUp.id}`
    await creditPayment(world.deps, lost(), chargeId)
    await noteRefund(world.deps, 'stars', chargeId, 500_00n)
    await noteRefund(world.deps, 'telegram-rub', 'another', 500_00n)
    expect(await recorded(chargeId), 'of another provider, or another payment').toHaveLength(1)
    expect(await noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)).toBe('unknown')
    for (const _ of ['once', 'after another report']) {
      expect(await assigns(chargeId)).toEqual({ ok: false, reason: 'unknown-payment' })
      expect(await recorded(chargeId)).toEqual([])
      await creditPayment(world.deps, lost(), chargeId)
    }
    expect(await world.available(user.id)).toBe(0n)
  })

  it('that was assigned and then refunded by its provider loses its credit', async () => {
    const chargeId = `back-${topUp.id}`
    await creditPayment(world.deps, lost(), chargeId)
    const refund = noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)
    const [assigned, noted] = await Promise.all([assigns(chargeId), refund])
    expect(assigned.ok).toBe(noted === 'noted')
    await creditPayment(world.deps, lost(), chargeId)
    expect(await assigns(chargeId)).toMatchObject({ ok: false })
    expect(await world.available(user.id)).toBe(0n)
  })

  it('is credited also if its top-up has another one: it was paid', async () => {
    for (const charge of ['a', 'b']) await creditPayment(world.deps, right(), `${charge}-${topUp.id}`)
    expect(await world.available(user.id)).toBe(1000_00n)
  })

  it('that has paid one top-up does not pay another one', async () => {
    const charge = `charge-${topUp.id}`
    expect(await creditPayment(world.deps, right(), charge)).toMatchObject({ ok: true })
    const other = await world.open(user.id, 500_00n, 'telegram-rub')
    const again = await creditPayment(world.deps, { ...right(), topUpId: other.id }, charge)
    expect(again).toEqual({ ok: false, reason: 'duplicate' })
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid' })
    expect(await world.reread(other)).toMatchObject({ state: 'open' })
    expect(await world.available(user.id)).toBe(500_00n)
  })

  it('leads to the removal of the messages that it was paid from, once, and of no other messages of its user', async () => {
    const other = await world.open(user.id, 500_00n, 'telegram-rub')
    for (const [message_id, { id: topUpId }] of [topUp, other].entries()) {
      const note = { kind: payMessage, userId: user.id, about: { topUpId } }
      const chat = { id: Number(user.id) }
      await writeNote(world.deps, { chat, message_id }, note)
      const kind = { ...payMessage, name: 'another' }
      await writeNote(world.deps, { chat, message_id: message_id + 10 }, { ...note, kind })
    }
    const taken = ({ id } = user) => takeSettledPayMessages(db, id)
    expect(await taken()).toEqual([])
    await creditPayment(world.deps, right(), `charge-${topUp.id}`)
    expect(await taken(await world.user())).toEqual([])
    expect(await taken()).toEqual([{ chatId: Number(user.id), messageId: 0 }])
    expect(await taken()).toEqual([])
  })

  const following = (onCredited: FollowUp['onCredited']) => ({
    ...world.deps,
    followUp: { onCredited, onRefunded: async () => undefined, catchUp: async () => undefined },
  })

  it('calls onCredited again when its report is repeated or the database was unavailable, and is credited even if that fails', async () => {
    const lost = new DrizzleQueryError('select', [], Object.assign(new Error('lost'), { code: '08006' }))
    const called: bigint[] = []
    const deps = following(async ({ userId }) => {
      called.push(userId)
      if (called.length === 1) throw lost
    })
    const clock = { ...world.clock, wait: async () => undefined }
    const charge = `charge-${topUp.id}`
    expect(await creditPayment({ ...deps, clock }, right(), charge)).toMatchObject({ ok: true })
    expect(called).toEqual([user.id, user.id])
    await creditPayment(deps, right(), charge)
    expect(called).toHaveLength(3)
    const failing = following(() => Promise.reject(new Error('no bonus')))
    expect(await creditPayment(failing, right(), `other-${topUp.id}`)).toMatchObject({ ok: true })
  })
})

const charge = { currency: 'RUB', amount: 1_234_05n }
const extras = (vatCode: number | undefined, item = 'Пополнение баланса') => {
  const { way } = providerFrom({ TOPUP_RUB_PROVIDER_TOKEN: '1:TEST:x' }, { vatCode })
  return way.by === 'invoice' ? way.extras(charge, item) : undefined
}

it('the fiscal receipt of a Telegram invoice has the format of the provider, to which the e-mail address is passed', () => {
  const { provider_data = '', ...asked } = extras(4) ?? {}
  expect(asked).toEqual({ need_email: true, send_email_to_provider: true })
  const sold = { description: 'Пополнение баланса', quantity: '1.00', vat_code: 4, measure: 'piece' }
  const paid = { payment_mode: 'full_payment', payment_subject: 'service' }
  const item = { ...sold, ...paid, amount: { value: '1234.05', currency: 'RUB' } }
  expect(JSON.parse(provider_data)).toEqual({ receipt: { items: [item] } })
  expect(extras(4, 'x'.repeat(129))?.provider_data).toContain(`"${'x'.repeat(128)}"`)
  expect(extras(undefined), 'it is not sent without a VAT code').toEqual({})
})
