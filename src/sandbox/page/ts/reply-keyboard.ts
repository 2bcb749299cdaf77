// The keyboard of answers below the input. Which one is on follows from the newest message that says something of it.

import { fill, h, iconButton } from './dom.ts'
import { t } from './i18n.ts'

/**
 * The newest word of the bot about the answers: a keyboard, its removal, or a forced reply.
 * @returns {{ message: object, markup: object } | undefined}
 */
export function currentMarkup(messages) {
  const message = messages.findLast(
    ({ reply_markup: markup }) => markup?.keyboard || markup?.remove_keyboard || markup?.force_reply,
  )
  return message && { message, markup: message.reply_markup }
}

/** @param {{ send(text: string, messageId: number): void, unsupported(): void }} actions */
export function createReplyKeyboard(actions) {
  const element = h('div.reply-keyboard', { testid: 'reply-keyboard', role: 'group', hidden: true })
  const toggle = iconButton('keyboard', t('hideKeyboard'), 'keyboard-toggle', () => setOpen(element.hidden), {
    hidden: true,
  })
  let markup
  let shownId

  const setOpen = (open) => {
    element.hidden = !open
    toggle.classList.toggle('on', open)
    const label = open ? t('hideKeyboard') : t('showKeyboard')
    toggle.title = label
    toggle.setAttribute('aria-label', label)
    toggle.setAttribute('aria-expanded', String(open))
  }

  const press = (button) => {
    if (markup.one_time_keyboard) setOpen(false)
    const special = Object.keys(button).some((name) => name.startsWith('request_') || name === 'web_app')
    return special ? actions.unsupported() : actions.send(button.text, shownId)
  }

  const key = (raw) => {
    const button = typeof raw === 'string' ? { text: raw } : raw
    const onclick = () => press(button)
    const name = `button.key${button.style ? `.${button.style}` : ''}`
    return h(name, { testid: 'reply-button', onclick }, h('span.key-text', { dir: 'auto' }, button.text))
  }

  return {
    element,
    toggle,
    /** @returns {string | undefined} the placeholder that the keyboard asks for */
    show(current) {
      if (current?.message.message_id === shownId) return markup?.input_field_placeholder
      shownId = current?.message.message_id
      markup = current?.markup
      const rows = markup?.keyboard
      toggle.hidden = !rows || Boolean(markup.is_persistent)
      element.classList.toggle('tall', Boolean(rows) && !markup.resize_keyboard)
      fill(
        element,
        rows?.map((row) => h('div.keyboard-row', {}, row.map(key))),
      )
      setOpen(Boolean(rows))
      return markup?.input_field_placeholder
    },
  }
}
