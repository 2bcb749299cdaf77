// What top-ups bring beside their credit, as people read it: the bonus on the buttons and in the message about the payment, a code that
// waits for it, percents for the inviter, and all of it taken back when the payment is given back.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { users } from '../../../src/db/schema.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let boss: SandboxUser
let desk: Desk
beforeAll(async () => {
  const referral = { REFERRAL_PERCENT: '10', REFERRAL_PAYMENTS: '3', REFERRAL_BONUS: '25' }
  const env = { TOPUP_BONUS: '500:5%, 2000: 10', WELCOME_CREDIT: '0', ...referral }
  ;({ sandbox, boss, desk } = await openDesk(env))
  await boss.asks('/balance', /Balance/)
})
afterAll(() => desk.close())

const texts = {
  en: {
    percents: /you get ₽25\.\s+You get 10% of the first 3 top-ups of every friend/,
    code: /Code WINTER-EN: your next top-up gets 20% more, up to ₽40\.$/,
    other: /Another code is waiting for your next top-up: WINTER-EN/,
    topUp: '💳 Top up',
    amounts:
      /How much\?[\s\S]*A bonus on top: 5% on ₽500 or more, 10% on ₽2,000 or more\.\s+🎁 Code WINTER-EN/,
    buttons: ['₽100', '₽300', '₽500 + ₽25', '₽1,000 + ₽50', '₽2,000 + ₽200'],
    how: /How would you like to pay ₽500\?\s+🎁 A bonus of ₽25 comes on top\.\s+🎁 Code WINTER-EN/,
    link: /Top-up of ₽500[\s\S]*A bonus of ₽25 comes on top/,
    done: /₽500 added, with a bonus of ₽65\.\s+Balance: ₽565$/,
    friend: [/you get ₽25\./, /you get ₽50\./],
    earned: /Joined with your link: 1, yet to top up: 0\. Earned: ₽75/,
    back: [
      /The bonus of ₽25 for the refunded payment was taken off/,
      /The bonus of ₽40 .*taken off.*\s+Balance: ₽0$/,
    ],
    friendBack: /the bonus of ₽50 was taken off/,
    statement:
      /Bonus for a top-up:[\s\S]*Promo code · WINTER-EN[\s\S]*Bonus taken back with a refunded payment/,
  },
  ru: {
    percents: /Вы получаете 10% с первых 3 пополнений каждого приглашённого/,
    code: /Код WINTER-RU: к следующему пополнению добавится 20%, но не больше 40 ₽\.$/,
    other: /уже ждёт код WINTER-RU/,
    topUp: '💳 Пополнить',
    amounts:
      /На сколько пополнить\?[\s\S]*Бонус сверху: от 500 ₽ — 5%, от 2 000 ₽ — 10%\.\s+🎁 Код WINTER-RU/,
    buttons: ['100 ₽', '300 ₽', '500 ₽ + 25 ₽', '1 000 ₽ + 50 ₽', '2 000 ₽ + 200 ₽'],
    how: /Как оплатить 500 ₽\?\s+🎁 Сверху — бонус 25 ₽\.\s+🎁 Код WINTER-RU/,
    link: /Пополнение на 500 ₽[\s\S]*Сверху — бонус 25 ₽/,
    done: /Зачислено 500 ₽ и бонус 65 ₽\.\s+Баланс: 565 ₽$/,
    friend: [/вы получаете 25 ₽/, /вы получаете 50 ₽/],
    earned: /Пришло по ссылке: 1, из них ещё не пополняли баланс: 0\. Заработано: 75 ₽/,
    back: [/Бонус 25 ₽ за возвращённый платёж снят/, /Бонус 40 ₽ .*снят.*\s+Баланс: 0 ₽$/],
    friendBack: /бонус за приглашение 50 ₽ снят/,
    statement: /Бонус за пополнение:[\s\S]*Промокод · WINTER-RU[\s\S]*Бонус снят вместе с платежом/,
  },
} as const

it.each(['en', 'ru'] as const)(
  'a bonus, a code and the percents of the inviter are shown, given, told and taken back (%s)',
  async (language) => {
    const text = texts[language]
    const code = `WINTER-${language.toUpperCase()}`
    const question =
      /Create the code WINTER-..: 20% of the next top-up, up to ₽40 for each of 5 people, ₽200 in all\?/
    await desk.does(
      `/promo_add ${code} 20% 40₽ 5`,
      question,
      /20% of the next top-up, up to ₽40 for 5 people/,
    )
    await desk.does(`/promo_add OTHER-${language} 5% 40 5`, /OTHER/, /5% of the next top-up/)

    const clara = await sandbox.user('Clara', language)
    const invitation = await clara.asks('/invite', text.percents)
    const [, link = ''] = /start=(ref_[0-9a-z]+)/.exec(invitation.text ?? '') ?? []
    const anna = await sandbox.user('Anna', language)
    await anna.sends(`/start ${link}`)
    await anna.sees(/Anna/)
    await anna.asks(`/promo ${code.toLowerCase()}`, text.code)
    await anna.asks(`/promo ${code}`, text.code)
    await anna.asks(`/promo other-${language}`, text.other)
    const amounts = await anna.tapsFor(text.topUp, text.amounts)
    expect(labelsOf(amounts).map((label) => label.replaceAll(' ', ' '))).toEqual(text.buttons)
    await anna.tapsFor(text.buttons[2], text.how)
    await anna.tapsFor(/YooKassa|ЮKassa/, text.link)
    const { url = '' } = await anna.taps(/^Pay|^Оплатить/)
    const payment = `/api/yookassa/payments/${new URL(url).searchParams.get('orderId')}`
    await sandbox.post(payment, { action: 'pay' })
    await anna.sees(text.done)
    for (const told of text.friend) await clara.sees(told)
    await clara.asks('/invite', text.earned)

    await sandbox.post(payment, { action: 'refund' })
    for (const told of text.back) await anna.sees(told)
    await clara.sees(text.friendBack)
    await anna.asks('/statement', text.statement)
    const [row] = await sandbox.app.db.select().from(users).where(eq(users.telegramId, anna.id))
    const data = JSON.parse(await exportData(sandbox.app.db, row?.id ?? 0n, new Date()))
    expect(data.promoCodes).toMatchObject([{ code, isWaiting: false }])
  },
)

it('an invoice in Telegram names the bonus, and the operator is asked about it before a refund', async () => {
  const boris = await createUser(sandbox.url, { first_name: 'Boris', language_code: 'en', id: bossId + 7 })
  await boris.asks('/topup 500', /comes on top/)
  const invoice = await boris.tapsFor(/Stars/, ({ invoice }) => invoice !== undefined)
  expect(invoice.invoice?.description).toBe('₽500 and a bonus of ₽25 will be added to your balance.')
  await boris.pays(invoice)
  await boris.sees(/with a bonus of ₽25/)
  const { successful_payment: paid } = await boris.sees(
    ({ successful_payment }) => successful_payment !== undefined,
  )
  const ask = `/refund_payment ${paid?.telegram_payment_charge_id} mistake`
  await desk.does(ask, /The bonus for the top-up goes with the payment: ₽25/, /Refunded/)
  await boris.sees(/The bonus of ₽25 .* taken off.*\s+Balance: ₽0$/)
})
