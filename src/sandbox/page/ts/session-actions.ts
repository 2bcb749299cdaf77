// The actions that a click in a message and the composer can trigger in a session.

import { type Bot, type FileToSend, ignoreRefusal, type Message } from './api.ts'
import type { Composer, ComposerActions } from './composer.ts'
import type { MessageActions } from './context.ts'
import type { Conversation } from './conversation.ts'
import { copyText, toast } from './dialog.ts'
import { t } from './i18n.ts'
import { openPaymentDialog } from './invoice.ts'
import { followLink } from './links.ts'
import type { MenuPlace } from './menu.ts'
import { openMessageMenu } from './message-menu.ts'
import type { Requests } from './requests.ts'
import type { Taps } from './taps.ts'

export interface Content {
  readonly text?: string
  readonly file?: FileToSend
  readonly caption?: string | undefined
  readonly album?: string | undefined
  /** A part of the message that is answered. */
  readonly quote?: string | undefined
}

/** The part of a session that the actions use. */
export interface ActiveSession {
  readonly bot: Bot
  readonly requests: Requests
  readonly conversation: Conversation
  readonly composer: Composer
  readonly taps: Taps
  isOwn(message: Message): boolean
  send(content: Content, replyTo?: number): Promise<void>
  start(payload: string): void
  chooseInline: ComposerActions['chooseInline']
  typeElsewhere(text: string, at: MenuPlace): void
}

export function messageActions(session: ActiveSession): MessageActions {
  const start = (payload: string) => session.start(payload)
  return {
    command: (text) => ignoreRefusal(session.send({ text })),
    copy: (text) => void copyText(text),
    link: (url, disguised) => followLink(url, disguised, { bot: session.bot, start }),
    unsupportedButton: () => toast(t('unsupportedButton')),
    jumpTo(id) {
      if (session.conversation.find(id)) session.conversation.jumpTo(id)
      else toast(t('messageGone'))
    },
    messageMenu(message, at, selected) {
      const { composer } = session
      openMessageMenu(message, at, {
        isOwn: session.isOwn(message),
        selected,
        reply: (one, quote) => composer.reply(one, quote),
        edit: (one) => composer.edit(one),
        remove: (one) => ignoreRefusal(session.requests.deleteMessage(one)),
      })
    },
    openPayment(message) {
      const { invoice } = message
      if (!invoice) return
      const pay = () => session.requests.pay({ message_id: message.message_id })
      openPaymentDialog({ title: invoice.title, description: invoice.description, price: invoice }, pay)
    },
    typeQuery(query, isHere, element) {
      const text = `@${session.bot.username} ${query}`
      if (isHere) session.composer.setText(text)
      else session.typeElsewhere(text, element)
    },
    tap(message, data, element) {
      ignoreRefusal(session.taps.press(element, () => session.requests.tap(message, data)))
    },
  }
}

export const composerActions = (session: ActiveSession): ComposerActions => ({
  send: (text, replyTo, quote) => session.send({ text, quote }, replyTo),
  // The refusal of a file has been shown; the files after it are still sent.
  sendFile: (file, { caption, album, replyTo }) =>
    session.send({ file, caption, album }, replyTo).catch(() => undefined),
  edit: (message, text) => session.requests.edit(message, text),
  share: (label, messageId) => ignoreRefusal(session.requests.share(label, messageId)),
  lastOwn: () => session.conversation.all().findLast((one) => session.isOwn(one) && one.text),
  commands: () => session.requests.commands(),
  inline: {
    username: session.bot.username,
    ask: (query, offset) => session.requests.askInline(query, offset),
    start: (payload) => session.start(payload),
  },
  chooseInline: (queryId, resultId, replyTo) => session.chooseInline(queryId, resultId, replyTo),
  unsupportedButton: () => toast(t('unsupportedButton')),
})
