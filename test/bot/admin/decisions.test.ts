// Decisions of operators about single users (refunds, reports, bans) and about everybody (switches, promo codes), and what users see of them.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payments } from '../../../src/db/schema.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { order } from '../../support/users/order.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const aideId = 900_002
let sandbox: TestSandbox
let boss: SandboxUser
let aide: SandboxUser
let desk: Desk
beforeAll(async () => {
  const env = {
    ADMIN_IDS: `${bossId},${aideId}`,
    TOPUP_ROUBLES_PER_STAR: '1',
    REFERRAL_BONUS: '25',
  }
  ;({ sandbox, boss, desk } = await openDesk(env))
  aide = await createUser(sandbox.url, { first_name: 'Aide', language_code: 'ru', id: aideId })
  for (const one of [boss, aide]) await one.asks('/balance', /500/)
})
afterAll(() => desk.close())

async function withPicture(name: string, language: 'ru' | 'en' = 'en') {
  const user = await desk.newUser(name, language)
  return { user, id: await order(sandbox, user, '/image a fox') }
}
/** Reports the only result of the user, in the user's own words. */
async function reports(user: SandboxUser, words: string): Promise<void> {
  await user.tapsAll(/^⋯/, /⚠️ (Problem|Проблема)/)
  await user.isTold(/or just write it|просто напишите/)
  await user.sends(words)
  await boss.sees(new RegExp(words))
}
const cut = (times = 1) => sandbox.breaks('telegram', 'sendMessage', { kind: 'cut' }, times)

/** Tops up by Stars. @returns the id of the charge */
async function pays(payer: SandboxUser, amount: number, way = /Stars/): Promise<string> {
  await payer.asks(`/topup ${amount}`, `pay ₽${amount}`)
  await payer.taps(way)
  const total = way.test('Stars') ? amount : amount * 100
  await payer.pays(await payer.sees(({ invoice }) => invoice?.total_amount === total))
  await payer.sees(`₽${amount} added`)
  const paid = await payer.sees(({ successful_payment: paid }) => paid?.total_amount === total)
  return paid.successful_payment?.telegram_payment_charge_id ?? ''
}

describe('a refund of an order', () => {
  it('needs a tap and a reason; the user is told, and a second refund is refused', async () => {
    const { user: anna, id } = await withPicture('Анна', 'ru')
    await desk.opens(anna)
    await boss.tapsFor('🖼 Orders', /Design · ₽5.28 · ✅ done/)
    const question = await boss.tapsFor(/↩️ ₽5.28/, new RegExp(`/refund ${id}$`))
    await boss.asks(
      'пустая картинка',
      /Refund ₽5.28 to Анна · #\d+ for the order [a-z0-9]{10}\?.*reason: пустая картинка/,
      { reply_to: question.message_id },
    )
    await desk.hasBalance(anna, '₽494.72')
    await boss.tapsFor('✅ Yes', /Refunded: ₽5.28/)
    const told = await anna.sees(/5,28 ₽ вернулись на ваш баланс[\s\S]*Причина: пустая картинка/)
    expect(told.reply_to_message).toBeUndefined()
    await desk.asks('ещё раз', /is answered, closed/, { reply_to: question.message_id })
    await desk.asks(`/refund ${id} ещё раз`, /has already been refunded in full/)
    await desk.hasBalance(anna, '₽500')
  })

  it('of a part leaves the rest charged, which is told to the user although the answer to the operator is lost', async () => {
    const { user: fred, id } = await withPicture('Fred')
    await desk.asks(`/refund ${id} 5.29 no ears`, /Less than that is left/)
    await desk.asks(`/refund ${id} 1 500 no ears`, /I need an ID and a reason; for a part, put the sum/)
    const keeps = /Refund ₽2 to Fred[\s\S]*reason: no ears[\s\S]*₽3\.28 stays charged/
    const first = await desk.asks(`/refund ${id} 2₽ no ears`, keeps)
    await desk.asks(`/refund ${id} 1 no tail`, /Refund ₽1 to Fred[\s\S]*reason: no tail/)
    await boss.taps('✅ Yes')
    await fred.sees(/₽1 is back on your balance[\s\S]*Reason: no tail/)
    await boss.tapsData(first.message_id, 'ad:d:yes')
    await boss.sees(/refunded in the meantime, so nothing was done/)
    await desk.hasBalance(fred, '₽495.72')
    await fred.opens('/history', '1')
    const returned = /part of the price came back[\s\S]*Refunded: ₽1/
    await fred.sees(({ caption }) => returned.test(caption ?? ''))
    const rest = /Refund ₽4\.28 to Fred[\s\S]*₽1 was refunded before[\s\S]*Only a part: \/refund/
    await desk.asks(`/refund ${id} a blank picture`, rest)
    // One for the answer to the operator and one for the notice to the user, which is sent again; either can come first.
    await cut(2)
    await boss.taps('✅ Yes')
    await fred.sees(/₽4\.28 is back on your balance[\s\S]*Reason: a blank picture/)
    await boss.sees(/Refund ₽4\.28 to Fred[\s\S]*✅ Yes$/)
    await desk.hasBalance(fred, '₽500')
  })
})

