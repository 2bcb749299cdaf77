// Answering the callback query of a tap on an inline button.

import { z } from 'zod'
import { defined } from '../defined.ts'
import { type Methods, method } from '../method.ts'
import { bool, str } from '../params.ts'
import { refuse } from '../refusal.ts'

/** A callback query can be answered as long as its update is kept. */
const answerableMs = 150_000
const keptAnswers = 200

export const callbacks = {
  answerCallbackQuery: method(
    z.object({
      callback_query_id: str.default(''),
      text: str.optional(),
      show_alert: bool.optional(),
      url: str.optional(),
    }),
    (server, { callback_query_id, text, show_alert, url }) => {
      const oldest = server.clock.now().getTime() - answerableMs
      const { callbacks } = server.state
      const asked = callbacks.find((one) => one.id === callback_query_id && one.askedAt > oldest)
      if (!asked) return refuse('query is too old and response timeout expired or query ID is invalid')
      if ([...(text ?? '')].length > 200) return refuse('MESSAGE_TOO_LONG')
      // A query can be answered once.
      server.state.callbacks = callbacks.filter((one) => one !== asked && one.askedAt > oldest)
      const answer = { callback_query_id, ...defined({ text, show_alert, url }) }
      const chat = server.state.chats[asked.chatId]
      if (chat) chat.answers = [...chat.answers, answer].slice(-keptAnswers)
      server.events.emit({ type: 'answer', chat_id: asked.chatId, user_id: asked.userId, data: answer })
      return true as const
    },
  ),
} satisfies Methods
