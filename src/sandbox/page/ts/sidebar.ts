// The left side: the open user, that user's chats, and the button that makes things fail.

import { html } from 'htm/preact'
import { type Chat, chatTitle, fullName, type On, type User } from './api.ts'
import { openFaults } from './faults.ts'
import { openNewGroup, openNewUser } from './forms.ts'
import { plural, t } from './i18n.ts'
import { avatar, icon, iconButton } from './icons.ts'
import { twoLines } from './media.ts'
import { summary } from './row.ts'
import { openPlace } from './session.ts'
import { here, openMenu, state, update } from './state.ts'

export const closeSidebar = () => update({ isSidebarOpen: false })

export function sidebar() {
  const { user } = here()
  const name = fullName(user)
  const own = state.chats.filter((chat) => chat.members.includes(user.id))
  const chats = own.sort((a, b) => b.id - a.id)
  return html`<aside class="sidebar" aria-label=${t('sidebar')} data-testid="sidebar">
    <div class="line head"><img width="30" src="/page/icon.svg" alt="" /><b class="grow brand">${t('sandbox')}</b>
      ${iconButton('close', t('close'), 'close-sidebar', { 'data-narrow': true, onClick: closeSidebar })}</div>
    <div><button class="line side-row user-button" data-testid="user-switch" aria-haspopup="menu" title=${t('switchUser')} onClick=${openUserMenu}>
      ${avatar(name, user.id)}${twoLines(name, userNote(user))}${icon('chevron')}</button></div>
    <div class="line head"><h2 class="grow muted">${t('chats')}</h2>
      ${iconButton('plus', t('newGroup'), 'new-group', { onClick: openNewGroup })}</div>
    <nav class="chat-list" aria-label=${t('chats')}>${chats.map(chatRow)}</nav>
    <div class="sidebar-foot">
      <button class="line item" data-testid="faults-button" onClick=${openFaults}>${icon('bolt')}${t('faults')}</button></div>
  </aside>`
}

function chatRow(chat: Chat) {
  const { bot, user } = here()
  const title = chatTitle(chat, bot)
  const isPrivate = chat.type === 'private'
  const idle = isPrivate ? t('bot') : plural('members', chat.members.length)
  return html`<button class="line side-row" key=${chat.id} data-testid="chat-${chat.id}" onClick=${() => openPlace(user.id, chat.id)}
    aria-current=${chat.id === state.chatId ? 'true' : undefined}>${avatar(title, isPrivate ? bot.id : chat.id)}
    ${twoLines(title, chat.last_message ? summary(chat.last_message) : idle)}${!isPrivate && icon('group')}</button>`
}

const userNote = ({ username, language_code: code }: User): string =>
  [username && `@${username}`, code?.toUpperCase()].filter(Boolean).join(' · ')

/** Switches the user: in a group of both, the group stays open. */
export function openUserMenu({ currentTarget: at }: On): void {
  const { chat, isPrivate } = here()
  const items = state.users.map((user) => ({
    label: fullName(user),
    note: userNote(user),
    sign: avatar(fullName(user), user.id),
    checked: user.id === state.userId,
    testid: `user-${user.id}`,
    onclick: () => openPlace(user.id, !isPrivate && chat.members.includes(user.id) ? chat.id : user.id),
  }))
  const create = { label: t('newUser'), sign: 'plus', testid: 'new-user', onclick: openNewUser } as const
  openMenu(at, 'user-menu', t('switchUser'), [...items, create])
}