describe('a report', () => {
  it('is refunded after a Yes; the first operator decides', async () => {
    const { user: boris } = await withPicture('Boris')
    await reports(boris, 'The fox is a dog')
    const copy = await aide.sees(/The fox is a dog/)
    await boss.tapsFor('💸 Refund ₽5.28', /Refund ₽5.28 to Boris/)
    await desk.hasBalance(boris, '₽494.72')
    await boss.tapsFor('✅ Yes', /Refunded: ₽5.28/)
    await boris.sees(/₽5.28 is back on your balance[\s\S]*your report of a problem/)
    for (const button of copy.reply_markup?.inline_keyboard?.flat() ?? [])
      await aide.tapsData(copy.message_id, String(button.callback_data))
    await aide.isTold(/уже закрыта/)
    await desk.hasBalance(boris, '₽500')
    await desk.asks('/admin log', /refunded an order · .* ₽5.28 a report of a problem/)
    await aide.asks('/admin log', /возврат заказа · .* 5,28 ₽ жалоба на результат/)
  })

  it('is declined with an explanation, also when the answer to the operator is lost', async () => {
    const { user: dina } = await withPicture('Dina', 'ru')
    await reports(dina, 'Лиса не моя')
    await boss.opens('/admin', '🚩 Reports: 1')
    await boss.sees(/Dina[\s\S]*Лиса не моя/)
    await boss.tapsFor('✖ Decline', /Decline the report of Dina/)
    await cut()
    await boss.taps('✅ Yes')
    await dina.sees(/деньги не возвращаем[\s\S]*@help/)
    await boss.sees(/Decline the report of Dina[\s\S]*✅ Yes$/)
    await desk.hasBalance(dina, '₽494.72')
    expect((await dina.transcript()).match(/деньги не возвращаем/g)).toHaveLength(1)
  })
})

