// A local double of Platega, at `/platega`. Its schemas are as strict as the documented API. Source: https://docs.platega.io

import { z } from 'zod'
import { minuteMs } from '../../../runtime/clock.ts'
import { checkoutPath } from '../checkout.ts'
import { createDouble, type DoubleDeps, Refusal } from '../double.ts'
import { openShop, type Payment, type Shop } from '../shop.ts'

const merchantId = '1a021d91-9b26-4762-b303-5d4aac74e921'
export const plategaSecret = 'sandbox-platega-secret'

const refusal = (status: number, message: string) => new Refusal(status, message, { message })

const order = {
  paymentDetails: z.strictObject({ amount: z.number().positive(), currency: z.literal('RUB') }),
  description: z.string(),
  return: z.url(),
  failedUrl: z.url(),
  payload: z.string().default(''),
  metadata: z.strictObject({ userId: z.string(), userName: z.string() }).optional(),
}
const withMethod = z.strictObject({ ...order, paymentMethod: z.literal([2, 3, 11, 12, 13, 14]) })
const withoutMethod = z.strictObject(order)

const lifetimeMs = 15 * minuteMs

const statusOf = ({ status, isRefunded }: Payment) =>
  isRefunded
    ? 'CHARGEBACKED'
    : ({ pending: 'PENDING', succeeded: 'CONFIRMED', canceled: 'CANCELED' } as const)[status]

const view = (payment: Payment) => ({
  id: payment.id,
  status: statusOf(payment),
  paymentDetails: { amount: payment.amount / 100, currency: 'RUB' },
  mechantId: merchantId,
  paymentMethod: 'SBPQR',
  expiresIn: '00:15:00',
  payload: payment.payload,
  description: payment.description,
})

const notification = (payment: Payment) => ({
  id: payment.id,
  amount: payment.amount / 100,
  currency: 'RUB',
  status: statusOf(payment),
  paymentMethod: 2,
})

function idFrom(random: () => number): string {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex(8)}-5717-4562-b3fc-${hex(12)}`
}

function create(
  { clock, random, baseUrl }: DoubleDeps,
  shop: Shop,
  schema: typeof withoutMethod,
  body: unknown,
) {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw refusal(400, `VAL_0001 ${parsed.error.issues[0]?.path.join('.')}`)
  const { paymentDetails, description, payload, return: returnUrl } = parsed.data
  const amount = Math.round(paymentDetails.amount * 100)
  const expiresAt = clock.now().getTime() + lifetimeMs
  const { id } = shop.create({ id: idFrom(random), amount, description, payload, returnUrl, expiresAt })
  const page = `${baseUrl}${checkoutPath('platega')}?orderId=${id}`
  return {
    transactionId: id,
    status: 'PENDING',
    expiresIn: '00:15:00',
    ...(schema === withoutMethod ? { url: page, rate: 91.2 } : { redirect: page }),
  }
}

function cancel(shop: Shop, id: string) {
  const accepted = shop.find(id).status === 'succeeded' && !shop.find(id).isRefunded
  shop.decide(id, 'refund')
  const message = accepted ? 'Возврат выполнен' : 'Возврат в процессе'
  return { transactionId: id, accepted, manualControlRequired: !accepted, message }
}

export function createPlatega(deps: DoubleDeps) {
  const headers = { 'x-merchantid': merchantId, 'x-secret': plategaSecret }
  const { handler, close } = createDouble(deps, {
    name: 'platega',
    title: 'Platega',
    apiPath: '/platega/api',
    refusal,
    headersOf: () => headers,
    open: (tell) =>
      openShop(deps, 'platega', {
        refunds: true,
        missing: () => refusal(404, 'Transaction not found'),
        changed: (payment) => tell(notification(payment)),
      }),
    operationOf(shop, req, { pathname }, body) {
      if (Object.entries(headers).some(([name, value]) => req.headers[name] !== value))
        throw refusal(401, 'Merchant secret key is not correct')
      const path = pathname.slice('/platega/api'.length)
      const id = /^\/transaction\/([\w-]+)/.exec(path)?.[1] ?? ''
      const isPaid = () => shop.find(id).status === 'succeeded' && !shop.find(id).isRefunded
      const operations: Readonly<Record<string, readonly [string, () => unknown]>> = {
        'POST /transaction/process': ['create', () => create(deps, shop, withMethod, body)],
        'POST /v2/transaction/process': ['create', () => create(deps, shop, withoutMethod, body)],
        [`GET /transaction/${id}`]: ['read', () => view(shop.find(id))],
        [`GET /transaction/${id}/cancel-supported`]: [
          'cancelable',
          () => ({ supported: isPaid(), totalDeductUsdt: 5.5, penaltyUsdt: null, blockReason: null }),
        ],
        [`POST /transaction/${id}/cancel`]: ['refund', () => cancel(shop, id)],
        'GET /balance/all': ['check', () => [{ amount: 15000.5, currency: 'RUB' }]],
      }
      const [name, act] = operations[`${req.method} ${path}`] ?? []
      if (!name || !act) throw refusal(404, `no such operation: ${req.method} ${path}`)
      return { name, act }
    },
  })
  return {
    handler,
    close,
    env: {
      PLATEGA_MERCHANT_ID: merchantId,
      PLATEGA_SECRET: plategaSecret,
      PLATEGA_URL: `${deps.baseUrl}/platega/api`,
    },
  }
}
