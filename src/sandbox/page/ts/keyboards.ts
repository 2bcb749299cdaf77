// The buttons under a message, the forced reply, and an invoice with the dialog in which it is paid with test money.

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import {
  ApiError,
  type InlineKeyboardButton,
  inlineRows,
  type Message,
  type PaymentResult,
  request,
  wordsOf,
} from './api.ts'
import { money, t } from './i18n.ts'
import { type IconName, icon } from './icons.ts'
import { focusInput, followLink, jumpTo, tap, tapKey } from './session.ts'
import {
  closeDialog,
  copyText,
  here,
  isOwn,
  openDialog,
  setText,
  shownMessages,
  state,
  toast,
} from './state.ts'
import { action, dialog, primary } from './windows.ts'

type Facts = readonly [kind: string, press: () => unknown, mark?: IconName]

/** What a button does. */
function factsOf(button: InlineKeyboardButton, message: Message): Facts {
  if ('callback_data' in button) return ['callback_data', () => tap(message, button.callback_data)]
  if ('url' in button) return ['url', () => followLink(button.url, true), 'external']
  if ('copy_text' in button) return ['copy_text', () => copyText(button.copy_text.text), 'copy']
  if ('pay' in button) return ['pay', () => payOrShow(message), 'wallet']
  if (!('switch_inline_query_current_chat' in button)) return ['other', () => toast(t('unsupportedButton'))]
  const type = () => {
    setText(`@${here().bot.username} ${button.switch_inline_query_current_chat}`)
    focusInput()
  }
  return ['switch', type]
}

/** The label of the pay button when the invoice sets none. Telegram's apps show it in the language of the user. */
const defaultPayLabel = /^Pay (⭐️\d+|[A-Z]{3} [\d.]+)$/

/** The label of the pay button. Like Telegram, the page shows a star in place of `XTR`. It adds the price where the label has none. */
function payText(label: string, { invoice, receipt_message_id: receipt }: Message): string {
  if (receipt !== undefined) return t('receipt')
  if (!invoice) return label
  const amount = money(invoice.total_amount, invoice.currency)
  if (defaultPayLabel.test(label)) return t('pay', { amount })
  const text = label.replaceAll('XTR', '⭐')
  return /⭐|\d/.test(text) ? text : `${text} · ${amount}`
}

export const inlineKeyboard = (message: Message) =>
  html`<div class="keyboard" data-testid="inline-keyboard" role="group">${inlineRows(message).map(
    (row) => html`<div class="keyboard-row">${row.map((one) => inlineButton(one, message))}</div>`,
  )}</div>`

function inlineButton(button: InlineKeyboardButton, message: Message) {
  const [kind, press, mark] = factsOf(button, message)
  const isBusy = 'callback_data' in button && state.busy === tapKey(message, button.callback_data)
  const text = kind === 'pay' ? payText(button.text, message) : button.text
  return html`<button class="key ${button.style ?? ''}" data-testid="inline-button" data-kind=${kind}
    aria-busy=${isBusy ? 'true' : undefined} onClick=${press}>
    <span class="key-text" dir="auto">${text}</span>${mark && icon(mark)}</button>`
}

/** A selective forced reply in a group is for the people whom its message mentions and the author of the message that it replies to. */
function isForUser(message: Message, isSelective = false): boolean {
  const { user, isPrivate } = here()
  const { reply_to_message: replied, entities = [] } = message
  if (isPrivate || !isSelective || (replied && isOwn(replied))) return true
  return entities.some((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === user.id
    const words = wordsOf(message).slice(entity.offset, entity.offset + entity.length)
    return entity.type === 'mention' && words.toLowerCase() === `@${user.username}`.toLowerCase()
  })
}

/** The newest message with a forced reply; undefined after the user has written another message. */
export function askedReply(): Message | undefined {
  for (const message of shownMessages().toReversed()) {
    const { reply_markup: markup, message_id } = message
    if (isOwn(message) || state.cancelledReply === message_id) return undefined
    if (markup && 'force_reply' in markup && isForUser(message, 'selective' in markup && markup.selective))
      return message
  }
  return undefined
}

type Invoice = NonNullable<Message['invoice']>

export function invoiceCard(
  message: Message,
  { title, description, total_amount, currency }: Invoice,
): VNode {
  const isPaid = message.receipt_message_id !== undefined
  return html`<section class="column" data-testid="invoice" aria-label=${t('invoice')}>
    <span class="line ${isPaid ? 'good' : 'muted'}">${icon(isPaid ? 'check' : 'wallet')}${t(isPaid ? 'paid' : 'invoice')}</span>
    <h2>${title}</h2><p class="pre-wrap">${description}</p>
    <p class="amount" data-testid="invoice-amount">${money(total_amount, currency)}</p>
  </section>`
}

/** Opens the payment, or for a paid invoice the message about its payment. */
function payOrShow(message: Message): void {
  const { receipt_message_id: receipt, invoice } = message
  if (receipt !== undefined) jumpTo(receipt)
  else if (invoice) openDialog(() => html`<${Payment} message=${message} invoice=${invoice} />`)
}

function Payment({ message, invoice }: { readonly message: Message; readonly invoice: Invoice }) {
  const [isPaying, setPaying] = useState(false)
  const [result, setResult] = useState<PaymentResult>()
  const amount = money(invoice.total_amount, invoice.currency)
  const pay = async () => {
    setPaying(true)
    const body = { from: state.userId, message_id: message.message_id }
    const paid = request('POST /api/chats/:chatId/payments', body, state.chatId)
    setResult(await paid.catch(failed))
  }
  const paying = { ...primary, key: 'pay', disabled: isPaying, 'aria-busy': isPaying }
  const actions = result
    ? action(t('close'), 'pay-close', closeDialog, { ...primary, key: 'close' })
    : [
        action(t('cancel'), 'pay-cancel', closeDialog),
        action(t('pay', { amount }), 'pay-confirm', pay, paying),
      ]
  const outcome = result?.ok ? t('payDone', { amount }) : result && `${t('payFailed')}: ${result.error}`
  const content = html`<b>${invoice.title}</b><p class="muted pre-wrap">${invoice.description}</p>
    <p class="amount" data-testid="pay-total">${amount}</p><p><span class="tag">${t('testMoney')}</span></p>
    <p class="pay-state ${result?.ok ? 'good' : 'bad'}" role="status" data-testid="pay-state">${outcome}</p>`
  return dialog(t('payQuestion'), 'pay-dialog', content, actions)
}

function failed(error: unknown): PaymentResult {
  if (error instanceof ApiError) return { ok: false, error: error.message }
  throw error
}
