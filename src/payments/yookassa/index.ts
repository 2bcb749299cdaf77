// YooKassa: a link to its page for cards and SBP. Its notifications carry no signature, so they only name the payment to read: only what
// `GET /payments/{id}` answers to our credentials counts. Notifications about payments repeat our metadata, whose proof shows that they
// are not made up; those about refunds do not.
// Source: https://yookassa.ru/developers/api

import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { dayMs } from '../../runtime/clock.ts'
import { httpUrl } from '../../runtime/env-values.ts'
import { isSame } from '../../runtime/ids.ts'
import { type Api, type ApiClient, createApiClient, parseJson } from '../api-client.ts'
import {
  bothOrNeither,
  type Charge,
  commission,
  inRoubles,
  type LinkOrder,
  type LinkState,
  type NamedPayment,
  type Notice,
  type PartOrder,
  type ProviderContext,
  type ProviderKind,
  type ProviderMethods,
  type RefundOrder,
  type RefundOutcome,
  type RefundPage,
  worthOfKopecks,
} from '../provider.ts'
import { moneyOf, receiptItems } from '../receipt.ts'

interface Shop {
  readonly shopId: string
  readonly secretKey: string
  readonly url: string
}

const credentials = z.object({
  YOOKASSA_SHOP_ID: z
    .string()
    .regex(/^\d{3,12}$/, 'write the shop number from the YooKassa cabinet')
    .optional(),
  YOOKASSA_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'write the secret key from the YooKassa cabinet')
    .optional(),
})

export const yookassa: ProviderKind = {
  environment: credentials
    .extend({ YOOKASSA_URL: httpUrl.default('https://api.yookassa.ru/v3'), YOOKASSA_COMMISSION: commission })
    .check(bothOrNeither(credentials))
    .transform((value) => {
      const { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey, YOOKASSA_URL: url } = value
      if (shopId === undefined || secretKey === undefined) return undefined
      return {
        secrets: [secretKey],
        worth: worthOfKopecks(value.YOOKASSA_COMMISSION),
        create: (context) => createYookassa({ shopId, secretKey, url }, context),
      }
    }),
}

/** YooKassa cancels most unpaid payments after an hour, and all of them within this time. */
const lifetimeMs = dayMs

const problem = z.object({
  code: z.string().default(''),
  description: z.string().default(''),
  parameter: z.string().default(''),
})
const money = z.object({ value: z.string().regex(/^\d{1,12}\.\d{2}$/), currency: z.string() })
const payment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  amount: money,
  refunded_amount: money.optional(),
  metadata: z.object({ topUpId: z.string().optional() }).default({}),
  confirmation: z.object({ confirmation_url: z.url().optional() }).optional(),
})
const refund = z.object({ id: z.string(), status: z.enum(['pending', 'succeeded', 'canceled']) })
const paymentId = z.string().regex(/^[\w-]{1,64}$/)
const notification = z.object({
  object: z.object({
    id: paymentId,
    /** Only of a refund. */
    payment_id: paymentId.optional(),
    metadata: z.object({ topUpId: z.string(), proof: z.string() }).optional().catch(undefined),
  }),
})

/** How the API of YooKassa is asked. */
export function yookassaApi({ shopId, secretKey, url }: Shop): Api {
  const basic = Buffer.from(`${shopId}:${secretKey}`).toString('base64')
  const wordsOf = (body: unknown) => Object.values(problem.safeParse(body).data ?? {})
  return { url, headers: { authorization: `Basic ${basic}` }, secrets: [secretKey, basic], wordsOf }
}

/** YooKassa remembers an idempotence key for a day. */
const withKey = (key: string) => ({ 'idempotence-key': key })

function createYookassa(shop: Shop, context: ProviderContext): ProviderMethods {
  const client = createApiClient(yookassaApi(shop))
  const proofOf = (topUpId: string) =>
    createHmac('sha256', shop.secretKey).update(`notification ${topUpId}`).digest('base64url')
  return {
    charge: inRoubles,
    way: {
      by: 'link',
      needsEmail: context.vatCode !== undefined,
      open: (order) => open(client, context, order, proofOf(order.topUpId)),
      read: (externalId) => read(client, externalId),
      listRefunds: (since, cursor) => listRefunds(client, since, cursor),
      paymentIn: (notice) => paymentIn(notice, proofOf),
    },
    refund: (order) => refundPayment(client, order, context.vatCode !== undefined),
    // The receipt of a part names its items, which only the shop knows.
    ...(context.vatCode === undefined ? { refundPart: (order) => refundPart(client, order) } : {}),
    close: client.close,
  }
}

async function open(client: ApiClient, context: ProviderContext, order: LinkOrder, proof: string) {
  const answer = await client.post(
    '/payments',
    paymentBody(context, order, proof),
    payment,
    withKey(order.topUpId),
  )
  if (answer.is !== 'answer') return answer
  const { id, confirmation } = answer.value
  const url = confirmation?.confirmation_url
  if (!url) return { is: 'refused', said: 'the payment has no page to pay on' } as const
  return { is: 'open', externalId: id, url, lifetimeMs } as const
}

