// One user in one chat: reads the chat, listens to its events, and sends what the user does.

import { type Activity, createActivity } from './activity.ts'
import { api, type Bot, type Chat, ignoreRefusal, type Message, type User } from './api.ts'
import { Composer } from './composer.ts'
import { Conversation } from './conversation.ts'
import { alertDialog, toast } from './dialog.ts'
import { createDrafts, type Drafts } from './drafts.ts'
import { playEffect } from './effects.ts'
import { type EventHandlers, type Listening, listen, type Refusal } from './events.ts'
import { createHeader, type Header } from './header.ts'
import { t } from './i18n.ts'
import { reported } from './reported.ts'
import { type ActiveSession, type Content, composerActions, messageActions } from './session-actions.ts'
import { createSessionView, type SessionView } from './session-view.ts'
import { createTaps } from './taps.ts'
import { createTopics, type Topics } from './topics.ts'

interface SessionOptions {
  readonly user: User
  readonly chat: Chat
  readonly bot: Bot
  /** The button that shows who writes, in a group. */
  readonly speaker: HTMLElement | null
  openSidebar(): void
  openFaults(): void
  /** The messages of the chat have changed. */
  onActivity(): void
  onRefusal(refusal: Refusal): void
  onChatsChanged(): Promise<void>
}

export class Session implements ActiveSession {
  readonly element: HTMLElement
  readonly bot: Bot
  readonly taps = createTaps(() => toast(t('botNoAnswer')))
  readonly conversation: Conversation
  readonly composer: Composer
  private readonly options: SessionOptions
  private readonly user: User
  private readonly chat: Chat
  private readonly actions = messageActions(this)
  private readonly topics: Topics
  private readonly activity: Activity
  private readonly drafts: Drafts
  private readonly view: SessionView
  private readonly listening: Listening
  /** Every message of the chat by its id, also those of topics that are not open. */
  private known = new Map<number, Message>()

  constructor(options: SessionOptions) {
    const { chat, bot } = options
    this.options = options
    this.user = options.user
    this.chat = chat
    this.bot = bot
    this.topics = createTopics(chat, {
      create: (name) => this.createTopic(name),
      changed: () => this.showAll(),
    })
    const isOwn = (message: Message) => this.isOwn(message)
    this.conversation = new Conversation({
      actions: this.actions,
      isOwn,
      showsSenders: chat.type !== 'private',
    })
    this.composer = new Composer(composerActions(this), options.speaker)
    const header = this.createHeader()
    this.activity = createActivity(header.status, header.idleStatus)
    this.drafts = createDrafts(this.conversation.tail, this.actions, (id) => this.stopDraft(id))
    this.view = this.createView(header)
    this.element = this.view.element
    this.listening = listen(chat.id, this.handlers(), {
      lost: () => this.view.setLost(true),
      back: () => this.comeBack(),
    })
  }

  async open(): Promise<void> {
    await Promise.all([this.listening.tried.then(() => this.read()), this.composer.refreshCommands()])
    this.conversation.toBottom()
  }

  close(): void {
    this.listening.stop()
    this.activity.stop()
    this.drafts.clear()
    this.taps.clear()
    this.conversation.destroy()
  }

  isOwn(message: Message): boolean {
    return message.from?.id === this.user.id
  }

  async send(content: Content, replyTo?: number): Promise<void> {
    this.conversation.toBottom()
    const place = { from: this.user.id, reply_to: replyTo, thread_id: this.topics.current() }
    this.accept(await reported(api.send(this.chat.id, { ...place, ...content })))
  }

  start(payload: string): void {
    ignoreRefusal(this.send({ text: payload ? `/start ${payload}` : '/start' }))
  }

  async edit({ message_id }: Message, text: string): Promise<void> {
    await reported(api.edit(this.chat.id, { from: this.user.id, message_id, text }))
  }

  async tap({ message_id }: Message, data: string): Promise<string> {
    const tapped = await reported(api.tap(this.chat.id, { from: this.user.id, message_id, data }))
    if ('callback_query_id' in tapped) return tapped.callback_query_id
    throw new Error('a tap by its data gives a callback query')
  }

