// Body fields of the four text operations, by the families of models that the document distinguishes.

import { z } from 'zod'
import { body, broken, ruled } from './rules.ts'

export type Family = 'gpt' | 'grok' | 'gemini' | 'assistant' | 'deepseek' | 'mistral' | 'minimax'
export type Operation = 'chat' | 'messages' | 'responses' | 'native'

/** From "Chat and text operations" and "Routing facts". */
export const operationsOf: Readonly<Record<Family, readonly Operation[]>> = {
  gpt: ['chat', 'responses'],
  grok: ['chat', 'responses'],
  gemini: ['chat', 'native'],
  assistant: ['chat', 'messages'],
  deepseek: ['chat'],
  mistral: ['chat'],
  minimax: ['chat'],
}

const model = z.string()
const text = z.string()
const words = z.string().min(1)
const flag = z.boolean()
const share = z.number().min(0).max(1)
const doubleShare = z.number().min(0).max(2)
const anyObject = z.record(z.string(), z.unknown())
const name = z.string().regex(/^[\w-]{1,64}$/)
const schema = z.looseObject({ type: z.literal('object') })

// `POST /v1/chat/completions`. For the Gemini-like family only the listed fields are accepted, so `stream_options` is not. For the other
// families the document has no table ("chat-completions format"): the publicly known fields of that format are accepted, unknown and native
// fields are refused.

const picture = z.string().regex(/^(https?:\/\/\S+|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/]+=*)$/)

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: body({ url: picture }, { detail: z.enum(['auto', 'low', 'high']) }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.base64(), format: z.enum(['wav', 'mp3']) }),
  }),
  z.strictObject({ type: z.literal('file'), file: anyObject }),
])

const call = z.strictObject({
  id: words,
  type: z.literal('function'),
  function: z.strictObject({ name: words, arguments: text }),
})
const content = z.union([text, z.array(part).min(1)])

const message = z.discriminatedUnion('role', [
  body({ role: z.enum(['system', 'developer']), content }, { name: text }),
  body({ role: z.literal('user'), content }, { name: text }),
  body(
    { role: z.literal('assistant') },
    { content: content.nullable(), name: text, tool_calls: z.array(call).min(1) },
  ),
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: words }),
])

const functionTool = z.strictObject({
  type: z.literal('function'),
  function: body({ name }, { description: text, parameters: schema, strict: flag }),
})
export type FunctionTool = z.output<typeof functionTool>

const required = { model, messages: z.array(message).min(1) }
const listed = {
  stream: flag,
  temperature: doubleShare,
  max_completion_tokens: z.int().min(1),
  max_tokens: z.int().min(1),
  top_p: share,
  stop: z.union([text, z.array(text).min(1).max(4)]),
  seed: z.int(),
  response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']),
  tools: z.array(functionTool).min(1),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), z.looseObject({})]),
}

/** Public fields of the chat-completions format that the table of the Gemini-like family lacks. */
const publiclyKnown = {
  stream_options: body({}, { include_usage: flag, include_obfuscation: flag }),
  n: z.int().min(1).max(8),
  frequency_penalty: z.number().min(-2).max(2),
  presence_penalty: z.number().min(-2).max(2),
  logit_bias: z.record(z.string(), z.number()),
  logprobs: flag,
  top_logprobs: z.int().min(0).max(20),
  parallel_tool_calls: flag,
  user: text,
  metadata: z.record(z.string(), z.string()),
  verbosity: z.enum(['low', 'medium', 'high']),
  service_tier: text,
  store: flag,
  prompt_cache_key: text,
  safety_identifier: text,
}
// "web search for models that have it": the public field of web search, which three families do not have.
const searches = {
  web_search_options: z.looseObject({ search_context_size: z.enum(['low', 'medium', 'high']).optional() }),
}
const extra = { extra_body: anyObject }

const anyChat = body(required, { ...listed, ...publiclyKnown, ...searches, ...extra })
export type ChatBody = z.output<typeof anyChat>

