// Answers to queries of users: taps on inline buttons, payments that are about to be made, and inline queries, with the messages that their results
// become.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from '../defined.ts'
import type { AskedAnswer, OfferedResult } from '../events.ts'
import { bool, captionParams, entities, json, type Methods, method, ofBytes } from '../method.ts'
import { checkPay, inlineMarkup, inlineOf } from '../post.ts'
import { refuse } from '../refusal.ts'
import type { TelegramServer } from '../server.ts'
import { messageCaption, messageText } from '../text.ts'
import { byFileId } from './media.ts'

/** The number of the newest answers whose results can still be chosen. */
const keptInline = 100

const inlineResult = z.looseObject({
  ...captionParams,
  type: z.string(),
  id: z.string().min(1, 'RESULT_ID_INVALID').refine(ofBytes(64), 'RESULT_ID_INVALID'),
  title: z.string().default(''),
  description: z.string().optional(),
  input_message_content: z
    .object({
      message_text: z.string().default(''),
      parse_mode: z.string().optional(),
      entities: entities.optional(),
    })
    .optional(),
  reply_markup: inlineMarkup.optional(),
})
type InlineResult = z.output<typeof inlineResult>

const areApart = (results: readonly InlineResult[]) =>
  new Set(results.map(({ id }) => id)).size === results.length
const inlineResults = json(
  z.array(inlineResult).max(50, 'RESULTS_TOO_MUCH').refine(areApart, 'RESULT_ID_DUPLICATE'),
).default([])

/** Results with a file that Telegram knows. Results with the address of a file are not implemented. */
const cachedKinds = ['photo', 'video', 'audio', 'voice', 'document'] as const
/** Results that lists show by their titles, not by a picture or the title of a song. */
const titledTypes = ['article', 'video', 'voice', 'document']

const cannotParse = (text: string): never => refuse(`can't parse InlineQueryResult: ${text}`)

function contentOf(server: TelegramServer, result: InlineResult): Partial<Message> {
  const { type, title, input_message_content: given } = result
  const text = given && messageText(server, { ...given, text: given.message_text })
  if (title === '' && titledTypes.includes(type)) cannotParse('field "title" must be non-empty')
  if (type === 'article') return text ?? cannotParse('field "input_message_content" must be specified')
  const kind = cachedKinds.find((one) => one === type)
  if (!kind) return cannotParse(`the sandbox has no results of type ${type}`)
  const file =
    result[`${kind}_file_id`] ?? cannotParse(`the sandbox takes no ${kind} without "${kind}_file_id"`)
  return text ?? { ...byFileId(server, kind, String(file)), ...messageCaption(server, result) }
}

/** @throws Refusal as Telegram would */
const offeredResults = (server: TelegramServer, results: readonly InlineResult[]): OfferedResult[] =>
  results.map((result) => {
    const { id, type, title, description } = result
    const reply_markup = inlineOf(result.reply_markup)
    checkPay(reply_markup)
    return { id, type, title, content: contentOf(server, result), ...defined({ description, reply_markup }) }
  })

/** Stores an answer, so that a result can be chosen from it. */
export function keepAnswer(server: TelegramServer, answer: AskedAnswer): void {
  server.state.inlineAnswers = [...server.state.inlineAnswers, answer].slice(-keptInline)
}

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
