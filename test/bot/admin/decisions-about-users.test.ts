// Decisions of operators about single users (refunds, reports, bans), and what users see of them.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payments, transfers } from '../../../src/db/schema.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { order } from '../../support/users/order.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

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
  for (const one of [boss, aide]) await one.sends('/balance')
  for (const one of [boss, aide]) await one.sees(/500/)
})
afterAll(() => desk.close())

async function withPicture(name: string, language: 'ru' | 'en' = 'en') {
  const user = await desk.newUser(name, language)
  return { user, id: await order(sandbox, user, '/image a fox') }
}
/** Reports the only result of the user, in the user's own words. */
async function reports(user: SandboxUser, words: string): Promise<void> {
  await user.taps(/^⋯/)
  await user.taps(/⚠️ (Problem|Проблема)/)
  await user.isTold(/or just write it|просто напишите/)
  await user.sends(words)
  await boss.sees(new RegExp(words))
}
const cut = (times = 1) => sandbox.breaks('telegram', 'sendMessage', { kind: 'cut' }, times)

/** Tops up by Stars. @returns the id of the charge */
async function pays(payer: SandboxUser, amount: number, way = /Stars/): Promise<string> {
  await payer.sends(`/topup ${amount}`)
  await payer.sees(`pay ₽${amount}`)
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
    await boss.taps('🖼 Orders')
    await boss.sees(/Design · ₽5.28 · ✅ done/)
    await boss.taps(/↩️ ₽5.28/)
    const question = await boss.sees(new RegExp(`/refund ${id}$`))
    await boss.sends('пустая картинка', { reply_to: question.message_id })
    await boss.sees(/Refund ₽5.28 to Анна · #\d+ for the order [a-z0-9]{10}\?.*reason: пустая картинка/)
    await desk.hasBalance(anna, '494,72')
    await boss.taps('✅ Yes')
    await boss.sees(/Refunded: ₽5.28/)
    const told = await anna.sees(/5,28 ₽ вернулись на ваш баланс[\s\S]*Причина: пустая картинка/)
    expect(told.reply_to_message).toBeUndefined()
    await desk.asks('ещё раз', /is answered, closed/, { reply_to: question.message_id })
    await desk.asks(`/refund ${id} ещё раз`, /has already been refunded in full/)
    await desk.hasBalance(anna, '500')
  })

  it('is told to the user although the answer to the operator is lost, and the question is closed', async () => {
    const { user: eva, id } = await withPicture('Eva')
    await boss.sends(`/refund ${id} a blank picture`)
    await boss.sees(/Refund ₽5.28 to Eva/)
    // One for the answer to the operator and one for the notice to the user, which is sent again; either can come first.
    await cut(2)
    await boss.taps('✅ Yes')
    await eva.sees(/₽5.28 is back on your balance[\s\S]*Reason: a blank picture/)
    await boss.sees(/Refund ₽5.28 to Eva[\s\S]*✅ Yes$/)
    await desk.hasBalance(eva, '₽500')
  })

  it('of a part leaves the rest charged; the user reads the sum and the reason, and the rest can be refunded later', async () => {
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
    await fred.sends('/history')
    await fred.taps('1')
    const returned = /part of the price came back[\s\S]*Refunded: ₽1/
    await fred.sees(({ caption }) => returned.test(caption ?? ''))
    const rest = /Refund ₽4\.28 to Fred[\s\S]*₽1 was refunded before[\s\S]*Only a part: \/refund/
    await desk.does(`/refund ${id} a blank picture`, rest, /Refunded: ₽4\.28/)
    await fred.sees(/₽4\.28 is back on your balance[\s\S]*Reason: a blank picture/)
    await desk.hasBalance(fred, '₽500')
  })
})

