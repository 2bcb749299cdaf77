// The shop's payments and refunds: created once for each idempotence key, paid or declined by the payer, refunded by the shop. A
// payment is canceled when it is unpaid for an hour. The schemas are as strict as the documented API, so that a wrong request fails in the sandbox
// and not at the first real payment. Source: https://yookassa.ru/developers/api

import { join } from 'node:path'
import { z } from 'zod'
import { dayMs, hourMs } from '../../../runtime/clock.ts'
import { openStore } from '../../json-store.ts'
import { type Action, pageOf } from '../checkout.ts'
import { type DoubleDeps, Refusal, uuidFrom } from '../double.ts'

export function yookassaRefusal(status: number, code: string, description: string, parameter?: string) {
  const id = 'e1d3b5a7-0000-5000-8000-000000000000'
  return new Refusal(status, { type: 'error', id, code, description, parameter })
}

function refuse(description: string, parameter: string): never {
  throw yookassaRefusal(400, 'invalid_request', description, parameter)
}

function checked<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(issue?.message ?? '', issue?.path.join('.') ?? '')
}

const moneySchema = z.strictObject({
  value: z.string().regex(/^\d{1,9}\.\d{2}$/, 'must look like 100.00'),
  currency: z.literal('RUB'),
})
const kopecksOf = ({ value }: z.output<typeof moneySchema>): number => Number(value.replace('.', ''))

/** `measure` is optional in YooKassa's schema, but its own receipts and cash registers of FFD 1.2 require it. */
const item = z.strictObject({
  description: z.string().min(1).max(128),
  quantity: z.string().regex(/^\d+(\.\d{1,3})?$/),
  amount: moneySchema,
  vat_code: z.int().min(1).max(12),
  measure: z.enum(['piece', 'another']),
  payment_mode: z.enum(['full_prepayment', 'partial_prepayment', 'advance', 'full_payment']),
  payment_subject: z.enum(['commodity', 'service', 'payment', 'another']),
})

const receipt = z.strictObject({
  customer: z.strictObject({ email: z.email() }),
  items: z.array(item).min(1).max(80),
})
const sumOf = ({ items }: z.output<typeof receipt>): number =>
  items.reduce((sum, one) => sum + kopecksOf(one.amount) * Number(one.quantity), 0)

const metadata = z
  .record(z.string().max(32), z.string().max(512))
  .refine((value) => Object.keys(value).length <= 16, 'has at most 16 keys')

const newPayment = z
  .strictObject({
    amount: moneySchema,
    capture: z.literal(true),
    confirmation: z.strictObject({ type: z.literal('redirect'), return_url: z.url() }),
    description: z.string().max(128).default(''),
    metadata: metadata.default({}),
    receipt: receipt.optional(),
  })
  .refine(({ amount }) => kopecksOf(amount) > 0, { path: ['amount', 'value'], error: 'must be above zero' })
  .refine((value) => !value.receipt || sumOf(value.receipt) === kopecksOf(value.amount), {
    path: ['receipt', 'items'],
    error: 'must add up to the amount',
  })

/** The parameters of the list of refunds, as far as the app uses them. */
const refundQuery = z.strictObject({
  'created_at.gte': z.iso.datetime({ offset: true }).default('1970-01-01T00:00:00Z'),
  status: z.enum(['pending', 'succeeded', 'canceled']).default('succeeded'),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  cursor: z.string().min(1).optional(),
})

const newRefund = z.strictObject({
  payment_id: z.string().min(1),
  amount: moneySchema,
  description: z.string().max(250).optional(),
})

/** Amounts are in kopecks. */
const paymentState = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount: z.int(),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  returnUrl: z.string(),
  receipt: z.unknown().optional(),
  createdAt: z.number(),
  refunded: z.int(),
  /** The reason of the cancellation. */
  reason: z.string().optional(),
})
type Payment = z.output<typeof paymentState>

const saved = z.object({
  version: z.literal(1),
  payments: z.array(paymentState),
  refunds: z.array(
    z.object({ id: z.string(), paymentId: z.string(), amount: z.int(), createdAt: z.number() }),
  ),
  /** The answer for each idempotence key, with the request that it answered. */
  answers: z.array(z.object({ key: z.string(), request: z.string(), answer: z.unknown(), at: z.number() })),
})

type Saved = z.output<typeof saved>
type Refund = Saved['refunds'][number]

const money = (kopecks: number) => ({ value: (kopecks / 100).toFixed(2), currency: 'RUB' })
const isoOf = (at: number) => new Date(at).toISOString()

