// Decisions of operators about single users (refunds, reports, bans), and what users see of them.

import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, payments, topUps, transfers, users } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { atDesk } from '../../support/users/desk.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const [bossId, aideId] = [900_001, 900_002]
let sandbox: TestSandbox
let boss: SandboxUser
let aide: SandboxUser
let desk: ReturnType<typeof atDesk>
beforeAll(async () => {
  sandbox = await openSandbox('postgres', {
    ADMIN_IDS: `${bossId},${aideId}`,
    SUPPORT_CONTACT: '@help',
    TOPUP_ROUBLES_PER_STAR: '1',
    REFERRAL_BONUS: '25',
  })
  boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  aide = await createUser(sandbox.url, { first_name: 'Aide', language_code: 'ru', id: aideId })
  desk = atDesk(boss, sandbox)
  for (const one of [boss, aide]) await one.sends('/balance')
  for (const one of [boss, aide]) await one.sees(/500[.,]00/)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const paidPicture = (message: SandboxMessage) => message.photo !== undefined
async function withPicture(name: string, language: 'ru' | 'en' = 'en') {
  const user = await desk.newUser(name, language)
  await user.sends('/image a fox')
  await user.taps(/· (₽5\.28|5,28 ₽)$/)
  await user.sees(paidPicture)
  return user
}
/** Reports the only result of the user, in the user's own words. */
async function reports(user: SandboxUser, words: string): Promise<void> {
  await user.sends('/history')
  await user.taps('1')
  await user.taps(/Report a problem|Сообщить о проблеме/)
  await user.taps(/In my own words|Своими словами/)
  await user.sends(words)
  await boss.sees(new RegExp(words))
}
async function opens(who: string): Promise<string> {
  await boss.sends(`/user ${who}`)
  const card = await boss.sees(new RegExp(`${who}[\\s\\S]*Number: #`))
  return /#(\d+)/.exec(card.text ?? '')?.[1] ?? ''
}
const hasBalance = async (user: SandboxUser, roubles: number) => {
  await user.sends('/balance')
  await user.sees(new RegExp(roubles.toFixed(2).replace('.', '[.,]')))
}

describe('a refund', () => {
  it('needs a tap and a reason; the user is told, and a second refund is refused', async () => {
    const anna = await withPicture('Анна', 'ru')
    await opens('Анна')
    await boss.taps('🖼 Orders')
    await boss.sees(/Design · ₽5.28 · ✅ done/)
    await boss.taps(/↩️ ₽5.28/)
    const question = await boss.sees(/\/refund [a-z0-9]{10}$/)
    await boss.sends('пустая картинка', { reply_to: question.message_id })
    await boss.sees(/Refund ₽5.28 to Анна · #\d+ for the order [a-z0-9]{10}\?.*reason: пустая картинка/)
    await hasBalance(anna, 494.72)
    await boss.taps('✅ Yes')
    await boss.sees(/Refunded: ₽5.28/)
    const told = await anna.sees(/5,28 ₽ вернулись на ваш баланс[\s\S]*Причина: пустая картинка/)
    expect(told.reply_to_message).toBeUndefined()
    await hasBalance(anna, 500)
    await boss.sends('ещё раз', { reply_to: question.message_id })
    await boss.sees(/is answered, closed/)
    const [, id = ''] = /\/refund ([a-z0-9]{10})$/.exec(question.text ?? '') ?? []
    await boss.sends(`/refund ${id} ещё раз`)
    await boss.sees(/has been refunded in full already/)
    await hasBalance(anna, 500)
  })

  it('is told to the user although the answer to the operator is lost, and the question is closed', async () => {
    const eva = await withPicture('Eva')
    const [order] = await sandbox.app.db
      .select({ id: generations.id })
      .from(generations)
      .where(eq(generations.chatId, eva.id))
    await boss.sends(`/refund ${order?.id} a blank picture`)
    await boss.sees(/Refund ₽5.28 to Eva/)
    // One for the answer to the operator and one for the notice to the user, which is sent again; either can come first.
    await sandbox.breaks('telegram', 'sendMessage', { kind: 'cut' }, 2)
    await boss.taps('✅ Yes')
    await eva.sees(/₽5.28 is back on your balance[\s\S]*Reason: a blank picture/)
    await boss.sees(/Refund ₽5.28 to Eva[\s\S]*✅ Yes$/)
    await hasBalance(eva, 500)
  })

  it('of a part leaves the rest charged; the user reads the sum and the reason, and the rest can be refunded later', async () => {
    const fred = await withPicture('Fred')
    const isOfFred = eq(generations.chatId, fred.id)
    const orderNow = async () => (await sandbox.app.db.select().from(generations).where(isOfFred))[0]
    await expect.poll(async () => (await orderNow())?.delivery).toBe('delivered')
    const id = (await orderNow())?.id
    await boss.sends(`/refund ${id} 5.29 no ears`)
    await boss.sees(/Less than that is left/)
    await boss.sends(`/refund ${id} 1 500 no ears`)
    await boss.sees(/An ID and a reason, please; for a part, the sum/)
    await boss.sends(`/refund ${id} 2₽ no ears`)
    const first = await boss.sees(/Refund ₽2\.00 to Fred[\s\S]*reason: no ears[\s\S]*₽3\.28 stays charged/)
    await boss.sends(`/refund ${id} 1 no tail`)
    await boss.sees(/Refund ₽1\.00 to Fred[\s\S]*reason: no tail/)
    await boss.taps('✅ Yes')
    await fred.sees(/₽1\.00 is back on your balance[\s\S]*Reason: no tail/)
    await boss.tapsData(first.message_id, 'ad:d:yes')
    await boss.sees(/refunded in the meantime, so nothing was done/)
    await hasBalance(fred, 495.72)
    await fred.sends('/history')
    await fred.taps('1')
    await fred.sees(({ caption }) =>
      /a part of the price was returned[\s\S]*Refunded: ₽1\.00/.test(caption ?? ''),
    )
    await boss.sends(`/refund ${id} a blank picture`)
    await boss.sees(/Refund ₽4\.28 to Fred[\s\S]*₽1\.00 was refunded before[\s\S]*Only a part: \/refund/)
    await boss.taps('✅ Yes')
    await fred.sees(/₽4\.28 is back on your balance[\s\S]*Reason: a blank picture/)
    await hasBalance(fred, 500)
  })

  it('of a report needs a Yes; the first operator decides', async () => {
    const boris = await withPicture('Boris')
    await reports(boris, 'The fox is a dog')
    const copy = await aide.sees(/The fox is a dog/)
    await boss.taps('💸 Refund ₽5.28')
    await boss.sees(/Refund ₽5.28 to Boris/)
    await hasBalance(boris, 494.72)
    await boss.taps('✅ Yes')
    await boss.sees(/Refunded: ₽5.28/)
    await boris.sees(/₽5.28 is back on your balance[\s\S]*your report of a problem/)
    const [refund, decline] =
      copy.reply_markup?.inline_keyboard?.flat().map(({ callback_data }) => callback_data) ?? []
    await aide.tapsData(copy.message_id, String(refund))
    await aide.isTold(/уже закрыта/)
    await aide.tapsData(copy.message_id, String(decline))
    await hasBalance(boris, 500)
    await boss.sends('/admin log')
    await boss.sees(/refunded an order · .* ₽5.28 a report of a problem/)
    await aide.sends('/admin log')
    await aide.sees(/возврат заказа · .* 5,28 ₽ жалоба на результат/)
  })

  it('of a report is declined with an explanation', async () => {
    const clara = await withPicture('Clara')
    await reports(clara, 'I do not like it')
    await boss.sends('/admin')
    await boss.taps('🚩 Reports: 1')
    await boss.sees(/Clara[\s\S]*I do not like it/)
    await boss.taps('✖ Decline')
    await boss.sees(/Decline the report of Clara/)
    await boss.taps('✅ Yes')
    await boss.sees('✖ Declined')
    await clara.sees(/there is no refund[\s\S]*@help/)
    await hasBalance(clara, 494.72)
  })

  it('of a report is declined with an explanation although the answer to the operator is lost', async () => {
    const dina = await withPicture('Dina', 'ru')
    await reports(dina, 'Лиса не моя')
    await boss.taps('Decline')
    await boss.sees(/Decline the report of Dina/)
    await sandbox.breaks('telegram', 'sendMessage', { kind: 'cut' })
    await boss.taps('✅ Yes')
    await dina.sees(/деньги не возвращены[\s\S]*@help/)
    await boss.sees(/Decline the report of Dina[\s\S]*✅ Yes$/)
    expect((await dina.transcript()).match(/деньги не возвращены/g)).toHaveLength(1)
  })
})

it('the list of orders says in words why one failed, in the language of the operator', async () => {
  const nils = await desk.newUser('Nils')
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the fox is wet' })
  await nils.sends('/image a fox')
  await nils.taps(/Generate/)
  await nils.sees(/Something went wrong/)
  await opens('Nils')
  await boss.taps('🖼 Orders')
  await boss.sees(/❌ failed \(the model failed\)/)
  await aide.sends('/user Nils')
  await aide.taps('🖼 Заказы')
  await aide.sees(/❌ не удался \(модель не справилась\)/)
})

it('a payment is refunded through its provider, with the reason in the log', async () => {
  const ivan = await desk.newUser('Ivan')
  await ivan.sends('/topup 100')
  await ivan.taps(/Stars/)
  await ivan.pays(await ivan.sees((message) => message.invoice !== undefined))
  await hasBalance(ivan, 600)
  const number = await opens('Ivan')
  await boss.taps('💳 Payments')
  await boss.sees(/stars · ₽100.00 · ✅ paid/)
  await boss.taps(/↩️ ₽100.00/)
  const question = await boss.sees(/\/refund_payment [a-z0-9]{10}$/)
  await boss.sends('paid by mistake', { reply_to: question.message_id })
  await boss.sees(/Refund the payment of ₽100.00 \(stars, [a-z0-9]{10}\) to Ivan/)
  await boss.taps('✅ Yes')
  await boss.sees(/Refunded: ₽100.00/)
  await ivan.sees(/refunded, and ₽100.00 was taken off the balance. Reason: paid by mistake/)
  await hasBalance(ivan, 500)
  const [, topUp = ''] = /\/refund_payment ([a-z0-9]{10})$/.exec(question.text ?? '') ?? []
  await boss.sends(`/refund_payment ${topUp} again`)
  await boss.sees(/There is no such payment that is not refunded/)
  await boss.sends(`/user #${number}`)
  await boss.sees(/Ivan[\s\S]*Paid: ₽0.00/)
  await boss.sends('/admin log')
  await boss.sees(/asked to refund a payment · top-up:[a-z0-9]{10} .*paid by mistake/)
})

it('a payment of a provider that refunds in its own cabinet only is taken after the operator has refunded it there', async () => {
  const lev = await desk.newUser('Lev')
  await lev.sends('/topup 400')
  await lev.taps(/Card/)
  await lev.pays(await lev.sees((message) => message.invoice !== undefined))
  await hasBalance(lev, 900)
  const paid = await lev.sees((message) => message.successful_payment !== undefined)
  await boss.sends(`/debit #${await opens('Lev')} 800 spent`)
  await boss.taps('✅ Yes')
  await hasBalance(lev, 100)
  await boss.sends(`/refund_payment ${paid.successful_payment?.telegram_payment_charge_id} chargeback`)
  await boss.sees(/to Lev[\s\S]*refund the payment there first/)
  await boss.taps('✅ Yes')
  await boss.sees(/Refunded: ₽400.00/)
  await lev.sees(/₽400.00 was taken off the balance. Reason: chargeback\s+You owe ₽300.00/)
})

it('a part of a payment: the operator reads where it can be refunded, and the payer reads the sum and the reason', async () => {
  const lena = await desk.newUser('Lena')
  const stars = await paysHundred(lena)
  await boss.sends(`/refund_payment ${stars} 50 too much`)
  await boss.sees(/Telegram refunds a payment in Stars as a whole only/)
  await lena.sends('/topup 400')
  await lena.taps(/Card/)
  await lena.pays(await lena.sees(({ invoice }) => invoice?.total_amount === 400_00))
  await lena.sees('₽400.00 added')
  const [card] = await sandbox.app.db
    .select({ chargeId: payments.chargeId })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .where(and(eq(users.telegramId, lena.id), eq(payments.provider, 'telegram-rub')))
  await boss.sends(`/refund_payment ${card?.chargeId} 150 too much`)
  await boss.sees(/Refund ₽150\.00 of the payment .* to Lena[\s\S]*refund exactly ₽150\.00 there first/)
  await boss.taps('✅ Yes')
  await lena.sees(/₽150\.00 was taken off the balance. Reason: too much/)
  await opens('Lena')
  await boss.taps('💳 Payments')
  await boss.sees(/telegram-rub · ₽400.00 · ↩️ partly refunded: ₽150.00[\s\S]*stars · ₽100.00 · ✅ paid/)
  await boss.sends(`/refund_payment ${card?.chargeId} 250.01 too much`)
  await boss.sees(/Less than that is left of this payment/)
  await boss.sends(`/refund_payment ${card?.chargeId} all of it`)
  await boss.sees(/to Lena[\s\S]*₽150\.00 of it was refunded before/)
  await boss.taps('✅ Yes')
  await lena.sees(/₽250\.00 was taken off the balance. Reason: all of it/)
  await hasBalance(lena, 600)
})

/** Tops up ₽100. @returns the id of the charge */
async function paysHundred(payer: SandboxUser): Promise<string> {
  await payer.sends('/topup 100')
  await payer.taps(/Stars/)
  await payer.pays(await payer.sees((message) => message.invoice !== undefined))
  await payer.sees('₽100.00 added')
  const paid = await payer.sees((message) => message.successful_payment !== undefined)
  return paid.successful_payment?.telegram_payment_charge_id ?? ''
}

it.each([
  ['the charge id of its receipt', 'Yana', ''],
  ['provider and charge as in the audit', 'Zeno', 'stars:'],
])('a payment is refunded by %s', async (_, name, provider) => {
  const payer = await desk.newUser(name)
  const charge = await paysHundred(payer)
  await boss.sends(`/refund_payment ${provider}${charge} paid by mistake`)
  await boss.sees(new RegExp(`Refund the payment of ₽100.00 \\(stars, [a-z0-9]{10}\\) to ${name}`))
  await boss.taps('✅ Yes')
  await payer.sees(/refunded, and ₽100.00 was taken off the balance. Reason: paid by mistake/)
  await hasBalance(payer, 500)
  const again = await boss.sends(`/refund_payment ${provider}${charge} again`)
  await boss.sees(
    ({ message_id, text = '' }) => message_id > again.message_id && text.includes('no such payment'),
  )
})

it('the payer of a payment is found by the charge id and by the top-up', async () => {
  const zoya = await desk.newUser('Zoya')
  const charge = await paysHundred(zoya)
  const [paid] = await sandbox.app.db.select().from(payments).where(eq(payments.chargeId, charge))
  for (const name of [charge, `stars:${charge}`, paid?.topUpId]) {
    const asked = await boss.sends(`/user ${name}`)
    const card = await boss.sees(({ message_id }) => message_id > asked.message_id)
    expect(card.text).toContain('👤 Zoya')
  }
})

it('a refund that the balance does not cover is not logged as made', async () => {
  const vera = await desk.newUser('Vera')
  const charge = await paysHundred(vera)
  await boss.sends('/debit Vera 550 all is spent')
  await boss.taps('✅ Yes')
  await boss.sees(/Vera: taken ₽550.00/)
  await boss.sends(`/refund_payment ${charge} too late to refund`)
  await boss.sees(/Refund the payment of ₽100.00 .* to Vera/)
  await boss.taps('✅ Yes')
  await boss.sees(/The money has been spent/)
  const asked = await boss.sends('/admin log')
  const { text = '' } = await boss.sees(
    ({ message_id, text: shown = '' }) => message_id > asked.message_id && shown.includes('too late'),
  )
  expect(text.split('\n').find((line) => line.includes('too late'))).toMatch(
    / · asked to refund a payment · /,
  )
})

it.each([
  ['en', 'Piet', /A payment of yours is being refunded[\s\S]*@help/],
  ['ru', 'Пётр', /Вам возвращают платёж[\s\S]*@help/],
] as const)('a refund under way delays the deletion, in %s', async (language, name, told) => {
  const payer = await desk.newUser(name, language)
  await payer.sends('/topup 100')
  await payer.taps(/Stars|Звёзды/)
  await payer.pays(await payer.sees((message) => message.invoice !== undefined))
  const isOfPayer = and(eq(payments.userId, users.id), eq(users.telegramId, payer.id))
  const paid = () => sandbox.app.db.select().from(payments).innerJoin(users, isOfPayer)
  await expect.poll(paid).toHaveLength(1)
  const topUpId = (await paid())[0]?.payments.topUpId ?? ''
  await sandbox.breaks('telegram', 'refundStarPayment', { kind: 'error', status: 500 })
  await boss.sends(`/refund_payment ${topUpId} paid by mistake`)
  await boss.sees(new RegExp(`Refund the payment of ₽100.00 .* to ${name}`))
  await boss.taps('✅ Yes')
  const isOfTopUp = eq(transfers.topUpId, topUpId)
  const ofTopUp = () => sandbox.app.db.select().from(transfers).where(isOfTopUp).orderBy(transfers.id)
  await expect.poll(ofTopUp).toMatchObject([{ kind: 'deposit' }, { kind: 'refund' }])
  await payer.sends('/delete_me')
  await payer.sees(told)
})

it('the question before the refund of a payment names the bonus of the inviter if no other payment is left', async () => {
  const olga = await desk.newUser('Olga')
  await olga.sends('/invite')
  const [, code = ''] = /start=(ref_[0-9a-z]+)/.exec((await olga.sees(/start=ref_/)).text ?? '') ?? []
  const paul = await sandbox.user('Paul')
  await paul.sends(`/start ${code}`)
  await paul.sees(/Hello, Paul/)
  for (const amount of [111, 222]) {
    await paul.sends(`/topup ${amount}`)
    await paul.sees(`pay ₽${amount}.00`)
    await paul.taps(/Stars/)
    await paul.pays(await paul.sees(({ invoice }) => invoice?.total_amount === amount))
    await paul.sees(`₽${amount}.00 added`)
  }
  for (const amount of [111, 222]) {
    const [topUp] = await sandbox.app.db
      .select()
      .from(topUps)
      .where(eq(topUps.charge, BigInt(amount)))
    await boss.sends(`/refund_payment ${topUp?.id} paid by mistake`)
    const { text = '' } = await boss.sees(`Refund the payment of ₽${amount}.00`)
    const isNamed = text.includes('The inviter of this person got a bonus of ₽25.00, which is taken back')
    expect(isNamed).toBe(amount === 222)
    await boss.taps('✅ Yes')
    await boss.sees(`Refunded: ₽${amount}.00`)
  }
})

describe('a ban', () => {
  it('refuses everything with one answer, except payments and support', async () => {
    const dora = await desk.newUser('Dora')
    await dora.sends('/topup 100')
    await dora.taps(/Card/)
    const invoice = await dora.sees((message) => message.invoice !== undefined)
    await opens('Dora')
    await boss.taps('🚫 Ban')
    const question = await boss.sees(/\/ban #\d+$/)
    await boss.sends('spam', { reply_to: question.message_id })
    await boss.sees(/Ban Dora · #\d+\?/)
    await boss.taps('✅ Yes')
    await boss.sees(/Banned: Dora/)
    const before = (await dora.chat()).length
    await dora.sends('/image a fox')
    await dora.sees(/can no longer use this bot[\s\S]*@help/)
    expect(await dora.chat()).toHaveLength(before + 2)
    expect(await dora.pays(invoice)).toMatchObject({ ok: true })
    await dora.sees(/₽100.00 added/)
    await dora.sends('/paysupport')
    await dora.sees(
      (message) => /@help/.test(message.text ?? '') && !/no longer use/.test(message.text ?? ''),
    )
    await boss.sends('/unban Dora a mistake of ours')
    await boss.taps('✅ Yes')
    await dora.sees(/can use the bot again/)
    await hasBalance(dora, 600)
  })

  it('ends with a message to the user although the answer to the operator is lost', async () => {
    const faye = await desk.newUser('Faye')
    await boss.sends('/ban Faye spam')
    await boss.taps('✅ Yes')
    await boss.sees(/Banned: Faye/)
    await boss.sends('/unban Faye a mistake of ours')
    await boss.sees(/Unban Faye/)
    await sandbox.breaks('telegram', 'sendMessage', { kind: 'cut' })
    await boss.taps('✅ Yes')
    await faye.sees(/can use the bot again/)
    await boss.taps('✅ Yes')
    await boss.sees(/Unban Faye[\s\S]*✅ Yes$/)
    expect((await faye.transcript()).match(/can use the bot again/g)).toHaveLength(1)
  })

  it('is refused for operators', async () => {
    await boss.sends(`/ban ${aideId} treason`)
    await boss.sees(/Operators cannot be banned/)
    await hasBalance(aide, 500)
  })
})
