// One person in one chat: reads it, listens to it, and asks the sandbox for what the person does.

import { createAction } from './activity.ts'
import { ApiError, api } from './api.ts'
import { Composer } from './composer.ts'
import { Conversation } from './conversation.ts'
import { alertDialog, toast } from './dialog.ts'
import { createDrafts } from './drafts.ts'
import { playEffect } from './effects.ts'
import { listen } from './events.ts'
import { createHeader } from './header.ts'
import { t } from './i18n.ts'
import { composerActions, messageActions } from './session-actions.ts'
import { createSessionView } from './session-view.ts'
import { createTaps } from './taps.ts'
import { createTopics } from './topics.ts'

/** Shows a refusal of the sandbox and passes it on; anything else is our own fault and goes straight on. */
async function told(promise) {
  try {
    return await promise
  } catch (error) {
    if (error instanceof ApiError) toast(t('notDone', { reason: error.message }), 'error')
    throw error
  }
}

/** For acts whose refusal has been told and changes nothing else. */
export const quietly = (promise) =>
  void promise.catch((error) => {
    if (!(error instanceof ApiError)) throw error
  })

export class Session {
  /**
   * @param {{ user: object, chat: object, bot: object, speaker: Node | null, openSidebar(): void, openFaults(): void,
   *   onActivity(): void, onRefusal(refusal: object): void, onChatsChanged(): Promise<any> }} options
   */
  constructor(options) {
    this.options = options
    this.user = options.user
    this.chat = options.chat
    this.bot = options.bot
    this.known = new Map()
    this.isOwn = (message) => message.from?.id === this.user.id
    this.taps = createTaps(() => toast(t('botNoAnswer')))
    this.actions = messageActions(this)
    this.topics = createTopics(this.chat, {
      create: (name) => this.createTopic(name),
      changed: () => this.showAll(),
    })
    const showsSenders = this.chat.type !== 'private'
    this.conversation = new Conversation({ actions: this.actions, isOwn: this.isOwn, showsSenders })
    this.composer = new Composer(composerActions(this), options.speaker)
    const header = createHeader(options, {
      start: () => this.start(''),
      setBlocked: (blocked) => this.setBlocked(blocked),
    })
    this.action = createAction(header.status, header.quiet)
    this.drafts = createDrafts(this.conversation.tail, this.actions, (draft) => this.stopDraft(draft))
    this.view = createSessionView(this, header.element)
    this.element = this.view.element
    this.listening = listen(this.chat.id, {
      onEvent: (kind, data) => this[`on_${kind}`](data),
      onLost: () => this.view.setLost(true),
      onBack: () => this.comeBack(),
    })
  }

  async open() {
    await Promise.all([this.listening.tried.then(() => this.read()), this.composer.refreshCommands()])
    this.conversation.toBottom()
  }

  close() {
    this.listening.stop()
    this.action.stop()
    this.drafts.clear()
    this.taps.clear()
    this.conversation.destroy()
  }

  async read() {
    const [messages, drafts] = await Promise.all([api.messages(this.chat.id), api.drafts(this.chat.id)])
    this.drafts.reset(drafts)
    this.known = new Map(messages.map((message) => [message.message_id, message]))
    this.showAll()
  }

  comeBack() {
    this.view.setLost(false)
    this.taps.clear()
    quietly(this.read())
    quietly(this.composer.refreshCommands())
  }

  showAll() {
    const all = [...this.known.values()]
    this.topics.learn(all)
    this.conversation.show(all.filter(this.topics.shows))
    this.follow()
  }

  /** What follows from the messages that are now there. */
  follow() {
    const all = this.conversation.all()
    this.composer.follow(all, this.isOwn)
    this.view.follow(all.length === 0)
    this.options.onActivity()
  }

  accept(message) {
    this.known.set(message.message_id, message)
    if (message.forum_topic_created) this.topics.learn([...this.known.values()])
    if (this.topics.shows(message)) this.conversation.upsert(message)
    this.follow()
  }

  /** @param {Record<string, unknown>} content a text or a file */
  async send(content, replyTo) {
    this.conversation.toBottom()
    const place = { from: this.user.id, reply_to: replyTo, thread_id: this.topics.current() }
    this.accept(await told(api.send(this.chat.id, { ...place, ...content })))
  }

  start(payload) {
    quietly(this.send({ text: payload ? `/start ${payload}` : '/start' }))
  }

  async edit(message, text) {
    await told(api.edit(this.chat.id, { from: this.user.id, message_id: message.message_id, text }))
  }

  async tap(message, data) {
    const body = { from: this.user.id, message_id: message.message_id, data }
    const { callback_query_id } = await told(api.tap(this.chat.id, body))
    return callback_query_id
  }

  /** Pressed as the draft ended by itself, it has nothing to stop: that is no news to anyone. */
  stopDraft({ draft_id }) {
    quietly(api.stop(this.chat.id, { from: this.user.id, draft_id }))
  }

  pay(what) {
    return api.pay(this.chat.id, { from: this.user.id, ...what })
  }

  async setBlocked(blocked) {
    await told(api.block(this.chat.id, { from: this.user.id, blocked }))
    this.chat.blocked = blocked
    this.follow()
    await this.options.onChatsChanged()
  }

  async createTopic(name) {
    const { message_thread_id } = await told(api.createTopic(this.chat.id, { from: this.user.id, name }))
    return message_thread_id
  }

  commands() {
    const query = {
      chat_id: this.chat.id,
      user_id: this.user.id,
      language_code: this.user.language_code ?? '',
    }
    return api.commands(query).catch(() => [])
  }

  on_message(message) {
    const isNew = !this.known.has(message.message_id)
    if (!this.isOwn(message)) {
      this.action.stop()
      this.drafts.clear()
    }
    this.accept(message)
    if (isNew && message.effect_id) playEffect(message.effect_id, this.conversation.rowOf(message.message_id))
  }

  on_edited(message) {
    if (this.known.has(message.message_id)) this.accept(message)
  }

  on_deleted({ message_ids }) {
    for (const id of message_ids) this.known.delete(id)
    this.conversation.remove(message_ids)
    this.follow()
  }

  on_reaction({ message_id, reaction }) {
    this.conversation.react(message_id, reaction)
  }

  on_action({ action }) {
    this.action.show(action)
  }

  on_draft(draft) {
    this.drafts.show(draft)
    this.conversation.settle()
  }

  on_draft_ended({ draft_id }) {
    this.drafts.end(draft_id)
  }

  on_answer({ callback_query_id, text, show_alert, url }) {
    this.taps.answered(callback_query_id)
    if (text && show_alert) alertDialog(text)
    else if (text) toast(text)
    if (url) this.actions.link(url, true)
  }

  on_error(refusal) {
    this.options.onRefusal(refusal)
  }
}
