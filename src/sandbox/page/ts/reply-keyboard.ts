// The reply keyboard below the input. It follows the newest message with a keyboard, a removal or a forced reply for the user.

import type { Message, ReplyKeyboard, User } from './api.ts'
import { fill, h, iconButton } from './dom.ts'
import { t } from './i18n.ts'
import { isFor } from './selective.ts'

interface CurrentMarkup {
  readonly message: Message
  readonly markup: ReplyKeyboard
}

/** @param messages oldest first */
export function currentMarkup(messages: readonly Message[], reader: User): CurrentMarkup | undefined {
  for (const message of messages.toReversed()) {
    const { reply_markup: markup } = message
    if (markup && !('inline_keyboard' in markup) && isFor(reader, message)) return { message, markup }
  }
  return undefined
}

interface KeyboardActions {
  /** @param messageId the id of the message with the keyboard */
  send(text: string, messageId: number): void
  /** Sends the contact or the place that the key asks for. */
  share(text: string, messageId: number): void
  unsupported(): void
}

export interface ReplyKeyboardView {
  readonly element: HTMLElement
  /** The button that hides and shows the keyboard. */
  readonly toggle: HTMLElement
  /** @returns the placeholder for the input, if the message has one */
  show(current: CurrentMarkup | undefined): string | undefined
}

type Keyboard = Extract<ReplyKeyboard, { keyboard: unknown }>
type Key = Keyboard['keyboard'][number][number]

const keyboardIn = (current: CurrentMarkup | undefined): Keyboard | undefined =>
  current && 'keyboard' in current.markup ? current.markup : undefined

const placeholderIn = (current: CurrentMarkup | undefined): string | undefined =>
  current && 'input_field_placeholder' in current.markup ? current.markup.input_field_placeholder : undefined

const shared = ['request_contact', 'request_location']
const asksFor = (key: object, wanted: (name: string) => boolean): boolean => Object.keys(key).some(wanted)

/** Whether a key asks for a user, a chat or the like, which the page cannot send. */
const isSpecial = (key: object): boolean =>
  asksFor(key, (name) => name === 'web_app' || (name.startsWith('request_') && !shared.includes(name)))

export function createReplyKeyboard(actions: KeyboardActions): ReplyKeyboardView {
  const element = h('div.reply-keyboard', { testid: 'reply-keyboard', role: 'group', hidden: true })
  const toggle = iconButton(
    'keyboard',
    t('hideKeyboard'),
    'keyboard-toggle',
    () => setOpen(Boolean(element.hidden)),
    {
      hidden: true,
    },
  )
  let shown: CurrentMarkup | undefined

  const setOpen = (open: boolean) => {
    element.hidden = !open
    toggle.classList.toggle('on', open)
    const label = open ? t('hideKeyboard') : t('showKeyboard')
    toggle.title = label
    toggle.setAttribute('aria-label', label)
    toggle.setAttribute('aria-expanded', String(open))
  }

  const keyButton = (raw: Key, { markup, message }: { markup: Keyboard; message: Message }) => {
    const key = typeof raw === 'string' ? { text: raw } : raw
    const onclick = () => {
      if (markup.one_time_keyboard) setOpen(false)
      if (isSpecial(key)) actions.unsupported()
      else if (asksFor(key, (name) => shared.includes(name))) actions.share(key.text, message.message_id)
      else actions.send(key.text, message.message_id)
    }
    return h(
      'style' in key && key.style ? `button.key.${key.style}` : 'button.key',
      { testid: 'reply-button', onclick },
      h('span.key-text', { dir: 'auto' }, key.text),
    )
  }

  const rowsOf = (markup: Keyboard, message: Message) =>
    markup.keyboard.map((row) =>
      h(
        'div.keyboard-row',
        {},
        row.map((key) => keyButton(key, { markup, message })),
      ),
    )

  return {
    element,
    toggle,
    show(current) {
      if (current?.message.message_id === shown?.message.message_id) return placeholderIn(shown)
      shown = current
      const keyboard = keyboardIn(current)
      toggle.hidden = !keyboard || Boolean(keyboard.is_persistent)
      element.classList.toggle('tall', keyboard !== undefined && !keyboard.resize_keyboard)
      fill(element, keyboard && current && rowsOf(keyboard, current.message))
      setOpen(keyboard !== undefined)
      return placeholderIn(current)
    },
  }
}
