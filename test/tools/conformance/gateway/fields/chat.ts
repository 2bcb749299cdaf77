// Body fields of `POST /v1/chat/completions`, by family.
//
// For the Gemini-like family only the listed fields are accepted, so `stream_options` is not. For the other families the document has no
// table ("chat-completions format"): the publicly known fields of that format are accepted, unknown and native fields are refused.

import { z } from 'zod'
import { broken, ruled } from './common.ts'
import type { Family } from './families.ts'

const picture = z.string().regex(/^(https?:\/\/\S+|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/]+=*)$/)

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: picture, detail: z.enum(['auto', 'low', 'high']).optional() }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.base64(), format: z.enum(['wav', 'mp3']) }),
  }),
  z.strictObject({ type: z.literal('file'), file: z.record(z.string(), z.unknown()) }),
])

const call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
})

const content = z.union([z.string(), z.array(part).min(1)])

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content, name: z.string().optional() }),
  z.strictObject({ role: z.literal('user'), content, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    name: z.string().optional(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: z.string().min(1) }),
])

export type ChatMessage = z.output<typeof message>

const functionTool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().optional(),
    parameters: z.looseObject({ type: z.literal('object') }).optional(),
    strict: z.boolean().optional(),
  }),
})

export type FunctionTool = z.output<typeof functionTool>

const listed = {
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  max_tokens: z.int().min(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop: z.union([z.string(), z.array(z.string()).min(1).max(4)]).optional(),
  seed: z.int().optional(),
  response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
  tools: z.array(functionTool).min(1).optional(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), z.looseObject({})]).optional(),
}

const geminiLike = z.strictObject({ ...listed, extra_body: z.record(z.string(), z.unknown()).optional() })

/** Public fields of the chat-completions format that the table of the Gemini-like family lacks. */
const publiclyKnown = {
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .optional(),
  n: z.int().min(1).max(8).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  logit_bias: z.record(z.string(), z.number()).optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: z.int().min(0).max(20).optional(),
  parallel_tool_calls: z.boolean().optional(),
  user: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  verbosity: z.enum(['low', 'medium', 'high']).optional(),
  service_tier: z.string().optional(),
  store: z.boolean().optional(),
  prompt_cache_key: z.string().optional(),
  safety_identifier: z.string().optional(),
}

const others = z.strictObject({ ...listed, ...publiclyKnown })
// "web search for models that have it": the public field of web search, which three families do not have.
const searching = others.extend({
  web_search_options: z
    .looseObject({ search_context_size: z.enum(['low', 'medium', 'high']).optional() })
    .optional(),
})

const anyFields = searching.extend({ extra_body: z.record(z.string(), z.unknown()).optional() })

export type ChatBody = z.output<typeof anyFields>

/** Whether a tool result answers no call of the message before it, or a call has no result. */
function unpaired(messages: readonly ChatMessage[]): boolean {
  const open = new Set<string>()
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id)) return true
      continue
    }
    if (open.size > 0) return true
    if (one.role === 'assistant') for (const { id } of one.tool_calls ?? []) open.add(id)
  }
  return open.size > 0
}

const rules = (body: ChatBody) =>
  broken({
    'max_tokens or max_completion_tokens': body.max_tokens === undefined || !body.max_completion_tokens,
    'stream_options only with stream': !body.stream_options || body.stream === true,
    'tool_choice only with tools': !body.tool_choice || body.tools !== undefined,
    'each tool result answers a call': !unpaired(body.messages),
  })

const withoutSearch: readonly Family[] = ['deepseek', 'mistral', 'minimax']

export function chatFields(family: Family) {
  if (family === 'gemini') return ruled(geminiLike, (body) => rules(body))
  return withoutSearch.includes(family) ? ruled(others, (body) => rules(body)) : ruled(searching, rules)
}
