// The left side: the open user, that user's chats, and the dialogs that it opens: new users and groups, and "Make it fail", ready-made faults that
// show how the bot deals with them. The topics of a group are tabs above its messages.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  type Chat,
  chatTitle,
  fullName,
  type NewFault,
  type On,
  request,
  type ScriptedFault,
  type User,
} from './api.ts'
import { twoLines } from './content.ts'
import { currentLanguage, plural, t, type WordKey } from './i18n.ts'
import { avatar, icon, iconButton } from './icons.ts'
import { summary } from './messages.ts'
import { openPlace, readKnown } from './session.ts'
import { closeDialog, here, openDialog, openMenu, state, told, update } from './state.ts'
import { action, dialog } from './windows.ts'

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

/** @returns undefined when the sandbox has refused, which has been shown */
type Submit = (words: (name: string) => string, data: FormData) => Promise<unknown>

/** Opens a form in a dialog, which closes when `submit` succeeds. */
function openForm(title: string, testid: string, fields: () => ComponentChildren, submit: Submit): void {
  const onSubmit = async (event: On<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    if ((await submit((name) => String(data.get(name) ?? '').trim(), data)) !== undefined) closeDialog()
  }
  const form = () => html`<form class="column" data-testid="${testid}-form" onSubmit=${onSubmit}>${fields()}
    <button class="button primary" type="submit" data-testid="${testid}-create">${t('create')}</button></form>`
  openDialog(() => dialog(title, testid, form()))
}

const field = (label: string, name: string, testid: string, others: object): VNode =>
  html`<label class="column">${label}<input class="field" name=${name} data-testid=${testid} autocomplete="off" ...${others} /></label>`
const first = { required: true, autofocus: true }
const check = (label: string, name: string, testid: string, others: object = {}): VNode =>
  html`<label class="line item"><input type="checkbox" name=${name} data-testid=${testid} ...${others} />${label}</label>`

async function showNew(created: { id: number } | undefined, userId = created?.id) {
  if (!created || userId === undefined) return undefined
  await readKnown()
  await openPlace(userId, created.id)
  return created
}

async function openNewUser(): Promise<void> {
  const languages = (await told(request('GET /api/languages'))) ?? []
  const option = ({ code, name }: { code: string; name: string }) =>
    html`<option value=${code} selected=${code === currentLanguage()}>${name}</option>`
  const name = { maxlength: 32, pattern: '[A-Za-z0-9_]{3,32}' }
  const fields = () => html`${field(t('firstName'), 'name', 'user-name', { ...first, maxlength: 64 })}
    ${field(t('username'), 'username', 'user-username', name)}
    <label class="column">${t('language')}
      <select class="field" name="language" data-testid="user-language">${languages.map(option)}</select></label>`
  openForm(t('newUser'), 'user-dialog', fields, async (words) => {
    const username = words('username') || undefined
    const user = { first_name: words('name'), language_code: words('language'), username }
    return showNew(await told(request('POST /api/users', user)))
  })
}

/** The creator is always a member, and comes first, since the sandbox takes the first member as the creator. */
function openNewGroup(): void {
  const rows = () =>
    state.users.map((user) => {
      const isMe = user.id === state.userId
      const others = { value: user.id, checked: isMe, disabled: isMe }
      return check(fullName(user), 'member', `group-member-${user.id}`, others)
    })
  const fields = () => html`${field(t('groupTitle'), 'title', 'group-title', { ...first, maxlength: 128 })}
    <fieldset><legend>${t('groupMembers')}</legend>${rows()}</fieldset>${check(t('withTopics'), 'forum', 'group-forum')}`
  openForm(t('newGroup'), 'group-dialog', fields, async (words, data) => {
    const members = [state.userId, ...data.getAll('member').map(Number)]
    const group = { title: words('title'), members, forum: data.has('forum') }
    return showNew(await told(request('POST /api/chats', group)), state.userId)
  })
}

