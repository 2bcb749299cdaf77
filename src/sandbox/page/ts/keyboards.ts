// The buttons under a message, and an invoice with the window in which it is paid with test money.

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { type InlineKeyboardButton, inlineRows, type Message } from './api.ts'
import { money, t } from './i18n.ts'
import { focusInput, followLink, jumpTo, tap, tapKey } from './session.ts'
import { act, copyText, here, state, toast, update } from './state.ts'
import { openForm } from './ui.ts'

type Facts = readonly [kind: string, press: () => unknown, mark?: string]

/** What a button does. */
function factsOf(button: InlineKeyboardButton, message: Message): Facts {
  if ('callback_data' in button) return ['callback_data', () => tap(message, button.callback_data)]
  if ('url' in button) return ['url', () => followLink(button.url, true), ' ↗']
  if ('copy_text' in button) return ['copy_text', () => copyText(button.copy_text.text), ' 📋']
  if ('pay' in button) return ['pay', () => payOrShow(message)]
  if (!('switch_inline_query_current_chat' in button)) return ['other', () => toast(t('unsupported'))]
  const type = () => {
    update({ text: `@${here().bot.username} ${button.switch_inline_query_current_chat}` })
    focusInput()
  }
  return ['switch', type]
}

/** Telegram's apps show the usual label of the pay button in the language of the user. */
const payText = ({ invoice, receipt_message_id: receipt }: Message): string =>
  receipt === undefined && invoice
    ? t('pay', { amount: money(invoice.total_amount, invoice.currency) })
    : t('receipt')

export const inlineKeyboard = (message: Message) =>
  html`<div data-testid="inline-keyboard" role="group">${inlineRows(message).map(
    (row) => html`<div class="keyboard-row">${row.map((one) => inlineButton(one, message))}</div>`,
  )}</div>`

function inlineButton(button: InlineKeyboardButton, message: Message) {
  const [kind, press, mark] = factsOf(button, message)
  const isBusy = 'callback_data' in button && state.busy === tapKey(message.message_id, button.callback_data)
  const text = kind === 'pay' ? payText(message) : button.text
  return html`<button class="key ${button.style ?? ''}" data-testid="inline-button" data-kind=${kind}
    aria-busy=${isBusy ? 'true' : undefined} onClick=${press}>
    ${text}${mark}</button>`
}

type Invoice = NonNullable<Message['invoice']>

export function invoiceCard(
  message: Message,
  { title, description, total_amount, currency }: Invoice,
): VNode {
  const isPaid = message.receipt_message_id !== undefined
  return html`<section class="column" data-testid="invoice" aria-label=${t('invoice')}>
    <span class="muted">${isPaid ? `✅ ${t('paid')}` : t('invoice')}</span>
    <h2>${title}</h2><p class="pre-wrap">${description}</p>
    <b data-testid="invoice-amount">${money(total_amount, currency)}</b>
  </section>`
}

/** Opens the payment, or for a paid invoice the message about its payment. */
function payOrShow(message: Message): void {
  const { receipt_message_id: receipt, invoice } = message
  if (receipt !== undefined) jumpTo(receipt)
  else if (invoice) openPayment(message, invoice)
}

function openPayment({ message_id }: Message, invoice: Invoice): void {
  const amount = money(invoice.total_amount, invoice.currency)
  const content = () => html`<b>${invoice.title}</b><p class="muted pre-wrap">${invoice.description}</p>
    <b data-testid="pay-total">${amount}</b><p class="warning">${t('testMoney')}</p>`
  const submit = async () => {
    const body = { from: state.userId, message_id }
    const result = await act('POST /api/chats/:chatId/payments', body)
    if (result && !result.ok) toast(`${t('payFailed')}: ${result.error}`)
    return result?.ok
  }
  openForm({ title: t('invoice'), testid: 'pay-dialog', label: t('pay', { amount }), content, submit })
}
