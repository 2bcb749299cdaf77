// The elements of the composer.

import { kinds } from './attachments.ts'
import { h, icon, iconButton } from './dom.ts'
import { t } from './i18n.ts'
import { openMenu } from './menu.ts'
import { senderName, summary, thumbnail } from './quote.ts'

/** @param {import('./composer.ts').Composer} composer */
export function createComposerView(composer, speaker) {
  const bar = h('div.context-bar', { hidden: true, testid: 'context-bar' })
  const input = createInput()
  const send = iconButton('send', t('send'), 'send', () => void composer.submit())
  const attach = iconButton('attach', t('attach'), 'attach', () => openAttachMenu(attach, composer.picker), {
    'aria-haspopup': 'menu',
  })
  const commandsButton = h(
    'button.commands-button',
    {
      testid: 'commands-button',
      label: t('commands'),
      title: t('commands'),
      hidden: true,
      onclick: () => composer.toggleCommands(),
    },
    icon('menu'),
    h('span', {}, t('menu')),
  )
  const element = h(
    'form.composer',
    { testid: 'composer', label: t('message'), onsubmit: (event) => event.preventDefault() },
    bar,
    h('div.composer-row', {}, speaker, commandsButton, input, composer.keyboard.toggle, attach, send),
    composer.keyboard.element,
    composer.picker.element,
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
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': 'commands',
    'aria-expanded': 'false',
    enterkeyhint: 'send',
    dir: 'auto',
  })

/** The line above the input that says which message is being answered or edited. */
export function contextBar({ message, isEdit, quote }, stop) {
  const label = isEdit ? t('editing') : t('replyTo', { name: senderName(message) })
  return [
    icon(isEdit ? 'edit' : 'reply'),
    thumbnail(message),
    h('span.quote-words', {}, h('b', {}, label), h('span.quote-line', {}, quote ?? summary(message))),
    iconButton('close', isEdit ? t('cancelEdit') : t('cancelReply'), 'context-cancel', stop),
  ]
}

function openAttachMenu(button, picker) {
  const items = kinds.map(({ kind, icon: sign, label }) => ({
    label: t(label),
    icon: sign,
    testid: `attach-${kind}`,
    onclick: () => picker.pick(kind),
  }))
  openMenu(button, items, { testid: 'attach-menu', label: t('attach') })
}
