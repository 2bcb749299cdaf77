// Payments on the pages of providers as payer, inviter and operator see them: the page, the address for the receipt, a refund after the
// credit was spent, and the receipt of a self-employed operator.

import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { taxReceipts } from '../../src/db/schema.ts'
import { taxPassword } from '../../src/sandbox/payments/tax.ts'
import { openDesk } from '../support/users/desk.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

const taxpayer = { SELF_EMPLOYED_INN: '770012345678', SELF_EMPLOYED_PASSWORD: taxPassword }
const receipts = { ...taxpayer, SELF_EMPLOYED_PROVIDERS: 'platega', RECEIPT_VAT_CODE: '1' }
const gifts = { WELCOME_CREDIT: '0', REFERRAL_BONUS: '25' }
const { sandbox, boss, desk } = await openDesk({ ...receipts, ...gifts, TOPUP_ROUBLES_PER_STAR: '' })
afterAll(() => desk.close())

interface Shown {
  readonly description: string
  readonly receipt?: { readonly customer: { readonly email: string }; readonly items: object[] }
}
const atYookassa = () => sandbox.get<Shown[]>('/api/yookassa/payments')
const opensPage = async (url = '') => (await fetch(url)).text()
const pays = async (url = '') =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams({ method: 'card', action: 'pay' }) })).text()
const idOf = (url = '') => new URL(url).searchParams.get('orderId') ?? ''

it('YooKassa: the e-mail address is asked for once and can be changed; a page is opened once although answers are lost', async () => {
  const anna = await sandbox.user('Анна', 'ru')
  const asks = async (amount: number, wanted: string) => {
    const offered = await anna.asks(`/topup ${amount}`, `Как оплатить ${amount} ₽?`)
    await anna.taps(/ЮKassa/)
    await anna.seesBelow(offered, wanted)
  }
  const whereTo = 'На какой адрес прислать чек?'
  const notOpened = 'Страницу оплаты сейчас открыть не удалось'
  const link = async (amount: number) => (await anna.taps(`Оплатить ${amount} ₽`)).url
  const sentTo = async () => (await atYookassa()).at(-1)?.receipt?.customer.email
  const writes = async (email: string) => {
    await anna.sees(whereTo)
    await anna.sends(email)
  }
  await asks(500, whereTo)
  await writes('анна')
  await anna.sees('не похоже на e-mail')
  await anna.sends(' anna@example.ru ')
  await anna.sees('Чек придёт на anna@example.ru')
  const url = await link(500)
  expect(await opensPage(url)).toMatch(/Оплатить 500,00\s₽/)
  const paid = await pays(url)
  expect(paid).toMatch(/Оплачено 500,00\s₽/)
  expect(paid).toContain('href="/"')
  await anna.sees(/Зачислено 500 ₽/)
  await expect.poll(() => anna.transcript()).not.toContain('Как оплатить')
  const item = { vat_code: 1, measure: 'piece', amount: { value: '500.00', currency: 'RUB' } }
  const receipt = { customer: { email: 'anna@example.ru' }, items: [expect.objectContaining(item)] }
  const [shown, ...others] = await atYookassa()
  expect(shown?.description).toMatch(/^Пополнение на 500\s₽$/)
  expect([shown?.receipt, others]).toEqual([receipt, []])

  await sandbox.breaks('yookassa', 'create', { kind: 'cut', after: true })
  await asks(103, 'Пополнение на 103')
  await sandbox.post(`/api/yookassa/payments/${idOf(await link(103))}`, { action: 'cancel' })
  await anna.sees(/103 ₽ не прошёл/)
  expect(await atYookassa()).toHaveLength(2)
  await anna.asks('/balance', /Баланс: 500 ₽/)

  await sandbox.breaks('yookassa', 'create', { kind: 'error', status: 500 }, 3)
  await asks(104, notOpened)
  await anna.taps('🔁 Ещё раз')
  await link(104)
  expect(await atYookassa()).toHaveLength(3)
  await anna.taps('✉️ Другой адрес для чека')
  await writes('boris@example.ru')
  await anna.sees('Чек придёт на boris@example.ru')
  expect(await sentTo()).toBe('boris@example.ru')

  const description = 'receipt.customer.email is not accepted'
  await sandbox.breaks('yookassa', 'create', { kind: 'error', status: 400, description })
  await asks(302, notOpened)
  await anna.taps('✉️ Другой адрес для чека')
  await writes('galina@example.ru')
  await anna.sees('Чек придёт на galina@example.ru')
  await link(302)
  expect(await sentTo()).toBe('galina@example.ru')

  await anna.sends('/topup 502')
  await anna.sees('Как оплатить 502 ₽?')
  await anna.taps('💳 Карта')
  const invoice = await anna.sees((message) => message.invoice !== undefined)
  expect(await anna.pays(invoice)).toMatchObject({ ok: true })
  await anna.sees(/Зачислено 502 ₽/)
})

