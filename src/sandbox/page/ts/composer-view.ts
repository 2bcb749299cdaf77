// The elements of the composer.

import type { Message } from './api.ts'
import { kinds } from './attachments.ts'
import { type Child, h, icon, iconButton } from './dom.ts'
import type { FileKind } from './file-to-send.ts'
import { t } from './i18n.ts'
import { openMenu } from './menu.ts'
import { senderName, summary, thumbnail } from './quote.ts'

interface ComposerParts {
  /** The button that shows who writes, in a group. */
  readonly speaker: Child
  /** The button of the reply keyboard. */
  readonly keyboardToggle: HTMLElement
  /** Shown below the row with the input. */
  readonly below: Child
  submit(): void
  toggleCommands(): void
  pick(kind: FileKind): void
}

export interface ComposerView {
  readonly element: HTMLElement
  readonly input: HTMLTextAreaElement
  /** The line above the input, see `contextBar`. */
  readonly bar: HTMLElement
  readonly commandsButton: HTMLElement
  /** Fits the height of the input to its text. */
  grow(): void
}

export function createComposerView(parts: ComposerParts): ComposerView {
  const bar = h('div.context-bar', { hidden: true, testid: 'context-bar' })
  const input = createInput()
  const send = iconButton('send', t('send'), 'send', parts.submit)
  const attach: HTMLButtonElement = iconButton(
    'attach',
    t('attach'),
    'attach',
    () => openAttachMenu(attach, parts.pick),
    { 'aria-haspopup': 'menu' },
  )
  const commandsButton = h(
    'button.commands-button',
    {
      testid: 'commands-button',
      title: t('commands'),
      hidden: true,
      onclick: parts.toggleCommands,
    },
    icon('menu'),
    h('span', {}, t('menu')),
  )
  const element = h(
    'form.composer',
    { testid: 'composer', label: t('message'), onsubmit: (event) => event.preventDefault() },
    bar,
    h('div.composer-row', {}, parts.speaker, commandsButton, input, parts.keyboardToggle, attach, send),
    parts.below,
  )
  const grow = () => {
    input.style.setProperty('height', 'auto')
    input.style.setProperty('height', `${input.scrollHeight + 3}px`)
    send.classList.toggle('ready', input.value.trim() !== '')
  }
  return { element, input, bar, commandsButton, grow }
}

const createInput = () =>
  h('textarea.input', {
    rows: '1',
    testid: 'input',
    label: t('message'),
    'aria-autocomplete': 'list',
    'aria-controls': 'commands',
    enterkeyhint: 'send',
    dir: 'auto',
  })

interface BarContent {
  readonly message: Message
  readonly isEdit: boolean
  readonly quote: string | undefined
}

/** The line above the input that says which message is being answered or edited. */
export function contextBar({ message, isEdit, quote }: BarContent, cancel: () => void): Child {
  const label = isEdit ? t('editing') : t('replyTo', { name: senderName(message) })
  return [
    icon(isEdit ? 'edit' : 'reply'),
    thumbnail(message),
    h('span.quote-words', {}, h('b', {}, label), h('span.quote-line', {}, quote ?? summary(message))),
    iconButton('close', isEdit ? t('cancelEdit') : t('cancelReply'), 'context-cancel', cancel),
  ]
}

function openAttachMenu(button: HTMLElement, pick: (kind: FileKind) => void): void {
  const items = kinds.map(({ kind, icon: sign, label }) => ({
    label: t(label),
    icon: sign,
    testid: `attach-${kind}`,
    onclick: () => pick(kind),
  }))
  openMenu(button, items, { testid: 'attach-menu', label: t('attach') })
}
