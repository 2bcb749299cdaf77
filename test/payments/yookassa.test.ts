// Payments through a link of YooKassa, seen from the chat and from the page to pay on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

interface Item {
  vat_code: number
  measure: string
  amount: { value: string }
}

interface Shown {
  id: string
  status: string
  description: string
  amount: number
  metadata: { topUpId?: string }
  receipt?: { customer: { email: string }; items: Item[] }
}

const idOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('orderId') ?? ''

describe('YooKassa without receipts', () => {
  let sandbox: TestSandbox
  let anna: SandboxUser
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '' })
    anna = await sandbox.user('Anna')
  })
  afterAll(() => sandbox.stop())

  const decide = (id: string, action: string) =>
    sandbox.post<Shown>(`/api/yookassa/payments/${id}`, { action })
  const link = async (amount: number) => {
    await anna.sends(`/topup ${amount}`)
    await anna.sees(`How would you like to pay ₽${amount}?`)
    await anna.taps(/YooKassa/)
    return (await anna.taps(`Pay ₽${amount}`)).url ?? ''
  }
  const balance = async (shown: string) => {
    await anna.sends('/balance')
    await anna.sees(new RegExp(`Balance: ${shown}(?![\\d.,])`))
  }

  it('offers the way to pay, opens a page, and credits the payment made there', async () => {
    const url = await link(500)
    const page = await (await fetch(url)).text()
    expect(page).toMatch(/Оплатить 500,00\s₽/)
    const body = new URLSearchParams({ method: 'card', action: 'pay' })
    const paid = await (await fetch(url, { method: 'POST', body })).text()
    expect(paid).toMatch(/Оплачено 500,00\s₽/)
    expect(paid).toContain('href="/"')
    await anna.sees(/₽500 added\.\s+Balance: ₽500/)
    const [payment] = await sandbox.get<Shown[]>('/api/yookassa/payments')
    expect(payment?.description).toMatch(/^Top-up of ₽500$/)
  })

  it('does not trust notifications: forged, foreign and malformed notifications change nothing', async () => {
    const id = idOf(await link(102))
    const notify = (body: unknown) =>
      fetch(`${sandbox.url}/app/payments/yookassa`, { method: 'POST', body: JSON.stringify(body) })
    const amount = { value: '102.00', currency: 'RUB' }
    const forged = { id, status: 'succeeded', paid: true, amount, metadata: {} }
    expect((await notify({ event: 'payment.succeeded', object: forged })).status).toBe(200)
    expect((await notify({ event: 'payment.succeeded', object: { ...forged, id: 'x' } })).status).toBe(200)
    for (const body of [null, [], 'x', { object: { id: { $gt: '' } } }, { object: { id: "' or 1=1" } }]) {
      expect((await notify(body)).status).toBe(200)
    }
    const other = await fetch(`${sandbox.url}/app/payments/stars`, { method: 'POST', body: '{}' })
    expect(other.status).toBe(404)
    await decide(id, 'cancel')
    await anna.sees(/₽102 didn’t go through/)
    await balance('₽500')
  })

  it('takes the credit of a payment refunded in the cabinet, and tells the user', async () => {
    const payments = await sandbox.get<Shown[]>('/api/yookassa/payments')
    const [first] = payments.filter(({ status }) => status === 'succeeded')
    await decide(first?.id ?? '', 'refund')
    await anna.sees(/refunded, and ₽500 was taken off the balance\.\s+Balance: ₽0/)
  })

  it('creates one payment when the first answer was lost, and tells the user of an outage', async () => {
    const count = async () => (await sandbox.get<Shown[]>('/api/yookassa/payments')).length
    const before = await count()
    await sandbox.breaks('yookassa', 'create', { kind: 'cut', after: true })
    await link(103)
    expect(await count()).toBe(before + 1)
    await sandbox.breaks('yookassa', 'create', { kind: 'error', status: 500 }, 3)
    await anna.sends('/topup 104')
    await anna.sees('How would you like to pay ₽104?')
    await anna.taps(/YooKassa/)
    const failed = await anna.sees('YooKassa isn’t answering right now')
    expect(JSON.stringify(failed)).not.toContain('Another address for the receipt')
    await anna.taps('🔁 Try again')
    expect((await anna.taps('Pay ₽104')).url).toContain('orderId=')
    expect(await count()).toBe(before + 2)
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
  })
})

describe('YooKassa with receipts', () => {
  let sandbox: TestSandbox
  let anna: SandboxUser
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', { RECEIPT_VAT_CODE: '1', TOPUP_ROUBLES_PER_STAR: '' })
    anna = await sandbox.user('Анна', 'ru')
  })
  afterAll(() => sandbox.stop())

  const receipts = async () =>
    (await sandbox.get<Shown[]>('/api/yookassa/payments')).map((one) => one.receipt)

  it('asks for the e-mail address once, and again after an invalid one', async () => {
    await anna.sends('/topup 500')
    await anna.taps(/ЮKassa/)
    await anna.sees('На какой адрес прислать чек?')
    await anna.sends('анна')
    await anna.sees('не похоже на e-mail')
    await anna.sends(' anna@example.ru ')
    await anna.sees('Чек придёт на anna@example.ru')
    const { url = '' } = await anna.taps('Оплатить 500 ₽')
    await fetch(url, { method: 'POST', body: new URLSearchParams({ method: 'card', action: 'pay' }) })
    await anna.sees(/Зачислено 500 ₽/)
    await expect.poll(() => anna.transcript()).not.toContain('Как оплатить')
    await anna.sends('/topup 300')
    await anna.sees('Как оплатить 300 ₽?')
    await anna.taps(/ЮKassa/)
    await anna.taps('Оплатить 300 ₽')
    const items = [
      expect.objectContaining({
        vat_code: 1,
        measure: 'piece',
        amount: { value: '300.00', currency: 'RUB' },
      }),
    ]
    expect((await receipts()).at(-1)).toEqual({ customer: { email: 'anna@example.ru' }, items })
  })

  it('accepts another e-mail address for the receipt', async () => {
    await anna.taps('✉️ Другой адрес для чека')
    await anna.sees('На какой адрес прислать чек?')
    await anna.sends('boris@example.ru')
    await anna.sees('Чек придёт на boris@example.ru')
    expect((await receipts()).at(-1)?.customer.email).toBe('boris@example.ru')
  })

  it('a refused address can be changed', async () => {
    const description = 'receipt.customer.email is not accepted'
    await sandbox.breaks('yookassa', 'create', { kind: 'error', status: 400, description })
    await anna.sends('/topup 302')
    await anna.sees('Как оплатить 302 ₽?')
    await anna.taps(/ЮKassa/)
    await anna.sees('страницу оплаты открыть не удалось')
    await anna.taps('✉️ Другой адрес для чека')
    await anna.sees('На какой адрес прислать чек?')
    await anna.sends('galina@example.ru')
    await anna.sees('Чек придёт на galina@example.ru')
    await anna.taps('Оплатить 302 ₽')
    expect((await receipts()).at(-1)?.customer.email).toBe('galina@example.ru')
  })

  it('also sends the invoice in roubles, with the receipt for the provider', async () => {
    await anna.sends('/topup 502')
    await anna.sees('Как оплатить 502 ₽?')
    await anna.taps('💳 Карта')
    const invoice = await anna.sees((message) => message.invoice !== undefined)
    expect(await anna.pays(invoice)).toMatchObject({ ok: true })
    await anna.sees(/Зачислено 502 ₽/)
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
  })
})