/** Pays on the page of Platega. @returns the id of the payment */
async function paysFor(user: SandboxUser, roubles: number): Promise<string> {
  await user.sends(`/topup ${roubles}`)
  await user.sees(/pay ₽/)
  await user.taps(/Platega/)
  const { url } = await user.taps(/^Pay/)
  await pays(url)
  return idOf(url)
}

/** Orders one picture, which costs ₽5.28. */
async function ordersPicture(user: SandboxUser): Promise<void> {
  await user.sends('/image a cat')
  await user.sees(/a cat/)
  await user.taps(/^Generate/)
  await user.sees(({ photo, document }) => photo !== undefined || document !== undefined)
}

/** The link in the message about a receipt, and what its page says. */
async function receiptOf(user: SandboxUser, words: RegExp) {
  const { entities = [] } = await user.sees(words)
  const [url = ''] = entities.flatMap((one) => ('url' in one ? [String(one.url)] : []))
  const cancellationInfo = z.object({ comment: z.string() }).nullable()
  const page = z.object({ name: z.string(), totalAmount: z.number(), cancellationInfo })
  return { url, read: async () => page.parse(await (await fetch(url)).json()) }
}

it('YooKassa: the page comes although Telegram has failed when it was sent after the e-mail address', async () => {
  const boris = await sandbox.user('Борис', 'ru')
  await boris.asks('/topup 500', 'Как оплатить 500 ₽?')
  await boris.taps(/ЮKassa/)
  await boris.sees('На какой адрес прислать чек?')
  await sandbox.breaks('telegram', 'sendMessage', {
    kind: 'error',
    status: 500,
    description: 'Internal Server Error',
  })
  await boris.sends('boris@example.ru')
  await boris.sees('Чек придёт на boris@example.ru')
})

it('a refund after the credit was spent cancels the receipt and leaves a debt: it is told, shown, refuses orders and the deletion of data, and is paid by what comes next', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/invite')
  const [, code = ''] = /start=(ref_[0-9a-z]+)/.exec((await clara.sees(/start=ref_/)).text ?? '') ?? []
  const anna = await sandbox.user('Anna')
  await anna.sends(`/start ${code}`)
  await anna.sees(/Hello, Anna/)
  const id = await paysFor(anna, 500)
  await anna.sees(/₽500 added/)
  await clara.sees(/A friend you invited has topped up, and you get ₽25/)
  const receipt = await receiptOf(anna, /receipt for ₽500/)
  const { name, ...facts } = await receipt.read()
  expect(name).toMatch(/^Пополнение баланса № \w{10}$/)
  expect(facts).toEqual({ totalAmount: 500, cancellationInfo: null })
  const showsAtDesk = async (line: string) => {
    await desk.opens(anna)
    return JSON.stringify(await boss.tapsFor('💳 Payments', new RegExp(`₽500 · [^]*🧾 ${line}`)))
  }
  expect(await showsAtDesk('Receipt for ₽500')).toContain(receipt.url)

  for (const user of [anna, clara]) await ordersPicture(user)
  // As if the registration were long ago, so that the list of the tax service shows it.
  await sandbox.app.db.update(taxReceipts).set({ sentAt: null })
  await sandbox.post(`/api/platega/payments/${id}`, { action: 'refund' })
  const debt = /₽500 was taken off the balance\.\s+You owe ₽5.28: your next top-ups cover it first/
  await anna.sees(debt)
  await expect
    .poll(async () => (await receipt.read()).cancellationInfo)
    .toEqual({ comment: 'Возврат средств' })
  await showsAtDesk('No receipt: the payment was refunded')
  await clara.sees(/bonus of ₽25 was taken off your balance\.\s+You owe ₽5.28/)
  await clara.asks('/statement', /Bonus for a friend taken back/)
  await anna.asks('/balance', /^You owe ₽5.28: your next top-ups cover it first$/)
  await anna.asks('/statement', /Refund of a payment.*\n\nYou owe ₽5.28/s)
  await anna.sends('/image a dog')
  const card = await anna.sees(/a dog[\s\S]*You’re ₽10.56 \(₽5.28 of it is a debt\) short/)
  expect(JSON.stringify(card)).toContain('Top up')
  await anna.asks('/chat What is the capital of France?', /you’re ₽[\d.]+ \(₽5.28 of it is a debt\) short/)
  await anna.asks('/delete_me', /You owe ₽5.28:[\s\S]*\/topup, then repeat \/delete_me/)

  await makePromos(sandbox.app.db, { code: 'FIVE', amount: 5_00n, maxUses: 1, createdAt: new Date() })
  await anna.asks('/promo FIVE', /₽5 added\.\s+You owe ₽0.28/)
  await paysFor(anna, 100)
  await anna.sees(/₽100 added\.\s+Balance: ₽99.72/)
  await ordersPicture(anna)
})
