// Where a person writes: the growing input, replying and editing, commands, files and the keyboard of answers.

import { createPicker, openSendDialog } from './attachments.ts'
import { CommandPopup } from './command-popup.ts'
import { contextBar, createComposerView } from './composer-view.ts'
import { fill } from './dom.ts'
import { t } from './i18n.ts'
import { createReplyKeyboard, currentMarkup } from './reply-keyboard.ts'
import { splitText } from './split-text.ts'

const commandStart = /^\/[a-z0-9_]*$/i

export class Composer {
  /**
   * @param {object} actions
   * @param {(text: string, replyTo?: number, quote?: string) => Promise<void>} actions.send
   * @param {(file: object, caption: string | undefined, replyTo?: number) => Promise<void>} actions.sendFile
   * @param {(message: object, text: string) => Promise<void>} actions.edit
   * @param {() => object} actions.lastOwn
   * @param {() => Promise<any[]>} actions.commands
   * @param {() => void} actions.unsupportedButton
   * @param {Node | null} speaker who is writing, in a group
   */
  constructor(actions, speaker) {
    this.actions = actions
    /** At most one of these two is set. */
    this.replyTo = undefined
    this.editing = undefined
    const say = (text, replyTo) => void this.say(text, replyTo).catch(() => undefined)
    // In a group Telegram's apps answer the keyboard's message: a bot that sees only replies to itself gets it.
    const answer = (text, messageId) => say(text, speaker ? messageId : undefined)
    this.keyboard = createReplyKeyboard({ send: answer, unsupported: actions.unsupportedButton })
    this.picker = createPicker((files, kind) => this.files(files, kind))
    this.view = createComposerView(this, speaker)
    this.input = this.view.input
    this.element = this.view.element
    this.popup = new CommandPopup(this.input, {
      load: actions.commands,
      send: say,
      insert: (text) => this.setText(text),
    })
    this.element.prepend(this.popup.element)
    this.listen()
    this.setContext({})
  }

  listen() {
    this.input.addEventListener('input', () => this.typed())
    this.input.addEventListener('keydown', (event) => this.pressed(event))
    this.input.addEventListener('paste', (event) => {
      const pasted = [...(event.clipboardData?.files ?? [])]
      if (pasted.length === 0) return
      event.preventDefault()
      this.files(pasted)
    })
  }

  typed() {
    this.view.grow()
    this.popup.follow()
    if (this.input.value === '/') void this.popup.refresh()
  }

  pressed(event) {
    if (event.isComposing || this.popup.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void this.submit()
    }
    if (event.key === 'Escape' && (this.replyTo || this.editing)) this.leaveContext()
    if (event.key === 'ArrowUp' && this.input.value === '') this.editLast(event)
  }

  editLast(event) {
    const message = this.actions.lastOwn()
    if (!message) return
    event.preventDefault()
    this.edit(message)
  }

  async submit() {
    const { replyTo, quote, editing } = this
    const written = this.input.value
    const text = written.trim()
    if (!text) return
    this.setText('')
    this.popup.close()
    this.setContext({})
    try {
      if (editing) await this.actions.edit(editing, text)
      else for (const part of splitText(text)) await this.actions.send(part, replyTo?.message_id, quote)
    } catch {
      // The reason has been shown; what was written must not be lost.
      this.setText(written)
      this.setContext({ replyTo, quote, editing })
    }
  }

  /** Sends words that were not typed: a command of the list, an answer of the keyboard. */
  async say(text, replyTo) {
    if (commandStart.test(this.input.value)) this.setText('')
    await this.actions.send(text, this.takeReply() ?? replyTo)
  }

  files(list, kind) {
    openSendDialog(list, kind, (file, caption) => this.actions.sendFile(file, caption, this.takeReply()))
  }

  takeReply() {
    const id = this.replyTo?.message_id
    if (this.replyTo) this.setContext({})
    return id
  }

  setText(text) {
    this.input.value = text
    this.view.grow()
    this.focus()
  }

  setContext({ replyTo, quote, editing }) {
    this.replyTo = replyTo
    this.quote = quote
    this.editing = editing
    const message = replyTo ?? editing
    this.view.bar.hidden = !message
    this.input.placeholder = this.hint ?? t('message')
    if (message)
      fill(
        this.view.bar,
        contextBar({ message, isEdit: Boolean(editing), quote }, () => this.leaveContext()),
      )
  }

  leaveContext() {
    if (this.editing) this.setText('')
    this.setContext({})
  }

  reply(message, quote) {
    this.setContext({ replyTo: message, quote })
    this.focus()
  }

  edit(message) {
    this.setContext({ editing: message })
    this.setText(message.text ?? '')
  }

  focus() {
    this.input.focus({ preventScroll: true })
  }

  text() {
    return this.input.value
  }

  async refreshCommands() {
    this.view.commandsButton.hidden = (await this.popup.refresh()).length === 0
  }

  toggleCommands() {
    void this.popup.refresh()
    this.popup.toggle()
    this.focus()
  }

  /** Follows the chat: its keyboard of answers, or the reply that it asks for. */
  follow(messages, isOwn) {
    const current = currentMarkup(messages)
    const hint = this.keyboard.show(current)
    const asked = current?.markup.force_reply ? current.message : undefined
    const isAnswered = asked && messages.some((one) => one.message_id > asked.message_id && isOwn(one))
    this.hint = isAnswered ? undefined : hint
    this.input.placeholder = this.hint ?? t('message')
    if (!asked || isAnswered || this.forcedBy === asked.message_id) return
    this.forcedBy = asked.message_id
    this.reply(asked)
  }
}
