// What can be done with a message: reply, quote the marked part of it, edit one's own, copy its text.

import { copyText, toast } from './dialog.ts'
import { t } from './i18n.ts'
import { openMenu } from './menu.ts'

const noteLength = 60

export function openMessageMenu(message, at, { isOwn, composer, selected }) {
  const text = message.text ?? message.caption
  const copy = () => (text ? copyText(text) : toast(t('nothingToCopy')))
  const items = [
    { label: t('reply'), icon: 'reply', testid: 'menu-reply', onclick: () => composer.reply(message) },
    // Marked words over several lines of the page need not stand so in the message.
    ...(selected && text?.includes(selected)
      ? [
          {
            label: t('quote'),
            note: selected.length > noteLength ? `${selected.slice(0, noteLength)}…` : selected,
            icon: 'quote',
            testid: 'menu-quote',
            onclick: () => composer.reply(message, selected),
          },
        ]
      : []),
    ...(isOwn && message.text
      ? [{ label: t('edit'), icon: 'edit', testid: 'menu-edit', onclick: () => composer.edit(message) }]
      : []),
    ...(text ? [{ label: t('copy'), icon: 'copy', testid: 'menu-copy', onclick: copy }] : []),
  ]
  openMenu(at, items, { testid: 'message-actions', label: t('messageMenu') })
}
