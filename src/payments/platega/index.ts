// Platega: a link to its page for SBP, cards and cryptocurrency. A notification repeats our credentials in its headers; its transaction is read
// again nevertheless. A refund is the cancellation of a paid transaction, always as a whole.
// Source: https://docs.platega.io

import { z } from 'zod'
import { dayMs, hourMs } from '../../runtime/clock.ts'
import { httpUrl } from '../../runtime/env-values.ts'
import { isSame } from '../../runtime/ids.ts'
import { type ApiClient, createApiClient, kopecksIn, parseJson } from '../api-client.ts'
import {
  bothOrNeither,
  commission,
  type Failure,
  inRoubles,
  type LinkOrder,
  type LinkState,
  type NamedPayment,
  type Notice,
  type ProviderContext,
  type ProviderKind,
  type ProviderMethods,
  type RefundOutcome,
  worthOfKopecks,
} from '../provider.ts'
import { moneyOf } from '../receipt.ts'

interface Shop {
  readonly merchantId: string
  readonly secret: string
  readonly url: string
  /** Platega's number of the only way to pay; undefined lets the payer choose on the page. */
  readonly method: number | undefined
}

const credentials = z.object({
  PLATEGA_MERCHANT_ID: z
    .string()
    .regex(/^[\da-f-]{36}$/i, 'write the MerchantId from the Platega cabinet')
    .optional(),
  PLATEGA_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'write the API key from the Platega cabinet')
    .optional(),
})

export const platega: ProviderKind = {
  environment: credentials
    .extend({
      PLATEGA_METHOD: z
        .enum(['2', '3', '11', '12', '13', '14'], { error: 'write 2 (SBP), 3, 11 (cards), 12, 13 or 14' })
        .transform(Number)
        .optional(),
      PLATEGA_COMMISSION: commission,
      PLATEGA_URL: httpUrl.default('https://app.platega.io'),
    })
    .check(bothOrNeither(credentials))
    .transform((value) => {
      const { PLATEGA_MERCHANT_ID: merchantId, PLATEGA_SECRET: secret } = value
      const { PLATEGA_URL: url, PLATEGA_METHOD: method } = value
      if (merchantId === undefined || secret === undefined) return undefined
      return {
        secrets: [secret],
        worth: worthOfKopecks(value.PLATEGA_COMMISSION),
        create: (context) => createPlatega({ merchantId, secret, url, method }, context),
      }
    }),
}

const opened = z.object({
  transactionId: z.string(),
  /** The page to pay on; the payer of `url` chooses the method there. */
  redirect: z.url().nullish(),
  url: z.url().nullish(),
  expiresIn: z.string().nullish(),
})
const transaction = z.object({
  id: z.string(),
  /** The older documentation lists EXPIRED and FAILED, too. */
  status: z.enum(['PENDING', 'CANCELED', 'CONFIRMED', 'CHARGEBACKED', 'EXPIRED', 'FAILED']),
  paymentDetails: z.object({ amount: kopecksIn, currency: z.string() }),
  payload: z.string().nullish(),
})
const notification = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) })

function createPlatega(shop: Shop, { returnUrl }: ProviderContext): ProviderMethods {
  const { merchantId, secret, url, method } = shop
  const client = createApiClient({
    url,
    headers: { 'x-merchantid': merchantId, 'x-secret': secret, accept: '*/*' },
    secrets: [secret],
  })
  return {
    charge: inRoubles,
    way: {
      by: 'link',
      open: (order) => open(client, method, returnUrl(), order),
      read: (externalId) => read(client, externalId),
      check: () => client.get('/balance/all', z.array(z.object({ currency: z.string() }))),
      paymentIn: (notice) => paymentIn(notice, shop),
    },
    refund: ({ chargeId }) => cancel(client, chargeId),
    close: client.close,
  }
}

/** A payment that was begun shortly before the page expired may be confirmed after that. */
const lateMs = hourMs

