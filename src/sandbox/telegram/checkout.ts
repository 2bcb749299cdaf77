// Paying an invoice: the bot gets a pre-checkout query; then the payment is recorded.

import type { SuccessfulPayment, User } from 'grammy/types'
import { randomDigits, randomText } from '../random.ts'
import { defined } from './defined.ts'
import { addMessage, clientView } from './post.ts'
import { createQuestions } from './questions.ts'
import { findMessage, nowSeconds, type TelegramServer } from './server.ts'
import type { ChatState, InvoiceTerms } from './state.ts'

type Failure = { ok: false; error: string }
type PaymentResult = { ok: true; telegram_payment_charge_id: string } | Failure

export const preCheckouts = createQuestions<{ ok: true } | Failure>()

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
  const answer = await preCheckouts.ask(server, (id) =>
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
