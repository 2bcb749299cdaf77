// The line above a chat: with whom, what the bot is doing, and what can be done with the chat.

import { avatar, h, icon, iconButton } from './dom.ts'
import { plural, t } from './i18n.ts'
import { openMenu } from './menu.ts'
import { fullName } from './quote.ts'

export const chatTitle = (chat, bot) => (chat.type === 'private' ? fullName(bot) : chat.title)

/**
 * @param {object} options of the session
 * @param {{ start(): void, setBlocked(blocked: boolean): Promise<void> }} actions
 */
export function createHeader({ chat, bot, openSidebar, openFaults }, actions) {
  const isPrivate = chat.type === 'private'
  const title = chatTitle(chat, bot)
  const status = h('span.status', { testid: 'status', 'aria-live': 'polite' })
  const quiet = () => (isPrivate ? `${t('bot')} · @${bot.username}` : plural('members', chat.members.length))

  const items = () => [
    { label: t('restart'), icon: 'refresh', testid: 'chat-start', onclick: () => actions.start() },
    { label: t('faults'), icon: 'bolt', testid: 'chat-faults', onclick: openFaults },
    ...(isPrivate ? [blockItem()] : []),
  ]
  const blockItem = () => ({
    label: chat.blocked ? t('unblock') : t('block'),
    icon: 'ban',
    testid: 'chat-block',
    danger: !chat.blocked,
    onclick: () => void actions.setBlocked(!chat.blocked).catch(() => undefined),
  })
  const more = iconButton(
    'more',
    t('chatMenu'),
    'chat-menu-button',
    () => openMenu(more, items(), { testid: 'chat-menu', label: t('chatMenu') }),
    { 'aria-haspopup': 'menu' },
  )

  const element = h(
    'header.chat-head',
    {},
    iconButton('menu', t('sidebar'), 'open-sidebar', openSidebar, { 'data-narrow': true }),
    avatar(title, isPrivate ? bot.id : chat.id),
    h(
      'div.chat-names',
      {},
      h(
        'h1',
        {},
        h('span', {}, title),
        h('small.tag', { title: t('emptyText') }, icon('bolt'), t('sandbox')),
      ),
      status,
    ),
    more,
  )
  return { element, status, quiet }
}
