// What can be done with a message: reply, edit one's own, copy its text.

import { copyText, toast } from './dialog.js'
import { t } from './i18n.js'
import { openMenu } from './menu.js'

export function openMessageMenu(message, at, { isOwn, composer }) {
  const text = message.text ?? message.caption
  const copy = () => (text ? copyText(text) : toast(t('nothingToCopy')))
  const items = [
    { label: t('reply'), icon: 'reply', testid: 'menu-reply', onclick: () => composer.reply(message) },
    ...(isOwn && message.text
      ? [{ label: t('edit'), icon: 'edit', testid: 'menu-edit', onclick: () => composer.edit(message) }]
      : []),
    ...(text ? [{ label: t('copy'), icon: 'copy', testid: 'menu-copy', onclick: copy }] : []),
  ]
  openMenu(at, items, { testid: 'message-actions', label: t('messageMenu') })
}
