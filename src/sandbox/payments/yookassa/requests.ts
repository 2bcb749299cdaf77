// Schemas of requests, as strict as the documented API, so that a wrong request fails in the sandbox and not at the first real
// payment; and the error answers. Source: https://yookassa.ru/developers/api

import { z } from 'zod'

export class YookassaRefusal extends Error {
  override name = 'YookassaRefusal'
  readonly status: number
  readonly code: string
  readonly parameter: string | undefined
  constructor(status: number, code: string, description: string, parameter?: string) {
    super(description)
    this.status = status
    this.code = code
    this.parameter = parameter
  }
}

export const refusalView = ({ code, message, parameter }: YookassaRefusal, id: string) => ({
  type: 'error',
  id,
  code,
  description: message,
  ...(parameter ? { parameter } : {}),
})

const money = z.strictObject({
  value: z.string().regex(/^\d{1,9}\.\d{2}$/, 'must look like 100.00'),
  currency: z.literal('RUB'),
})
export const kopecksOf = ({ value }: z.output<typeof money>): number => Number(value.replace('.', ''))

/** `measure` is optional in YooKassa's schema, but its own receipts and cash registers of FFD 1.2 require it. */
const item = z.strictObject({
  description: z.string().min(1).max(128),
  quantity: z.string().regex(/^\d+(\.\d{1,3})?$/),
  amount: money,
  vat_code: z.int().min(1).max(12),
  measure: z.enum(['piece', 'another']),
  payment_mode: z.enum(['full_prepayment', 'partial_prepayment', 'advance', 'full_payment']),
  payment_subject: z.enum(['commodity', 'service', 'payment', 'another']),
})

const receipt = z.strictObject({
  customer: z.strictObject({ email: z.email() }),
  items: z.array(item).min(1).max(80),
})

const metadata = z
  .record(z.string().max(32), z.string().max(512))
  .refine((value) => Object.keys(value).length <= 16, 'has at most 16 keys')

export const newPayment = z
  .strictObject({
    amount: money,
    capture: z.literal(true),
    confirmation: z.strictObject({ type: z.literal('redirect'), return_url: z.url() }),
    description: z.string().max(128).default(''),
    metadata: metadata.default({}),
    receipt: receipt.optional(),
  })
  .refine(({ amount }) => kopecksOf(amount) > 0, { path: ['amount', 'value'], error: 'must be above zero' })
  .refine(
    (value) =>
      !value.receipt ||
      value.receipt.items.reduce((sum, one) => sum + kopecksOf(one.amount) * Number(one.quantity), 0) ===
        kopecksOf(value.amount),
    { path: ['receipt', 'items'], error: 'must add up to the amount' },
  )

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).getTime())

/** The parameters of the list of refunds, as far as the app uses them. */
export const refundQuery = z.strictObject({
  'created_at.gte': moment.optional(),
  status: z.enum(['pending', 'succeeded', 'canceled']).optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be from 1 to 100')
    .default('10')
    .transform(Number),
  cursor: z.string().min(1).optional(),
})
export type RefundQuery = z.output<typeof refundQuery>

export const newRefund = z.strictObject({
  payment_id: z.string().min(1),
  amount: money,
  description: z.string().max(250).optional(),
})
