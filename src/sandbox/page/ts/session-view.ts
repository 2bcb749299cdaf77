// The places of an open chat: head, banner, topics, messages, the first greeting, and the foot where one writes.

import { acceptDrops } from './attachments.ts'
import { fill, h } from './dom.ts'
import { emptyState } from './empty-state.ts'
import { t } from './i18n.ts'

/** @param {import('./session.ts').Session} session */
export function createSessionView(session, header) {
  const { chat, bot, composer } = session
  const banner = h(
    'div.banner',
    { role: 'alert', testid: 'connection-banner', hidden: true },
    t('connectionLost'),
  )
  const empty = h('div.empty-place', { hidden: true })
  const foot = h('div.foot')
  const body = h(
    'div.chat-body',
    {},
    banner,
    session.topics.element,
    session.conversation.element,
    empty,
    foot,
  )
  const blocked = blockedBar(() => void session.setBlocked(false).catch(() => undefined))
  acceptDrops(body, (files) => composer.files(files))

  return {
    element: h('main.chat', { testid: 'chat', 'data-chat-id': String(chat.id) }, header, body),
    setLost(lost) {
      banner.hidden = !lost
    },
    follow(isEmpty) {
      empty.hidden = !isEmpty || chat.blocked
      if (!empty.hidden && !empty.firstChild)
        fill(
          empty,
          emptyState(bot, chat, () => session.start('')),
        )
      // Put in anew only when it changes: an element that is moved loses the focus.
      const wanted = chat.blocked ? blocked : composer.element
      if (foot.firstChild !== wanted) fill(foot, wanted)
    },
  }
}

const blockedBar = (unblock) =>
  h(
    'div.blocked-bar',
    { testid: 'blocked-bar' },
    h('span', {}, t('blocked')),
    h('button.button.primary', { testid: 'unblock', onclick: unblock }, t('unblock')),
  )