describe('a report', () => {
  it('is refunded after a Yes; the first operator decides', async () => {
    const { user: boris } = await withPicture('Boris')
    await reports(boris, 'The fox is a dog')
    const copy = await aide.sees(/The fox is a dog/)
    await boss.taps('💸 Refund ₽5.28')
    await boss.sees(/Refund ₽5.28 to Boris/)
    await desk.hasBalance(boris, '₽494.72')
    await boss.taps('✅ Yes')
    await boss.sees(/Refunded: ₽5.28/)
    await boris.sees(/₽5.28 is back on your balance[\s\S]*your report of a problem/)
    for (const button of copy.reply_markup?.inline_keyboard?.flat() ?? [])
      await aide.tapsData(copy.message_id, String(button.callback_data))
    await aide.isTold(/уже закрыта/)
    await desk.hasBalance(boris, '₽500')
    await desk.asks('/admin log', /refunded an order · .* ₽5.28 a report of a problem/)
    await aide.sends('/admin log')
    await aide.sees(/возврат заказа · .* 5,28 ₽ жалоба на результат/)
  })

  it('is declined with an explanation, also when the answer to the operator is lost', async () => {
    const { user: dina } = await withPicture('Dina', 'ru')
    await reports(dina, 'Лиса не моя')
    await boss.sends('/admin')
    await boss.taps('🚩 Reports: 1')
    await boss.sees(/Dina[\s\S]*Лиса не моя/)
    await boss.taps('✖ Decline')
    await boss.sees(/Decline the report of Dina/)
    await cut()
    await boss.taps('✅ Yes')
    await dina.sees(/деньги не возвращаем[\s\S]*@help/)
    await boss.sees(/Decline the report of Dina[\s\S]*✅ Yes$/)
    await desk.hasBalance(dina, '494,72')
    expect((await dina.transcript()).match(/деньги не возвращаем/g)).toHaveLength(1)
  })
})

it('the list of orders says in words why one failed, in the language of the operator', async () => {
  const nils = await desk.newUser('Nils')
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the fox is wet' })
  await nils.sends('/image a fox')
  await nils.taps(/Generate/)
  await nils.sees(/Something went wrong/)
  await aide.sends('/user Nils')
  await aide.sees(/👤 Nils/)
  await aide.taps('🖼 Заказы')
  await aide.sees(/❌ не удался \(модель не справилась\)/)
})

