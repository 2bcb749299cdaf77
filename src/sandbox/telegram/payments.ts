// Invoices and the bot's Stars. A user who pays an invoice makes the bot receive a pre-checkout query; then the payment is recorded.

import type { LabeledPrice, SuccessfulPayment, User } from 'grammy/types'
import { z } from 'zod'
import { randomDigits, randomText } from '../random.ts'
import { defined } from './defined.ts'
import { bool, int, json, type Methods, method } from './method.ts'
import { addMessage, clientView, destination, post, sendParams } from './post.ts'
import { refuse } from './refusal.ts'
import { findMessage, nowSeconds, type TelegramServer } from './server.ts'
import type { ChatState, InvoiceTerms } from './state.ts'

const starsLimit = 100_000
/** The least sum in roubles, of one copy of https://core.telegram.org/bots/payments/currencies.json: about one US dollar. */
const leastKopecks = 8653

const invoiceParams = {
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

function invoiceTerms(params: InvoiceParams): InvoiceTerms {
  checkTexts(params)
  const total_amount = checkPrices(params.prices)
  checkCurrency(params, total_amount)
  const { title, payload, currency, provider_token, need_email } = params
  // For an invoice in Stars, Telegram asks the payer for nothing.
  const needs = need_email && currency !== 'XTR' ? { need_email } : {}
  return { title, payload, currency, total_amount, provider_token, ...needs }
}

const payLabel = ({ currency, total_amount }: InvoiceTerms): string =>
  currency === 'XTR' ? `Pay ⭐️${total_amount}` : `Pay ${currency} ${(total_amount / 100).toFixed(2)}`

type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }

interface Filled {
  readonly message_id: number
  /** What the payer fills in if the invoice asks for it; a sample by default. */
  readonly email?: string | undefined
  /** Replaces the amount of the invoice. */
  readonly total_amount?: number | undefined
}

type Facts = Pick<SuccessfulPayment, 'currency' | 'total_amount' | 'invoice_payload' | 'order_info'>

/** The facts of a payment, the same in the pre-checkout query and in the payment. */
function factsOf({ currency, payload, ...terms }: InvoiceTerms, filled: Filled): Facts {
  const total_amount = filled.total_amount ?? terms.total_amount
  const order_info = terms.need_email ? { email: filled.email ?? 'payer@example.com' } : undefined
  return { currency, total_amount, invoice_payload: payload, ...defined({ order_info }) }
}

function record(server: TelegramServer, user: User, terms: InvoiceTerms, charge: string): void {
  server.state.payments[charge] = { userId: user.id, terms, refunded: false }
  if (terms.currency !== 'XTR') return
  server.state.transactions.push({
    id: charge,
    amount: terms.total_amount,
    date: nowSeconds(server),
    source: { type: 'user', transaction_type: 'invoice_payment', user, invoice_payload: terms.payload },
  })
}

/** Asks the bot, records the payment, and adds the service message to the chat. */
export async function pay(
  server: TelegramServer,
  chat: ChatState,
  user: User,
  invoice: InvoiceTerms,
  filled: Filled,
): Promise<PaymentResult> {
  const facts = factsOf(invoice, filled)
  const answer = await server.preCheckouts.ask((id) =>
    server.updates.push({ pre_checkout_query: { id, from: user, ...facts } }),
  )
  if (!answer) return { ok: false, error: 'the bot did not answer the pre-checkout query in 10 seconds' }
  if (!answer.ok) return answer
  const charge = randomText(server.random, 40)
  record(server, user, { ...invoice, total_amount: facts.total_amount }, charge)
  showReceipt(server, chat, filled.message_id, announce(server, chat, user, facts, charge))
  return { ok: true, telegram_payment_charge_id: charge }
}

/** Makes clients show the invoice as paid from now on. */
function showReceipt(server: TelegramServer, chat: ChatState, invoiceId: number, receiptId: number): void {
  chat.receipts[invoiceId] = receiptId
  const invoice = findMessage(chat, invoiceId)
  if (!invoice) return
  server.events.emit({ type: 'edited', chat_id: chat.chat.id, data: clientView(chat, invoice) })
}

/** @returns the id of the message about the payment */
function announce(server: TelegramServer, chat: ChatState, user: User, facts: Facts, charge: string): number {
  const isStars = facts.currency === 'XTR'
  const successful_payment: SuccessfulPayment = {
    ...facts,
    telegram_payment_charge_id: charge,
    provider_payment_charge_id: isStars
      ? `${randomDigits(server.random, 12)}_XTR`
      : randomText(server.random, 28),
  }
  const message = addMessage(server, chat, user, { successful_payment })
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  server.updates.push({ message })
  return message.message_id
}

function announceRefund(server: TelegramServer, userId: number, charge: string, terms: InvoiceTerms): void {
  const chat = server.state.chats[userId]
  const user = server.state.users[userId]
  if (!chat || !user) return
  const message = addMessage(server, chat, user, {
    refunded_payment: {
      currency: 'XTR',
      total_amount: terms.total_amount,
      invoice_payload: terms.payload,
      telegram_payment_charge_id: charge,
    },
  })
  server.events.emit({ type: 'message', chat_id: userId, data: message })
  server.updates.push({ message })
}

function refund(server: TelegramServer, userId: number, charge: string): true {
  const payment = server.state.payments[charge]
  const user = server.state.users[userId]
  if (!payment || !user || payment.userId !== userId || payment.terms.currency !== 'XTR') {
    return refuse('CHARGE_NOT_FOUND')
  }
  if (payment.refunded) return refuse('CHARGE_ALREADY_REFUNDED')
  payment.refunded = true
  server.state.transactions.push({
    id: charge,
    amount: payment.terms.total_amount,
    date: nowSeconds(server),
    receiver: {
      type: 'user',
      transaction_type: 'invoice_payment',
      user,
      invoice_payload: payment.terms.payload,
    },
  })
  announceRefund(server, userId, charge, payment.terms)
  return true
}

export const payments = {
  sendInvoice: method(z.object({ ...sendParams, ...invoiceParams }), (server, params) => {
    const terms = invoiceTerms(params)
    const pay = { inline_keyboard: [[{ text: payLabel(terms), pay: true }]] }
    const to = destination(server, { ...params, reply_markup: params.reply_markup ?? pay }, true)
    const { title, description, currency, start_parameter } = params
    const { total_amount } = terms
    const message = post(server, to, {
      invoice: { title, description, start_parameter, currency, total_amount },
    })
    to.chat.invoices[message.message_id] = terms
    return message
  }),

  refundStarPayment: method(
    z.object({ user_id: int, telegram_payment_charge_id: z.string() }),
    (server, { user_id, telegram_payment_charge_id }) => refund(server, user_id, telegram_payment_charge_id),
  ),

  getStarTransactions: method(
    z.object({ offset: int.default(0), limit: int.default(100) }),
    (server, { offset, limit }) => {
      const count = Math.min(Math.max(limit, 1), 100)
      return {
        transactions: server.state.transactions.slice(Math.max(offset, 0), Math.max(offset, 0) + count),
      }
    },
  ),
} satisfies Methods
