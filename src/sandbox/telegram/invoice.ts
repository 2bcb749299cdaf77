// Invoices: Telegram's checks of their parameters, and the terms of a payment.

import type { LabeledPrice } from 'grammy/types'
import { z } from 'zod'
import { bool, int, json, str } from './params.ts'
import { refuse } from './refusal.ts'
import type { InvoiceTerms } from './state.ts'

const starsLimit = 100_000
/** The least sum in roubles, of one copy of https://core.telegram.org/bots/payments/currencies.json: about one US dollar. */
const leastKopecks = 8653
const monthSeconds = 2_592_000

export const invoiceParams = {
  title: str,
  description: str,
  payload: str,
  provider_token: str.default(''),
  currency: str,
  prices: json(z.array(z.object({ label: str, amount: int }))),
  start_parameter: str.default(''),
  subscription_period: int.optional(),
  need_name: bool.default(false),
  need_phone_number: bool.default(false),
  need_email: bool.default(false),
  need_shipping_address: bool.default(false),
  is_flexible: bool.default(false),
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
  const { title, payload, currency, provider_token, subscription_period } = params
  if (subscription_period !== undefined && (subscription_period !== monthSeconds || currency !== 'XTR')) {
    refuse('SUBSCRIPTION_PERIOD_INVALID')
  }
  return { title, payload, currency, total_amount, provider_token, ...needsOf(params) }
}

/** The details that the payer must give. For an invoice in Stars, Telegram ignores these parameters. */
function needsOf(params: InvoiceParams): Pick<InvoiceTerms, 'needs' | 'is_flexible'> {
  if (params.currency === 'XTR') return {}
  const { need_name, need_phone_number, need_email, is_flexible } = params
  const shipping_address = params.need_shipping_address || is_flexible
  const needs = { name: need_name, phone_number: need_phone_number, email: need_email, shipping_address }
  return { needs, is_flexible }
}

export const payLabel = ({ currency, total_amount }: InvoiceTerms): string =>
  currency === 'XTR' ? `Pay ⭐️${total_amount}` : `Pay ${currency} ${(total_amount / 100).toFixed(2)}`
