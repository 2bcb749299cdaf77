// `POST /v1/chat/completions`: the request and the answer, whole and as a stream. The Gemini-style family accepts exactly the fields that
// gateway-api.md lists, so its streams never report usage; the other families accept more. How web search is requested is not shown; here it
// is `web_search_options`, or a tool of the type `web_search`. Of the answer only `choices[0].message.content` is shown; the rest is what
// clients of this format expect.

import { z } from 'zod'
import {
  type Ask,
  bad,
  base64,
  check,
  checkWebSearch,
  fileUrl,
  jsonObject,
  modelIn,
  plain,
  type Reply,
  type TextModel,
  type ToolCall,
  type Turn,
  textModel,
  toolName,
  type Usage,
} from './ask.ts'
import { dataEvent, type Piece, piecesOf } from './stream.ts'

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() })
const userPart = z.discriminatedUnion('type', [
  textPart,
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: fileUrl, detail: z.enum(['auto', 'low', 'high']).optional() }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: base64, format: z.enum(['wav', 'mp3']) }),
  }),
])
const texts = z.union([z.string(), z.array(textPart).min(1)])

const called = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: toolName, arguments: z.string() }),
})

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: texts, name: z.string().optional() }),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: texts.nullish(),
      name: z.string().optional(),
      tool_calls: z.array(called).min(1).optional(),
    })
    .refine(({ content, tool_calls }) => (content ?? tool_calls) !== undefined, 'content or tool_calls'),
  z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string().min(1) }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(userPart).min(1)]),
    name: z.string().optional(),
  }),
])
type Message = z.output<typeof message>

const tool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: toolName,
      description: z.string().optional(),
      parameters: jsonObject.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
  z.looseObject({ type: z.literal('web_search') }),
])

const limit = z.int().positive().nullish()
const share = z.number().min(0).max(1).nullish()

const common = {
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_completion_tokens: limit,
  max_tokens: limit,
  top_p: share,
  stop: z.union([z.string(), z.array(z.string()).min(1).max(4)]).nullish(),
  seed: z.int().nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['text', 'json_object']) }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string(), schema: jsonObject.optional() }),
      }),
    ])
    .optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  tools: z.array(tool).optional(),
  tool_choice: z.enum(['auto', 'none']).optional(),
  extra_body: jsonObject.optional(),
}

const penalty = z.number().min(-2).max(2).nullish()
const otherFields = {
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  n: z.literal(1).nullish(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  user: z.string().optional(),
  web_search_options: jsonObject.optional(),
}

const geminiRequest = z.strictObject(common)
const otherRequest = z.strictObject({ ...common, ...otherFields })

interface ChatRequest {
  readonly ask: Ask
  readonly stream: boolean
  readonly includeUsage: boolean
}

/** @throws GatewayRefusal */
export function readChat(input: unknown): ChatRequest {
  const model = textModel(modelIn(input))
  const body: z.output<typeof otherRequest> = check(
    model.family === 'gemini' ? geminiRequest : otherRequest,
    input,
  )
  return {
    ask: askOf(model, body),
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
  }
}

/** @throws GatewayRefusal unless each call has its result in the messages after it, and each result its call */
function checkResults(messages: readonly Message[]): void {
  let open: readonly string[] = []
  for (const one of messages) {
    if (one.role === 'tool' ? !open.includes(one.tool_call_id) : open.length > 0)
      throw bad('messages: a result answers a call of the message before, and each call has one')
    if (one.role === 'tool') open = open.filter((id) => id !== one.tool_call_id)
    else if (one.role === 'assistant') open = (one.tool_calls ?? []).map(({ id }) => id)
  }
}

function askOf(model: TextModel, body: z.output<typeof otherRequest>): Ask {
  checkResults(body.messages)
  const webSearch =
    body.web_search_options !== undefined || !!body.tools?.some(({ type }) => type === 'web_search')
  checkWebSearch(model, webSearch)
  const tools = body.tool_choice === 'none' ? [] : (body.tools ?? [])
  return {
    ...plain,
    model,
    hiddenThinking: typeof body.reasoning_effort === 'string',
    webSearch,
    turns: body.messages.map(turnOf),
    tools: tools.flatMap((one) =>
      one.type === 'function' ? [{ name: one.function.name, parameters: one.function.parameters ?? {} }] : [],
    ),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    stop: [body.stop ?? []].flat(),
    json: (body.response_format?.type ?? 'text') !== 'text',
  }
}

function turnOf(message: Message): Turn {
  const { role, content } = message
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? [])
  const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return {
    role: role === 'developer' || role === 'tool' ? 'system' : role,
    calls: calls.map(({ function: { name, arguments: input } }) => ({ name, input: parsed(input) })),
    text: said.join('\n'),
    attachments: parts.filter(({ type }) => type === 'image_url').length,
    sounds: parts.flatMap((part) => (part.type === 'input_audio' ? [part.input_audio.data] : [])),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw bad('messages: the arguments of a call are JSON')
  }
}