describe('a refund of a payment', () => {
  it('is made through its provider, with the reason in the log', async () => {
    const ivan = await desk.newUser('Ivan')
    await pays(ivan, 100)
    await desk.opens(ivan)
    await boss.taps('💳 Payments')
    await boss.sees(/stars · ₽100 · ✅ paid/)
    await boss.taps(/↩️ ₽100/)
    const question = await boss.sees(/\/refund_payment [a-z0-9]{10}$/)
    await boss.sends('paid by mistake', { reply_to: question.message_id })
    await boss.sees(/Refund the payment of ₽100 \(stars, [a-z0-9]{10}\) to Ivan/)
    await boss.taps('✅ Yes')
    await boss.sees(/Refunded: ₽100/)
    await ivan.sees(/refunded, and ₽100 was taken off the balance. Reason: paid by mistake/)
    await desk.hasBalance(ivan, '₽500')
    const [, topUp = ''] = /\/refund_payment ([a-z0-9]{10})$/.exec(question.text ?? '') ?? []
    await desk.asks(`/refund_payment ${topUp} again`, /There is no such payment left to refund/)
    await desk.asks(`/user ${ivan.id}`, /Ivan[\s\S]*Paid: ₽0/)
    const logged = /asked to refund a payment · top-up:[a-z0-9]{10} .*paid by mistake/
    await desk.asks('/admin log', logged)
  })

  it('of a provider that refunds in its own cabinet only is taken after the operator has refunded it there', async () => {
    const lev = await desk.newUser('Lev')
    const charge = await pays(lev, 400, /Card/)
    await desk.does('/debit Lev 800 spent', /Take ₽800/, /taken ₽800/)
    const first = /to Lev[\s\S]*refund the payment there first/
    await desk.does(`/refund_payment ${charge} chargeback`, first, /Refunded: ₽400/)
    await lev.sees(/₽400 was taken off the balance. Reason: chargeback\s+You owe ₽300/)
  })

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
    await boss.taps('💳 Payments')
    await boss.sees(/telegram-rub · ₽400 · ↩️ partly refunded: ₽150\b(?!\.)[\s\S]*stars · ₽100 · ✅ paid/)
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

  it('that is under way delays the deletion of the data', async () => {
    const piet = await desk.newUser('Piet')
    const charge = await pays(piet, 100)
    await sandbox.breaks('telegram', 'refundStarPayment', { kind: 'error', status: 500 })
    await desk.asks(`/refund_payment ${charge} paid by mistake`, /Refund the payment of ₽100 .* to Piet/)
    await boss.taps('✅ Yes')
    const [paid] = await sandbox.app.db.select().from(payments).where(eq(payments.chargeId, charge))
    const isOfTopUp = eq(transfers.topUpId, paid?.topUpId ?? '')
    const ofTopUp = () => sandbox.app.db.select().from(transfers).where(isOfTopUp).orderBy(transfers.id)
    await expect.poll(ofTopUp).toMatchObject([{ kind: 'deposit' }, { kind: 'refund' }])
    await piet.sends('/delete_me')
    await piet.sees(/A payment of yours is being refunded[\s\S]*@help/)
  })

  it('names the bonus of the inviter before it is made if no other payment is left', async () => {
    const olga = await desk.newUser('Olga')
    await olga.sends('/invite')
    const [, code = ''] = /start=(ref_[0-9a-z]+)/.exec((await olga.sees(/start=ref_/)).text ?? '') ?? []
    const paul = await sandbox.user('Paul')
    await paul.sends(`/start ${code}`)
    await paul.sees(/Hello, Paul/)
    const charges = [await pays(paul, 111), await pays(paul, 222)]
    const named: boolean[] = []
    for (const charge of charges) {
      const asked = await desk.asks(`/refund_payment ${charge} paid by mistake`, /Refund the payment of ₽/)
      named.push(/The inviter of this person got a bonus of ₽25, which is taken back/.test(asked.text ?? ''))
      await boss.taps('✅ Yes')
      await desk.seesBelow(asked, /Refunded: ₽/)
    }
    expect(named).toEqual([false, true])
  })
})

it('a ban refuses everything with one answer, except payments and support; its end is told although an answer is lost', async () => {
  const dora = await desk.newUser('Dora')
  await dora.sends('/topup 100')
  await dora.taps(/Card/)
  const invoice = await dora.sees((message) => message.invoice !== undefined)
  const number = await desk.opens(dora)
  await boss.taps('🚫 Ban')
  const question = await boss.sees(new RegExp(`/ban #${number}$`))
  await boss.sends('spam', { reply_to: question.message_id })
  await boss.sees(/Ban Dora · #\d+\?/)
  await boss.taps('✅ Yes')
  await boss.sees(/Banned: Dora/)
  const before = (await dora.chat()).length
  await dora.sends('/image a fox')
  await dora.sees(/can no longer use this bot[\s\S]*@help/)
  expect(await dora.chat()).toHaveLength(before + 2)
  expect(await dora.pays(invoice)).toMatchObject({ ok: true })
  await dora.sees(/₽100 added/)
  await dora.sends('/paysupport')
  await dora.sees(({ text = '' }) => text.includes('@help') && !text.includes('no longer use'))
  await desk.asks('/unban Dora a mistake of ours', /Unban Dora/)
  await cut()
  await boss.taps('✅ Yes')
  await dora.sees(/can use the bot again/)
  await boss.taps('✅ Yes')
  await boss.sees(/Unban Dora[\s\S]*✅ Yes$/)
  await desk.hasBalance(dora, '₽600')
  expect((await dora.transcript()).match(/can use the bot again/g)).toHaveLength(1)
})
