// The layout of an open chat: header, banner, topics, messages, the greeting of an empty chat, and the composer.

import type { Bot, Chat } from './api.ts'
import { acceptDrops } from './attachments.ts'
import { avatar, fill, h } from './dom.ts'
import { language, t } from './i18n.ts'
import { fullName } from './quote.ts'

interface SessionParts {
  readonly chat: Chat
  readonly bot: Bot
  readonly header: HTMLElement
  readonly topics: HTMLElement
  readonly conversation: HTMLElement
  readonly composer: HTMLElement
  start(): void
  unblock(): void
  sendFiles(files: readonly File[]): void
}

export interface SessionView {
  readonly element: HTMLElement
  setLost(isLost: boolean): void
  /** Updates the view after a change of the messages, or after the user has blocked or unblocked the bot. */
  follow(isEmpty: boolean): void
}

export function createSessionView(parts: SessionParts): SessionView {
  const { chat, header, topics, conversation, composer } = parts
  const banner = h(
    'div.banner',
    { role: 'alert', testid: 'connection-banner', hidden: true },
    t('connectionLost'),
  )
  const empty = h('div.empty-place', { hidden: true })
  const foot = h('div.foot')
  const body = h('div.chat-body', {}, banner, topics, conversation, empty, foot)
  const blocked = blockedBar(parts.unblock)
  acceptDrops(body, parts.sendFiles)

  return {
    element: h('main.chat', { testid: 'chat', 'data-chat-id': String(chat.id) }, header, body),
    setLost(isLost) {
      banner.hidden = !isLost
    },
    follow(isEmpty) {
      empty.hidden = !isEmpty || chat.blocked
      if (!empty.hidden && !empty.firstChild) fill(empty, greeting(parts))
      // Replaced only when it changes, since a moved element loses the focus.
      const wanted = chat.blocked ? blocked : composer
      if (foot.firstChild !== wanted) fill(foot, wanted)
    },
  }
}

const blockedBar = (unblock: () => void) =>
  h(
    'div.blocked-bar',
    { testid: 'blocked-bar' },
    h('span', {}, t('blocked')),
    h('button.button.primary', { testid: 'unblock', onclick: unblock }, t('unblock')),
  )

/** The description in the language of the user, or the default one, as in Telegram. */
const inLanguage = (texts: Readonly<Record<string, string>>) => texts[language()] || texts[''] || ''

/** The content of a chat without messages: the bot's own description, and the button that starts it. */
function greeting({ bot, chat, start }: SessionParts): HTMLElement {
  const isPrivate = chat.type === 'private'
  const description = isPrivate && inLanguage(bot.profile.description)
  return h(
    'section.empty',
    { testid: 'empty' },
    isPrivate ? avatar(fullName(bot), bot.id) : avatar(chat.title, chat.id),
    h('h2', {}, isPrivate ? t('welcome') : chat.title),
    description && h('p.pre-wrap', {}, description),
    h('p.muted', {}, isPrivate ? t('emptyText') : t('emptyGroup')),
    h('button.button.primary.big', { testid: 'start', onclick: start }, t('start')),
  )
}
