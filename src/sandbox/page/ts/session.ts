// The session of one user in one chat: reads the chat, listens to its events, and sends what the user does.

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
import type { MenuPlace } from './menu.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createRequests, type Requests } from './requests.ts'
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
  /** Called when the messages of the chat have changed. */
  onActivity(): void
  onRefusal(refusal: Refusal): void
  /** Called when something has happened outside the open chat. */
  onElsewhere(): void
  onChatsChanged(): Promise<void>
  /** Lets the user choose another chat, and types this text there. */
  typeElsewhere(text: string, at: MenuPlace): void
}

export class Session implements ActiveSession {
  readonly element: HTMLElement
  readonly bot: Bot
  readonly taps = createTaps(() => toast(t('botNoAnswer')))
  readonly requests: Requests
  readonly conversation: Conversation
  readonly composer: Composer
  private readonly options: SessionOptions
  private readonly user: User
  private readonly chat: Chat
  private readonly actions = messageActions(this)
  private readonly topics: Topics
  private readonly activity: Activity
  private readonly drafts: Drafts
  private readonly outbox: Outbox
  private readonly view: SessionView
  private readonly listening: Listening
  /** Every message of the chat by its id, also those of topics that are not open. */
  private known = new Map<number, Message>()
  /** The latest reading of the chat; it never fails. */
  private reading: Promise<unknown> = Promise.resolve()

  constructor(options: SessionOptions) {
    const { chat, bot } = options
    this.options = options
    this.user = options.user
    this.chat = chat
    this.bot = bot
    this.requests = createRequests(chat, options.user)
    this.topics = createTopics(chat, {
      create: (name) => this.requests.createTopic(name),
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
    this.drafts = createDrafts(this.conversation.tail, this.actions, (id) =>
      ignoreRefusal(this.requests.stopDraft(id)),
    )
    this.outbox = createOutbox(`${this.user.id}/${chat.id}`, async (message) =>
      this.accept(await this.requests.send(message)),
    )
    this.conversation.tail.append(this.outbox.element)
    this.view = this.createView(header)
    this.element = this.view.element
    this.listening = listen(chat.id, this.user.id, this.handlers(), {
      read: () => this.reading,
      lost: () => this.view.setLost(true),
      back: () => this.comeBack(),
    })
  }

  async open(): Promise<void> {
    await Promise.all([this.listening.tried.then(() => this.read()), this.composer.refreshCommands()])
    this.conversation.toBottom()
    ignoreRefusal(this.outbox.flush())
  }

  close(): void {
    this.listening.stop()
    this.outbox.stop()
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
    await this.outbox.send({ ...content, reply_to: replyTo, thread_id: this.topics.current() })
    this.conversation.toBottom()
  }

  async chooseInline(query_id: string, result_id: string, reply_to: number | undefined): Promise<void> {
    const thread_id = this.topics.current()
    this.accept(await this.requests.chooseInline({ query_id, result_id, reply_to, thread_id }))
    this.conversation.toBottom()
  }

  start(payload: string): void {
    ignoreRefusal(this.send({ text: payload ? `/start ${payload}` : '/start' }))
  }

  typeElsewhere(text: string, at: MenuPlace): void {
    this.options.typeElsewhere(text, at)
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

  private read(): Promise<void> {
    const read = this.readAll()
    this.reading = read.catch(() => {})
    return read
  }

  private async readAll(): Promise<void> {
    const [messages, drafts] = await Promise.all([api.messages(this.chat.id), api.drafts(this.chat.id)])
    this.drafts.reset(drafts)
    this.known = new Map(messages.map((message) => [message.message_id, message]))
    this.showAll()
  }

  /** Reads what was missed while the connection was lost. */
  private comeBack(): void {
    this.view.setLost(false)
    this.taps.clear()
    ignoreRefusal(this.read().then(this.outbox.flush))
    ignoreRefusal(this.composer.refreshCommands())
  }

  private showAll(): void {
    this.topics.learn(this.known.values())
    this.conversation.show([...this.known.values()].filter(this.topics.shows))
    this.follow()
  }

  /** Updates everything that depends on the messages. */
  private follow(): void {
    const all = this.conversation.all()
    this.composer.follow(all, this.user)
    this.view.follow(all.length === 0)
    this.options.onActivity()
  }

  private accept(message: Message): void {
    this.known.set(message.message_id, message)
    if (message.forum_topic_created) this.topics.learn(this.known.values())
    if (this.topics.shows(message)) this.conversation.upsert(message)
    this.follow()
  }

  private async setBlocked(blocked: boolean): Promise<void> {
    await this.requests.setBlocked(blocked)
    this.chat.blocked = blocked
    this.follow()
    await this.options.onChatsChanged()
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
      people: () => this.options.onElsewhere(),
      elsewhere: () => this.options.onElsewhere(),
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
