// The shop's payments and refunds: created once for each idempotence key, paid or declined by the payer, refunded by the shop. A
// payment is canceled when it is unpaid for an hour.

import { join } from 'node:path'
import { z } from 'zod'
import { type Clock, dayMs, hourMs } from '../../../runtime/clock.ts'
import { openStore, type Store } from '../../json-store.ts'
import { type Payment, paymentState, paymentView, type Refund, refundState, refundView } from './payment.ts'
import { refundPage } from './refund-list.ts'
import { YookassaRefusal } from './refusal.ts'
import { kopecksOf, newPayment, newRefund, refundQuery } from './requests.ts'

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
  const store: Store<Saved> = openStore(join(folder, 'yookassa.json'), saved, empty, () => state)
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
    save: async () => (keepsState ? store.save() : undefined),
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
