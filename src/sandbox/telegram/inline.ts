// Inline mode: the bot's answers to queries that users type in any chat, and the messages that its results become.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import type { AskedAnswer, OfferedResult } from './events.ts'
import { captionParams, entities, json, ofBytes } from './method.ts'
import { byFileId } from './methods/media.ts'
import { checkPay, inlineMarkup, inlineOf } from './post.ts'
import { refuse } from './refusal.ts'
import type { TelegramServer } from './server.ts'
import type { MediaKind } from './state.ts'
import { messageCaption, messageText } from './text.ts'

/** The number of the newest answers whose results can still be chosen. */
const keptAnswers = 100

const fileParams = {
  photo_file_id: z.string().optional(),
  video_file_id: z.string().optional(),
  audio_file_id: z.string().optional(),
  voice_file_id: z.string().optional(),
  document_file_id: z.string().optional(),
}

const inlineResult = z.object({
  ...captionParams,
  ...fileParams,
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
export const inlineResults = json(
  z.array(inlineResult).max(50, 'RESULTS_TOO_MUCH').refine(areApart, 'RESULT_ID_DUPLICATE'),
).default([])

interface CachedKind {
  readonly kind: MediaKind
  readonly field: keyof typeof fileParams
  /** Whether the result must have a title, which lists show in place of a picture. */
  readonly titled: boolean
}

/** Results with a file that Telegram knows. Results with the address of a file are not implemented. */
const cachedKinds: Readonly<Record<string, CachedKind>> = {
  photo: { kind: 'photo', field: 'photo_file_id', titled: false },
  video: { kind: 'video', field: 'video_file_id', titled: true },
  audio: { kind: 'audio', field: 'audio_file_id', titled: false },
  voice: { kind: 'voice', field: 'voice_file_id', titled: true },
  document: { kind: 'document', field: 'document_file_id', titled: true },
}

const cannotParse = (text: string): never => refuse(`can't parse InlineQueryResult: ${text}`)

function contentOf(server: TelegramServer, result: InlineResult): Partial<Message> {
  const { type, title, input_message_content: given } = result
  const text = given && messageText(server, { ...given, text: given.message_text })
  const cached = cachedKinds[type]
  if (title === '' && (cached?.titled ?? type === 'article')) cannotParse('field "title" must be non-empty')
  if (type === 'article') return text ?? cannotParse('field "input_message_content" must be specified')
  if (!cached) return cannotParse(`the sandbox has no results of type ${type}`)
  const file = result[cached.field] ?? cannotParse(`the sandbox takes no ${type} without "${cached.field}"`)
  return text ?? { ...byFileId(server, cached.kind, file), ...messageCaption(server, result) }
}

/** @throws Refusal as Telegram would */
export const offeredResults = (server: TelegramServer, results: readonly InlineResult[]): OfferedResult[] =>
  results.map((result) => {
    const { id, type, title, description } = result
    const reply_markup = inlineOf(result.reply_markup)
    checkPay(reply_markup)
    return { id, type, title, content: contentOf(server, result), ...defined({ description, reply_markup }) }
  })

/** Stores an answer, so that a result can be chosen from it. */
export function keepAnswer(server: TelegramServer, answer: AskedAnswer): void {
  server.state.inlineAnswers = [...server.state.inlineAnswers, answer].slice(-keptAnswers)
}