/** There is no idempotence key: a transaction whose answer was lost stays unpaid, since nobody knows its page. */
async function open(
  client: ApiClient,
  method: number | undefined,
  returnUrl: string,
  { charge, description, topUpId, userId }: LinkOrder,
) {
  const body = {
    ...(method === undefined ? {} : { paymentMethod: method }),
    paymentDetails: { amount: Number(moneyOf(charge).value), currency: charge.currency },
    description: description.slice(0, 64),
    return: returnUrl,
    failedUrl: returnUrl,
    payload: topUpId,
    // Platega's protection against fraud needs a lasting id of the payer. Ours is enough.
    metadata: { userId: String(userId), userName: String(userId) },
  }
  const path = method === undefined ? '/v2/transaction/process' : '/transaction/process'
  const answer = await client.post(path, body, opened)
  if (answer.is !== 'answer') return answer
  const { transactionId: externalId, expiresIn, ...pages } = answer.value
  const url = pages.url ?? pages.redirect
  if (!url) return { is: 'refused', said: 'the transaction has no page to pay on' } as const
  return { is: 'open', externalId, url, lifetimeMs: lifetimeOf(expiresIn) + lateMs } as const
}

/** `00:15:00` */
function lifetimeOf(expiresIn: string | null | undefined): number {
  const [, hours, minutes, seconds] = /^(\d{1,3}):(\d\d):(\d\d)/.exec(expiresIn ?? '') ?? []
  return hours === undefined ? dayMs : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

async function read(client: ApiClient, externalId: string): Promise<LinkState> {
  const answer = await client.get(`/transaction/${encodeURIComponent(externalId)}`, transaction)
  if (answer.is !== 'answer') return answer
  const { id, status, paymentDetails: charge, payload } = answer.value
  if (id !== externalId) return { is: 'unavailable', said: 'the answer is about another transaction' }
  switch (status) {
    case 'PENDING':
      return { is: 'pending' }
    case 'CANCELED':
    case 'EXPIRED':
    case 'FAILED':
      return { is: 'canceled' }
    case 'CONFIRMED':
    case 'CHARGEBACKED': {
      const refunded = status === 'CHARGEBACKED' ? charge.amount : 0n
      return { is: 'paid', charge, topUpId: payload ?? undefined, refunded }
    }
  }
}

function paymentIn({ text, header }: Notice, shop: Shop): NamedPayment | undefined {
  const isMerchant = isSame(header('x-merchantid').toLowerCase(), shop.merchantId.toLowerCase())
  const isProven = isSame(header('x-secret'), shop.secret) && isMerchant
  const { id } = notification.safeParse(parseJson(text)).data ?? {}
  return isProven && id !== undefined ? { externalId: id, isProven } : undefined
}

const cancelable = z.object({ supported: z.boolean(), blockReason: z.string().nullish() })
const canceled = z.object({ accepted: z.boolean(), message: z.string().nullish() })

/** A repeated call reads first, so that a refund whose answer was lost is not asked for again. */
async function cancel(client: ApiClient, chargeId: string): Promise<RefundOutcome> {
  const state = await read(client, chargeId)
  if (state.is === 'refused' || state.is === 'unavailable') return state
  if (state.is !== 'paid') return { is: 'refused', said: 'the transaction is not paid' }
  if (state.refunded !== 0n) return { is: 'done' }
  const path = `/transaction/${encodeURIComponent(chargeId)}`
  const possible = await client.get(`${path}/cancel-supported`, cancelable)
  if (possible.is !== 'answer') return possible
  if (!possible.value.supported) return byHand(possible.value.blockReason)
  const made = await client.post(`${path}/cancel`, undefined, canceled)
  if (made.is !== 'answer') return made
  return made.value.accepted ? { is: 'done' } : byHand(made.value.message)
}

const byHand = (said: string | null | undefined): Failure => ({
  is: 'refused',
  said: `${said ?? 'not possible by the API'}: ask the support of Platega`.slice(0, 500),
})
