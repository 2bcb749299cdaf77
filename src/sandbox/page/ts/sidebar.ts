// The left side: the open user, that user's chats, and what it opens: new users and groups, and "Make it fail", ready-made faults that show how the
// bot deals with them. The topics of a group are tabs above its messages.

import { html } from 'htm/preact'
import { type Chat, chatTitle, fullName, type NewFault, type On, type User } from './api.ts'
import { currentLanguage, t, type WordKey } from './i18n.ts'
import { summary } from './messages.ts'
import { openPlace, readKnown } from './session.ts'
import { act, here, state, toast, update } from './state.ts'
import { avatar, icon, iconButton, openForm, openMenu, twoLines } from './ui.ts'

export function sidebar() {
  const { user } = here()
  const name = fullName(user)
  const chats = state.chats.filter((chat) => chat.members.includes(user.id)).sort((a, b) => b.id - a.id)
  return html`<aside class="sidebar" aria-label=${t('sandbox')} data-testid="sidebar">
    <div class="line head"><img width="30" src="/page/icon.svg" alt="" /><b class="brand">${t('sandbox')}</b></div>
    <button class="line side-row" data-testid="user-switch" title=${t('switchUser')} onClick=${openUserMenu}>
      ${avatar(name, user.id)}${twoLines(name, user.language_code?.toUpperCase())}${icon('chevron')}</button>
    <div class="line head"><h2 class="grow muted">${t('chats')}</h2>
      ${iconButton('plus', t('newGroup'), 'new-group', { onClick: openNewGroup })}</div>
    <nav class="chat-list" aria-label=${t('chats')}>${chats.map(chatRow)}</nav>
    <button class="line side-row" data-testid="faults-button" onClick=${openFaults}>${icon('bolt')}${t('faults')}</button>
  </aside>`
}

function chatRow(chat: Chat) {
  const { bot, user } = here()
  const title = chatTitle(chat, bot)
  return html`<button class="line side-row" key=${chat.id} data-testid="chat-${chat.id}" onClick=${() => openPlace(user.id, chat.id)}
    aria-current=${chat.id === state.chatId ? 'true' : undefined}>${avatar(title, chat.type === 'private' ? bot.id : chat.id)}
    ${twoLines(title, chat.last_message && summary(chat.last_message))}</button>`
}

type Click = On<Element, MouseEvent>

/** Switches the user: in a group of both, the group stays open. */
function openUserMenu(event: Click): void {
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

const nameField = (label: string, testid: string) =>
  html`<label class="column">${label}<input class="field" name="name" data-testid=${testid} autocomplete="off" required autofocus maxlength="64" /></label>`
const nameIn = (data: FormData) => String(data.get('name')).trim()

const check = (label: string, testid: string, others: object) =>
  html`<label class="line item"><input type="checkbox" data-testid=${testid} ...${others} />${label}</label>`

/** @param created undefined when the sandbox has refused, which has been shown */
async function showNew(created: { id: number } | undefined, userId = created?.id): Promise<boolean> {
  if (!created || userId === undefined) return false
  await readKnown()
  openPlace(userId, created.id)
  return true
}

async function openNewUser(): Promise<void> {
  const languages = (await act('GET /api/languages', undefined)) ?? []
  const content = () => html`${nameField(t('firstName'), 'user-name')}
    <label class="column">${t('language')}<select class="field" name="language" data-testid="user-language">
      ${languages.map(({ code, name }) => html`<option value=${code} selected=${code === currentLanguage()}>${name}</option>`)}
    </select></label>`
  const submit = async (data: FormData) => {
    const user = { first_name: nameIn(data), language_code: String(data.get('language')) }
    return showNew(await act('POST /api/users', user))
  }
  openForm({ title: t('newUser'), testid: 'user-dialog', label: t('create'), content, submit })
}

/** The sandbox takes the first member as the creator. */
function openNewGroup(): void {
  const others = state.users.filter(({ id }) => id !== state.userId)
  const member = (user: User) =>
    check(fullName(user), `group-member-${user.id}`, { name: 'member', value: user.id })
  const content = () => html`${nameField(t('title'), 'group-title')}
    <div>${others.map(member)}${check(t('withTopics'), 'group-forum', { name: 'forum' })}</div>`
  const submit = async (data: FormData) => {
    const members = [state.userId, ...data.getAll('member').map(Number)]
    const group = { title: nameIn(data), members, forum: data.has('forum') }
    return showNew(await act('POST /api/chats', group), state.userId)
  }
  openForm({ title: t('newGroup'), testid: 'group-dialog', label: t('create'), content, submit })
}

function openNewTopic(): void {
  const submit = async (data: FormData) => {
    const body = { from: state.userId, name: nameIn(data) }
    const created = await act('POST /api/chats/:chatId/topics', body)
    if (created) update({ topic: created.message_thread_id })
    return created
  }
  const content = () => nameField(t('title'), 'topic-name')
  openForm({ title: t('newTopic'), testid: 'topic-dialog', label: t('create'), content, submit })
}

/** The topics of a forum group as tabs. Each shows its own messages, and what the user writes goes into the open one. */
export function topics() {
  if (!here().chat.is_forum) return ''
  const tab = (id: number | undefined, name: string) =>
    html`<button class="topic" data-testid="topic-${id ?? 'general'}" aria-pressed=${id === state.topic}
      onClick=${() => update({ topic: id })}>${name}</button>`
  const opened = state.messages.map(({ message_thread_id: id, forum_topic_created: topic }) =>
    topic ? tab(id, topic.name) : '',
  )
  return html`<nav class="line topics" data-testid="topics" aria-label=${t('topics')}>${tab(undefined, t('generalTopic'))}${opened}
    <button class="topic" aria-label=${t('newTopic')} title=${t('newTopic')} data-testid="new-topic" onClick=${openNewTopic}>+</button>
  </nav>`
}

const later = { status: 429, description: 'Too Many Requests: retry after 3', retryAfter: 3 }

const faults: readonly (readonly [WordKey, NewFault])[] = [
  ['faultFailed', { target: 'gateway', operation: 'create', fault: { kind: 'task', status: 'failed' } }],
  ['faultStuck', { target: 'gateway', operation: 'create', fault: { kind: 'task', status: 'stuck' } }],
  ['faultGateway', { target: 'gateway', operation: '*', fault: { kind: 'error', status: 503 } }],
  ['faultGone', { target: 'gateway', operation: 'cdn', fault: { kind: 'error', status: 404 } }],
  ['faultAnswer', { target: 'gateway', operation: 'chat', fault: { kind: 'cut', after: true } }],
  ['faultVideo', { target: 'telegram', operation: 'sendVideo', fault: { kind: 'error', ...later } }],
  ['faultTwice', { target: 'telegram', operation: 'update', fault: { kind: 'twice' } }],
]

/** Each fault happens once. */
function openFaults(event: Click): void {
  const items = faults.map(([key, fault]) => ({
    label: t(key),
    sign: 'bolt' as const,
    testid: key,
    async onclick() {
      if (await act('POST /api/faults', fault)) toast(t('faultWaits', { fault: t(key) }))
    },
  }))
  openMenu(event, 'faults-menu', t('faults'), items)
}