describe('a refund of a payment', () => {
  it('is made through its provider, with the reason in the log', async () => {
    const ivan = await desk.newUser('Ivan')
    await pays(ivan, 100)
    await desk.opens(ivan)
    await boss.tapsFor('💳 Payments', /stars · ₽100 · ✅ paid/)
    const question = await boss.tapsFor(/↩️ ₽100/, /\/refund_payment [a-z0-9]{10}$/)
    await boss.asks('paid by mistake', /Refund the payment of ₽100 \(stars, [a-z0-9]{10}\) to Ivan/, {
      reply_to: question.message_id,
    })
    await boss.tapsFor('✅ Yes', /Refunded: ₽100/)
    await ivan.sees(/refunded, and ₽100 was taken off the balance. Reason: paid by mistake/)
    await desk.hasBalance(ivan, '₽500')
    const [, topUp = ''] = /\/refund_payment ([a-z0-9]{10})$/.exec(question.text ?? '') ?? []
    await desk.asks(`/refund_payment ${topUp} again`, /There is no such payment left to refund/)
    await desk.asks(`/user ${ivan.id}`, /Ivan[\s\S]*Paid: ₽0/)
    const logged = /asked to refund a payment · top-up:[a-z0-9]{10} .*paid by mistake/
    await desk.asks('/admin log', logged)
  })

  it.each([
    [
      'platega',
      'ru',
      /^🏦 .* Platega$/,
      /^Оплатить 300/,
      /Зачислено 300\s₽/,
      /с баланса списано 300\s₽/,
      false,
    ],
    ['cryptopay', 'en', /Crypto Bot/, /^Pay ₽300/, /₽300 added/, /₽300 was taken off the balance/, true],
  ] as const)(
    'of a payment made on the page of %s (%s) asks the provider, or the operator to do it by hand',
    async (provider, language, way, button, added, taken, isByHand) => {
      const kira = await desk.newUser(`Kira of ${provider}`, language)
      await kira.opens('/topup 300', way)
      const { url = '' } = await kira.taps(button)
      expect(url).toContain(`/${provider}/checkout`)
      const paid = await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) })
      expect(await paid.text()).toMatch(/Оплачено 300,00\s₽/)
      await kira.sees(added)
      const charge = new URL(url).searchParams.get('orderId')
      const question = isByHand ? /refunds only in its own account area/ : /Refund the payment of ₽300/
      await desk.does(`/refund_payment ${charge} paid by mistake`, question, /Refunded: ₽300/)
      await kira.sees(taken)
      const shown = JSON.stringify(await sandbox.get(`/api/${provider}/payments`))
      expect(shown).toContain(`"isRefunded":${!isByHand}`)
    },
  )

  it('in part says where it can be made, and the payer reads the sum and the reason', async () => {
    const lena = await desk.newUser('Lena')
    const stars = await pays(lena, 100)
    const whole = /Telegram refunds a payment in Stars only as a whole/
    await desk.asks(`/refund_payment ${stars} 50 too much`, whole)
    const card = await pays(lena, 400, /Card/)
    const part = /Refund ₽150 of the payment .* to Lena[\s\S]*refund exactly ₽150 there first/
    await desk.does(`/refund_payment ${card} 150 too much`, part, /Refunded: ₽150/)
    await lena.sees(/₽150 was taken off the balance. Reason: too much/)
    await desk.opens(lena)
    await boss.tapsFor(
      '💳 Payments',
      /telegram-rub · ₽400 · ↩️ partly refunded: ₽150\b(?!\.)[\s\S]*stars · ₽100 · ✅ paid/,
    )
    await desk.asks(`/refund_payment ${card} 250.01 too much`, /Less than that is left of this payment/)
    const rest = /to Lena[\s\S]*₽150 of it was refunded before/
    await desk.does(`/refund_payment ${card} all of it`, rest, /Refunded: ₽250/)
    await lena.sees(/₽250 was taken off the balance. Reason: all of it/)
    await desk.hasBalance(lena, '₽600')
  })

  it('finds the payer by charge, provider and top-up, and is not logged as made when the balance does not cover it', async () => {
    const vera = await desk.newUser('Vera')
    const charge = await pays(vera, 100)
    const [paid] = await sandbox.app.db.select().from(payments).where(eq(payments.chargeId, charge))
    for (const name of [charge, `stars:${charge}`, paid?.topUpId]) await desk.asks(`/user ${name}`, /👤 Vera/)
    await desk.does('/debit Vera 550 all is spent', /Take ₽550/, /Vera: taken ₽550/)
    const question = /Refund the payment of ₽100 .* to Vera/
    await desk.does(`/refund_payment stars:${charge} too late`, question, /The money has been spent/)
    const { text = '' } = await desk.asks('/admin log', /too late/)
    const line = text.split('\n').find((one) => one.includes('too late'))
    expect(line).toMatch(/ · asked to refund a payment · /)
  })

  it('names the bonus of the inviter before it is made if no other payment is left', async () => {
    const olga = await desk.newUser('Olga')
    const [, code = ''] =
      /start=(ref_[0-9a-z]+)/.exec((await olga.asks('/invite', /start=ref_/)).text ?? '') ?? []
    const paul = await sandbox.user('Paul')
    await paul.asks(`/start ${code}`, /Hello, Paul/)
    const charges = [await pays(paul, 111), await pays(paul, 222)]
    const taken = /The inviter got a bonus of ₽25 for this payment, which is taken back/
    const named: boolean[] = []
    for (const charge of charges) {
      const asked = await desk.asks(`/refund_payment ${charge} paid by mistake`, /Refund the payment of ₽/)
      named.push(taken.test(asked.text ?? ''))
      await boss.taps('✅ Yes')
      await desk.seesBelow(asked, /Refunded: ₽/)
    }
    expect(named).toEqual([false, true])
  })
})