/** Whether a tool result answers no call of the message before it, or a call has no result. */
function unpaired(messages: ChatBody['messages']): boolean {
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

const chatRules = (sent: ChatBody) =>
  broken({
    'max_tokens or max_completion_tokens': sent.max_tokens === undefined || !sent.max_completion_tokens,
    'stream_options only with stream': !sent.stream_options || sent.stream === true,
    'tool_choice only with tools': !sent.tool_choice || sent.tools !== undefined,
    'each tool result answers a call': !unpaired(sent.messages),
  })

const geminiLike = ruled(body(required, { ...listed, ...extra }), (sent) => chatRules(sent))
const others = ruled(body(required, { ...listed, ...publiclyKnown }), (sent) => chatRules(sent))
const searching = ruled(body(required, { ...listed, ...publiclyKnown, ...searches }), chatRules)
const withoutSearch: readonly Family[] = ['deepseek', 'mistral', 'minimax']

export function chatFields(family: Family) {
  if (family === 'gemini') return geminiLike
  return withoutSearch.includes(family) ? others : searching
}

// `POST /v1/messages` (the assistant family): the fields that the document names, `stream`, which text models accept, and the other fields of
// the public format, of which the document says nothing; without them there would be no persona. The same holds for `POST /v1/responses`.

const cache_control = body({ type: z.literal('ephemeral') }, { ttl: z.enum(['5m', '1h']) })

const source = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.base64().min(1),
  }),
  z.strictObject({ type: z.literal('url'), url: z.url() }),
])
// The text must not be empty, since the vendor refuses an empty text block.
const block = z.discriminatedUnion('type', [
  body({ type: z.literal('text'), text: words }, { cache_control }),
  body({ type: z.literal('image'), source }, { cache_control }),
])
const blocks = z.union([words, z.array(block).min(1)])
const said = z.strictObject({ role: z.enum(['user', 'assistant']), content: blocks })

const messagesTable = body(
  { model, max_tokens: z.int().min(1), messages: z.array(said).min(1) },
  {
    thinking: z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
    cache_control,
    top_k: z.int().min(0),
    mcp_servers: z.array(z.looseObject({ type: z.literal('url'), url: z.url(), name: text })),
    stream: flag,
    system: blocks,
    temperature: share,
    top_p: share,
    stop_sequences: z.array(text),
    tools: z.array(body({ name, input_schema: schema }, { description: text })).min(1),
    tool_choice: z.looseObject({ type: text }),
    metadata: z.looseObject({}),
  },
)

export const messagesFields = ruled(messagesTable, (sent) =>
  broken({
    'the first message is of the user': sent.messages[0]?.role === 'user',
    'budget_tokens is less than max_tokens': (sent.thinking?.budget_tokens ?? 0) < sent.max_tokens,
    'top_k must not be set with thinking': !sent.thinking || sent.top_k === undefined,
    'temperature must not be set with thinking': !sent.thinking || sent.temperature === undefined,
  }),
)

// "an item can be {type: 'web_search'}"; the document names the code interpreter without its shape.
const container = z.strictObject({ type: z.literal('auto') })
const responsesTool = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('web_search') }),
  body({ type: z.literal('code_interpreter') }, { container }),
  body({ type: z.literal('function'), name }, { description: text, parameters: schema, strict: flag }),
])

export const responsesFields = body(
  { model, input: words },
  {
    stream: flag,
    tools: z.array(responsesTool).min(1),
    tool_choice: z.union([text, z.looseObject({})]),
    instructions: text,
    max_output_tokens: z.int().min(16),
    temperature: doubleShare,
    top_p: share,
    reasoning: body({}, { effort: text, summary: text }),
    text: z.looseObject({}),
    store: flag,
    metadata: z.looseObject({}),
  },
)

// `POST /v1/{native_vendor}/generateContent`, a "native pass-through of one vendor": the vendor's public fields, and `model`, which every
// request names.

const inlineData = z.strictObject({
  mimeType: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
  data: z.base64().min(1),
})
const nativePart = z.union([
  body({ text }, { thought: flag }),
  z.strictObject({ inlineData }),
  z.strictObject({
    functionCall: z.strictObject({ name: z.string().min(1), args: z.record(z.string(), z.unknown()) }),
  }),
  z.strictObject({
    functionResponse: z.strictObject({
      name: z.string().min(1),
      response: z.record(z.string(), z.unknown()),
    }),
  }),
  z.strictObject({ fileData: body({ fileUri: z.url() }, { mimeType: text }) }),
])
const contents = body({ parts: z.array(nativePart).min(1) }, { role: z.enum(['user', 'model']) })

const generationConfig = body(
  {},
  {
    temperature: doubleShare,
    topP: share,
    topK: z.int().min(1),
    candidateCount: z.int().min(1).max(8),
    maxOutputTokens: z.int().min(1),
    stopSequences: z.array(text).max(5),
    frequencyPenalty: z.number(),
    presencePenalty: z.number(),
    seed: z.int(),
    responseMimeType: text,
    responseSchema: anyObject,
    responseModalities: z.array(z.enum(['TEXT', 'IMAGE', 'AUDIO'])),
    thinkingConfig: body({}, { thinkingBudget: z.int(), includeThoughts: flag }),
  },
)
const nativeTool = z.union([
  z.strictObject({ codeExecution: z.strictObject({}) }),
  z.strictObject({ googleSearch: z.strictObject({}) }),
  z.strictObject({ functionDeclarations: z.array(anyObject) }),
])

export const nativeFields = body(
  { model, contents: z.array(contents).min(1) },
  {
    systemInstruction: contents,
    generationConfig,
    tools: z.array(nativeTool),
    toolConfig: anyObject,
    safetySettings: z.array(anyObject),
    cachedContent: text,
  },
)
export type NativeBody = z.output<typeof nativeFields>