  async share(text: string, message_id: number): Promise<void> {
    await reported(api.tap(this.chat.id, { from: this.user.id, message_id, text }))
  }

  pay(what: { message_id: number } | { link: string }) {
    return api.pay(this.chat.id, { from: this.user.id, ...what })
  }

  commands() {
    const { id: user_id, language_code = '' } = this.user
    return api.commands({ chat_id: this.chat.id, user_id, language_code }).catch(() => [])
  }

  private createHeader(): Header {
    const { openSidebar, openFaults } = this.options
    return createHeader(this.chat, this.bot, {
      start: () => this.start(''),
      setBlocked: (isBlocked) => this.setBlocked(isBlocked),
      openSidebar,
      openFaults,
    })
  }

  private createView(header: Header): SessionView {
    return createSessionView({
      chat: this.chat,
      bot: this.bot,
      header: header.element,
      topics: this.topics.element,
      conversation: this.conversation.element,
      composer: this.composer.element,
      start: () => this.start(''),
      unblock: () => ignoreRefusal(this.setBlocked(false)),
      sendFiles: (files) => this.composer.files(files),
    })
  }

  private async read(): Promise<void> {
    const [messages, drafts] = await Promise.all([api.messages(this.chat.id), api.drafts(this.chat.id)])
    this.drafts.reset(drafts)
    this.known = new Map(messages.map((message) => [message.message_id, message]))
    this.showAll()
  }

  /** The connection is back: reads what was missed. */
  private comeBack(): void {
    this.view.setLost(false)
    this.taps.clear()
    ignoreRefusal(this.read())
    ignoreRefusal(this.composer.refreshCommands())
  }

  private showAll(): void {
    this.topics.learn(this.known.values())
    this.conversation.show([...this.known.values()].filter(this.topics.shows))
    this.follow()
  }

  /** Brings everything that depends on the messages up to date. */
  private follow(): void {
    const all = this.conversation.all()
    this.composer.follow(all, (message) => this.isOwn(message))
    this.view.follow(all.length === 0)
    this.options.onActivity()
  }

  private accept(message: Message): void {
    this.known.set(message.message_id, message)
    if (message.forum_topic_created) this.topics.learn(this.known.values())
    if (this.topics.shows(message)) this.conversation.upsert(message)
    this.follow()
  }

  /** A draft that ended by itself at this moment cannot be stopped, which the user need not know. */
  private stopDraft(draft_id: number): void {
    ignoreRefusal(api.stop(this.chat.id, { from: this.user.id, draft_id }))
  }

  private async setBlocked(blocked: boolean): Promise<void> {
    await reported(api.block(this.chat.id, { from: this.user.id, blocked }))
    this.chat.blocked = blocked
    this.follow()
    await this.options.onChatsChanged()
  }

  private async createTopic(name: string): Promise<number> {
    const { message_thread_id } = await reported(api.createTopic(this.chat.id, { from: this.user.id, name }))
    return message_thread_id
  }

  private handlers(): EventHandlers {
    return {
      message: (message) => this.received(message),
      edited: (message) => {
        if (this.known.has(message.message_id)) this.accept(message)
      },
      deleted: ({ message_ids }) => {
        for (const id of message_ids) this.known.delete(id)
        this.conversation.remove(message_ids)
        this.follow()
      },
      reaction: ({ message_id, reaction }) => this.conversation.react(message_id, reaction),
      action: ({ action }) => this.activity.show(action),
      draft: (draft) => {
        this.drafts.show(draft)
        this.conversation.settle()
      },
      draft_ended: ({ draft_id }) => this.drafts.end(draft_id),
      answer: ({ callback_query_id, text, show_alert, url }) => {
        this.taps.answered(callback_query_id)
        if (text && show_alert) alertDialog(text)
        else if (text) toast(text)
        if (url) this.actions.link(url, true)
      },
      error: (refusal) => this.options.onRefusal(refusal),
    }
  }

  private received(message: Message): void {
    const isNew = !this.known.has(message.message_id)
    if (!this.isOwn(message)) {
      this.activity.stop()
      this.drafts.clear()
    }
    this.accept(message)
    const row = this.conversation.rowOf(message.message_id)
    if (isNew && message.effect_id && row) playEffect(message.effect_id, row)
  }
}
