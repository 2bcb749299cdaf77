// The left side: the open user, that user's chats, and the sandbox's own tools.

import { createAccount } from './account.ts'
import type { Bot, Chat, User } from './api.ts'
import { avatar, fill, focusedAt, h, icon, iconButton } from './dom.ts'
import { chatTitle } from './header.ts'
import { plural, t } from './i18n.ts'
import { openMenu } from './menu.ts'
import { openNewGroup, openNewUser } from './people.ts'
import { fullName } from './quote.ts'
import { themeButton } from './theme.ts'

/** What the sidebar shows, and the requests that it makes of the page. */
export interface SidebarOptions {
  readonly users: readonly User[]
  readonly bot: Bot
  /** The open user and chat. */
  readonly user: User
  readonly chat: Chat
  /** The chats of the user, newest first. */
  readonly chats: readonly Chat[]
  /** The button with the refusals of the Bot API. */
  readonly refusals: HTMLElement
  /** A summary of the newest message of the chat, or ''. */
  lastLine(chat: Chat): string
  openUser(id: number): void
  openChat(id: number): void
  userCreated(user: User): Promise<void>
  groupCreated(group: { readonly id: number }): Promise<void>
  openFaults(): void
  close(): void
}

export interface Sidebar {
  readonly element: HTMLElement
  /** Updates the line of the open chat. The other lines are left as they are, so the focus stays where it is. */
  follow(): void
  /** Replaces the list of chats. */
  show(chats: readonly Chat[]): void
  destroy(): void
}

export function createSidebar(options: SidebarOptions): Sidebar {
  const account = createAccount()
  const chatList = h('nav.chat-list', { label: t('chats') })
  const show = (chats: readonly Chat[]) => {
    const focused = focusedAt([...chatList.children])
    fill(
      chatList,
      chats.map((chat) => chatRow(chat, options)),
    )
    const row = chatList.children[focused]
    if (row instanceof HTMLElement) row.focus()
  }
  show(options.chats)
  const element = h(
    'aside.sidebar',
    { label: t('sidebar'), testid: 'sidebar', id: 'sidebar' },
    h(
      'div.sidebar-head',
      {},
      h('img.logo', { src: '/page/icon.svg', alt: '' }),
      h('span.brand', {}, t('sandbox')),
      themeButton(),
      iconButton('close', t('close'), 'close-sidebar', options.close, { 'data-narrow': true }),
    ),
    h('div', {}, userButton(options)),
    h(
      'div.section-head',
      {},
      h('h2', {}, t('chats')),
      iconButton('plus', t('newGroup'), 'new-group', () =>
        openNewGroup(options.users, options.user, options.groupCreated),
      ),
    ),
    chatList,
    h(
      'div.sidebar-foot',
      {},
      h(
        'button.side-button',
        { testid: 'faults-button', onclick: options.openFaults },
        icon('bolt'),
        t('faults'),
      ),
      options.refusals,
      account.element,
    ),
  )

  return {
    element,
    follow() {
      const line = chatList.querySelector('[aria-current] small')
      if (line) line.textContent = noteOf(options.chat, options)
      account.refresh()
    },
    show,
    destroy: account.destroy,
  }
}

function userButton(options: SidebarOptions): HTMLElement {
  const { user } = options
  const name = fullName(user)
  const button: HTMLButtonElement = h(
    'button.user-button',
    {
      testid: 'user-switch',
      'aria-haspopup': 'menu',
      title: t('switchUser'),
      onclick: () => openUserMenu(button, options),
    },
    avatar(name, user.id),
    h('span.names', {}, h('b', {}, name), h('small', {}, userNote(user))),
    icon('chevron'),
  )
  return button
}

const userNote = ({ username, language_code }: User): string =>
  [username && `@${username}`, language_code?.toUpperCase()].filter(Boolean).join(' · ')

type UserMenuOptions = Pick<SidebarOptions, 'users' | 'user' | 'openUser' | 'userCreated'>

export function openUserMenu(anchor: Element, options: UserMenuOptions): void {
  const items = options.users.map((user) => ({
    label: fullName(user),
    note: userNote(user),
    before: avatar(fullName(user), user.id),
    checked: user.id === options.user.id,
    testid: `user-${user.id}`,
    onclick: () => options.openUser(user.id),
  }))
  const create = {
    label: t('newUser'),
    icon: 'plus',
    testid: 'new-user',
    onclick: () => openNewUser(options.userCreated),
  } as const
  openMenu(anchor, [...items, create], { testid: 'user-menu', label: t('switchUser') })
}

const noteOf = (chat: Chat, options: SidebarOptions): string =>
  options.lastLine(chat) || (chat.type === 'private' ? t('bot') : plural('members', chat.members.length))

function chatRow(chat: Chat, options: SidebarOptions): HTMLElement {
  const isPrivate = chat.type === 'private'
  const title = chatTitle(chat, options.bot)
  return h(
    'button.chat-row',
    {
      testid: `chat-${chat.id}`,
      'aria-current': chat.id === options.chat.id ? 'true' : null,
      onclick: () => options.openChat(chat.id),
    },
    avatar(title, isPrivate ? options.bot.id : chat.id),
    h('span.names', {}, h('b', {}, title), h('small', {}, noteOf(chat, options))),
    !isPrivate && icon('group'),
  )
}
