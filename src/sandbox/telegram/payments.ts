// Invoices and the bot's Stars. A user who pays an invoice makes the bot receive a pre-checkout query; then the payment is recorded.

import type { User } from 'grammy/types'
import { z } from 'zod'
import { randomText } from '../random.ts'
import { defined } from './defined.ts'
import type { PaymentResult } from './events.ts'
import { bool, int, json, type Methods, method, ofBytes } from './method.ts'
import { announce, clientView, destination, post, sendParams } from './post.ts'
import { refuse } from './refusal.ts'
import { findMessage, nowSeconds, type TelegramServer } from './server.ts'
import type { ChatState, InvoiceTerms } from './state.ts'

const starsLimit = 100_000
/** The least sum in roubles, of one copy of https://core.telegram.org/bots/payments/currencies.json: about one US dollar. */
const leastKopecks = 8653

const price = z.object({
  label: z.string().min(1, "can't parse labeled price: LabeledPrice label must be non-empty"),
  amount: int,
})

const invoiceParams = {
  title: z.string().min(1).max(32, 'INVOICE_TITLE_TOO_LONG'),
  description: z.string().min(1).max(255, 'INVOICE_DESCRIPTION_TOO_LONG'),
  payload: z.string().min(1).refine(ofBytes(128), 'INVOICE_PAYLOAD_INVALID'),
  provider_token: z.string().default(''),
  currency: z.string().regex(/^[A-Z]{3}$/, 'CURRENCY_INVALID'),
  prices: json(z.array(price).min(1, 'there must be at least one price')),
  start_parameter: z.string().default(''),
  need_email: bool.default(false),
}

type InvoiceParams = z.output<z.ZodObject<typeof invoiceParams>>

/** Checks the sum and the provider, of which Stars have none. A provider token has the form `381764678:TEST:100037`. */
function invoiceTerms(params: InvoiceParams): InvoiceTerms {
  const { title, payload, currency, provider_token, prices, need_email } = params
  const total_amount = prices.reduce((sum, { amount }) => sum + amount, 0)
  const isStars = currency === 'XTR'
  const isPaidThere = isStars ? provider_token === '' : /^\d+:(TEST|LIVE):.+$/.test(provider_token)
  if (total_amount <= 0) refuse('CURRENCY_TOTAL_AMOUNT_INVALID')
  if (!isPaidThere) refuse('PAYMENT_PROVIDER_INVALID')
  if (isStars && (prices.length !== 1 || total_amount > starsLimit)) refuse('STARS_INVOICE_INVALID')
  if (currency === 'RUB' && total_amount < leastKopecks) refuse('CURRENCY_TOTAL_AMOUNT_INVALID')
  // For an invoice in Stars, Telegram asks the payer for nothing.
  const needs = need_email && !isStars ? { need_email } : {}
  return { title, payload, currency, total_amount, provider_token, ...needs }
}

const payLabel = ({ currency, total_amount }: InvoiceTerms): string =>
  currency === 'XTR' ? `Pay ⭐️${total_amount}` : `Pay ${currency} ${(total_amount / 100).toFixed(2)}`

interface Filled {
  readonly message_id: number
  /** Replaces the amount of the invoice. */
  readonly total_amount?: number | undefined
}

function record(server: TelegramServer, user: User, terms: InvoiceTerms, charge: string): void {
  const { currency, total_amount: amount, payload: invoice_payload } = terms
  server.state.payments[charge] = { userId: user.id, terms, refunded: false }
  if (currency !== 'XTR') return
  const source = { type: 'user', transaction_type: 'invoice_payment', user, invoice_payload } as const
  server.state.transactions.push({ id: charge, amount, date: nowSeconds(server), source })
}

/** Asks the bot, records the payment, and adds the service message to the chat. */
export async function pay(
  server: TelegramServer,
  chat: ChatState,
  user: User,
  invoice: InvoiceTerms,
  filled: Filled,
): Promise<PaymentResult> {
  const { currency, payload: invoice_payload, total_amount: asked, need_email } = invoice
  const total_amount = filled.total_amount ?? asked
  const order_info = need_email ? { email: 'payer@example.com' } : undefined
  const facts = { currency, total_amount, invoice_payload, ...defined({ order_info }) }
  const answer = await server.preCheckouts.ask((id) =>
    server.updates.push({ pre_checkout_query: { id, from: user, ...facts } }),
  )
  if (!answer) return { ok: false, error: 'the bot did not answer the pre-checkout query in 10 seconds' }
  if (!answer.ok) return answer
  const charge = randomText(server.random, 40)
  record(server, user, { ...invoice, total_amount }, charge)
  const provider_payment_charge_id = randomText(server.random, 28)
  const ids = { telegram_payment_charge_id: charge, provider_payment_charge_id }
  const receipt = announce(server, chat, user, { successful_payment: { ...facts, ...ids } })
  showReceipt(server, chat, filled.message_id, receipt.message_id)
  return { ok: true, telegram_payment_charge_id: charge }
}

/** Makes clients show the invoice as paid from now on. */
function showReceipt(server: TelegramServer, chat: ChatState, invoiceId: number, receiptId: number): void {
  chat.receipts[invoiceId] = receiptId
  const invoice = findMessage(chat, invoiceId)
  if (!invoice) return
  server.events.emit({ type: 'edited', chat_id: chat.chat.id, data: clientView(chat, invoice) })
}

function refund(server: TelegramServer, userId: number, charge: string): true {
  const payment = server.state.payments[charge]
  const user = server.state.users[userId]
  const chat = server.state.chats[userId]
  const isOfUser = payment?.userId === userId && payment.terms.currency === 'XTR'
  if (!isOfUser || !user || !chat) return refuse('CHARGE_NOT_FOUND')
  if (payment.refunded) return refuse('CHARGE_ALREADY_REFUNDED')
  payment.refunded = true
  const { total_amount, payload: invoice_payload } = payment.terms
  const facts = { transaction_type: 'invoice_payment', user, invoice_payload } as const
  const receiver = { type: 'user', ...facts } as const
  const date = nowSeconds(server)
  server.state.transactions.push({ id: charge, amount: total_amount, date, receiver })
  const ids = { invoice_payload, telegram_payment_charge_id: charge }
  announce(server, chat, user, { refunded_payment: { currency: 'XTR', total_amount, ...ids } })
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
    z.object({ offset: json(z.int().nonnegative()).default(0), limit: int.default(100) }),
    (server, { offset, limit }) => {
      const end = offset + Math.min(Math.max(limit, 1), 100)
      return { transactions: server.state.transactions.slice(offset, end) }
    },
  ),
} satisfies Methods
