// Invoices: Telegram's checks of their parameters, and the terms of a payment.

import type { LabeledPrice } from 'grammy/types'
import { z } from 'zod'
import { bool, int, json } from './params.ts'
import { refuse } from './refusal.ts'
import type { InvoiceTerms } from './state.ts'

const starsLimit = 100_000
/** The least sum in roubles, of one copy of https://core.telegram.org/bots/payments/currencies.json: about one US dollar. */
const leastKopecks = 8653

export const invoiceParams = {
  title: z.string(),
  description: z.string(),
  payload: z.string(),
  provider_token: z.string().default(''),
  currency: z.string(),
  prices: json(z.array(z.object({ label: z.string(), amount: int }))),
  start_parameter: z.string().default(''),
  need_email: bool.default(false),
}

type InvoiceParams = z.output<z.ZodObject<typeof invoiceParams>>

const length = (text: string) => [...text].length

function checkTexts({ title, description, payload }: InvoiceParams): void {
  if (title === '') refuse('parameter "title" is required')
  if (length(title) > 32) refuse('INVOICE_TITLE_TOO_LONG')
  if (description === '') refuse('parameter "description" is required')
  if (length(description) > 255) refuse('INVOICE_DESCRIPTION_TOO_LONG')
  if (payload === '') refuse('parameter "payload" is required')
  if (Buffer.byteLength(payload) > 128) refuse('INVOICE_PAYLOAD_INVALID')
}

function checkPrices(prices: readonly LabeledPrice[]): number {
  if (prices.length === 0) refuse('there must be at least one price')
  if (prices.some((price) => price.label === '')) {
    refuse("can't parse labeled price: LabeledPrice label must be non-empty")
  }
  const total = prices.reduce((sum, price) => sum + price.amount, 0)
  return total > 0 ? total : refuse('CURRENCY_TOTAL_AMOUNT_INVALID')
}

function checkCurrency(params: InvoiceParams, total: number): void {
  if (params.currency === 'XTR') {
    if (params.provider_token !== '') refuse('PAYMENT_PROVIDER_INVALID')
    if (params.prices.length !== 1) refuse('STARS_INVOICE_INVALID')
    if (total > starsLimit) refuse('STARS_INVOICE_INVALID')
    return
  }
  if (!/^[A-Z]{3}$/.test(params.currency)) refuse('CURRENCY_INVALID')
  // A provider token has the form `381764678:TEST:100037`.
  if (!/^\d+:(TEST|LIVE):.+$/.test(params.provider_token)) refuse('PAYMENT_PROVIDER_INVALID')
  if (params.currency === 'RUB' && total < leastKopecks) refuse('CURRENCY_TOTAL_AMOUNT_INVALID')
}

export function invoiceTerms(params: InvoiceParams): InvoiceTerms {
  checkTexts(params)
  const total_amount = checkPrices(params.prices)
  checkCurrency(params, total_amount)
  const { title, payload, currency, provider_token, need_email } = params
  // For an invoice in Stars, Telegram asks the payer for nothing.
  const needs = need_email && currency !== 'XTR' ? { need_email } : {}
  return { title, payload, currency, total_amount, provider_token, ...needs }
}

export const payLabel = ({ currency, total_amount }: InvoiceTerms): string =>
  currency === 'XTR' ? `Pay ⭐️${total_amount}` : `Pay ${currency} ${(total_amount / 100).toFixed(2)}`
