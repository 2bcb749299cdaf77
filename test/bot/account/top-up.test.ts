// Top-ups, the limits of each way to pay, what they bring beside their credit, and promo codes, as they are typed after the command or in the
// next message.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageNotes, topUps, users } from '../../../src/db/schema.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { findByTelegram } from '../../../src/users/user.ts'
import { type Desk, openDesk } from '../../support/users/desk.ts'
import { turnsIn } from '../../support/users/order.ts'
import { openSandbox, sharedSandbox, type TestSandbox, withoutLinks } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'
import { makePromos } from '../../support/worlds/promo-codes.ts'

const sandbox = await sharedSandbox()

async function topUpsOf({ app: { db } }: TestSandbox, { id }: SandboxUser) {
  const owner = await findByTelegram(db, id)
  return db
    .select()
    .from(topUps)
    .where(eq(topUps.userId, owner?.id ?? 0n))
}

describe('An amount', () => {
  let anna: SandboxUser

  beforeEach(async () => {
    anna = await sandbox.user('Anna')
    await anna.asks('/topup', 'How much?')
  })

  const paying = (amount: string) => `How would you like to pay ₽${amount}?`

  it('what is no amount, or outside of the limits, is refused with what fits and is no question to the text model', async () => {
    const unread = 'I couldn’t read the amount. Write the number of roubles'
    const rows = [
      ['1,00,0', unread],
      ['seven hundred', / from ₽50 to ₽[\d,.]+,/],
      ['7', 'You can top up from ₽50'],
      ['/topup abc', unread],
      ['/topup 1', 'You can top up from ₽50'],
      ['750,00 ₽', paying('750')],
      ['800', /Choose above how to pay/],
    ] as const
    for (const [typed, told] of rows) await anna.asks(typed, told)
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('sixteen minutes after the question, a number is a question to the text model', async () => {
    const createdAt = new Date(Date.now() - 16 * 60_000)
    const later = sandbox.app.db.update(messageNotes).set({ createdAt })
    await expect.poll(() => later.where(eq(messageNotes.chatId, anna.id)).returning()).toHaveLength(1)
    await anna.asks('750', /the short answer/)
  })

  it('a number answers what was opened last: a command, or an amount while a guide waits, which goes on waiting', async () => {
    await anna.asks('/video', /For example/)
    await anna.asks('500', /Prompt: 500/)
    await anna.opens('/image a cat', '⚙️ More', '🪜 Step by step')
    await anna.sees(/Price/)
    await anna.asks('/topup', 'How much?')
    await anna.asks('500', paying('500'))
    await anna.opens('16:9', '✅ Enough, show the price')
    await anna.seesButton(/16:9$/)
  })
})

describe('Telegram’s rouble invoices, which have a least sum:', () => {
  let sandbox: TestSandbox
  let both: TestSandbox

  beforeAll(async () => {
    const roubles = { ...withoutLinks, TOPUP_ROUBLES_PER_STAR: '', WELCOME_CREDIT: '80.45' }
    sandbox = await openSandbox('postgres', roubles)
    both = await openSandbox('postgres', withoutLinks)
  })
  afterAll(() => Promise.all([sandbox.stop(), both.stop()]))

  const isInvoiceIn = (currency: string) => (message: SandboxMessage) =>
    message.invoice?.currency === currency

  it('when 12 ₽ are missing, the card offers a top-up of 100 ₽, the least amount of a rouble invoice', async () => {
    const anna = await sandbox.user('Anna')
    await anna.opens('/video a cat', '💳 Top up ₽100')
    await anna.pays(await anna.sees(isInvoiceIn('RUB')))
    await anna.seesButton('Generate · ₽92.45')
  })

  it('a typed amount below the least amount of a rouble invoice is refused, and opens no top-up', async () => {
    const boris = await sandbox.user('Boris')
    await boris.asks('/topup', 'How much? From ₽100')
    await boris.asks('/topup 60', '₽60 is outside the limits. You can top up from ₽100')
    expect(await topUpsOf(sandbox, boris)).toEqual([])
  })

  it('an invoice whose amount Telegram refuses is answered with what to do', async () => {
    const clara = await sandbox.user('Clara')
    const description = 'Bad Request: CURRENCY_TOTAL_AMOUNT_INVALID'
    await sandbox.breaks('telegram', 'sendInvoice', { kind: 'error', status: 400, description })
    await clara.asks('/topup 100', 'Telegram doesn’t take a payment of ₽100 this way')
    await clara.asks('200', isInvoiceIn('RUB'))
  })

  it('an amount that only one way to pay takes is paid that way, and an old button of another way is refused', async () => {
    const dora = await both.user('Dora')
    await dora.asks('/topup', 'From ₽50')
    await dora.asks('/topup 60', isInvoiceIn('XTR'))
    const ways = await dora.asks('/topup 100', 'How would you like to pay ₽100?')
    expect(labelsOf(ways)).toHaveLength(2)
    await dora.tapsData(ways.message_id, 't:6000:telegram-rub')
    await dora.sees('₽60 is outside the limits. You can top up from ₽100')
  })
})

describe('A promo code:', () => {
  let anna: SandboxUser

  beforeAll(async () => {
    const amounts = { amount: 50_00n, maxUses: 100, createdAt: new Date() }
    await makePromos(sandbox.app.db, { code: 'SUMMER', ...amounts })
  })
  beforeEach(async () => {
    anna = await sandbox.user('Anna')
  })

  const asked = 'What’s your promo code?'
  const unknown = 'There is no such promo code.'
  const given = /₽50 added/
  const isGone = (text: string) =>
    expect.poll(async () => (await anna.transcript()).includes(text)).toBe(false)

  it('a code is redeemed after the command, which closes the open question, and once only', async () => {
    await anna.asks('/promo', asked)
    await anna.asks('/promo summer', given)
    await isGone(asked)
    expect(labelsOf(await anna.asks('/promo SUMMER', /already used this promo code/))).toEqual([])
    await anna.asks('Thanks', /About “Thanks/)
  })

  it('a wrong code is answered with the question for another one, which the next message answers', async () => {
    expect(labelsOf(await anna.asks('/promo SUMER', unknown))).toEqual(['✖ Cancel'])
    await anna.asks(' Summer ', given)
    await isGone(unknown)
    expect(await anna.balance()).toBe('₽550')
  })

  it('words beside a menu or a card that was opened since are no code, and the question for one closes', async () => {
    for (const [open, seen] of [
      ['/settings', /Settings/],
      ['/image a fox', /Prompt: a fox/],
    ] as const) {
      await anna.asks('/promo', asked)
      await anna.asks(open, seen)
      await anna.sends('SUMMER')
      await anna.seesButton(/^💬 .* · ≈ ₽0\.\d\d$/)
      await isGone(asked)
    }
    await anna.asks('/promo summer', given)
  })

  it('five wrong codes end the question; words that cannot be a code, and a sticker, do not count and leave it open', async () => {
    const { message_id: reply_to } = await anna.asks('/promo', asked)
    for (let times = 0; times < 3; times += 1) await anna.asks('Is it SUMMER?', unknown, { reply_to })
    for (let times = 0; times < 3; times += 1) await anna.asks('/promo Is it SUMMER?', unknown)
    await anna.sendsFile({ bytes: Buffer.from('RIFF'), name: 'cat.webp' })
    for (const code of ['A1', 'A2', 'A3', 'A4', 'A5']) await anna.asks(code, unknown)
    await anna.asks('SUMMER', 'Try again in an hour')
  })

  it('when the question is cancelled, a code in the next message is a question to the text model and is not redeemed', async () => {
    await anna.asks('/promo', asked)
    await anna.taps('✖ Cancel')
    await isGone(asked)
    await anna.asks('SUMMER', /About “SUMMER/)
    expect(await anna.transcript()).not.toMatch(/₽50 added|There is no such promo code/)
  })
})

describe('What top-ups bring beside their credit:', () => {
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

  it('a bonus, a code and the percents of the inviter are shown, given, told and taken back', async () => {
    const question =
      /Create the code WINTER: 20% of the next top-up, up to ₽40 for each of 5 people, ₽200 in all\?/
    await desk.does('/promo_add WINTER 20% 40₽ 5', question, /20% of the next top-up, up to ₽40 for 5 people/)
    await desk.does('/promo_add ANOTHER 5% 40 5', /ANOTHER/, /5% of the next top-up/)

    const clara = await sandbox.user('Clara', 'ru')
    const invitation = await clara.asks(
      '/invite',
      /Вы получаете 10% с первых 3 пополнений каждого приглашённого/,
    )
    const [, link = ''] = /start=(ref_[0-9a-z]+)/.exec(invitation.text ?? '') ?? []
    const anna = await sandbox.user('Anna', 'ru')
    await anna.asks(`/start ${link}`, /Anna/)
    const waits = /Код WINTER: к следующему пополнению добавится 20%, но не больше 40 ₽\.$/
    await anna.asks('/promo winter', waits)
    await anna.asks('/promo WINTER', waits)
    await anna.asks('/promo another', /уже ждёт код WINTER/)
    const amounts = await anna.tapsFor(
      '💳 Пополнить',
      /На сколько пополнить\?[\s\S]*Бонус сверху: от 500 ₽ — 5%, от 2 000 ₽ — 10%\.\s+🎁 Код WINTER/,
    )
    const buttons = ['100 ₽', '300 ₽', '500 ₽ + 25 ₽', '1 000 ₽ + 50 ₽', '2 000 ₽ + 200 ₽']
    expect(labelsOf(amounts)).toEqual(buttons)
    await anna.tapsFor('500 ₽ + 25 ₽', /Как оплатить 500 ₽\?\s+🎁 Сверху — бонус 25 ₽\.\s+🎁 Код WINTER/)
    await anna.tapsFor(/ЮKassa/, /Пополнение на 500 ₽[\s\S]*Сверху — бонус 25 ₽/)
    const { url = '' } = await anna.taps(/^Оплатить/)
    const payment = `/api/yookassa/payments/${new URL(url).searchParams.get('orderId')}`
    await sandbox.post(payment, { action: 'pay' })
    await anna.sees(/Зачислено 500 ₽ и бонус 65 ₽\.\s+Баланс: 565 ₽$/)
    for (const told of [/вы получаете 25 ₽/, /вы получаете 50 ₽/]) await clara.sees(told)
    await clara.asks('/invite', /Пришло по ссылке: 1, из них ещё не пополняли баланс: 0\. Заработано: 75 ₽/)

    await sandbox.post(payment, { action: 'refund' })
    await anna.sees(/Бонус 25 ₽ за возвращённый платёж снят/)
    await anna.sees(/Бонус 40 ₽ .*снят.*\s+Баланс: 0 ₽$/)
    await clara.sees(/бонус за приглашение 50 ₽ снят/)
    await anna.asks(
      '/statement',
      /Бонус за пополнение:[\s\S]*Промокод · WINTER[\s\S]*Бонус снят вместе с платежом/,
    )
    const [row] = await sandbox.app.db.select().from(users).where(eq(users.telegramId, anna.id))
    const data = JSON.parse(await exportData(sandbox.app.db, row?.id ?? 0n, new Date()))
    expect(data.promoCodes).toMatchObject([{ code: 'WINTER', isWaiting: false }])
  })

  it('an invoice in Telegram names the bonus, and the operator is asked about it before a refund', async () => {
    const boris = await sandbox.user('Boris')
    await boris.asks('/topup 500', /comes on top/)
    const { invoice } = await boris.tapsFor(/Stars/, (message) => message.invoice !== undefined)
    expect(invoice?.description).toBe('₽500 and a bonus of ₽25 will be added to your balance.')
    await boris.pays(await boris.sees((message) => message.invoice !== undefined))
    await boris.sees(/with a bonus of ₽25/)
    const { successful_payment: paid } = await boris.sees(
      (message) => message.successful_payment !== undefined,
    )
    const ask = `/refund_payment ${paid?.telegram_payment_charge_id} mistake`
    await desk.does(ask, /The bonus for the top-up goes with the payment: ₽25/, /Refunded/)
    await boris.sees(/The bonus of ₽25 .* taken off.*\s+Balance: ₽0$/)
  })
})
