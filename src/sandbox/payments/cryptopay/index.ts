// A local double of the Crypto Pay API, at `/cryptopay/api`: as strict as the documentation. It has no refunds, and tells the app of payments
// only. Source: https://help.crypt.bot/crypto-pay-api

import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { pageOf } from '../checkout.ts'
import { createDouble, type DoubleDeps, Refusal } from '../double.ts'
import { openShop, type Payment } from '../shop.ts'

export const cryptopayToken = '4242:sandbox-cryptopay-token'

const newInvoice = z.strictObject({
  currency_type: z.literal('fiat'),
  fiat: z.literal('RUB'),
  accepted_assets: z.string().optional(),
  amount: z.string().regex(/^\d{1,9}\.\d{2}$/),
  description: z.string().max(1024).default(''),
  payload: z.string().max(4096).default(''),
  paid_btn_name: z.enum(['viewItem', 'openChannel', 'openBot', 'callback']),
  paid_btn_url: z.url(),
  expires_in: z.int().min(1).max(2_678_400),
})

const statuses = { pending: 'active', succeeded: 'paid', canceled: 'expired' } as const
const key = createHash('sha256').update(cryptopayToken).digest()
const refusal = (code: number, name: string) => new Refusal(code, { ok: false, error: { code, name } })

export function createCryptopay(deps: DoubleDeps) {
  const view = ({ id, status, amount, description, payload }: Payment) => ({
    invoice_id: Number(id),
    status: statuses[status],
    ...{ currency_type: 'fiat', fiat: 'RUB', amount: (amount / 100).toFixed(2) },
    bot_invoice_url: deps.baseUrl + pageOf('cryptopay', id),
    ...{ description, payload },
  })
  const double = createDouble(deps, {
    name: 'cryptopay',
    title: 'Crypto Bot',
    apiPath: '/cryptopay/api',
    headers: { 'crypto-pay-api-token': cryptopayToken },
    refusal,
    proofOf: (body) => ({ 'crypto-pay-api-signature': createHmac('sha256', key).update(body).digest('hex') }),
    open: (tell) =>
      openShop(deps, 'cryptopay', (payment) => {
        const request_date = deps.clock.now().toISOString()
        if (payment.status !== 'succeeded' || payment.isRefunded) return
        tell({ update_id: 1, update_type: 'invoice_paid', request_date, payload: view(payment) })
      }),
    operations(shop, { searchParams }, body) {
      const create = () => {
        const order = newInvoice.safeParse(body)
        if (!order.success) throw refusal(400, `${order.error.issues[0]?.path.join('_')}_INVALID`)
        const { amount, description, payload, paid_btn_url: returnUrl, expires_in } = order.data
        const id = String(Math.floor(deps.random() * 1e9))
        const kopecks = Number(amount.replace('.', ''))
        return view(shop.create(expires_in * 1000, { id, amount: kopecks, description, payload, returnUrl }))
      }
      const wanted = (searchParams.get('invoice_ids') ?? '').split(',')
      const items = () => shop.list().filter(({ id }) => wanted.includes(id) && shop.find(id))
      return {
        'GET /getMe': ['check', () => ({ ok: true, result: { app_id: 4242, name: 'Sandbox' } })],
        'POST /createInvoice': ['create', () => ({ ok: true, result: create() })],
        'GET /getInvoices': ['read', () => ({ ok: true, result: { items: items().map(view) } })],
      }
    },
  })
  const env = { CRYPTOPAY_TOKEN: cryptopayToken, CRYPTOPAY_URL: `${deps.baseUrl}/cryptopay` }
  return { ...double, env }
}