it('a ban refuses everything with one answer, except payments and support; its end is told although an answer is lost', async () => {
  const dora = await desk.newUser('Dora')
  await dora.opens('/topup 100', /Card/)
  const invoice = await dora.sees((message) => message.invoice !== undefined)
  const number = await desk.opens(dora)
  const question = await boss.tapsFor('🚫 Ban', new RegExp(`/ban #${number}$`))
  await boss.asks('spam', /Ban Dora · #\d+\?/, { reply_to: question.message_id })
  await boss.tapsFor('✅ Yes', /Banned: Dora/)
  const before = (await dora.chat()).length
  await dora.asks('/image a fox', /can no longer use this bot[\s\S]*@help/)
  expect(await dora.chat()).toHaveLength(before + 2)
  expect(await dora.pays(invoice)).toMatchObject({ ok: true })
  await dora.sees(/₽100 added/)
  await dora.asks('/paysupport', ({ text = '' }) => text.includes('@help') && !text.includes('no longer use'))
  await desk.asks('/unban Dora a mistake of ours', /Unban Dora/)
  await cut()
  await boss.taps('✅ Yes')
  await dora.sees(/can use the bot again/)
  await boss.tapsFor('✅ Yes', /Unban Dora[\s\S]*✅ Yes$/)
  await desk.hasBalance(dora, '₽600')
  expect((await dora.transcript()).match(/can use the bot again/g)).toHaveLength(1)
})

describe('For everybody,', () => {
  const isPicture = ({ photo }: SandboxMessage) => photo !== undefined

  /** Asks a text model and waits for the answer, which has a button with its price. */
  async function isAnswered(user: SandboxUser, question: string): Promise<void> {
    const { message_id: asked } = await user.sends(question)
    const isPriced = /"[^"]*₽0\.[^"]*"/
    await user.sees(
      ({ message_id, reply_markup }) =>
        message_id > asked && isPriced.test(JSON.stringify(reply_markup ?? '')),
    )
  }

  /** Opens the switches, switches one off after the question, and waits for the button that switches it on. */
  async function switchesOff(
    button: string | RegExp,
    question: RegExp,
    then: string | RegExp,
  ): Promise<void> {
    await boss.opens('/admin', '🎚 Switches', button)
    await boss.sees(question)
    await boss.taps('✅ Yes')
    await boss.seesButton(then)
  }

  it('during maintenance, which begins after a Yes, users cannot order or ask text models; operators can', async () => {
    const eva = await desk.newUser('Eva')
    await boss.opens('/admin', '🎚 Switches', '🛠 Begin maintenance')
    await boss.sees(/Stop all sales\?/)
    await boss.tapsFor('✖ No', /Stop all sales\?[\s\S]*✖ No$/)
    await eva.opens('/image a fox', /Generate/)
    await eva.sees(isPicture)
    await eva.asks('/image an owl', /an owl[\s\S]*Price: ₽5.28/)
    await switchesOff('🛠 Begin maintenance', /Stop all sales\?/, '✅ End maintenance')
    await eva.hears(/Generate/, /We’re doing maintenance/)
    await eva.asks('/chat Why is the sea blue?', /Answers are paused/)
    await isAnswered(boss, '/chat Why is the sea blue?')
    await boss.opens('/image an owl', /Generate/)
    await boss.sees(isPicture)
    await boss.taps('✅ End maintenance')
    await expect.poll(async () => (await boss.chat()).flatMap(labelsOf)).not.toContain('✅ End maintenance')
    await eva.taps(/Generate/)
    await expect.poll(async () => (await eva.chat()).filter(isPicture)).toHaveLength(2)
  })

  it('a text model that is switched off answers no more, and a person in its conversation is offered another', async () => {
    const rose = await desk.newUser('Rose')
    await isAnswered(rose, '/chat Why is the sea blue?')
    await switchesOff('🟢 Assistant', /Stop selling Assistant\?/, '🔴 Assistant')
    const offer = await rose.asks(
      '/chat Why is the sky blue?',
      /Assistant is switched off at the moment, so nothing was asked/,
    )
    expect(JSON.stringify(offer.reply_markup)).not.toContain('Assistant')
    await rose.taps(/GPT · /)
    await isAnswered(rose, '/chat Why is the grass green?')
    await boss.taps('🔴 Assistant')
    await boss.seesButton('🟢 Assistant')
  })

  it('a promo code is created, redeemed and ended, each once', async () => {
    const [gina, vera] = [await desk.newUser('Gina'), await desk.newUser('Vera')]
    await desk.asks('/promo_add spring 100', /Code, amount, number of people/)
    const question =
      /Create the code SPRING: ₽100 for 5 people, until 2099-12-31\?|SPRING: ₽100 for each of 5/
    await desk.does('/promo_add spring 100₽ 5 2099-12-31', question, /SPRING: ₽100/)
    const another = /SPRING: ₽5 for each of 5 people, ₽25 in all\?/
    await desk.does('/promo_add SPRING 5 5', another, /The code SPRING already exists/)
    await gina.asks('/promo spring', /₽100/)
    await desk.hasBalance(gina, '₽600')
    const end = /End the code SPRING \(₽100, used 1 of 5\)\?/
    await desk.does('/promo_end spring', end, /The code SPRING has ended\./)
    await vera.asks('/promo spring', 'This promo code has no uses left.')
    await desk.hasBalance(vera, '₽500')
    await desk.asks('/promo_end spring', /There is no code SPRING, or it has ended already/)
  })
})