function paymentBody({ vatCode, returnUrl }: ProviderContext, order: LinkOrder, proof: string): object {
  const { charge, description, item, email, topUpId } = order
  return {
    amount: moneyOf(charge),
    capture: true,
    confirmation: { type: 'redirect', return_url: returnUrl() },
    description: description.slice(0, 128),
    metadata: { topUpId, proof },
    ...(vatCode === undefined
      ? {}
      : { receipt: { customer: { email }, items: receiptItems(charge, item, vatCode) } }),
  }
}

function paymentIn({ text }: Notice, proofOf: (topUpId: string) => string): NamedPayment | undefined {
  const { object } = notification.safeParse(parseJson(text)).data ?? {}
  if (!object) return undefined
  const { id, payment_id, metadata } = object
  const isProven = metadata !== undefined && isSame(metadata.proof, proofOf(metadata.topUpId))
  const externalId = payment_id ?? id
  return isProven ? { externalId, isProven, topUpId: metadata.topUpId } : { externalId, isProven }
}

async function read(client: ApiClient, externalId: string): Promise<LinkState> {
  const answer = await client.get(`/payments/${encodeURIComponent(externalId)}`, payment)
  if (answer.is !== 'answer') return answer
  const { id, status, amount, metadata, refunded_amount } = answer.value
  if (id !== externalId) return { is: 'unavailable', said: 'the answer is about another payment' }
  if (status === 'canceled') return { is: 'canceled' }
  if (status !== 'succeeded') return { is: 'pending' }
  return {
    is: 'paid',
    charge: chargeOf(amount),
    topUpId: metadata.topUpId ?? '',
    refunded: refunded_amount ? chargeOf(refunded_amount).amount : 0n,
  }
}

const chargeOf = ({ value, currency }: z.output<typeof money>): Charge => ({
  currency,
  amount: BigInt(value.replace('.', '')),
})

/**
 * A full refund needs no receipt: YooKassa repeats the one of the payment. YooKassa remembers an idempotence key for a day, and refuses to
 * repeat a refund after that, so after a refusal only the payment shows whether the refund was made. It also refuses more than is left of a
 * payment: if a part was refunded in its cabinet, the rest is refunded.
 */
async function refundPayment(
  client: ApiClient,
  { chargeId, topUpId, attempt, charge }: RefundOrder,
  hasReceipt: boolean,
): Promise<RefundOutcome> {
  const key = `refund-${topUpId}-${attempt}`
  const outcome = await ask(client, { chargeId, charge }, key)
  if (outcome.is !== 'refused') return outcome
  const state = await read(client, chargeId)
  if (state.is !== 'paid')
    return { is: 'unavailable', said: 'it is unknown whether the payment was refunded' }
  const rest = charge.amount - state.refunded
  if (rest <= 0n) return { is: 'done' }
  if (state.refunded === 0n) return outcome
  if (hasReceipt) return { is: 'refused', said: 'a part was refunded before: refund the rest in the cabinet' }
  return ask(client, { chargeId, charge: { ...charge, amount: rest } }, `${key}-rest`)
}

const refundPart = (client: ApiClient, { chargeId, topUpId, part, before }: PartOrder) =>
  ask(client, { chargeId, charge: part }, `refund-${topUpId}-after-${before}`)

async function ask(
  client: ApiClient,
  { chargeId, charge }: Pick<RefundOrder, 'chargeId' | 'charge'>,
  key: string,
): Promise<RefundOutcome> {
  const body = { payment_id: chargeId, amount: moneyOf(charge) }
  const made = await client.post('/refunds', body, refund, withKey(key))
  const answer =
    made.is === 'answer' && made.value.status === 'pending'
      ? await client.get(`/refunds/${encodeURIComponent(made.value.id)}`, refund)
      : made
  if (answer.is !== 'answer') return answer
  const { status } = answer.value
  if (status === 'succeeded') return { is: 'done' }
  return { is: status === 'canceled' ? 'refused' : 'unavailable', said: `the refund is ${status}` }
}

/** The most that YooKassa puts on one page. */
const pageLimit = '100'

const refundList = z.object({
  items: z.array(z.object({ payment_id: z.string() })),
  next_cursor: z.string().min(1).optional(),
})

/** A page of the list of the shop's refunds, newest first. Source: https://yookassa.ru/developers/api#get_refunds_list */
async function listRefunds(client: ApiClient, since: Date, cursor?: string): Promise<RefundPage> {
  const query = new URLSearchParams({
    status: 'succeeded',
    'created_at.gte': since.toISOString(),
    limit: pageLimit,
  })
  if (cursor !== undefined) query.set('cursor', cursor)
  const answer = await client.get(`/refunds?${query}`, refundList)
  if (answer.is !== 'answer') return answer
  const { items, next_cursor: next } = answer.value
  return { is: 'page', chargeIds: items.map(({ payment_id }) => payment_id), next }
}
