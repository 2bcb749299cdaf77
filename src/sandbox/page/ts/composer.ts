// The composer: the growing input, replies and edits, commands, files, and the reply keyboard.

import type { BotCommand, FileToSend, Message, User } from './api.ts'
import { createPicker, openSendDialog } from './attachments.ts'
import { CommandPopup } from './command-popup.ts'
import { type ComposerView, contextBar, createComposerView } from './composer-view.ts'
import { fill } from './dom.ts'
import type { FileKind } from './file-to-send.ts'
import { t } from './i18n.ts'
import { type InlineActions, InlinePanel } from './inline-panel.ts'
import { createReplyKeyboard, currentMarkup, type ReplyKeyboardView } from './reply-keyboard.ts'
import { splitText } from './split-text.ts'

interface FileOptions {
  readonly caption: string | undefined
  /** The id of the file's album, the same for all its files. */
  readonly album: string | undefined
  readonly replyTo: number | undefined
}

/** Each method rejects only after the user has seen the reason. */
export interface ComposerActions {
  /** @param quote a part of the message that is answered */
  send(text: string, replyTo: number | undefined, quote?: string): Promise<void>
  sendFile(file: FileToSend, options: FileOptions): Promise<void>
  edit(message: Message, text: string): Promise<void>
  /** Sends the user's contact or a place, as the button with this label asks. */
  share(label: string, messageId: number): void
  /** The newest text message of the user. */
  lastOwn(): Message | undefined
  commands(): Promise<readonly BotCommand[]>
  readonly inline: Omit<InlineActions, 'choose'>
  /** Sends the chosen result of an inline query. */
  chooseInline(queryId: string, resultId: string, replyTo: number | undefined): Promise<void>
  unsupportedButton(): void
}

/** The message that is being answered or edited. */
type Context =
  | { readonly kind: 'reply'; readonly message: Message; readonly quote?: string | undefined }
  | { readonly kind: 'edit'; readonly message: Message }

const unfinishedCommand = /^\/[a-z0-9_]*$/i

export class Composer {
  readonly element: HTMLElement
  private readonly actions: ComposerActions
  private readonly view: ComposerView
  private readonly input: HTMLTextAreaElement
  private readonly popup: CommandPopup
  private readonly inline: InlinePanel
  private readonly keyboard: ReplyKeyboardView
  private context: Context | undefined
  /** The placeholder that the reply keyboard wants. */
  private hint: string | undefined
  /** The message that last forced a reply. */
  private forcedBy: number | undefined

  /** @param speaker the button that shows who writes, in a group */
  constructor(actions: ComposerActions, speaker: HTMLElement | null) {
    this.actions = actions
    // In a group, Telegram's apps send the text as a reply to the keyboard's message, so that a bot which receives only replies to itself
    // receives it.
    const answer = (text: string, messageId: number) => this.say(text, speaker ? messageId : undefined)
    const { share, unsupportedButton: unsupported } = actions
    this.keyboard = createReplyKeyboard({ send: answer, share, unsupported })
    const picker = createPicker((files, kind) => this.files(files, kind))
    this.view = createComposerView({
      speaker,
      keyboardToggle: this.keyboard.toggle,
      below: [this.keyboard.element, picker.element],
      submit: () => void this.submit(),
      toggleCommands: () => this.toggleCommands(),
      pick: picker.pick,
    })
    this.input = this.view.input
    this.element = this.view.element
    this.popup = new CommandPopup(this.input, {
      load: actions.commands,
      send: (text) => this.say(text),
      insert: (text) => this.setText(text),
    })
    this.inline = new InlinePanel({
      ...actions.inline,
      choose: ({ query_id }, { id }) => void this.choose(query_id, id),
    })
    this.element.prepend(this.popup.element, this.inline.element)
    this.listen()
    this.setContext(undefined)
  }

  text(): string {
    return this.input.value
  }

  setText(text: string): void {
    this.input.value = text
    this.view.grow()
    this.inline.follow(text)
    this.focus()
  }

  focus(): void {
    this.input.focus({ preventScroll: true })
  }

  reply(message: Message, quote?: string): void {
    this.setContext({ kind: 'reply', message, quote })
    this.focus()
  }

  edit(message: Message): void {
    this.setContext({ kind: 'edit', message })
    this.setText(message.text ?? '')
  }