function openNewTopic(): void {
  const fields = () => field(t('topicName'), 'name', 'topic-name', { ...first, maxlength: 128 })
  openForm(t('newTopic'), 'topic-dialog', fields, async (words) => {
    const body = { from: state.userId, name: words('name') }
    const created = await told(request('POST /api/chats/:chatId/topics', body, state.chatId))
    if (created) update({ topic: created.message_thread_id })
    return created
  })
}

/** The topics of a forum group as tabs. Each shows its own messages, and what the user writes goes into the open one. */
export function topics() {
  if (!here().chat.is_forum) return ''
  const tab = (id: number | undefined, name: string) =>
    html`<button class="topic" data-testid="topic-${id ?? 'general'}" aria-pressed=${id === state.topic}
      onClick=${() => update({ topic: id })}>${name}</button>`
  const opened = [...state.messages.values()].map(({ message_thread_id: id, forum_topic_created: topic }) =>
    topic ? tab(id, topic.name) : '',
  )
  return html`<nav class="line topics" data-testid="topics" aria-label=${t('topics')}>${tab(undefined, t('generalTopic'))}${opened}
    <button class="topic" aria-label=${t('newTopic')} title=${t('newTopic')} data-testid="new-topic" onClick=${openNewTopic}>+</button>
  </nav>`
}

type Fault = NewFault['fault']

const later = { description: 'Too Many Requests: retry after 3', retryAfter: 3 }
const gateway = (operation: string, fault: Fault): NewFault => ({ target: 'gateway', operation, fault })
const telegram = (operation: string, fault: Fault): NewFault => ({ target: 'telegram', operation, fault })

const presets: readonly (readonly [WordKey, NewFault])[] = [
  ['faultFailed', gateway('create', { kind: 'task', status: 'failed', error: 'The generation failed' })],
  ['faultCanceled', gateway('create', { kind: 'task', status: 'canceled' })],
  ['faultStuck', gateway('create', { kind: 'task', status: 'stuck' })],
  ['faultGateway', gateway('*', { kind: 'error', status: 503 })],
  ['faultGone', gateway('cdn', { kind: 'error', status: 404 })],
  ['faultVideo', telegram('sendVideo', { kind: 'error', status: 429, ...later })],
  ['faultAnswer', gateway('chat', { kind: 'cut', after: true })],
  ['faultTwice', telegram('update', { kind: 'twice' })],
]

const openFaults = () => openDialog(() => html`<${Faults} />`)

function Faults() {
  const [faults, setFaults] = useState<readonly ScriptedFault[]>([])
  const show = async (answer: Promise<readonly ScriptedFault[]>) => setFaults((await told(answer)) ?? faults)
  useEffect(() => void show(request('GET /api/faults')), [])
  const button = ([label, fault]: readonly [WordKey, NewFault]) => {
    const add = () => show(request('POST /api/faults', fault))
    return html`<button class="line item" data-testid=${label} onClick=${add}>${icon('bolt')}${t(label)}</button>`
  }
  const clear = () => show(request('DELETE /api/faults'))
  const content = html`<p class="muted">${t('faultText')}</p><div>${presets.map(button)}</div>
    <h3>${t('faultList')}</h3>
    <ul data-testid="fault-list">${faults.length === 0 && html`<li class="muted">${t('faultClear')}</li>`}
      ${faults.map((one) => html`<li data-testid="fault">${nameOf(one)} <span class="muted">× ${one.times}</span></li>`)}</ul>`
  return dialog(t('faults'), 'faults-dialog', content, action(t('clearFaults'), 'faults-clear', clear))
}

const signOf = ({ target, operation, fault }: NewFault) =>
  `${target} ${operation} ${fault.kind} ${'status' in fault ? (fault.status ?? '') : ''}`

function nameOf(fault: NewFault): string {
  const [label] = presets.find(([, one]) => signOf(one) === signOf(fault)) ?? []
  return label ? t(label) : signOf(fault)
}
