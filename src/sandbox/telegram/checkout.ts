// Paying an invoice: the bot gets a pre-checkout query and has ten seconds to answer; then the payment is recorded.

import type { SuccessfulPayment, User } from 'grammy/types'
import { randomDigits, randomText } from '../random.ts'
import { addMessage } from './post.ts'
import { nowSeconds, type TelegramServer } from './server.ts'
import type { ChatState, InvoiceTerms } from './state.ts'

const answerMs = 10_000

type CheckoutAnswer = { ok: true } | { ok: false; error: string }
type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }

const waiting = new WeakMap<TelegramServer, Map<string, (answer: CheckoutAnswer) => void>>()

const waitingIn = (server: TelegramServer) => {
  const found = waiting.get(server) ?? new Map<string, (answer: CheckoutAnswer) => void>()
  waiting.set(server, found)
  return found
}

/** False when no payment waits for this answer: the id is unknown, late, or answered already. */
export function answerCheckout(server: TelegramServer, id: string, answer: CheckoutAnswer): boolean {
  const resolve = waitingIn(server).get(id)
  resolve?.(answer)
  return waitingIn(server).delete(id)
}

async function askBot(server: TelegramServer, from: User, terms: InvoiceTerms): Promise<CheckoutAnswer> {
  const id = randomDigits(server.random, 18)
  const answered = new Promise<CheckoutAnswer>((resolve) => waitingIn(server).set(id, resolve))
  const { currency, total_amount, payload } = terms
  server.updates.push({
    pre_checkout_query: { id, from, currency, total_amount, invoice_payload: payload },
  })
  const done = new AbortController()
  const late = server.clock.wait(answerMs, AbortSignal.any([done.signal, server.closing])).then(() => ({
    ok: false as const,
    error: 'the bot did not answer the pre-checkout query in 10 seconds',
  }))
  const answer = await Promise.race([answered, late])
  done.abort()
  waitingIn(server).delete(id)
  return answer
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
  terms: InvoiceTerms,
): Promise<PaymentResult> {
  const answer = await askBot(server, user, terms)
  if (!answer.ok) return answer
  const charge = randomText(server.random, 40)
  record(server, user, terms, charge)
  const successful_payment: SuccessfulPayment = {
    currency: terms.currency,
    total_amount: terms.total_amount,
    invoice_payload: terms.payload,
    telegram_payment_charge_id: charge,
    provider_payment_charge_id:
      terms.currency === 'XTR' ? `${randomDigits(server.random, 12)}_XTR` : randomText(server.random, 28),
  }
  const message = addMessage(server, chat, user, { successful_payment })
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  server.updates.push({ message })
  return { ok: true, telegram_payment_charge_id: charge }
}
