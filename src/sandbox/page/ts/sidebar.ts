// The left side: who is speaking, the chats of that person, and the sandbox's own things.

import { createAccount } from './account.ts'
import { avatar, fill, h, icon, iconButton } from './dom.ts'
import { chatTitle } from './header.ts'
import { plural, t } from './i18n.ts'
import { openMenu } from './menu.ts'
import { openNewGroup, openNewUser } from './people.ts'
import { fullName } from './quote.ts'
import { currentTheme, nextTheme } from './theme.ts'

/** @param {object} app what `main.ts` offers */
export function createSidebar(app) {
  const account = createAccount()
  const userPlace = h('div')
  const chatPlace = h('nav.chat-list', { label: t('chats') })
  const element = h(
    'aside.sidebar',
    { label: t('sidebar'), testid: 'sidebar', id: 'sidebar' },
    h(
      'div.sidebar-head',
      {},
      h('img.logo', { src: '/page/icon.svg', alt: '' }),
      h('span.brand', {}, t('sandbox')),
      themeButton(),
      iconButton('close', t('close'), 'close-sidebar', app.closeSidebar, { 'data-narrow': true }),
    ),
    userPlace,
    h(
      'div.section-head',
      {},
      h('h2', {}, t('chats')),
      iconButton('plus', t('newGroup'), 'new-group', () =>
        openNewGroup(app.users, app.user, app.groupCreated),
      ),
    ),
    chatPlace,
    h(
      'div.sidebar-foot',
      {},
      h(
        'button.side-button',
        { testid: 'faults-button', onclick: app.openFaults },
        icon('bolt'),
        t('faults'),
      ),
      app.refusals.element,
      account.element,
    ),
  )

  return {
    element,
    draw() {
      app.refusals.draw()
      fill(userPlace, userButton(app))
      fill(
        chatPlace,
        app.visibleChats().map((chat) => chatRow(chat, app)),
      )
    },
    /** Something has happened in the open chat. Only its line is touched, so the focus stays where it is. */
    follow() {
      const line = chatPlace.querySelector('[aria-current] small')
      if (line) line.textContent = noteOf(app.chat, app)
      account.refresh()
    },
    destroy: account.destroy,
  }
}

const themeIcons = { auto: ['auto', 'themeAuto'], light: ['sun', 'themeLight'], dark: ['moon', 'themeDark'] }

function themeButton() {
  const button = iconButton('auto', '', 'theme', () => {
    nextTheme()
    draw()
  })
  const draw = () => {
    const [sign, label] = themeIcons[currentTheme()]
    fill(button, icon(sign))
    button.title = t(label)
    button.setAttribute('aria-label', t(label))
  }
  draw()
  return button
}

function userButton(app) {
  const { user } = app
  const button = h(
    'button.user-button',
    { testid: 'user-switch', 'aria-haspopup': 'menu', label: `${t('switchUser')}: ${fullName(user)}` },
    avatar(fullName(user), user.id),
    h('span.names', {}, h('b', {}, fullName(user)), h('small', {}, userNote(user))),
    icon('chevron'),
  )
  button.addEventListener('click', () => openUserMenu(button, app))
  return button
}

const userNote = (user) =>
  [user.username && `@${user.username}`, user.language_code?.toUpperCase()].filter(Boolean).join(' · ')

/** @param {Element} anchor */
export function openUserMenu(anchor, app) {
  const items = app.users.map((user) => ({
    label: fullName(user),
    note: userNote(user),
    before: avatar(fullName(user), user.id),
    checked: user.id === app.user.id,
    testid: `user-${user.id}`,
    onclick: () => app.openUser(user.id),
  }))
  const create = {
    label: t('newUser'),
    icon: 'plus',
    testid: 'new-user',
    onclick: () => openNewUser(app.userCreated),
  }
  openMenu(anchor, [...items, create], { testid: 'user-menu', label: t('switchUser') })
}

const noteOf = (chat, app) =>
  app.lastLine(chat) || (chat.type === 'private' ? t('bot') : plural('members', chat.members.length))

function chatRow(chat, app) {
  const isPrivate = chat.type === 'private'
  const title = chatTitle(chat, app.bot)
  const isOpen = chat.id === app.chat.id
  return h(
    'button.chat-row',
    {
      testid: `chat-${chat.id}`,
      'aria-current': isOpen ? 'true' : null,
      onclick: () => app.openChat(chat.id),
    },
    avatar(title, isPrivate ? app.bot.id : chat.id),
    h('span.names', {}, h('b', {}, title), h('small', {}, noteOf(chat, app))),
    !isPrivate && icon('group'),
  )
}
