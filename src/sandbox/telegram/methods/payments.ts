// Invoices, and the bot's Stars.

import { z } from 'zod'
import { invoiceParams, invoiceTerms, payLabel } from '../invoice.ts'
import { type Methods, method } from '../method.ts'
import { int } from '../params.ts'
import { addMessage, destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import { nowSeconds, type TelegramServer } from '../server.ts'
import type { InvoiceTerms } from '../state.ts'

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
