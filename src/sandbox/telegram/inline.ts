// Inline mode: the bot's answers to queries that users type in any chat, and the messages that its results become.

import type { Message } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import type { AskedAnswer, OfferedResult } from './events.ts'
import { captionParams, entities, json } from './method.ts'
import { byFileId } from './methods/media.ts'
import { checkInline, inlineMarkup, inlineOf } from './post.ts'
import { refuse } from './refusal.ts'
import type { TelegramServer } from './server.ts'
import type { MediaKind } from './state.ts'
import { messageCaption, messageText } from './text.ts'

const mostResults = 50
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
  id: z.string(),
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

export const inlineResults = json(z.array(inlineResult)).default([])

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

function textContent(server: TelegramServer, { input_message_content: content }: InlineResult) {
  if (!content) return undefined
  const { message_text, ...format } = content
  return messageText(server, { text: message_text, ...format })
}

function contentOf(server: TelegramServer, result: InlineResult): Partial<Message> {
  const text = textContent(server, result)
  if (result.type === 'article') {
    if (result.title === '') cannotParse('field "title" must be non-empty')
    return text ?? cannotParse('field "input_message_content" must be specified')
  }
  const cached = cachedKinds[result.type] ?? cannotParse(`the sandbox has no results of type ${result.type}`)
  const file = result[cached.field]
  if (file === undefined) return cannotParse(`the sandbox takes no ${result.type} without "${cached.field}"`)
  if (cached.titled && result.title === '') cannotParse('field "title" must be non-empty')
  const media = byFileId(server, cached.kind, file)
  return text ?? { ...media, ...messageCaption(server, result) }
}

function offered(server: TelegramServer, result: InlineResult): OfferedResult {
  const { id, type, title, description } = result
  const reply_markup = inlineOf(result.reply_markup)
  checkInline(reply_markup)
  return { id, type, title, content: contentOf(server, result), ...defined({ description, reply_markup }) }
}

/** @throws Refusal as Telegram would */
export function offeredResults(server: TelegramServer, results: readonly InlineResult[]): OfferedResult[] {
  if (results.length > mostResults) refuse('RESULTS_TOO_MUCH')
  for (const { id } of results) if (id === '' || Buffer.byteLength(id) > 64) refuse('RESULT_ID_INVALID')
  if (new Set(results.map(({ id }) => id)).size < results.length) refuse('RESULT_ID_DUPLICATE')
  return results.map((one) => offered(server, one))
}

/** Stores an answer, so that a result can be chosen from it. */
export function keepAnswer(server: TelegramServer, answer: AskedAnswer): void {
  server.state.inlineAnswers = [...server.state.inlineAnswers, answer].slice(-keptAnswers)
}
