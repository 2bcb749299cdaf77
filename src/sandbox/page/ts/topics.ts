// The topics of a forum group, as tabs: each shows its own messages, and what is written goes into it.

import { openDialog } from './dialog.ts'
import { fill, h, iconButton } from './dom.ts'
import { t } from './i18n.ts'

/** @param {{ create(name: string): Promise<number>, changed(): void }} actions */
export function createTopics(chat, actions) {
  const element = h('nav.topics', { testid: 'topics', label: t('topics'), hidden: !chat.is_forum })
  let names = new Map()
  let open

  const choose = (id) => {
    open = id
    draw()
    actions.changed()
  }
  const tab = (id, name) =>
    h(
      'button.topic',
      { testid: `topic-${id ?? 'general'}`, 'aria-pressed': String(id === open), onclick: () => choose(id) },
      name,
    )
  const draw = () => {
    const add = iconButton('plus', t('newTopic'), 'new-topic', () => askName(actions.create, choose))
    fill(
      element,
      tab(undefined, t('generalTopic')),
      [...names].map(([id, name]) => tab(id, name)),
      add,
    )
  }
  draw()

  return {
    element,
    current: () => open,
    shows: (message) =>
      !chat.is_forum || (message.is_topic_message ? message.message_thread_id : undefined) === open,
    /** Names come from the messages that opened the topics. */
    learn(messages) {
      const created = messages.filter((message) => message.forum_topic_created)
      names = new Map(created.map((one) => [one.message_thread_id, one.forum_topic_created.name]))
      draw()
    },
  }
}

function askName(create, choose) {
  const name = h('input.field', {
    testid: 'topic-name',
    label: t('topicName'),
    maxlength: '128',
    required: true,
  })
  const form = h(
    'form.form',
    { testid: 'topic-form' },
    h('label', {}, t('topicName'), name),
    h('button.button.primary', { type: 'submit', testid: 'topic-create' }, t('create')),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    choose(await create(name.value.trim()))
    dialog.close()
  })
  const dialog = openDialog({ title: t('newTopic'), testid: 'topic-dialog', body: form })
  name.focus()
}
