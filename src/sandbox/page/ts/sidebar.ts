// The left side: the open user and that user's chats, and the windows for new users and groups.

import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { type Chat, fullName, type Language, type On, type User } from './api.ts'
import { currentLanguage, t, type WordKey } from './i18n.ts'
import { summary } from './messages.ts'
import { openPlace, readKnown } from './session.ts'
import { act, here, state } from './state.ts'
import { avatar, icon, iconButton, openForm, openMenu, twoLines } from './ui.ts'

export function sidebar() {
  const { user } = here()
  const name = fullName(user)
  const chats = state.chats.filter((chat) => chat.members.includes(user.id)).sort((a, b) => b.id - a.id)
  return html`<aside class="sidebar" aria-label=${t('sandbox')} data-testid="sidebar">
    <div class="line head"><img width="30" src="/page/icon.svg" alt="" /><b>${t('sandbox')}</b></div>
    <button class="line item" data-testid="user-switch" onClick=${openUserMenu}>
      ${avatar(name, user.id)}${twoLines(name, user.language_code?.toUpperCase())}${icon('chevron')}</button>
    <div class="line head"><h2 class="grow muted">${t('chats')}</h2>
      ${iconButton('plus', t('newGroup'), 'new-group', { onClick: openNewGroup })}</div>
    <nav class="chat-list" aria-label=${t('chats')}>${chats.map(chatRow)}</nav></aside>`
}

/** The displayed name and avatar of a chat. */
export function faceOf(chat: Chat) {
  const { bot } = here()
  const isPrivate = chat.type === 'private'
  const title = isPrivate ? fullName(bot) : chat.title
  return { title, face: avatar(title, isPrivate ? bot.id : chat.id) }
}

function chatRow(chat: Chat) {
  const { title, face } = faceOf(chat)
  return html`<button class="line item" key=${chat.id} data-testid="chat-${chat.id}" onClick=${() => openPlace(state.userId, chat.id)}
    aria-current=${chat.id === state.chatId ? 'true' : undefined}>${face}
    ${twoLines(title, chat.last_message && summary(chat.last_message))}</button>`
}

/** Switches the user: in a group of both, the group stays open. */
function openUserMenu(event: On<Element, MouseEvent>): void {
  const { chat, isPrivate } = here()
  const items = state.users.map((user) => ({
    label: fullName(user),
    sign: avatar(fullName(user), user.id),
    isCurrent: user.id === state.userId,
    testid: `user-${user.id}`,
    onclick: () => openPlace(user.id, !isPrivate && chat.members.includes(user.id) ? chat.id : user.id),
  }))
  const create = { label: t('newUser'), sign: 'plus', testid: 'new-user', onclick: openNewUser } as const
  openMenu(event, 'user-menu', t('switchUser'), [...items, create])
}

/** Opens a window in which something new gets a name. @param create returns whether it was made */
function openNew(
  title: WordKey,
  testid: string,
  more: () => ComponentChildren,
  create: (name: string, data: FormData) => Promise<boolean>,
): void {
  const content = () => html`<label class="column">${t('name')}
    <input class="field" name="name" data-testid="${testid}-name" autocomplete="off" required maxlength="64" /></label>${more()}`
  const submit = (data: FormData) => create(String(data.get('name')).trim(), data)
  openForm({ title: t(title), testid, label: t('create'), content, submit })
}

/** @param created undefined when the sandbox has refused, which has been shown */
async function showNew(created: { id: number } | undefined, userId = created?.id): Promise<boolean> {
  if (!created || userId === undefined) return false
  await readKnown()
  openPlace(userId, created.id)
  return true
}

async function openNewUser(): Promise<void> {
  const languages = (await act('GET /api/languages', undefined)) ?? []
  const option = ({ code, name }: Language) =>
    html`<option value=${code} selected=${code === currentLanguage()}>${name}</option>`
  const choice = () => html`<label class="column">${t('language')}
    <select class="field" name="language" data-testid="user-language">${languages.map(option)}</select></label>`
  openNew('newUser', 'user-dialog', choice, async (first_name, data) =>
    showNew(await act('POST /api/users', { first_name, language_code: String(data.get('language')) })),
  )
}

/** The sandbox takes the first member as the creator. */
function openNewGroup(): void {
  const check = (label: string, testid: string, others: object) =>
    html`<label class="line item"><input type="checkbox" data-testid=${testid} ...${others} />${label}</label>`
  const member = (user: User) =>
    check(fullName(user), `group-member-${user.id}`, { name: 'member', value: user.id })
  const others = state.users.filter(({ id }) => id !== state.userId)
  const choices = () =>
    html`<div>${others.map(member)}${check(t('botIsAdmin'), 'group-admin', { name: 'admin' })}</div>`
  openNew('newGroup', 'group-dialog', choices, async (title, data) => {
    const members = [state.userId, ...data.getAll('member').map(Number)]
    return showNew(await act('POST /api/chats', { title, members, admin: data.has('admin') }), state.userId)
  })
}