  /** @param kind the kind chosen by the user; undefined takes it from each file */
  files(list: readonly File[], kind?: FileKind): void {
    openSendDialog(list, kind, (file, caption, album) =>
      this.actions.sendFile(file, { caption, album, replyTo: this.takeReply() }),
    )
  }

  async refreshCommands(): Promise<void> {
    this.view.commandsButton.hidden = (await this.popup.refresh()).length === 0
  }

  /** Updates the composer for the messages of the chat: the reply keyboard, or the reply that the bot forces. */
  follow(messages: readonly Message[], reader: User): void {
    const current = currentMarkup(messages, reader)
    const isOwn = ({ from }: Message) => from?.id === reader.id
    const hint = this.keyboard.show(current)
    const asked = current && 'force_reply' in current.markup ? current.message : undefined
    const isAnswered = asked && messages.some((one) => one.message_id > asked.message_id && isOwn(one))
    this.hint = isAnswered ? undefined : hint
    this.input.placeholder = this.hint ?? t('message')
    if (!asked || isAnswered || this.forcedBy === asked.message_id) return
    this.forcedBy = asked.message_id
    this.reply(asked)
  }

  private listen(): void {
    this.input.addEventListener('input', () => this.typed())
    this.input.addEventListener('keydown', (event) => this.pressed(event))
    this.input.addEventListener('paste', (event) => {
      const pasted = [...(event.clipboardData?.files ?? [])]
      if (pasted.length === 0) return
      event.preventDefault()
      this.files(pasted)
    })
  }

  private typed(): void {
    this.view.grow()
    this.popup.follow()
    this.inline.follow(this.input.value)
    if (this.input.value === '/') void this.popup.refresh()
  }

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing || this.popup.onKey(event) || this.inline.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void this.submit()
    }
    if (event.key === 'Escape' && this.context) this.leaveContext()
    if (event.key === 'ArrowUp' && this.input.value === '') this.editLast(event)
  }

  private editLast(event: KeyboardEvent): void {
    const message = this.actions.lastOwn()
    if (!message) return
    event.preventDefault()
    this.edit(message)
  }

  private async submit(): Promise<void> {
    const { context } = this
    const written = this.input.value
    const text = written.trim()
    if (!text) return
    this.setText('')
    this.popup.close()
    this.setContext(undefined)
    try {
      if (context?.kind === 'edit') await this.actions.edit(context.message, text)
      else await this.sendParts(text, context)
    } catch {
      // The user has seen the reason. The written text must not be lost.
      this.setText(written)
      this.setContext(context)
    }
  }

  private async sendParts(text: string, reply: Extract<Context, { kind: 'reply' }> | undefined) {
    for (const part of splitText(text)) {
      await this.actions.send(part, reply?.message.message_id, reply?.quote)
    }
  }

  private async choose(queryId: string, resultId: string): Promise<void> {
    const written = this.input.value
    this.setText('')
    await this.actions.chooseInline(queryId, resultId, this.takeReply()).catch(() => this.setText(written))
  }

  /** Sends a text that was not typed: a command from the list, or a key of the reply keyboard. */
  private say(text: string, replyTo?: number): void {
    if (unfinishedCommand.test(this.input.value)) this.setText('')
    this.actions.send(text, this.takeReply() ?? replyTo).catch(() => undefined)
  }

  /** Returns the id of the message that is being answered, and ends the reply: only the next message is a reply. */
  private takeReply(): number | undefined {
    if (this.context?.kind !== 'reply') return undefined
    const { message_id } = this.context.message
    this.setContext(undefined)
    return message_id
  }

  private setContext(context: Context | undefined): void {
    this.context = context
    this.view.bar.hidden = !context
    this.input.placeholder = this.hint ?? t('message')
    if (!context) return
    const quote = context.kind === 'reply' ? context.quote : undefined
    const content = { message: context.message, isEdit: context.kind === 'edit', quote }
    fill(
      this.view.bar,
      contextBar(content, () => this.leaveContext()),
    )
  }

  private leaveContext(): void {
    if (this.context?.kind === 'edit') this.setText('')
    this.setContext(undefined)
  }

  private toggleCommands(): void {
    void this.popup.refresh()
    this.popup.toggle()
    this.focus()
  }
}
