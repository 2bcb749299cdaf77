// A payment in the making: the bot is asked, has ten seconds to answer, then the money has moved.

import type { SuccessfulPayment, User } from 'grammy/types'
import { randomDigits, randomText } from './ids.ts'
import { addMessage } from './post.ts'
import type { ChatState, InvoiceTerms } from './state.ts'
import { nowSeconds, type World } from './world.ts'

const answerMs = 10_000

export type CheckoutAnswer = { ok: true } | { ok: false; error: string }
export type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }

const waiting = new WeakMap<World, Map<string, (answer: CheckoutAnswer) => void>>()

const waitingIn = (world: World) => {
  const found = waiting.get(world) ?? new Map<string, (answer: CheckoutAnswer) => void>()
  waiting.set(world, found)
  return found
}

/** False when nobody waits for this answer: unknown, late, or answered already. */
export function answerCheckout(world: World, id: string, answer: CheckoutAnswer): boolean {
  const resolve = waitingIn(world).get(id)
  resolve?.(answer)
  return waitingIn(world).delete(id)
}

async function ask(world: World, from: User, terms: InvoiceTerms): Promise<CheckoutAnswer> {
  const id = randomDigits(world.random, 18)
  const answered = new Promise<CheckoutAnswer>((resolve) => waitingIn(world).set(id, resolve))
  const { currency, total_amount, payload } = terms
  world.updates.push({
    pre_checkout_query: { id, from, currency, total_amount, invoice_payload: payload },
  })
  const done = new AbortController()
  const late = world.clock.wait(answerMs, AbortSignal.any([done.signal, world.closing])).then(() => ({
    ok: false as const,
    error: 'the bot did not answer the pre-checkout query in 10 seconds',
  }))
  const answer = await Promise.race([answered, late])
  done.abort()
  waitingIn(world).delete(id)
  return answer
}

function record(world: World, user: User, terms: InvoiceTerms, charge: string): void {
  world.state.payments[charge] = { userId: user.id, terms, refunded: false }
  if (terms.currency !== 'XTR') return
  world.state.transactions.push({
    id: charge,
    amount: terms.total_amount,
    date: nowSeconds(world),
    source: { type: 'user', transaction_type: 'invoice_payment', user, invoice_payload: terms.payload },
  })
}

/** Pays: asks the bot, moves the money, and puts the service message into the chat. */
export async function pay(
  world: World,
  chat: ChatState,
  user: User,
  terms: InvoiceTerms,
): Promise<PaymentResult> {
  const answer = await ask(world, user, terms)
  if (!answer.ok) return answer
  const charge = randomText(world.random, 40)
  record(world, user, terms, charge)
  const successful_payment: SuccessfulPayment = {
    currency: terms.currency,
    total_amount: terms.total_amount,
    invoice_payload: terms.payload,
    telegram_payment_charge_id: charge,
    provider_payment_charge_id:
      terms.currency === 'XTR' ? `${randomDigits(world.random, 12)}_XTR` : randomText(world.random, 28),
  }
  const message = addMessage(world, chat, user, { successful_payment })
  world.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  world.updates.push({ message })
  return { ok: true, telegram_payment_charge_id: charge }
}
