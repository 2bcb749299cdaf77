// A local double of Platega, at `/platega/api`: as strict as the documentation. Source: https://docs.platega.io

import { z } from 'zod'
import { minuteMs } from '../../../runtime/clock.ts'
import { pageOf } from '../checkout.ts'
import { createDouble, type DoubleDeps, Refusal, uuidFrom } from '../double.ts'
import { openShop, type Payment } from '../shop.ts'

const merchantId = '1a021d91-9b26-4762-b303-5d4aac74e921'
export const plategaSecret = 'sandbox-platega-secret'

const order = z.strictObject({
  paymentDetails: z.strictObject({ amount: z.number().positive(), currency: z.literal('RUB') }),
  description: z.string(),
  return: z.url(),
  failedUrl: z.url(),
  payload: z.string().default(''),
  metadata: z.strictObject({ userId: z.string(), userName: z.string() }).optional(),
})
const orderByMethod = order.extend({ paymentMethod: z.literal([2, 3, 11, 12, 13, 14]) })

const statuses = { pending: 'PENDING', succeeded: 'CONFIRMED', canceled: 'CANCELED' } as const

const view = ({ id, amount, status, isRefunded, payload, description }: Payment) => ({
  id,
  status: isRefunded ? 'CHARGEBACKED' : statuses[status],
  paymentDetails: { amount: amount / 100, currency: 'RUB' },
  ...{ mechantId: merchantId, paymentMethod: 'SBPQR', expiresIn: '00:15:00', payload, description },
})
const refusal = (status: number, message: string) => new Refusal(status, { message })

export function createPlatega(deps: DoubleDeps) {
  const headers = { 'x-merchantid': merchantId, 'x-secret': plategaSecret }
  const double = createDouble(deps, {
    name: 'platega',
    title: 'Platega',
    apiPath: '/platega/api',
    headers,
    refusal,
    proofOf: () => headers,
    open: (tell) =>
      openShop(deps, 'platega', (payment) => {
        const { id, status, paymentDetails } = view(payment)
        tell({ id, status, ...paymentDetails, paymentMethod: 2 })
      }),
    operations(shop, { pathname }, body) {
      const create = (schema: typeof order) => {
        const parsed = schema.safeParse(body)
        if (!parsed.success) throw refusal(400, `VAL_0001 ${parsed.error.issues[0]?.path.join('.')}`)
        const { paymentDetails, description, payload, return: returnUrl } = parsed.data
        const id = uuidFrom(deps.random)
        const amount = Math.round(paymentDetails.amount * 100)
        shop.create(15 * minuteMs, { id, amount, description, payload, returnUrl })
        const page = { [schema === order ? 'url' : 'redirect']: deps.baseUrl + pageOf('platega', id) }
        return { transactionId: id, status: 'PENDING', expiresIn: '00:15:00', ...page }
      }
      const id = /\/transaction\/([\w-]+)/.exec(pathname)?.[1] ?? ''
      const isPaid = () => view(shop.find(id)).status === 'CONFIRMED'
      const cancel = () => {
        const accepted = isPaid()
        shop.decide(id, 'refund')
        const message = accepted ? 'Возврат выполнен' : 'Возврат в процессе'
        return { transactionId: id, accepted, manualControlRequired: !accepted, message }
      }
      return {
        'POST /transaction/process': ['create', () => create(orderByMethod)],
        'POST /v2/transaction/process': ['create', () => create(order)],
        [`GET /transaction/${id}`]: ['read', () => view(shop.find(id))],
        [`GET /transaction/${id}/cancel-supported`]: ['cancelable', () => ({ supported: isPaid() })],
        [`POST /transaction/${id}/cancel`]: ['refund', cancel],
        'GET /balance/all': ['check', () => [{ amount: 15_000.5, currency: 'RUB' }]],
      }
    },
  })
  const url = `${deps.baseUrl}/platega/api`
  const env = { PLATEGA_MERCHANT_ID: merchantId, PLATEGA_SECRET: plategaSecret, PLATEGA_URL: url }
  return { ...double, env }
}
