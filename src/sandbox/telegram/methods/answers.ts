// Answers to queries of users: taps on inline buttons, inline queries, and payments that are about to be made.

import { z } from 'zod'
import { defined } from '../defined.ts'
import { inlineResults, offeredResults } from '../inline.ts'
import { bool, json, type Methods, method, ofBytes } from '../method.ts'
import { refuse } from '../refusal.ts'
import type { TelegramServer } from '../server.ts'

/** A callback query can be answered as long as its update is kept. */
const answerableMs = 150_000
const keptAnswers = 200

const tooOld = () => refuse('query is too old and response timeout expired or query ID is invalid')

const callbackAnswer = z.object({
  callback_query_id: z.string(),
  text: z.string().max(200, 'MESSAGE_TOO_LONG').optional(),
  show_alert: bool.optional(),
  url: z.string().optional(),
})

/** A query can be answered once. */
function answerCallback(server: TelegramServer, given: z.output<typeof callbackAnswer>): true {
  const { callback_query_id } = given
  const oldest = server.clock.now().getTime() - answerableMs
  const { callbacks } = server.state
  const asked = callbacks.find((one) => one.id === callback_query_id && one.askedAt > oldest)
  if (!asked) return tooOld()
  server.state.callbacks = callbacks.filter((one) => one !== asked && one.askedAt > oldest)
  const answer = defined(given)
  const chat = server.state.chats[asked.chatId]
  if (chat) chat.answers = [...chat.answers, answer].slice(-keptAnswers)
  server.events.emit({ type: 'answer', chat_id: asked.chatId, user_id: asked.userId, data: answer })
  return true
}

export const answers = {
  answerCallbackQuery: method(callbackAnswer, answerCallback),

  answerInlineQuery: method(
    z.object({
      inline_query_id: z.string(),
      results: inlineResults,
      next_offset: z.string().refine(ofBytes(64), 'NEXT_OFFSET_INVALID').default(''),
      button: json(z.object({ text: z.string(), start_parameter: z.string().default('') })).optional(),
    }),
    (server, { inline_query_id, next_offset, button, ...given }) => {
      const results = offeredResults(server, given.results)
      const answer = { results, next_offset, ...defined({ button }) }
      return server.inlineQueries.answer(inline_query_id, answer) ? (true as const) : tooOld()
    },
  ),

  answerPreCheckoutQuery: method(
    z.object({ pre_checkout_query_id: z.string(), ok: bool, error_message: z.string().default('') }),
    (server, { pre_checkout_query_id, ok, error_message }) => {
      if (!ok && error_message === '') refuse('parameter "error_message" is required')
      const answer = ok ? { ok } : { ok, error: error_message }
      return server.preCheckouts.answer(pre_checkout_query_id, answer) ? (true as const) : tooOld()
    },
  ),
} satisfies Methods
