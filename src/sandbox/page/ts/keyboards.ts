// Buttons: those under a message, the reply keyboard below the input, and an invoice with the dialog in which it is paid with test money.

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import {
  ApiError,
  chatTitle,
  type InlineKeyboardButton,
  inlineRows,
  type Message,
  type On,
  type PaymentResult,
  type ReplyKeyboard,
  request,
  wordsOf,
} from './api.ts'
import { money, t } from './i18n.ts'
import { type IconName, icon, iconButton } from './icons.ts'
import { jumpTo } from './scroll.ts'
import { focusInput, followLink, openPlace, send, tap, tapKey } from './session.ts'
import {
  chatsOf,
  closeDialog,
  copyText,
  here,
  isOwn,
  openDialog,
  openMenu,
  place,
  setText,
  shownMessages,
  state,
  toast,
  told,
  update,
} from './state.ts'
import { action, dialog, primary } from './windows.ts'

type Facts = readonly [kind: string, press: (at: Element) => unknown, mark?: IconName]

/** What a button does. The page cannot show a mini app, so it opens in a tab of its own. */
function factsOf(button: InlineKeyboardButton, message: Message): Facts {
  const link = (url: string): Facts => ['url', () => followLink(url, true), 'external']
  if ('callback_data' in button) return ['callback_data', () => tap(message, button.callback_data)]
  if ('url' in button) return link(button.url)
  if ('web_app' in button) return link(button.web_app.url)
  if ('copy_text' in button) return ['copy_text', () => copyText(button.copy_text.text), 'copy']
  if ('pay' in button) return ['pay', () => payOrShow(message), 'wallet']
  if ('switch_inline_query_current_chat' in button)
    return ['switch', () => typeQuery(button.switch_inline_query_current_chat, place())]
  if ('switch_inline_query' in button)
    return ['switch', (at) => typeElsewhere(button.switch_inline_query, at), 'reply']
  return ['other', () => toast(t('unsupportedButton'))]
}

function typeQuery(query: string, at: string): void {
  setText(`@${here().bot.username} ${query}`, at)
  focusInput()
}

/** Lets the user choose another chat, and types the query there. */
function typeElsewhere(query: string, at: Element): void {
  const { user, bot } = here()
  const items = chatsOf(user).map((chat) => ({
    label: chatTitle(chat, bot),
    testid: `send-to-${chat.id}`,
    async onclick() {
      if (chat.id !== state.chatId) await openPlace(user.id, chat.id)
      typeQuery(query, `${user.id}/${chat.id}`)
    },
  }))
  openMenu(at, 'choose-chat', t('chats'), items)
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

const emoji =
  /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u{FE0F}|\u{200D}\p{Extended_Pictographic})*)/gu
const keyText = (label: string) =>
  html`<span class="key-text" dir="auto">${label
    .split(emoji)
    .map((part, at) => (at % 2 === 0 ? part : html`<span>${part}</span>`))}</span>`

export const inlineKeyboard = (message: Message) =>
  html`<div class="keyboard" data-testid="inline-keyboard" role="group">${inlineRows(message).map(
    (row) => html`<div class="keyboard-row">${row.map((one) => inlineButton(one, message))}</div>`,
  )}</div>`

function inlineButton(button: InlineKeyboardButton, message: Message) {
  const [kind, press, mark] = factsOf(button, message)
  const isBusy = 'callback_data' in button && state.busy.has(tapKey(message, button.callback_data))
  const text = kind === 'pay' ? payText(button.text, message) : button.text
  return html`<button class="key ${button.style ?? ''}" data-testid="inline-button" data-kind=${kind}
    aria-busy=${isBusy ? 'true' : undefined} onClick=${({ currentTarget }: On) => press(currentTarget)}>
    ${keyText(text)}${mark && icon(mark)}</button>`
}

/** The newest message with a keyboard, a removal or a forced reply for the user. */
function currentMarkup() {
  for (const message of shownMessages().toReversed()) {
    const { reply_markup: markup } = message
    if (markup && !('inline_keyboard' in markup) && isForUser(message, markup)) return { message, markup }
  }
  return undefined
}

/** A selective markup in a group is for the people whom its message mentions and the author of the message that it replies to. */
function isForUser(message: Message, markup: ReplyKeyboard): boolean {
  const { user, isPrivate } = here()
  const { reply_to_message: replied, entities = [] } = message
  if (isPrivate || !('selective' in markup && markup.selective) || (replied && isOwn(replied))) return true
  return entities.some((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === user.id
    const words = wordsOf(message).slice(entity.offset, entity.offset + entity.length)
    return entity.type === 'mention' && words.toLowerCase() === `@${user.username}`.toLowerCase()
  })
}

