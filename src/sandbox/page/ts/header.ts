// The line above a chat: its name, the activity of the bot, and the menu of the chat.

import { type Bot, type Chat, ignoreRefusal } from './api.ts'
import { avatar, h, icon, iconButton } from './dom.ts'
import { plural, t } from './i18n.ts'
import { type MenuItem, openMenu } from './menu.ts'
import { fullName } from './quote.ts'

export const chatTitle = (chat: Chat, bot: Bot): string =>
  chat.type === 'private' ? fullName(bot) : chat.title

interface HeaderActions {
  start(): void
  setBlocked(isBlocked: boolean): Promise<void>
  openSidebar(): void
  openFaults(): void
}

export interface Header {
  readonly element: HTMLElement
  /** The line that shows the activity of the bot. */
  readonly status: HTMLElement
  /** The text of the status while the bot does nothing. */
  idleStatus(): string
}

export function createHeader(chat: Chat, bot: Bot, actions: HeaderActions): Header {
  const isPrivate = chat.type === 'private'
  const title = chatTitle(chat, bot)
  const status = h('span.status', { testid: 'status', 'aria-live': 'polite' })
  const more: HTMLButtonElement = iconButton(
    'more',
    t('chatMenu'),
    'chat-menu-button',
    () => openMenu(more, [...menuItems(chat, actions)], { testid: 'chat-menu', label: t('chatMenu') }),
    { 'aria-haspopup': 'menu' },
  )
  const name = h('span', {}, title)
  const tag = h('small.tag', { title: t('emptyText') }, icon('bolt'), t('sandbox'))
  const element = h(
    'header.chat-head',
    {},
    iconButton('menu', t('sidebar'), 'open-sidebar', actions.openSidebar, { 'data-narrow': true }),
    avatar(title, isPrivate ? bot.id : chat.id),
    h('div.chat-names', {}, h('h1', {}, name, tag), status),
    more,
  )
  const idleStatus = () =>
    isPrivate ? `${t('bot')} · @${bot.username}` : plural('members', chat.members.length)
  return { element, status, idleStatus }
}

function* menuItems(chat: Chat, actions: HeaderActions): Generator<MenuItem> {
  yield { label: t('restart'), icon: 'refresh', testid: 'chat-start', onclick: actions.start }
  yield { label: t('faults'), icon: 'bolt', testid: 'chat-faults', onclick: actions.openFaults }
  if (chat.type !== 'private') return
  yield {
    label: chat.blocked ? t('unblock') : t('block'),
    icon: 'ban',
    testid: 'chat-block',
    danger: !chat.blocked,
    onclick: () => ignoreRefusal(actions.setBlocked(!chat.blocked)),
  }
}
