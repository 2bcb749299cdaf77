// A local double of the Crypto Pay API, at `/cryptopay/api`. Its schemas are as strict as the documented API. A refund does not exist, and only a
// payment is told to the app. Source: https://help.crypt.bot/crypto-pay-api

import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { checkoutPath } from '../checkout.ts'
import { createDouble, type DoubleDeps, Refusal } from '../double.ts'
import { openShop, type Payment } from '../shop.ts'

export const cryptopayToken = '4242:sandbox-cryptopay-token'

const refusal = (status: number, name: string) =>
  new Refusal(status, name, { ok: false, error: { code: status, name } })

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

const view = ({ id, status, amount, description, payload }: Payment, page: string) => ({
  invoice_id: Number(id),
  status: statuses[status],
  currency_type: 'fiat',
  fiat: 'RUB',
  amount: (amount / 100).toFixed(2),
  bot_invoice_url: page,
  ...(status === 'succeeded' ? { paid_asset: 'USDT', paid_amount: (amount / 8000).toFixed(2) } : {}),
  description,
  payload,
})

export function createCryptopay(deps: DoubleDeps) {
  const { baseUrl, clock, random } = deps
  const pageOf = (id: string) => `${baseUrl}${checkoutPath('cryptopay')}?orderId=${id}`
  const shown = (payment: Payment) => view(payment, pageOf(payment.id))
  const key = createHash('sha256').update(cryptopayToken).digest()
  const { handler, close } = createDouble(deps, {
    name: 'cryptopay',
    title: 'Crypto Bot',
    apiPath: '/cryptopay/api',
    refusal,
    headersOf: (body) => ({
      'crypto-pay-api-signature': createHmac('sha256', key).update(body).digest('hex'),
    }),
    open: (tell) =>
      openShop(deps, 'cryptopay', {
        refunds: false,
        missing: () => refusal(400, 'INVOICE_NOT_FOUND'),
        changed(payment) {
          if (payment.status !== 'succeeded') return
          const request_date = clock.now().toISOString()
          tell({
            update_id: Number(payment.id),
            update_type: 'invoice_paid',
            request_date,
            payload: shown(payment),
          })
        },
      }),
    operationOf(shop, { method, headers }, { pathname, searchParams }, body) {
      if (headers['crypto-pay-api-token'] !== cryptopayToken) throw refusal(401, 'UNAUTHORIZED')
      const create = () => {
        const parsed = newInvoice.safeParse(body)
        if (!parsed.success)
          throw refusal(400, `${String(parsed.error.issues[0]?.path[0]).toUpperCase()}_INVALID`)
        const { amount, description, payload, paid_btn_url: returnUrl, expires_in } = parsed.data
        const expiresAt = clock.now().getTime() + expires_in * 1000
        const id = String(Math.floor(random() * 1e9))
        return shown(
          shop.create({
            id,
            amount: Number(amount.replace('.', '')),
            description,
            payload,
            returnUrl,
            expiresAt,
          }),
        )
      }
      const wanted = (searchParams.get('invoice_ids') ?? '').split(',')
      const list = () => ({
        items: shop
          .list()
          .filter(({ id }) => wanted.includes(id))
          .map(({ id }) => shown(shop.find(id))),
      })
      const operations: Readonly<Record<string, readonly [string, () => unknown]>> = {
        'GET /cryptopay/api/getMe': [
          'check',
          () => ({ app_id: 4242, name: 'Sandbox', payment_processing_bot_username: 'CryptoBot' }),
        ],
        'POST /cryptopay/api/createInvoice': ['create', create],
        'GET /cryptopay/api/getInvoices': ['read', list],
      }
      const [name, act] = operations[`${method} ${pathname}`] ?? []
      if (!name || !act) throw refusal(405, 'METHOD_NOT_FOUND')
      return { name, act: () => ({ ok: true, result: act() }) }
    },
  })
  return {
    handler,
    close,
    env: { CRYPTOPAY_TOKEN: cryptopayToken, CRYPTOPAY_URL: `${baseUrl}/cryptopay` },
  }
}