interface ChatHead {
  readonly id: string
  readonly model: string
  /** Unix time in seconds. */
  readonly created: number
}

const reasons = { whole: 'stop', stop: 'stop', length: 'length', calls: 'tool_calls' } as const

const usageView = ({ input, output, thinking }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: thinking },
})

const callView = (head: ChatHead, { name, input }: ToolCall, index: number) => ({
  id: `call_${head.id}_${index}`,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(input) },
})

export function chatView(head: ChatHead, reply: Reply, usage: Usage) {
  const isCall = reply.ended === 'calls'
  const calls = isCall ? { tool_calls: reply.calls.map((call, at) => callView(head, call, at)) } : {}
  const content = isCall ? null : reply.text
  const message = { role: 'assistant', content, refusal: null, ...sourced(reply), ...calls }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: reasons[reply.ended] }]
  return { ...envelope(head, 'chat.completion'), choices, usage: usageView(usage) }
}

const envelope = ({ id, model, created }: ChatHead, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created,
  model,
})

function sourced({ source, text }: Reply) {
  const start = source ? text.lastIndexOf(`[${source.title}](${source.url})`) : -1
  if (start < 0) return {}
  const cited = { ...source, start_index: start, end_index: text.length }
  return { annotations: [{ type: 'url_citation', url_citation: cited }] }
}

export function chatPieces(head: ChatHead, reply: Reply, usage: Usage | undefined): Piece[] {
  const chunk = envelope(head, 'chat.completion.chunk')
  const shared = usage ? { ...chunk, usage: null } : chunk
  const piece = (delta: object, said: number, reason: string | null = null) =>
    dataEvent({ ...shared, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] }, said)
  return [
    piece({ role: 'assistant', content: reply.ended === 'calls' ? null : '', refusal: null }, 0),
    ...piecesOf(reply.text).map((content) => piece({ content }, content.length)),
    ...reply.calls.flatMap((call, at) =>
      callDeltas(head, call, at).map(({ delta, said }) => piece({ tool_calls: [delta] }, said)),
    ),
    piece(sourced(reply), 0, reasons[reply.ended]),
    ...(usage ? [dataEvent({ ...chunk, choices: [], usage: usageView(usage) })] : []),
    { wire: 'data: [DONE]\n\n', said: 0 },
  ]
}

/** The first delta has the name without arguments; the others have the arguments in pieces. */
function callDeltas(head: ChatHead, call: ToolCall, index: number) {
  const whole = callView(head, call, index)
  const opening = { index, ...whole, function: { name: call.name, arguments: '' } }
  return [
    { delta: opening as object, said: call.name.length },
    ...piecesOf(whole.function.arguments).map((part) => ({
      delta: { index, function: { arguments: part } },
      said: part.length,
    })),
  ]
}
