// CryptoPay, the payments of @CryptoBot: invoices in roubles that are paid in cryptocurrency inside Telegram. A notification is signed with
// the token; its invoice is read again nevertheless. The API has no refunds.
// Source: https://help.crypt.bot/crypto-pay-api

import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { hourMs } from '../../runtime/clock.ts'
import { httpUrl } from '../../runtime/env-values.ts'
import { isSame } from '../../runtime/ids.ts'
import { type ApiClient, createApiClient, kopecksIn, parseJson } from '../api-client.ts'
import {
  commission,
  inRoubles,
  type LinkOrder,
  type LinkState,
  type NamedPayment,
  type Notice,
  type ProviderContext,
  type ProviderKind,
  type ProviderMethods,
  worthOfKopecks,
} from '../provider.ts'
import { moneyOf } from '../receipt.ts'

interface Shop {
  readonly token: string
  readonly url: string
  /** The cryptocurrencies that are accepted, separated by commas; undefined for all. */
  readonly assets: string | undefined
}

export const cryptopay: ProviderKind = {
  environment: z
    .object({
      CRYPTOPAY_TOKEN: z
        .string()
        .regex(/^\d{1,12}:[\w-]{10,100}$/, 'write the API token from @CryptoBot: Crypto Pay, My Apps')
        .optional(),
      CRYPTOPAY_ASSETS: z
        .string()
        .regex(
          /^[A-Z]{2,10}(, *[A-Z]{2,10})*$/,
          'write cryptocurrencies with commas between them, like USDT,TON',
        )
        .transform((text) => text.replaceAll(' ', ''))
        .optional(),
      CRYPTOPAY_COMMISSION: commission,
      CRYPTOPAY_URL: httpUrl.default('https://pay.crypt.bot'),
    })
    .transform((value) => {
      const { CRYPTOPAY_TOKEN: token, CRYPTOPAY_URL: url, CRYPTOPAY_ASSETS: assets } = value
      if (token === undefined) return undefined
      return {
        secrets: [token],
        worth: worthOfKopecks(value.CRYPTOPAY_COMMISSION),
        create: (context) => createCryptopay({ token, url, assets }, context),
      }
    }),
}

/** How long an invoice can be paid: its price in cryptocurrency follows the rate until then. */
const lifetimeMs = hourMs

const resultOf = <T>(result: z.ZodType<T>) =>
  z.object({ ok: z.literal(true), result }).transform((answer) => answer.result)
const invoice = z.object({
  invoice_id: z.int().nonnegative(),
  status: z.enum(['active', 'paid', 'expired']),
  currency_type: z.enum(['fiat', 'crypto']),
  fiat: z.string().nullish(),
  asset: z.string().nullish(),
  amount: kopecksIn,
  payload: z.string().nullish(),
})
const opened = resultOf(invoice.pick({ invoice_id: true }).extend({ bot_invoice_url: z.url() }))
const found = resultOf(z.object({ items: z.array(invoice) }))
const update = z.object({ payload: z.object({ invoice_id: z.int().nonnegative() }) })

function createCryptopay({ token, url, assets }: Shop, { returnUrl }: ProviderContext): ProviderMethods {
  const client = createApiClient({
    url: `${url}/api`,
    headers: { 'crypto-pay-api-token': token },
    secrets: [token],
  })
  return {
    charge: inRoubles,
    way: {
      by: 'link',
      open: (order) => open(client, assets, returnUrl(), order),
      read: (externalId) => read(client, externalId),
      check: () => client.get('/getMe', resultOf(z.object({ app_id: z.int() }))),
      paymentIn: (notice) => paymentIn(notice, token),
    },
    close: client.close,
  }
}

/** There is no idempotence key: an invoice whose answer was lost stays unpaid, since nobody knows its address. */
async function open(
  client: ApiClient,
  assets: string | undefined,
  returnUrl: string,
  { charge, description, topUpId }: LinkOrder,
) {
  const body = {
    currency_type: 'fiat',
    fiat: charge.currency,
    amount: moneyOf(charge).value,
    ...(assets === undefined ? {} : { accepted_assets: assets }),
    description: description.slice(0, 1024),
    payload: topUpId,
    paid_btn_name: 'openBot',
    paid_btn_url: returnUrl,
    expires_in: lifetimeMs / 1000,
  }
  const answer = await client.post('/createInvoice', body, opened)
  if (answer.is !== 'answer') return answer
  const { invoice_id, bot_invoice_url } = answer.value
  return { is: 'open', externalId: String(invoice_id), url: bot_invoice_url, lifetimeMs } as const
}

async function read(client: ApiClient, externalId: string): Promise<LinkState> {
  const answer = await client.get(`/getInvoices?invoice_ids=${encodeURIComponent(externalId)}`, found)
  if (answer.is !== 'answer') return answer
  const one = answer.value.items.find(({ invoice_id }) => String(invoice_id) === externalId)
  if (!one) return { is: 'unavailable', said: 'the invoice is not in the answer' }
  const { status, currency_type, fiat, asset, amount, payload } = one
  if (status === 'expired') return { is: 'canceled' }
  if (status !== 'paid') return { is: 'pending' }
  const currency = (currency_type === 'fiat' ? fiat : asset) ?? ''
  return { is: 'paid', charge: { currency, amount }, topUpId: payload ?? '', refunded: 0n }
}

function paymentIn({ text, header }: Notice, token: string): NamedPayment | undefined {
  const key = createHash('sha256').update(token).digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  if (!isSame(header('crypto-pay-api-signature').toLowerCase(), signature)) return undefined
  const { payload } = update.safeParse(parseJson(text)).data ?? {}
  return payload && { externalId: String(payload.invoice_id), isProven: true }
}
