// Schemas of parameters. In a JSON body they have their types; in a form everything is text, and nested objects are JSON.

import type { MessageEntity } from 'grammy/types'
import { z } from 'zod'

const objectFromText = (value: unknown) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

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
