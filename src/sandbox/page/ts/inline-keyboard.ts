// The buttons under a message. A pressed button turns until the bot answers the press.

import { h, icon } from './dom.ts'
import { money } from './format.ts'

/** @returns {string | undefined} which of the button's fields says what it does */
const kindOf = (button) =>
  ['callback_data', 'url', 'copy_text', 'pay', 'disabled', 'web_app', 'login_url'].find(
    (field) => button[field] !== undefined && button[field] !== false,
  )

const marks = {
  url: 'external',
  copy_text: 'copy',
  pay: 'wallet',
  web_app: 'external',
  login_url: 'external',
}

export function inlineKeyboard(message, context) {
  return h(
    'div.inline-keyboard',
    { testid: 'inline-keyboard', role: 'group' },
    message.reply_markup.inline_keyboard.map((row) =>
      h(
        'div.keyboard-row',
        {},
        row.map((button) => inlineButton(button, message, context)),
      ),
    ),
  )
}

function inlineButton(button, message, context) {
  const kind = kindOf(button)
  const element = h(
    `button.key${button.style ? `.${button.style}` : ''}`,
    {
      testid: 'inline-button',
      'data-kind': kind ?? 'other',
      disabled: kind === 'disabled',
      onclick: () => press(kind, button, message, context, element),
    },
    h('span.key-text', { dir: 'auto' }, buttonText(kind, button, message)),
    marks[kind] && icon(marks[kind]),
  )
  return element
}

function buttonText(kind, button, message) {
  if (kind !== 'pay' || !message.invoice) return button.text
  // Telegram draws its star in place of both words.
  const { total_amount, currency } = message.invoice
  const text = button.text.replaceAll('XTR', '⭐')
  return text.includes('⭐') || /\d/.test(text) ? text : `${text} · ${money(total_amount, currency)}`
}

function press(kind, button, message, context, element) {
  const { actions } = context
  if (kind === 'url') return actions.link(button.url, true) || window.open(button.url, '_blank', 'noopener')
  if (kind === 'copy_text') return actions.copy(button.copy_text.text)
  if (kind === 'pay') return actions.openPayment(message)
  if (kind !== 'callback_data') return actions.unsupportedButton()
  if (element.getAttribute('aria-busy') === 'true') return undefined
  return actions.tap(message, button, element)
}
