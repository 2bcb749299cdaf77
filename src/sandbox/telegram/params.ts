// Schemas of parameters. In a JSON body they have their types; in a form everything is text, and nested objects are JSON.

import type { MessageEntity } from 'grammy/types'
import { z } from 'zod'

/** Telegram cuts off the decimals of an integer. */
const integerFrom = (value: unknown) => {
  const number = numberFromText(value)
  return typeof number === 'number' ? Math.trunc(number) : number
}

const numberFromText = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value

const booleanFrom = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? ['true', 'yes', '1'].includes(String(value).toLowerCase())
    : value

const objectFromText = (value: unknown) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

export const int = z.preprocess(integerFrom, z.int())
export const float = z.preprocess(numberFromText, z.number())
export const bool = z.preprocess(booleanFrom, z.boolean())
export const str = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string(),
)
export const json = <T extends z.ZodType>(schema: T) => z.preprocess(objectFromText, schema)

/** Telegram treats a missing text as an empty one, which the method then refuses. */
const textOrEmpty = str.default('')
/** A number, or its decimal text. */
export const chatId = z.union([z.number(), z.string()]).default('')
export const messageId = int.default(0)

const entity = z.custom<MessageEntity>(
  (value) => z.looseObject({ type: z.string(), offset: z.int(), length: z.int() }).safeParse(value).success,
)
export const entities = json(z.array(entity))

export const textParams = {
  text: textOrEmpty,
  parse_mode: str.optional(),
  entities: entities.optional(),
  link_preview_options: json(z.object({ is_disabled: bool.default(false) })).optional(),
}

export const captionParams = {
  caption: textOrEmpty,
  parse_mode: str.optional(),
  caption_entities: entities.optional(),
  show_caption_above_media: bool.optional(),
}
