// The shop's payments and refunds: created once for each idempotence key, paid or declined by the payer, refunded by the shop. A
// payment is canceled when it is unpaid for an hour. The schemas are as strict as the documented API, so that a wrong request fails in the sandbox
// and not at the first real payment. Source: https://yookassa.ru/developers/api

import { join } from 'node:path'
import { z } from 'zod'
import { type Clock, dayMs, hourMs } from '../../../runtime/clock.ts'
import { openStore, type Store } from '../../json-store.ts'

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
  .refine(
    (value) =>
      !value.receipt ||
      value.receipt.items.reduce((sum, one) => sum + kopecksOf(one.amount) * Number(one.quantity), 0) ===
        kopecksOf(value.amount),
    { path: ['receipt', 'items'], error: 'must add up to the amount' },
  )

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).getTime())

/** The parameters of the list of refunds, as far as the app uses them. */
const refundQuery = z.strictObject({
  'created_at.gte': moment.optional(),
  status: z.enum(['pending', 'succeeded', 'canceled']).optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be from 1 to 100')
    .default('10')
    .transform(Number),
  cursor: z.string().min(1).optional(),
})
type RefundQuery = z.output<typeof refundQuery>

const newRefund = z.strictObject({
  payment_id: z.string().min(1),
  amount: moneySchema,
  description: z.string().max(250).optional(),
})

const paymentState = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  /** Kopecks. */
  amount: z.int(),
  currency: z.string(),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  returnUrl: z.string(),
  receipt: z.unknown().optional(),
  createdAt: z.number(),
  /** Kopecks. */
  refunded: z.int(),
  /** The reason of the cancellation. */
  reason: z.string().optional(),
})
export type Payment = z.output<typeof paymentState>

const refundState = z.object({
  id: z.string(),
  paymentId: z.string(),
  amount: z.int(),
  createdAt: z.number(),
})
type Refund = z.output<typeof refundState>

const money = (kopecks: number, currency: string) => ({ value: (kopecks / 100).toFixed(2), currency })

const isoOf = (at: number) => new Date(at).toISOString()

/** @param page the URL of the payment page */
function paymentView(payment: Payment, page: string) {
  const { id, status, amount, currency, description, metadata, createdAt, refunded, reason } = payment
  const isPaid = status === 'succeeded'
  return {
    id,
    status,
    paid: isPaid,
    amount: money(amount, currency),
    description,
    metadata,
    recipient: { account_id: '100500', gateway_id: '100700' },
    created_at: isoOf(createdAt),
    refundable: isPaid && refunded < amount,
    test: true,
    ...(status === 'pending' ? { confirmation: { type: 'redirect', confirmation_url: page } } : {}),
    ...(isPaid ? { refunded_amount: money(refunded, currency) } : {}),
    ...(reason ? { cancellation_details: { party: 'yoo_money', reason } } : {}),
  }
}

const refundView = ({ id, paymentId, amount, createdAt }: Refund) => ({
  id,
  payment_id: paymentId,
  status: 'succeeded',
  created_at: isoOf(createdAt),
  amount: money(amount, 'RUB'),
})

/** @param refunds in the order in which they were made */
function refundPage(refunds: readonly Refund[], query: RefundQuery) {
  const { 'created_at.gte': since = 0, status = 'succeeded' } = query
  // All refunds of the double succeed at once.
  const found = refunds.filter(({ createdAt }) => createdAt >= since && status === 'succeeded').reverse()
  const start = query.cursor === undefined ? 0 : found.findIndex(({ id }) => id === query.cursor)
  if (start < 0) throw new YookassaRefusal(400, 'invalid_request', 'The cursor is unknown', 'cursor')
  const end = start + query.limit
  const next = found[end]?.id
  return {
    type: 'list',
    items: found.slice(start, end).map(refundView),
    ...(next === undefined ? {} : { next_cursor: next }),
  }
}

interface ShopSettings {
  readonly folder: string
  /** Whether payments are written to the disk. */
  readonly keepsState: boolean
  readonly clock: Clock
  readonly random: () => number
  /** The URL of the payment page. */
  readonly pageOf: (id: string) => string
  readonly notify: (event: string, object: unknown) => void
}

const keyLifetimeMs = dayMs