/** @param page the URL of the payment page */
function paymentView(payment: Payment, page: string) {
  const { id, status, amount, description, metadata, createdAt, refunded, reason } = payment
  const isPaid = status === 'succeeded'
  return {
    id,
    status,
    paid: isPaid,
    amount: money(amount),
    description,
    metadata,
    recipient: { account_id: '100500', gateway_id: '100700' },
    created_at: isoOf(createdAt),
    refundable: isPaid && refunded < amount,
    test: true,
    confirmation: status === 'pending' ? { type: 'redirect', confirmation_url: page } : undefined,
    refunded_amount: isPaid ? money(refunded) : undefined,
    cancellation_details: reason ? { party: 'yoo_money', reason } : undefined,
  }
}

const refundView = ({ id, paymentId, amount, createdAt }: Refund) => ({
  id,
  payment_id: paymentId,
  status: 'succeeded',
  created_at: isoOf(createdAt),
  amount: money(amount),
})

/** A page of the refunds, newest first. All refunds of the double succeed at once. */
function refundPage(refunds: readonly Refund[], query: z.output<typeof refundQuery>) {
  const since = Date.parse(query['created_at.gte'])
  const isFound = ({ createdAt }: Refund) => createdAt >= since && query.status === 'succeeded'
  const found = refunds.filter(isFound).reverse()
  const start = query.cursor === undefined ? 0 : found.findIndex(({ id }) => id === query.cursor)
  if (start < 0) refuse('The cursor is unknown', 'cursor')
  const end = start + query.limit
  return { type: 'list', items: found.slice(start, end).map(refundView), next_cursor: found[end]?.id }
}

export function openShop(deps: DoubleDeps, notify: (event: string, object: unknown) => void) {
  const { clock, random, baseUrl, folder, keepsState } = deps
  const empty: Saved = { version: 1, payments: [], refunds: [], answers: [] }
  const { state, save } = openStore(join(folder('yookassa'), 'yookassa.json'), saved, empty, keepsState)
  const now = () => clock.now().getTime()
  const view = (payment: Payment) => paymentView(payment, baseUrl + pageOf('yookassa', payment.id))

  function find(id: string): Payment {
    const found = state.payments.find((one) => one.id === id)
    if (!found) throw yookassaRefusal(404, 'not_found', `Payment doesn't exist or access denied: ${id}`)
    if (found.status === 'pending' && now() - found.createdAt > hourMs) {
      Object.assign(found, { status: 'canceled', reason: 'expired_on_confirmation' })
    }
    return found
  }

  function create(body: unknown) {
    const { amount, confirmation, ...order } = checked(newPayment, body)
    const payment: Payment = {
      ...order,
      id: uuidFrom(random),
      status: 'pending',
      amount: kopecksOf(amount),
      returnUrl: confirmation.return_url,
      createdAt: now(),
      refunded: 0,
    }
    state.payments.push(payment)
    return view(payment)
  }

  function addRefund(payment: Payment, amount: number) {
    if (payment.status !== 'succeeded') refuse('The payment is not paid', 'payment_id')
    if (amount > payment.amount - payment.refunded) refuse('More than is left of the payment', 'amount')
    const refund: Refund = { id: uuidFrom(random), paymentId: payment.id, amount, createdAt: now() }
    payment.refunded += amount
    state.refunds.push(refund)
    notify('refund.succeeded', refundView(refund))
    return refundView(refund)
  }

  function refund(body: unknown) {
    const order = checked(newRefund, body)
    return addRefund(find(order.payment_id), kopecksOf(order.amount))
  }

  /** Runs at most once in a day for each key; then gives the first answer again. */
  function once(key: string, body: unknown, run: (body: unknown) => unknown): unknown {
    const request = JSON.stringify(body)
    state.answers = state.answers.filter(({ at }) => now() - at < dayMs)
    const before = state.answers.find((one) => one.key === key)
    if (before && before.request !== request) refuse('Idempotence key duplicated', 'Idempotence-Key')
    if (before) return before.answer
    const answer = run(body)
    state.answers.push({ key, request, answer, at: now() })
    return answer
  }

  return {
    list: (): readonly Payment[] => state.payments,
    find,
    view,
    create: (key: string, body: unknown) => once(`create ${key}`, body, create),
    refund: (key: string, body: unknown) => once(`refund ${key}`, body, refund),
    listRefunds: (query: unknown) => refundPage(state.refunds, checked(refundQuery, query)),
    decide(id: string, action: Action) {
      const payment = find(id)
      if (action === 'refund') return void addRefund(payment, payment.amount - payment.refunded)
      if (payment.status !== 'pending') return
      if (action === 'pay') payment.status = 'succeeded'
      else Object.assign(payment, { status: 'canceled', reason: 'canceled_by_merchant' })
      notify(`payment.${payment.status}`, view(payment))
    },
    save,
  }
}
