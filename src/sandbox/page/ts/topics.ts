// The topics of a forum group as tabs. Each shows its own messages, and what the user writes goes into the open one.

import { type Chat, ignoreRefusal, type Message } from './api.ts'
import { openDialog } from './dialog.ts'
import { fill, h, iconButton } from './dom.ts'
import { t } from './i18n.ts'

interface TopicActions {
  /** @returns the id of the new topic */
  create(name: string): Promise<number>
  /** Called when another topic was opened. */
  changed(): void
}

export interface Topics {
  readonly element: HTMLElement
  /** undefined for the general topic, and in a chat without topics */
  current(): number | undefined
  /** Whether a message belongs to the open topic. */
  shows(message: Message): boolean
  /** Reads the names of the topics from the messages that opened them. */
  learn(messages: Iterable<Message>): void
}

export function createTopics(chat: Chat, actions: TopicActions): Topics {
  const element = h('nav.topics', { testid: 'topics', label: t('topics'), hidden: !chat.is_forum })
  let names = new Map<number, string>()
  let open: number | undefined

  const choose = (id: number | undefined) => {
    open = id
    draw()
    actions.changed()
  }
  const tab = (id: number | undefined, name: string) =>
    h(
      'button.topic',
      { testid: `topic-${id ?? 'general'}`, 'aria-pressed': String(id === open), onclick: () => choose(id) },
      name,
    )
  const draw = () => {
    const create = async (name: string) => choose(await actions.create(name))
    fill(
      element,
      tab(undefined, t('generalTopic')),
      [...names].map(([id, name]) => tab(id, name)),
      iconButton('plus', t('newTopic'), 'new-topic', () => askName(create)),
    )
  }
  draw()

  return {
    element,
    current: () => open,
    shows: (message) =>
      !chat.is_forum || (message.is_topic_message ? message.message_thread_id : undefined) === open,
    learn(messages) {
      names = new Map()
      for (const { message_thread_id: id, forum_topic_created: topic } of messages) {
        if (id !== undefined && topic) names.set(id, topic.name)
      }
      draw()
    },
  }
}

function askName(create: (name: string) => Promise<void>): void {
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
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ignoreRefusal(create(name.value.trim()).then(() => dialog.close()))
  })
  const dialog = openDialog({ title: t('newTopic'), testid: 'topic-dialog', body: form })
  name.focus()
}
