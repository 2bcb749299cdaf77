// New users and new groups.

import { ApiError, api } from './api.ts'
import { openDialog, toast } from './dialog.ts'
import { h } from './dom.ts'
import { language, t } from './i18n.ts'
import { fullName } from './quote.ts'

/** A form in a dialog: it closes when `submit` has succeeded and stays with the reason when it was refused. */
function formDialog({ title, testid, fields, submit, first }) {
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
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'error')
    }
  })
  first.focus()
}

const field = (label, input, note) =>
  h('label', {}, h('span', {}, label, note && h('small', {}, ` · ${note}`)), input)

/** @param {(user: object) => Promise<void>} onCreated */
export function openNewUser(onCreated) {
  const name = h('input.field', { testid: 'user-name', required: true, maxlength: '64', autocomplete: 'off' })
  const username = h('input.field', { testid: 'user-username', maxlength: '32', autocomplete: 'off' })
  username.pattern = '[A-Za-z0-9_]{3,32}'
  const languages = h(
    'select.field',
    { testid: 'user-language' },
    h('option', { value: 'ru', selected: language() === 'ru' }, 'Русский'),
    h('option', { value: 'en', selected: language() === 'en' }, 'English'),
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

/** @param {object[]} users @param {object} me always a member @param {(chat: object) => Promise<void>} onCreated */
export function openNewGroup(users, me, onCreated) {
  const title = h('input.field', {
    testid: 'group-title',
    required: true,
    maxlength: '128',
    autocomplete: 'off',
  })
  const forum = h('input', { type: 'checkbox', testid: 'group-forum' })
  const members = users.map((user) => {
    const isMe = user.id === me.id
    const input = h('input', { type: 'checkbox', value: user.id, checked: isMe, disabled: isMe })
    input.dataset.testid = `group-member-${user.id}`
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
      // The bot takes the first member for the creator.
      const others = members.filter(({ user, input }) => input.checked && user.id !== me.id)
      const ids = [me.id, ...others.map(({ user }) => user.id)]
      await onCreated(
        await api.createGroup({ title: title.value.trim(), members: ids, forum: forum.checked }),
      )
    },
  })
}