const saved = z.object({
  version: z.literal(1),
  payments: z.array(paymentState),
  refunds: z.array(refundState),
  /** The answer for each idempotence key, with the request that it answered. */
  answers: z.array(z.object({ key: z.string(), request: z.string(), answer: z.unknown(), at: z.number() })),
})

type Saved = z.output<typeof saved>
export type Shop = ReturnType<typeof openShop>

export function openShop({ folder, keepsState, clock, random, pageOf, notify }: ShopSettings) {
  const empty: Saved = { version: 1, payments: [], refunds: [], answers: [] }
  const store: Store<Saved> = openStore(join(folder, 'yookassa.json'), saved, empty, () => state, keepsState)
  const state: Saved = store.loaded
  const now = () => clock.now().getTime()
  const view = (payment: Payment) => paymentView(payment, pageOf(payment.id))

  function find(id: string): Payment {
    const found = state.payments.find((one) => one.id === id)
    if (!found) throw new YookassaRefusal(404, 'not_found', `Payment doesn't exist or access denied: ${id}`)
    if (found.status === 'pending' && now() - found.createdAt > hourMs) {
      Object.assign(found, { status: 'canceled', reason: 'expired_on_confirmation' })
    }
    return found
  }

  function create(body: unknown) {
    const order = checked(newPayment, body)
    const payment: Payment = {
      id: idFrom(random),
      status: 'pending',
      amount: kopecksOf(order.amount),
      currency: order.amount.currency,
      description: order.description,
      metadata: order.metadata,
      returnUrl: order.confirmation.return_url,
      receipt: order.receipt,
      createdAt: now(),
      refunded: 0,
    }
    state.payments.push(payment)
    return view(payment)
  }

  function addRefund(payment: Payment, amount: number) {
    if (payment.status !== 'succeeded') refuse('The payment is not paid', 'payment_id')
    if (amount > payment.amount - payment.refunded) refuse('More than is left of the payment', 'amount')
    const refund: Refund = { id: idFrom(random), paymentId: payment.id, amount, createdAt: now() }
    payment.refunded += amount
    state.refunds.push(refund)
    notify('refund.succeeded', refundView(refund))
    return refundView(refund)
  }

  function once(key: string, body: unknown, run: () => unknown): unknown {
    const request = JSON.stringify(body)
    state.answers = state.answers.filter(({ at }) => now() - at < keyLifetimeMs)
    const before = state.answers.find((one) => one.key === key)
    if (before && before.request !== request) refuse('Idempotence key duplicated', 'Idempotence-Key')
    if (before) return before.answer
    const answer = run()
    state.answers.push({ key, request, answer, at: now() })
    return answer
  }

  return {
    list: (): readonly Payment[] => state.payments,
    find,
    view,
    create: (key: string, body: unknown) => once(`create ${key}`, body, () => create(body)),
    refund: (key: string, body: unknown) =>
      once(`refund ${key}`, body, () => {
        const order = checked(newRefund, body)
        return addRefund(find(order.payment_id), kopecksOf(order.amount))
      }),
    refundOf(id: string) {
      const found = state.refunds.find((one) => one.id === id)
      if (!found) throw new YookassaRefusal(404, 'not_found', `Refund doesn't exist: ${id}`)
      return refundView(found)
    },
    listRefunds: (query: unknown) => refundPage(state.refunds, checked(refundQuery, query)),
    /** Carries out an action of the payer on the page, or of the shop's owner in the cabinet. */
    decide(id: string, action: 'pay' | 'cancel' | 'refund') {
      const payment = find(id)
      if (action === 'refund') return void addRefund(payment, payment.amount - payment.refunded)
      if (payment.status !== 'pending') return
      if (action === 'pay') payment.status = 'succeeded'
      else Object.assign(payment, { status: 'canceled', reason: 'canceled_by_merchant' })
      notify(`payment.${payment.status}`, view(payment))
    },
    save: store.save,
  }
}

function checked<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(issue?.message ?? 'not understood', issue?.path.join('.') ?? '')
}

function refuse(description: string, parameter: string): never {
  throw new YookassaRefusal(400, 'invalid_request', description, parameter)
}

/** An id like `2f3b588d-000f-5000-8000-1d6e87c7fbde`. */
function idFrom(random: () => number): string {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex(8)}-000f-5000-8000-${hex(12)}`
}
