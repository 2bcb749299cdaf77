// Payments through a link of YooKassa, seen from the chat and from the page to pay on.

import { afterEach, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

interface Shown {
  id: string
  description: string
  metadata: { topUpId?: string }
  receipt?: { customer: { email: string }; items: object[] }
}

let sandbox: TestSandbox
let anna: SandboxUser
afterEach(() => sandbox.stop())

const payments = () => sandbox.get<Shown[]>('/api/yookassa/payments')
const pay = (url = '') =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ method: 'card', action: 'pay' }) })
const isClean = async () =>
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })

it('the bot opens a page, credits the payment made there, and opens one page when an answer is lost', async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '' })
  anna = await sandbox.user('Anna')
  const asks = async (amount: number) => {
    await anna.sends(`/topup ${amount}`)
    await anna.sees(`How would you like to pay ₽${amount}?`)
    await anna.taps(/YooKassa/)
  }
  const link = async (amount: number) => {
    await asks(amount)
    return (await anna.taps(`Pay ₽${amount}`)).url ?? ''
  }
  const url = await link(500)
  expect(await (await fetch(url)).text()).toMatch(/Оплатить 500,00\s₽/)
  const paid = await (await pay(url)).text()
  expect(paid).toMatch(/Оплачено 500,00\s₽/)
  expect(paid).toContain('href="/"')
  await anna.sees(/₽500 added\.\s+Balance: ₽500/)
  expect(await payments()).toMatchObject([{ description: expect.stringMatching(/^Top-up of ₽500$/) }])

  const id = new URL(await link(102)).searchParams.get('orderId') ?? ''
  await sandbox.post(`/api/yookassa/payments/${id}`, { action: 'cancel' })
  await anna.sees(/₽102 didn’t go through/)
  await anna.sends('/balance')
  await anna.sees(/Balance: ₽500(?![\d.,])/)

  await sandbox.breaks('yookassa', 'create', { kind: 'cut', after: true })
  await link(103)
  expect(await payments()).toHaveLength(3)
  await sandbox.breaks('yookassa', 'create', { kind: 'error', status: 500 }, 3)
  await asks(104)
  const failed = await anna.sees('The payment page can’t be opened right now')
  expect(JSON.stringify(failed)).not.toContain('Another address for the receipt')
  await anna.taps('🔁 Try again')
  expect((await anna.taps('Pay ₽104')).url).toContain('orderId=')
  expect(await payments()).toHaveLength(4)
  await isClean()
})

it('with receipts the e-mail address is asked once, again if it is invalid or refused, and can be changed', async () => {
  sandbox = await openSandbox('postgres', { RECEIPT_VAT_CODE: '1', TOPUP_ROUBLES_PER_STAR: '' })
  anna = await sandbox.user('Анна', 'ru')
  const asks = async (amount: number) => {
    await anna.sends(`/topup ${amount}`)
    await anna.sees(`Как оплатить ${amount} ₽?`)
    await anna.taps(/ЮKassa/)
  }
  const sentTo = async () => (await payments()).at(-1)?.receipt?.customer.email
  const writes = async (email: string) => {
    await anna.sees('На какой адрес прислать чек?')
    await anna.sends(email)
  }
  await anna.sends('/topup 500')
  await anna.taps(/ЮKassa/)
  await writes('анна')
  await anna.sees('не похоже на e-mail')
  await anna.sends(' anna@example.ru ')
  await anna.sees('Чек придёт на anna@example.ru')
  await pay((await anna.taps('Оплатить 500 ₽')).url)
  await anna.sees(/Зачислено 500 ₽/)
  await expect.poll(() => anna.transcript()).not.toContain('Как оплатить')
  await asks(300)
  await anna.taps('Оплатить 300 ₽')
  const item = { vat_code: 1, measure: 'piece', amount: { value: '300.00', currency: 'RUB' } }
  const receipt = { customer: { email: 'anna@example.ru' }, items: [expect.objectContaining(item)] }
  expect((await payments()).at(-1)?.receipt).toEqual(receipt)
  await anna.taps('✉️ Другой адрес для чека')
  await writes('boris@example.ru')
  await anna.sees('Чек придёт на boris@example.ru')
  expect(await sentTo()).toBe('boris@example.ru')

  const description = 'receipt.customer.email is not accepted'
  await sandbox.breaks('yookassa', 'create', { kind: 'error', status: 400, description })
  await asks(302)
  await anna.sees('Страницу оплаты сейчас открыть не удалось')
  await anna.taps('✉️ Другой адрес для чека')
  await writes('galina@example.ru')
  await anna.sees('Чек придёт на galina@example.ru')
  await anna.taps('Оплатить 302 ₽')
  expect(await sentTo()).toBe('galina@example.ru')

  await anna.sends('/topup 502')
  await anna.sees('Как оплатить 502 ₽?')
  await anna.taps('💳 Карта')
  const invoice = await anna.sees((message) => message.invoice !== undefined)
  expect(await anna.pays(invoice)).toMatchObject({ ok: true })
  await anna.sees(/Зачислено 502 ₽/)
  await isClean()
})