/** The placeholder of the input, and the message that asks for a reply until the user has written something after it. */
export function askedReply(): { hint: string; message?: Message } {
  const current = currentMarkup()
  if (!current) return { hint: '' }
  const { message, markup } = current
  const hint = ('input_field_placeholder' in markup && markup.input_field_placeholder) || ''
  if (!('force_reply' in markup)) return { hint }
  const isAnswered = shownMessages().some((one) => one.message_id > message.message_id && isOwn(one))
  if (isAnswered) return { hint: '' }
  return state.cancelledReply === message.message_id ? { hint } : { hint, message }
}

type Keyboard = Extract<ReplyKeyboard, { keyboard: unknown }>
type Key = Exclude<Keyboard['keyboard'][number][number], string>

function currentKeyboard() {
  const { message, markup } = currentMarkup() ?? {}
  if (!message || !markup || !('keyboard' in markup)) return undefined
  return { message, markup, isHidden: state.hiddenKeyboard === message.message_id }
}

/** The button that hides and shows the reply keyboard. */
export function keyboardToggle() {
  const { isHidden, message } = currentKeyboard() ?? {}
  if (!message) return ''
  const onClick = () => update({ hiddenKeyboard: isHidden ? undefined : message.message_id })
  const others = { 'aria-expanded': !isHidden, onClick }
  return iconButton('keyboard', t(isHidden ? 'showKeyboard' : 'hideKeyboard'), 'keyboard-toggle', others)
}

async function pressKey(key: Key, { message_id }: Message, replyTo: number | undefined): Promise<unknown> {
  const body = { from: state.userId, message_id, text: key.text }
  if ('request_contact' in key || 'request_location' in key)
    return told(request('POST /api/chats/:chatId/taps', body, state.chatId))
  if (Object.keys(key).some((name) => /^(web_app|request_)/.test(name))) return toast(t('unsupportedButton'))
  // In a group, Telegram's apps send the text as a reply to the keyboard's message, so that a bot which receives only replies to itself
  // receives it.
  return send({ text: key.text, reply_to: replyTo ?? (here().isPrivate ? undefined : message_id) })
}

/** @param takeReply returns the id of the message that is being answered, and ends the reply */
export function replyKeyboard(takeReply: () => number | undefined) {
  const current = currentKeyboard()
  if (!current || current.isHidden) return ''
  const { message, markup } = current
  const keyView = (raw: Key | string) => {
    const key = typeof raw === 'string' ? { text: raw } : raw
    const onClick = () => {
      if (markup.one_time_keyboard) update({ hiddenKeyboard: message.message_id })
      void pressKey(key, message, takeReply())
    }
    return html`<button type="button" class="key" data-testid="reply-button" onClick=${onClick}>
      ${keyText(key.text)}</button>`
  }
  return html`<div class="keyboard reply-keyboard" data-testid="reply-keyboard" role="group">
    ${markup.keyboard.map((row) => html`<div class="keyboard-row">${row.map(keyView)}</div>`)}</div>`
}

type Invoice = NonNullable<Message['invoice']>

export function invoiceCard(
  message: Message,
  { title, description, total_amount, currency }: Invoice,
): VNode {
  const amount = money(total_amount, currency)
  const isPaid = message.receipt_message_id !== undefined
  const buttons = inlineRows(message).flat()
  return html`<section class="column card" data-testid="invoice" aria-label=${t('invoice')}>
    <span class="line ${isPaid ? 'good' : 'muted'}">${icon(isPaid ? 'check' : 'wallet')}${t(isPaid ? 'paid' : 'invoice')}</span>
    <h2>${title}</h2><p class="pre-wrap">${description}</p><p class="amount" data-testid="invoice-amount">${amount}</p>
    ${!buttons.some((one) => 'pay' in one) && action(isPaid ? t('receipt') : t('pay', { amount }), 'pay', () => payOrShow(message), primary)}
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
  const paying = { key: 'pay', disabled: isPaying, 'aria-busy': isPaying }
  const actions = result
    ? action(t('close'), 'pay-close', closeDialog, { ...primary, key: 'close' })
    : [
        action(t('cancel'), 'pay-cancel', closeDialog),
        action(t('pay', { amount }), 'pay-confirm', pay, { ...primary, ...paying }),
      ]
  const outcome = result?.ok ? t('payDone', { amount }) : result && `${t('payFailed')}: ${result.error}`
  const status = html`<p class="pay-state ${result?.ok ? 'good' : 'bad'}" role="status" data-testid="pay-state">${outcome}</p>`
  const content = html`<b>${invoice.title}</b><p class="muted pre-wrap">${invoice.description}</p>
    <p class="amount" data-testid="pay-total">${amount}</p><p><span class="tag">${t('testMoney')}</span></p>${status}`
  return dialog(t('payQuestion'), 'pay-dialog', content, actions)
}

function failed(error: unknown): PaymentResult {
  if (error instanceof ApiError) return { ok: false, error: error.message }
  throw error
}
