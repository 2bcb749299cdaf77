// The buttons under a message. A pressed button is shown as busy until the bot answers the tap.

import type { InlineKeyboardButton, Message } from './api.ts'
import type { MessageActions, MessageContext } from './context.ts'
import { h, type IconName, icon } from './dom.ts'
import { money } from './format.ts'
import { t } from './i18n.ts'

/** The fields that give a button its action, of which a button has one, and the icon for each. */
const kinds = [
  ['callback_data', undefined],
  ['url', 'external'],
  ['copy_text', 'copy'],
  ['pay', 'wallet'],
  ['disabled', undefined],
  ['web_app', 'external'],
  ['login_url', 'external'],
  ['switch_inline_query', 'reply'],
  ['switch_inline_query_current_chat', undefined],
  ['switch_inline_query_chosen_chat', 'reply'],
] as const satisfies readonly (readonly [string, IconName | undefined])[]

const kindOf = (button: InlineKeyboardButton) =>
  kinds.find(([field]) => {
    const value: unknown = Reflect.get(button, field)
    return value !== undefined && value !== false
  })

export const inlineRows = ({ reply_markup: markup }: Message): readonly InlineKeyboardButton[][] =>
  markup && 'inline_keyboard' in markup ? markup.inline_keyboard : []

export function inlineKeyboard(message: Message, context: MessageContext): HTMLElement {
  return h(
    'div.inline-keyboard',
    { testid: 'inline-keyboard', role: 'group' },
    inlineRows(message).map((row) =>
      h(
        'div.keyboard-row',
        {},
        row.map((button) => inlineButton(button, message, context)),
      ),
    ),
  )
}

function inlineButton(
  button: InlineKeyboardButton,
  message: Message,
  context: MessageContext,
): HTMLButtonElement {
  const [kind, mark] = kindOf(button) ?? []
  const element: HTMLButtonElement = h(
    button.style ? `button.key.${button.style}` : 'button.key',
    {
      testid: 'inline-button',
      'data-kind': kind ?? 'other',
      disabled: kind === 'disabled',
      onclick: () => press(button, message, context, element),
    },
    h('span.key-text', { dir: 'auto' }, keyLabel(kind === 'pay' ? payText(button, message) : button.text)),
    mark && icon(mark),
  )
  return element
}

const emoji =
  /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u{FE0F}|\u{200D}\p{Extended_Pictographic})*)/gu

/** Marks the emoji of a label: some are as dark as the button. It is one element, because the lines of its parent are counted. */
const keyLabel = (label: string): HTMLElement =>
  h(
    'span',
    {},
    label.split(emoji).map((part, at) => (at % 2 === 0 ? part : h('span.key-emoji', {}, part))),
  )

/** The label of the pay button when the invoice sets none. Telegram's apps show it in the language of the user. */
const defaultPayLabel = /^Pay (⭐️\d+|[A-Z]{3} [\d.]+)$/

/** The label of the pay button. Like Telegram, the page shows a star in place of `XTR`. It adds the price where the label has none. */
function payText({ text: label }: InlineKeyboardButton, message: Message): string {
  const { invoice } = message
  if (message.receipt_message_id !== undefined) return t('receipt')
  if (!invoice) return label
  if (defaultPayLabel.test(label)) return t('pay', { amount: money(invoice.total_amount, invoice.currency) })
  const text = label.replaceAll('XTR', '⭐')
  if (text.includes('⭐') || /\d/.test(text)) return text
  return `${text} · ${money(invoice.total_amount, invoice.currency)}`
}

/** Handles the buttons that type a query to the bot's inline mode. */
function pressSwitch(button: InlineKeyboardButton, actions: MessageActions, element: HTMLElement): void {
  if ('switch_inline_query_current_chat' in button)
    actions.typeQuery(button.switch_inline_query_current_chat, true, element)
  else if ('switch_inline_query' in button) actions.typeQuery(button.switch_inline_query, false, element)
  else if ('switch_inline_query_chosen_chat' in button)
    actions.typeQuery(button.switch_inline_query_chosen_chat.query ?? '', false, element)
  else actions.unsupportedButton()
}

/** Opens the payment, or for a paid invoice the message about its payment. */
export function payOrShow(message: Message, actions: MessageActions): void {
  if (message.receipt_message_id === undefined) actions.openPayment(message)
  else actions.jumpTo(message.receipt_message_id)
}

function press(
  button: InlineKeyboardButton,
  message: Message,
  { actions }: MessageContext,
  element: HTMLElement,
): void {
  if ('callback_data' in button) {
    if (element.getAttribute('aria-busy') !== 'true') actions.tap(message, button.callback_data, element)
  } else if ('url' in button) actions.link(button.url, true)
  else if ('login_url' in button) actions.link(button.login_url.url, true)
  // The page cannot show a mini app, so it opens in a tab of its own.
  else if ('web_app' in button) actions.link(button.web_app.url, true)
  else if ('copy_text' in button) actions.copy(button.copy_text.text)
  else if ('pay' in button && button.pay) payOrShow(message, actions)
  else pressSwitch(button, actions, element)
}
