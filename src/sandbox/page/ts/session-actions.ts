// What a press in a message and a word in the composer can do in this session.

import { copyText, toast } from './dialog.ts'
import { t } from './i18n.ts'
import { openPaymentDialog } from './invoice.ts'
import { followLink } from './links.ts'
import { openMessageMenu } from './message-menu.ts'
import { quietly } from './session.ts'

/** @param {import('./session.ts').Session} session */
export function messageActions(session) {
  const start = (payload) => session.start(payload)
  const payLink = (link) => {
    const invoice = { title: t('invoice'), description: link }
    openPaymentDialog({ invoice }, () => session.pay({ link }))
  }
  return {
    command: (text) => quietly(session.send({ text })),
    copy: (text) => void copyText(text),
    link: (url, disguised) => followLink(url, disguised, { bot: session.bot, start, payLink }),
    unsupportedButton: () => toast(t('unsupportedButton')),
    jumpTo(id) {
      if (session.conversation.find(id)) session.conversation.jumpTo(id)
      else toast(t('messageGone'))
    },
    messageMenu(message, at, selected) {
      openMessageMenu(message, at, { isOwn: session.isOwn(message), composer: session.composer, selected })
    },
    openPayment(message) {
      openPaymentDialog(message, () => session.pay({ message_id: message.message_id }))
    },
    tap(message, button, element) {
      quietly(session.taps.press(element, () => session.tap(message, button.callback_data)))
    },
  }
}

/** @param {import('./session.ts').Session} session */
export const composerActions = (session) => ({
  send: (text, replyTo, quote) => session.send({ text, quote }, replyTo),
  // The other files go on: one that is refused has said so.
  sendFile: (file, caption, replyTo) => session.send({ file, caption }, replyTo).catch(() => undefined),
  edit: (message, text) => session.edit(message, text),
  lastOwn: () => session.conversation.all().findLast((message) => session.isOwn(message) && message.text),
  commands: () => session.commands(),
  unsupportedButton: session.actions.unsupportedButton,
})
