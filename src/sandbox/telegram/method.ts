// A Bot API method: the schemas of its parameters and its implementation. In a JSON body parameters have their types; in a form everything is
// text, and nested objects are JSON. Names and results are checked against grammY's types, so a method that Telegram does not have, or one
// with a wrong result, does not compile.

import type { ApiMethods, Message, MessageEntity } from 'grammy/types'
import { z } from 'zod'
import { parseJson } from '../http.ts'
import { Refusal } from './refusal.ts'
import type { Upload } from './request.ts'
import type { TelegramServer } from './server.ts'

const objectFromText = (value: unknown) => (typeof value === 'string' ? (parseJson(value) ?? value) : value)

export const json = <T extends z.ZodType>(schema: T) => z.preprocess(objectFromText, schema)
export const int = json(z.int())
export const bool = json(z.boolean())

/** A number, or its decimal text. Telegram treats a missing id as an empty one, which the method then refuses. */
export const chatId = z.union([z.number(), z.string()]).default('')
export const messageId = int.default(0)

const entity = z.custom<MessageEntity>(
  (value) => z.looseObject({ type: z.string(), offset: z.int(), length: z.int() }).safeParse(value).success,
)
export const entities = json(z.array(entity))

export const textParams = {
  text: z.string().default(''),
  parse_mode: z.string().optional(),
  entities: entities.optional(),
  link_preview_options: json(z.object({ is_disabled: bool.default(false) })).optional(),
}

export const captionParams = {
  caption: z.string().default(''),
  parse_mode: z.string().optional(),
  caption_entities: entities.optional(),
}

export interface Call {
  readonly uploads: ReadonlyMap<string, Upload>
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

export interface Method<R = unknown> {
  run(server: TelegramServer, raw: Record<string, unknown>, call: Call): Promise<R>
}

/** Makes a message one type with optional fields; the tests check which of them are present. */
type Loose<R> = R extends readonly (infer One)[]
  ? Loose<One>[]
  : R extends { message_id: number; date: number }
    ? Message
    : R

export type Methods = {
  [M in keyof ApiMethods]?: Method<Loose<ReturnType<ApiMethods[M]>>>
}

/** Texts of at most this many bytes, for the messages of a schema. */
export const ofBytes = (limit: number) => (text: string) => Buffer.byteLength(text) <= limit

/** A message that a schema gives itself is Telegram's; of others, an empty or missing parameter is required. */
function refusalOf(error: z.ZodError): Refusal {
  const [issue] = error.issues
  const { message = '', path = [], code } = issue ?? {}
  if (!/^(Invalid|Too|Unrecognized)/.test(message)) return new Refusal(400, `Bad Request: ${message}`)
  const isMissing = path.length === 1 && (message.endsWith('received undefined') || code === 'too_small')
  const required = `parameter "${String(path[0])}" is required`
  return new Refusal(
    400,
    `Bad Request: ${isMissing ? required : `can't parse ${path.join('.')}: ${message}`}`,
  )
}

export function method<P extends z.ZodType, R>(
  schema: P,
  run: (server: TelegramServer, params: z.output<P>, call: Call) => R | Promise<R>,
): Method<R> {
  return {
    async run(server, raw, call) {
      const params = schema.safeParse(raw)
      if (!params.success) throw refusalOf(params.error)
      return run(server, params.data, call)
    },
  }
}
