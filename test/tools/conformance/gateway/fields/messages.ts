// Body fields of `POST /v1/messages` (the assistant family): the fields that the document names, and `stream`, which text models accept.
// The document does not say whether other fields of the public format are accepted, so a switch decides that.

import { z } from 'zod'
import { broken, ruled } from './common.ts'

const cache = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .optional()

const source = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.base64().min(1),
  }),
  z.strictObject({ type: z.literal('url'), url: z.url() }),
])

// The text must not be empty, since the vendor refuses an empty text block.
const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), cache_control: cache }),
  z.strictObject({ type: z.literal('image'), source, cache_control: cache }),
])

const named = {
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([z.string().min(1), z.array(part).min(1)]),
      }),
    )
    .min(1),
  thinking: z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }).optional(),
  cache_control: cache,
  top_k: z.int().min(0).optional(),
  mcp_servers: z.array(z.looseObject({ type: z.literal('url'), url: z.url(), name: z.string() })).optional(),
  stream: z.boolean().optional(),
}

const tool = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
})

const publicFields = {
  system: z.union([z.string().min(1), z.array(part).min(1)]).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(z.string()).optional(),
  tools: z.array(tool).min(1).optional(),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  metadata: z.looseObject({}).optional(),
}

const table = z.strictObject({ ...named, ...publicFields })

export type MessagesBody = z.output<typeof table>

const rules = (body: MessagesBody) =>
  broken({
    'the first message is of the user': body.messages[0]?.role === 'user',
    'budget_tokens is less than max_tokens': (body.thinking?.budget_tokens ?? 0) < body.max_tokens,
    'top_k must not be set with thinking': !body.thinking || body.top_k === undefined,
    'temperature must not be set with thinking': !body.thinking || body.temperature === undefined,
  })

export const messagesFields = ruled(table, rules)

/** The schema of a gateway that accepts only the fields that the document names. */
export const namedMessagesFields = ruled(z.strictObject(named), (body) => rules(body))
