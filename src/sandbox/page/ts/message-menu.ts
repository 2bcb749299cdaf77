// The menu of a message: reply, quote the selected part, edit or delete an own message, copy the text, save the file.

import { fileUrl, type Message } from './api.ts'
import { copyText } from './dialog.ts'
import { h } from './dom.ts'
import { fileName } from './file-name.ts'
import { t } from './i18n.ts'
import { type MediaFacts, mediaFacts } from './media-facts.ts'
import { type MenuItem, type MenuPlace, openMenu } from './menu.ts'

const noteLength = 60

interface Options {
  readonly isOwn: boolean
  /** The part of the text that the user has selected, or ''. */
  readonly selected: string
  reply(message: Message, quote?: string): void
  edit(message: Message): void
  remove(message: Message): void
}

export function openMessageMenu(message: Message, at: MenuPlace, options: Options): void {
  openMenu(at, [...itemsFor(message, options)], { testid: 'message-actions', label: t('messageMenu') })
}

function* itemsFor(message: Message, { isOwn, selected, reply, edit, remove }: Options): Generator<MenuItem> {
  const text = message.text ?? message.caption
  yield { label: t('reply'), icon: 'reply', testid: 'menu-reply', onclick: () => reply(message) }
  // A selection over several lines may contain text that is not of the message.
  if (selected && text?.includes(selected)) {
    const note = selected.length > noteLength ? `${selected.slice(0, noteLength)}…` : selected
    const onclick = () => reply(message, selected)
    yield { label: t('quote'), note, icon: 'quote', testid: 'menu-quote', onclick }
  }
  if (isOwn && message.text) {
    yield { label: t('edit'), icon: 'edit', testid: 'menu-edit', onclick: () => edit(message) }
  }
  if (text) yield { label: t('copy'), icon: 'copy', testid: 'menu-copy', onclick: () => copyText(text) }
  const media = mediaFacts(message)
  if (media) yield { label: t('download'), icon: 'download', testid: 'menu-save', onclick: () => save(media) }
  if (isOwn)
    yield { label: t('delete'), icon: 'trash', testid: 'menu-delete', onclick: () => remove(message) }
}

const save = (media: MediaFacts) => h('a', { href: fileUrl(media.id), download: fileName(media) }).click()
