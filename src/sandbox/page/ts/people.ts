// The dialogs that create users and groups.

import { ApiError, api, type User } from './api.ts'
import { openDialog, toast } from './dialog.ts'
import { type Child, h } from './dom.ts'
import { language, t } from './i18n.ts'
import { fullName } from './quote.ts'

interface FormOptions {
  readonly title: string
  readonly testid: string
  readonly fields: Child
  /** The element that gets the focus. */
  readonly first: HTMLElement
  submit(): Promise<void>
}

/** A form in a dialog. The dialog closes when `submit` succeeds, and shows the reason when the sandbox refuses. */
function formDialog({ title, testid, fields, submit, first }: FormOptions): void {
  const form = h(
    'form.form',
    { testid: `${testid}-form` },
    fields,
    h('button.button.primary', { type: 'submit', testid: `${testid}-create` }, t('create')),
  )
  const dialog = openDialog({ title, testid, body: form })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    try {
      await submit()
      dialog.close()
    } catch (error) {
      showRefusal(error)
    }
  })
  first.focus()
}

function showRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
  toast(error.message, 'error')
}

const field = (label: string, input: HTMLElement, note?: string) =>
  h('label', {}, h('span', {}, label, note && h('small', {}, ` · ${note}`)), input)

export async function openNewUser(onCreated: (user: User) => Promise<void>): Promise<void> {
  const offered = await api.languages().catch(showRefusal)
  if (!offered) return
  const name = h('input.field', { testid: 'user-name', required: true, maxlength: '64', autocomplete: 'off' })
  const username = h('input.field', { testid: 'user-username', maxlength: '32', autocomplete: 'off' })
  username.pattern = '[A-Za-z0-9_]{3,32}'
  const languages = h(
    'select.field',
    { testid: 'user-language' },
    offered.map(({ code, name }) => h('option', { value: code, selected: code === language() }, name)),
  )
  formDialog({
    title: t('newUser'),
    testid: 'user-dialog',
    first: name,
    fields: [
      field(t('firstName'), name),
      field(t('username'), username, t('optional')),
      field(t('language'), languages),
    ],
    async submit() {
      const user = { first_name: name.value.trim(), language_code: languages.value }
      await onCreated(await api.createUser(username.value ? { ...user, username: username.value } : user))
    },
  })
}

/** @param me the user who creates the group and is always a member */
export function openNewGroup(
  users: readonly User[],
  me: User,
  onCreated: (group: { readonly id: number }) => Promise<void>,
): void {
  const title = h('input.field', {
    testid: 'group-title',
    required: true,
    maxlength: '128',
    autocomplete: 'off',
  })
  const forum = h('input', { type: 'checkbox', testid: 'group-forum' })
  const members = users.map((user) => {
    const isMe = user.id === me.id
    const testid = `group-member-${user.id}`
    const input = h('input', { type: 'checkbox', testid, value: user.id, checked: isMe, disabled: isMe })
    return { user, input }
  })
  const rows = members.map(({ user, input }) => h('label.check', {}, input, fullName(user)))
  formDialog({
    title: t('newGroup'),
    testid: 'group-dialog',
    first: title,
    fields: [
      field(t('groupTitle'), title),
      h('fieldset', {}, h('legend', {}, t('groupMembers')), rows),
      h('label.check', {}, forum, t('withTopics')),
    ],
    async submit() {
      // The creator comes first, since the sandbox takes the first member as the creator.
      const others = members.filter(({ user, input }) => input.checked && user.id !== me.id)
      const ids = [me.id, ...others.map(({ user }) => user.id)]
      await onCreated(
        await api.createGroup({ title: title.value.trim(), members: ids, forum: forum.checked }),
      )
    },
  })
}
