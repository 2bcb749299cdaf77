// The left side: the open user, that user's chats, and the sandbox's own tools.

import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { type Chat, chatTitle, fullName, type On, request, type User } from './api.ts'
import { openFaults } from './faults.ts'
import { openNewGroup, openNewUser } from './forms.ts'
import { money, plural, t, timeOfDay, type WordKey } from './i18n.ts'
import { avatar, type IconName, icon, iconButton } from './icons.ts'
import { twoLines } from './media.ts'
import { summary } from './row.ts'
import { openPlace } from './session.ts'
import { chatsOf, here, openDialog, openMenu, state, update } from './state.ts'
import { dialog } from './windows.ts'

export const closeSidebar = () => update({ isSidebarOpen: false })

/** @param isHidden whether the sidebar is closed on a narrow window, so that it cannot be reached */
export function sidebar(isHidden: boolean) {
  const { user } = here()
  const name = fullName(user)
  return html`<aside class="sidebar" aria-label=${t('sidebar')} data-testid="sidebar" inert=${isHidden}>
    <div class="line head"><img width="30" src="/page/icon.svg" alt="" /><b class="grow brand">${t('sandbox')}</b><${ThemeButton} />
      ${iconButton('close', t('close'), 'close-sidebar', { 'data-narrow': true, onClick: closeSidebar })}</div>
    <div><button class="line side-row user-button" data-testid="user-switch" aria-haspopup="menu" title=${t('switchUser')} onClick=${openUserMenu}>
      ${avatar(name, user.id)}${twoLines(name, userNote(user))}${icon('chevron')}</button></div>
    <div class="line head"><h2 class="grow muted">${t('chats')}</h2>
      ${iconButton('plus', t('newGroup'), 'new-group', { onClick: openNewGroup })}</div>
    <nav class="chat-list" aria-label=${t('chats')}>${chatsOf(user).map(chatRow)}</nav>
    <div class="sidebar-foot">
      <button class="line item" data-testid="faults-button" onClick=${openFaults}>${icon('bolt')}${t('faults')}</button>
      ${refusals()}<${Account} />
    </div>
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

const themes: Readonly<Record<string, readonly [IconName, WordKey, next: string]>> = {
  auto: ['auto', 'themeAuto', 'light'],
  light: ['sun', 'themeLight', 'dark'],
  dark: ['moon', 'themeDark', 'auto'],
}

/** The theme: the system's, light, or dark. `theme-first.ts` applies the chosen one on load. */
function ThemeButton() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'auto')
  const [sign, label, next] = themes[theme] ?? ['auto', 'themeAuto', 'light']
  const onClick = () => {
    localStorage.setItem('sandbox.theme', next)
    document.documentElement.dataset.theme = next
    setTheme(next)
  }
  return iconButton(sign, t(label), 'theme', { onClick })
}

/** The refusals of the Bot API since the page was opened. Users of Telegram do not see them, but engineers need to. */
function refusals() {
  if (state.refusals.length === 0) return ''
  const rows = state.refusals
    .toReversed()
    .map(
      ({ method, description, at }) =>
        html`<li><span class="muted">${timeOfDay(at)}</span> <b>${method}</b> ${description}</li>`,
    )
  const content = html`<p class="muted">${t('refusalsText')}</p><ul data-testid="refusal-list">${rows}</ul>`
  const open = () => openDialog(() => dialog(t('refusalsTitle'), 'refusals-dialog', content))
  return html`<button class="line item muted" data-testid="refusals" onClick=${open}>
    ${icon('ban')}${t('refusals', { n: state.refusals.length })}</button>`
}

/** The project's account at the sandbox's gateway: its balance, and what the generations have cost. */
function Account() {
  const [account, setAccount] = useState<{ balance: number; charged: number }>()
  useEffect(() => {
    const read = async () =>
      !document.hidden && setAccount(await request('GET /api/gateway/account').catch(() => undefined))
    const timers = [setTimeout(read, 400), setInterval(read, 10_000)]
    return () => timers.forEach(clearInterval)
  }, [state.messages])
  if (!account) return ''
  const amounts = { balance: money(account.balance, 'RUB'), charged: money(account.charged, 'RUB') }
  return html`<small class="line item" data-testid="account">${t('account', amounts)}</small>`
}
