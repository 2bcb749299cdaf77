// The dialogs that create users, groups and topics, and the tabs of the topics.

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { fullName, type On, request } from './api.ts'
import { currentLanguage, t } from './i18n.ts'
import { openPlace, readKnown } from './session.ts'
import { closeDialog, here, openDialog, state, told, update } from './state.ts'
import { dialog } from './windows.ts'

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

async function showNew<T extends { id: number }>(
  created: T | undefined,
  isUser: boolean,
): Promise<T | undefined> {
  if (!created) return undefined
  await readKnown()
  await openPlace(isUser ? created.id : state.userId, created.id)
  return created
}

export async function openNewUser(): Promise<void> {
  const languages = (await told(request('GET /api/languages'))) ?? []
  const option = ({ code, name }: { code: string; name: string }) =>
    html`<option value=${code} selected=${code === currentLanguage()}>${name}</option>`
  const name = { maxlength: 32, pattern: '[A-Za-z0-9_]{3,32}' }
  const fields = () => html`${field(t('firstName'), 'name', 'user-name', { ...first, maxlength: 64 })}
    ${field(`${t('username')} · ${t('optional')}`, 'username', 'user-username', name)}
    <label class="column">${t('language')}
      <select class="field" name="language" data-testid="user-language">${languages.map(option)}</select></label>`
  openForm(t('newUser'), 'user-dialog', fields, async (words) => {
    const username = words('username')
    const user = {
      first_name: words('name'),
      language_code: words('language'),
      ...(username && { username }),
    }
    return showNew(await told(request('POST /api/users', user)), true)
  })
}

/** The creator is always a member, and comes first, since the sandbox takes the first member as the creator. */
export function openNewGroup(): void {
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
    return showNew(await told(request('POST /api/chats', group)), false)
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
