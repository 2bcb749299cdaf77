// YooKassa by its API: a page of YooKassa's for cards and SBP behind a link. Its notices carry no signature, so that they only
// say which payment to read; what counts is what `GET /payments/{id}` answers to our own credentials.
// Source: https://yookassa.ru/developers/api

import { z } from 'zod'
import type { YookassaSettings } from '../../config.ts'
import type { Clock } from '../../runtime/clock.ts'
import type {
  Charge,
  Failure,
  LinkOrder,
  LinkState,
  Provider,
  RefundOrder,
  RefundOutcome,
} from '../provider.ts'
import { moneyOf, receiptItems } from '../receipt.ts'
import { createYookassaClient, type YookassaClient } from './client.ts'

export interface YookassaOptions {
  readonly settings: YookassaSettings
  readonly vatCode: number | undefined
  readonly clock: Clock
  /** Where the page sends a person who has paid. */
  readonly returnUrl: () => string
  readonly timeoutMs?: number
}

/** YooKassa gives up on most payments after an hour and on none later than this. */
const lifetimeMs = 24 * 60 * 60_000

const money = z.object({ value: z.string().regex(/^\d{1,12}\.\d{2}$/), currency: z.string() })
const payment = z.object({
  id: z.string().min(1),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  paid: z.boolean(),
  amount: money,
  refunded_amount: money.optional(),
  metadata: z.object({ topUpId: z.string().optional() }).default({}),
  confirmation: z.object({ confirmation_url: z.url().optional() }).optional(),
  cancellation_details: z.object({ reason: z.string() }).optional(),
})
const refund = z.object({ id: z.string().min(1), status: z.enum(['pending', 'succeeded', 'canceled']) })
const paymentId = z.string().regex(/^[\w-]{1,64}$/)
const notice = z.object({ object: z.object({ id: paymentId, payment_id: paymentId.optional() }) })

export function createYookassa(options: YookassaOptions): Provider {
  const { settings, vatCode, timeoutMs = 8000 } = options
  const client = createYookassaClient(settings, timeoutMs)
  return {
    id: 'yookassa',
    charge: (credit) => ({ currency: 'RUB', amount: credit }),
    way: {
      by: 'link',
      needsEmail: vatCode !== undefined,
      open: (order) => open(client, options, order),
      read: (externalId) => read(client, externalId),
      /** A notice about a refund names its payment besides. */
      noticed(body) {
        const { object } = notice.safeParse(body).data ?? {}
        return object?.payment_id ?? object?.id
      },
    },
    refund: (order) => giveBack(client, order),
    close: client.close,
  }
}

async function open(client: YookassaClient, { clock, ...options }: YookassaOptions, order: LinkOrder) {
  const answer = await client.post('/payments', order.topUpId, paymentBody(options, order), payment)
  if (answer.is !== 'answer') return answer
  const { id, confirmation } = answer.value
  const url = confirmation?.confirmation_url
  if (!url) return { is: 'refused', said: 'the payment has no page to pay on' } as const
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs)
  return { is: 'open', externalId: id, url, expiresAt } as const
}

function paymentBody({ vatCode, returnUrl }: Omit<YookassaOptions, 'clock'>, order: LinkOrder): object {
  const { charge, description, item, email, topUpId } = order
  return {
    amount: moneyOf(charge),
    capture: true,
    confirmation: { type: 'redirect', return_url: returnUrl() },
    description: description.slice(0, 128),
    metadata: { topUpId },
    ...(vatCode === undefined
      ? {}
      : { receipt: { customer: { email }, items: receiptItems(charge, item, vatCode) } }),
  }
}

async function read(client: YookassaClient, externalId: string): Promise<LinkState> {
  const answer = await client.get(`/payments/${encodeURIComponent(externalId)}`, payment)
  if (answer.is !== 'answer') return answer
  const { id, status, paid, amount, metadata, refunded_amount, cancellation_details } = answer.value
  if (id !== externalId) return { is: 'unavailable', said: 'another payment was answered' }
  if (status === 'canceled') return { is: 'canceled', reason: cancellation_details?.reason ?? '' }
  if (status !== 'succeeded' || !paid) return { is: 'pending' }
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

/** A full refund repeats the payment's receipt by itself. */
async function giveBack(client: YookassaClient, order: RefundOrder): Promise<RefundOutcome> {
  const { chargeId, charge, topUpId, attempt } = order
  const body = { payment_id: chargeId, amount: moneyOf(charge) }
  const made = await client.post('/refunds', `refund-${topUpId}-${attempt}`, body, refund)
  const answer =
    made.is === 'answer' && made.value.status === 'pending'
      ? await client.get(`/refunds/${encodeURIComponent(made.value.id)}`, refund)
      : made
  const outcome = outcomeOf(answer)
  return outcome.is === 'refused' ? afterRefusal(client, order, outcome) : outcome
}

/** A key is remembered for a day only: later, what was done already is refused. Only the payment itself says which it is. */
async function afterRefusal(
  client: YookassaClient,
  order: RefundOrder,
  refusal: RefundOutcome,
): Promise<RefundOutcome> {
  const state = await read(client, order.chargeId)
  if (state.is !== 'paid') return { is: 'unavailable', said: 'whether it was refunded is not known' } as const
  return state.refunded >= order.charge.amount ? ({ is: 'done' } as const) : refusal
}

type RefundAnswer = { readonly is: 'answer'; readonly value: z.output<typeof refund> } | Failure

function outcomeOf(answer: RefundAnswer): RefundOutcome {
  if (answer.is !== 'answer') return answer
  const { status } = answer.value
  if (status === 'succeeded') return { is: 'done' } as const
  return { is: status === 'canceled' ? 'refused' : 'unavailable', said: `the refund is ${status}` } as const
}
