// Sending and stopping polls. A poll with a time limit stays open until it is stopped.

import type { Poll, PollOption } from 'grammy/types'
import { z } from 'zod'
import { randomDigits } from '../../random.ts'
import { defined } from '../defined.ts'
import { inlineMarkup } from '../markup.ts'
import { type Methods, method } from '../method.ts'
import { bool, chatId, entities, int, json, messageId, str } from '../params.ts'
import { destination, post, sendParams } from '../post.ts'
import { refuse } from '../refusal.ts'
import { editable, rewrite } from '../rewrite.ts'
import type { TelegramServer } from '../server.ts'
import { formatted } from '../text.ts'

/** Older bots send the options as plain strings. */
const option = z.union([
  str.transform((text) => ({ text, text_parse_mode: undefined, text_entities: undefined })),
  z.object({ text: str, text_parse_mode: str.optional(), text_entities: entities.optional() }),
])

const pollParams = z.object({
  ...sendParams,
  question: str.default(''),
  question_parse_mode: str.optional(),
  question_entities: entities.optional(),
  options: json(z.array(option)).default([]),
  is_anonymous: bool.default(true),
  type: str.default('regular'),
  allows_multiple_answers: bool.default(false),
  allows_revoting: bool.optional(),
  correct_option_id: int.optional(),
  correct_option_ids: json(z.array(int)).optional(),
  explanation: str.optional(),
  explanation_parse_mode: str.optional(),
  explanation_entities: entities.optional(),
  open_period: int.optional(),
  close_date: int.optional(),
  is_closed: bool.default(false),
})
type PollParams = z.output<typeof pollParams>

function optionsOf(server: TelegramServer, { options }: PollParams): PollOption[] {
  if (options.length < 1) refuse('poll must have at least 1 option')
  if (options.length > 12) refuse("poll can't have more than 12 options")
  return options.map(({ text: source, text_parse_mode: parse_mode, text_entities }, index) => {
    const { text, entities } = formatted(server, { text: source, parse_mode, entities: text_entities })
    if (text === '') refuse('poll options must be non-empty')
    if ([...text].length > 100) refuse('poll options length must not exceed 100')
    const some = entities.length > 0 ? entities : undefined
    return { persistent_id: String(index), text, voter_count: 0, ...defined({ text_entities: some }) }
  })
}

/** The fields of a poll that only a quiz has: its correct options and its explanation. */
function quizOf(server: TelegramServer, params: PollParams): Partial<Poll> {
  if (params.type !== 'quiz') return {}
  const single = params.correct_option_id === undefined ? undefined : [params.correct_option_id]
  const correct = params.correct_option_ids ?? single ?? refuse('wrong correct option ID specified')
  if (!correct.every((one) => one >= 0 && one < params.options.length))
    refuse('wrong correct option ID specified')
  const { explanation, explanation_parse_mode: parse_mode, explanation_entities: entities } = params
  const told = explanation ? formatted(server, { text: explanation, parse_mode, entities }) : undefined
  return {
    correct_option_ids: correct,
    ...defined({ explanation: told?.text, explanation_entities: told?.entities }),
  }
}

function pollOf(server: TelegramServer, params: PollParams): Poll {
  const { type, is_anonymous, allows_multiple_answers, is_closed, open_period, close_date } = params
  if (type !== 'regular' && type !== 'quiz') return refuse('unsupported poll type specified')
  const { question_parse_mode: parse_mode, question_entities } = params
  const question = formatted(server, { text: params.question, parse_mode, entities: question_entities })
  if (question.text === '') refuse('poll question must be non-empty')
  if ([...question.text].length > 300) refuse('poll question length must not exceed 300')
  return {
    id: randomDigits(server.random, 19),
    question: question.text,
    ...defined({ question_entities: question.entities.length > 0 ? question.entities : undefined }),
    options: optionsOf(server, params),
    total_voter_count: 0,
    is_closed,
    is_anonymous,
    type,
    allows_multiple_answers,
    allows_revoting: params.allows_revoting ?? type !== 'quiz',
    members_only: false,
    ...quizOf(server, params),
    ...defined({ open_period, close_date }),
  }
}

export const polls = {
  sendPoll: method(pollParams, (server, params) => {
    const to = destination(server, params)
    return post(server, to, { poll: pollOf(server, params) })
  }),

  stopPoll: method(
    z.object({ chat_id: chatId, message_id: messageId, reply_markup: inlineMarkup.optional() }),
    (server, params) => {
      const target = editable(server, params, "poll can't be stopped", 'message with poll to stop not found')
      const { poll } = target.message
      if (!poll) return refuse('message is not a poll')
      if (poll.is_closed) return refuse('poll has already been closed')
      const closed = { ...poll, is_closed: true }
      rewrite(server, params, target, ['poll'], { poll: closed })
      server.updates.push({ poll: closed })
      return closed
    },
  ),
} satisfies Methods
