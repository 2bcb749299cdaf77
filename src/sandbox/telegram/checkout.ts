// Paying an invoice: the bot is asked for shipping options if they depend on the address, then it gets a pre-checkout query; then the
// payment is recorded.

import type { OrderInfo, ShippingOption, SuccessfulPayment, User } from 'grammy/types'
import { randomDigits, randomText } from '../random.ts'
import { defined } from './defined.ts'
import { addMessage, clientView } from './post.ts'
import { createQuestions } from './questions.ts'
import { findMessage, nowSeconds, type TelegramServer } from './server.ts'
import type { ChatState, InvoiceTerms } from './state.ts'

type Failure = { ok: false; error: string }
type ShippingAnswer = { ok: true; options: ShippingOption[] } | Failure
type PaymentResult = { ok: true; telegram_payment_charge_id: string } | Failure

export const preCheckouts = createQuestions<{ ok: true } | Failure>()
export const shippings = createQuestions<ShippingAnswer>()

/** What is paid, and what the payer fills in. Missing values are replaced by samples. */
interface Filled {
  /** The message with the invoice; undefined when a link is paid. */
  readonly message_id?: number | undefined
  readonly order_info?: OrderInfo | undefined
  /** The id of one of the bot's shipping options; by default the first. */
  readonly shipping_option?: string | undefined
  /** Replaces the amount of the invoice. */
  readonly total_amount?: number | undefined
}

/** What is paid, with the payer's answers to what the invoice asks for. */
interface Order {
  readonly terms: InvoiceTerms
  readonly order_info?: OrderInfo
  readonly shipping_option_id?: string
}

const notAnswered = (query: string): Failure => ({
  ok: false,
  error: `the bot did not answer the ${query} query in 10 seconds`,
})

const sampleAddress = {
  country_code: 'RU',
  state: 'Moscow',
  city: 'Moscow',
  street_line1: 'Tverskaya 1',
  street_line2: '',
  post_code: '125009',
} as const

function orderInfo(user: User, { needs }: InvoiceTerms, given: OrderInfo | undefined): OrderInfo | undefined {
  if (!needs || !Object.values(needs).includes(true)) return undefined
  return defined({
    name: needs.name ? (given?.name ?? user.first_name) : undefined,
    phone_number: needs.phone_number ? (given?.phone_number ?? '79990000000') : undefined,
    email: needs.email ? (given?.email ?? 'payer@example.com') : undefined,
    shipping_address: needs.shipping_address ? (given?.shipping_address ?? sampleAddress) : undefined,
  })
}

async function shipped(
  server: TelegramServer,
  from: User,
  { terms, order_info }: Order,
  wanted: string | undefined,
): Promise<{ ok: true; order: Order } | Failure> {
  const answer = await shippings.ask(server, (id) => {
    const shipping_address = order_info?.shipping_address ?? sampleAddress
    server.updates.push({ shipping_query: { id, from, invoice_payload: terms.payload, shipping_address } })
  })
  if (!answer) return notAnswered('shipping')
  if (!answer.ok) return answer
  const option = answer.options.find((one) => wanted === undefined || one.id === wanted)
  if (!option) return { ok: false, error: `the bot offers no shipping option "${wanted}"` }
  const total_amount = option.prices.reduce((sum, price) => sum + price.amount, terms.total_amount)
  const order = {
    terms: { ...terms, total_amount },
    shipping_option_id: option.id,
    ...defined({ order_info }),
  }
  return { ok: true, order }
}

/** The facts of an order, the same in the pre-checkout query and in the payment. */
const factsOf = ({ terms, order_info, shipping_option_id }: Order) => ({
  currency: terms.currency,
  total_amount: terms.total_amount,
  invoice_payload: terms.payload,
  ...defined({ order_info, shipping_option_id }),
})

async function approved(server: TelegramServer, from: User, order: Order): Promise<{ ok: true } | Failure> {
  const answer = await preCheckouts.ask(server, (id) =>
    server.updates.push({ pre_checkout_query: { id, from, ...factsOf(order) } }),
  )
  return answer ?? notAnswered('pre-checkout')
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
  filled: Filled = {},
): Promise<PaymentResult> {
  const terms = { ...invoice, total_amount: filled.total_amount ?? invoice.total_amount }
  const bare: Order = { terms, ...defined({ order_info: orderInfo(user, terms, filled.order_info) }) }
  const shipping = terms.is_flexible
    ? await shipped(server, user, bare, filled.shipping_option)
    : { ok: true as const, order: bare }
  if (!shipping.ok) return shipping
  const answer = await approved(server, user, shipping.order)
  if (!answer.ok) return answer
  const { charge, receiptId } = complete(server, chat, user, shipping.order)
  if (filled.message_id !== undefined) showReceipt(server, chat, filled.message_id, receiptId)
  return { ok: true, telegram_payment_charge_id: charge }
}

/** Makes clients show the invoice as paid from now on. */
function showReceipt(server: TelegramServer, chat: ChatState, invoiceId: number, receiptId: number): void {
  chat.receipts[invoiceId] = receiptId
  const invoice = findMessage(chat, invoiceId)
  if (!invoice) return
  server.events.emit({ type: 'edited', chat_id: chat.chat.id, data: clientView(chat, invoice) })
}

function complete(server: TelegramServer, chat: ChatState, user: User, order: Order) {
  const charge = randomText(server.random, 40)
  record(server, user, order.terms, charge)
  const isStars = order.terms.currency === 'XTR'
  const successful_payment: SuccessfulPayment = {
    ...factsOf(order),
    telegram_payment_charge_id: charge,
    provider_payment_charge_id: isStars
      ? `${randomDigits(server.random, 12)}_XTR`
      : randomText(server.random, 28),
  }
  const message = addMessage(server, chat, user, { successful_payment })
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  server.updates.push({ message })
  return { charge, receiptId: message.message_id }
}
