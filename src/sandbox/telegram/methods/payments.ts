// Invoices, checkout answers, and the bot's Stars.

import { z } from 'zod'
import { randomText } from '../../random.ts'
import { preCheckouts, shippings } from '../checkout.ts'
import { invoiceParams, invoiceTerms, payLabel } from '../invoice.ts'
import { type Methods, method } from '../method.ts'
import { bool, int, json, str } from '../params.ts'
import { addMessage, destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import { nowSeconds, type TelegramServer } from '../server.ts'
import type { InvoiceTerms } from '../state.ts'

function starBalance(server: TelegramServer): number {
  return server.state.transactions.reduce((sum, one) => sum + (one.source ? one.amount : -one.amount), 0)
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

const tooOld = () => refuse('query is too old and response timeout expired or query ID is invalid')

const shippingOption = z.object({
  id: str,
  title: str,
  prices: z.array(z.object({ label: str, amount: int })).min(1),
})

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

  createInvoiceLink: method(z.object(invoiceParams), (server, params) => {
    const terms = invoiceTerms(params)
    const link = `https://t.me/$${randomText(server.random, 22)}`
    server.state.invoiceLinks[link] = terms
    return link
  }),

  answerPreCheckoutQuery: method(
    z.object({ pre_checkout_query_id: str, ok: bool, error_message: str.default('') }),
    (server, { pre_checkout_query_id, ok, error_message }) => {
      if (!ok && error_message === '') refuse('parameter "error_message" is required')
      const answer = ok ? { ok } : { ok, error: error_message }
      return preCheckouts.answer(server, pre_checkout_query_id, answer) ? (true as const) : tooOld()
    },
  ),

  answerShippingQuery: method(
    z.object({
      shipping_query_id: str,
      ok: bool,
      shipping_options: json(z.array(shippingOption)).default([]),
      error_message: str.default(''),
    }),
    (server, { shipping_query_id, ok, shipping_options: options, error_message: error }) => {
      if (!ok && error === '') refuse('parameter "error_message" is required')
      if (ok && options.length === 0) refuse('there must be at least one shipping option')
      const answer = ok ? { ok, options } : { ok, error }
      return shippings.answer(server, shipping_query_id, answer) ? (true as const) : tooOld()
    },
  ),

  refundStarPayment: method(
    z.object({ user_id: int, telegram_payment_charge_id: str }),
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

  getMyStarBalance: method(z.object({}), (server) => ({ amount: starBalance(server) })),
} satisfies Methods
