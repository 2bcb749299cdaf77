// The requests of one user in one chat to the sandbox. A refusal is shown to the user before the request rejects.

import {
  api,
  type Chat,
  type InlineAnswer,
  type Message,
  type PaymentResult,
  type SentMessage,
  type User,
} from './api.ts'
import { reported } from './reported.ts'

export interface Requests {
  /** Shows no refusal: see outbox.ts. */
  send(message: Omit<SentMessage, 'from'>): Promise<Message>
  edit(message: Message, text: string): Promise<void>
  deleteMessage(message: Message): Promise<void>
  /** @returns the id of the callback query */
  tap(message: Message, data: string): Promise<string>
  /** Presses a button of the reply keyboard that asks for a contact or a place. */
  share(label: string, messageId: number): Promise<void>
  pay(invoice: { message_id: number }): Promise<PaymentResult>
  stopDraft(draftId: number): Promise<void>
  setBlocked(blocked: boolean): Promise<void>
  /** @returns the id of the topic */
  createTopic(name: string): Promise<number>
  commands(): ReturnType<typeof api.commands>
  /** Shows no refusal: the panel does. */
  askInline(query: string, offset: string): Promise<InlineAnswer>
  /** Sends the chosen result of an inline query. */
  chooseInline(choice: InlineChoice): Promise<Message>
}

interface InlineChoice {
  readonly query_id: string
  readonly result_id: string
  readonly reply_to: number | undefined
  readonly thread_id: number | undefined
}

export function createRequests({ id: chatId }: Chat, { id: from, language_code = '' }: User): Requests {
  return {
    send: (message) => api.send(chatId, { ...message, from }),
    async edit({ message_id }, text) {
      await reported(api.edit(chatId, { from, message_id, text }))
    },
    async deleteMessage({ message_id }) {
      await reported(api.deleteMessage(chatId, { from, message_id }))
    },
    async tap({ message_id }, data) {
      const tapped = await reported(api.tap(chatId, { from, message_id, data }))
      if ('callback_query_id' in tapped) return tapped.callback_query_id
      throw new Error('a tap by its data gives a callback query')
    },
    async share(text, message_id) {
      await reported(api.tap(chatId, { from, message_id, text }))
    },
    pay: ({ message_id }) => api.pay(chatId, { message_id, from }),
    // The refusal is not shown: a draft that ended at this moment cannot be stopped, which is of no interest to the user.
    async stopDraft(draft_id) {
      await api.stop(chatId, { from, draft_id })
    },
    async setBlocked(blocked) {
      await reported(api.block(chatId, { from, blocked }))
    },
    async createTopic(name) {
      const { message_thread_id } = await reported(api.createTopic(chatId, { from, name }))
      return message_thread_id
    },
    askInline: (query, offset) => api.askInline(chatId, { from, query, offset }),
    chooseInline: (choice) => reported(api.chooseInline(chatId, { ...choice, from })),
    commands: () => api.commands({ chat_id: chatId, language_code }).catch(() => []),
  }
}
