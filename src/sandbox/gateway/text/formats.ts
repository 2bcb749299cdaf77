// The three formats that are answered as streams: how a request is read, and how a reply is written. gateway-api.md shows where the text of an
// answer is; the rest is what clients of each format expect. A request may have the fields that the document lists, and where it lists none or
// not all, those of the format that the app sends. How web search is requested in chat completions is not shown; here it is
// `web_search_options`. Nor is it shown which two vendor families have the responses format; here the GPT-style and the Grok-style ones.

import { z } from 'zod'
import { parseJson } from '../../http.ts'
import { bad } from '../answer.ts'
import {
  type Ask,
  type Bit,
  check,
  lastUserText,
  type Reply,
  type TextModel,
  type Turn,
  turnOf,
} from './ask.ts'
import { topicOf } from './reply.ts'

/** What all formats state about an answer. */
export interface Head {
  readonly id: string
  readonly model: string
  /** Unix time in seconds. */
  readonly created: number
  /** Tokens. */
  readonly input: number
  /** Includes the tokens of thinking. */
  readonly output: number
}

export interface Piece {
  /** The text of an event on the wire. */
  readonly wire: string
  /** The number of its characters that the model wrote, which count as output. */
  readonly said: number
}

export interface Format<A> {
  /** The families that work on the path; by default all. */
  readonly families?: readonly string[]
  /** @throws GatewayRefusal */
  readonly read: (body: unknown, model: TextModel) => Ask
  readonly write: (head: Head, ask: Ask, reply: Reply) => A
}

const event = (data: { readonly type?: string; readonly [field: string]: unknown }, said = ''): Piece => ({
  wire: `${data.type ? `event: ${data.type}\n` : ''}data: ${JSON.stringify(data)}\n\n`,
  said: said.length,
})

/** About 600 characters per second, the pace of a fast model. */
const pieceLength = 24
export const pieceMs = 40

/** Splits a text at spaces where possible; the joined pieces are the text. */
const piecesOf = (text: string): string[] =>
  text.match(new RegExp(`[^]{1,${pieceLength}}(?=\\s|$)|[^]{1,${pieceLength}}`, 'gu')) ?? []

export const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
const id = z.string().min(1)
export const object = z.record(z.string(), z.unknown())
/** A function that a model may call. */
export const functionShape = { name, description: z.string(), parameters: object }
export const base64 = z.string().regex(/^[A-Za-z0-9+/=]+$/, { error: 'must be base64' })
export const tokenLimit = z.int().positive()
const typed = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape })
const words = z.string().transform((text): Bit[] => [{ text }])
export const asFile = (): Bit => ({ isFile: true })

/** @throws GatewayRefusal unless each call has its result in the turn or turns after it, and each result its call */
export function withResults(turns: readonly Turn[]): readonly Turn[] {
  let open: readonly string[] = []
  for (const { role, bits } of [...turns, turnOf('user', [{ text: '' }])]) {
    const results = bits.flatMap(({ result }) => result ?? [])
    const missing = open.filter((one) => !results.includes(one))
    if (results.some((one) => !open.includes(one)) || (missing.length > 0 && role !== 'system'))
      throw bad('messages: a result answers a call of the message before, and each call has one')
    open = results.length > 0 ? missing : bits.flatMap(({ call }) => call?.id ?? [])
  }
  return turns
}

// Chat completions. The Gemini-style family takes exactly the fields that gateway-api.md lists, so its streams never report usage.

const picture = z.string().regex(/^(https?:\/\/\S+|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=]+)$/)
const sound = z.strictObject({ data: base64, format: z.enum(['wav', 'mp3']) })
const chatPart = z.union([
  typed('text', { text: z.string() }),
  typed('image_url', { image_url: z.strictObject({ url: picture }) }).transform(asFile),
  typed('input_audio', { input_audio: sound }).transform((one): Bit => ({ sound: one.input_audio.data })),
])
const jsonText = z
  .string()
  .transform(parseJson)
  .refine((value) => value !== undefined, 'must be JSON')
const chatCall = typed('function', { id, function: z.strictObject({ name, arguments: jsonText }) }).transform(
  (one): Bit => ({ call: { id: one.id, name: one.function.name, input: one.function.arguments } }),
)
const chatMessage = z.union([
  z
    .strictObject({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.union([words, z.array(chatPart).min(1)]),
    })
    .transform(({ role, content }) => turnOf(role, content)),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: z.string().nullish(),
      tool_calls: z.array(chatCall).min(1),
    })
    .transform(({ content, tool_calls }) => turnOf('assistant', [{ text: content ?? '' }, ...tool_calls])),
  z
    .strictObject({ role: z.literal('tool'), content: z.string(), tool_call_id: id })
    .transform((one) => turnOf('user', [{ result: one.tool_call_id, text: one.content }])),
])

const geminiRequest = z.object({
  model: z.string(),
  messages: z.array(chatMessage).min(1),
  stream: z.boolean(),
  max_completion_tokens: tokenLimit.optional(),
  max_tokens: tokenLimit.optional(),
  tools: z.array(typed('function', { function: z.strictObject(functionShape) })).default([]),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
})
const chatRequest = geminiRequest.extend({
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  web_search_options: object.optional(),
})
const taken = 'tool_choice top_p stop seed extra_body'

function readChat(input: unknown, { id, family }: TextModel): Ask {
  const body: z.output<typeof chatRequest> =
    family === 'gemini'
      ? check(geminiRequest, input, taken)
      : check(chatRequest, input, `${taken} frequency_penalty presence_penalty`)
  const searches = body.web_search_options !== undefined
  if (searches && ['deepseek', 'mistral', 'minimax'].includes(family))
    throw bad(`web search is not supported for "${id}"`, 'unsupported_tool')
  return {
    turns: withResults(body.messages),
    tools: body.tools.map((one) => one.function),
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    json: body.response_format?.type === 'json_object',
    modes: [
      ...(body.reasoning_effort ? ['thinking' as const] : []),
      ...(searches ? ['search' as const] : []),
    ],
    tellsUsage: body.stream_options?.include_usage ?? false,
  }
}

function writeChat({ id, created, model, input, output }: Head, { tellsUsage }: Ask, reply: Reply): Piece[] {
  const chunk = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model }
  const piece = (delta: object, said = '', finish_reason: string | null = null) =>
    event({ ...chunk, choices: [{ index: 0, delta, finish_reason }] }, said)
  const called = (index: number, fields: object, said: string) =>
    piece({ tool_calls: [{ index, ...fields }] }, said)
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const { source } = reply
  const cited = source ? { annotations: [{ type: 'url_citation', url_citation: source }] } : {}
  const reasons = { whole: 'stop', length: 'length', calls: 'tool_calls' }
  return [
    piece({ role: 'assistant', content: '' }),
    ...piecesOf(reply.text).map((content) => piece({ content }, content)),
    // The first delta of a call has its name without arguments; the others have the arguments in pieces.
    ...reply.calls.flatMap(({ name, input: given }, at) => [
      called(at, { id: `call_${id}_${at}`, type: 'function', function: { name, arguments: '' } }, name),
      ...piecesOf(JSON.stringify(given)).map((one) => called(at, { function: { arguments: one } }, one)),
    ]),
    piece(cited, '', reasons[reply.ended]),
    ...(tellsUsage ? [event({ ...chunk, choices: [], usage })] : []),
    { wire: 'data: [DONE]\n\n', said: 0 },
  ]
}

// Messages, for the assistant family only, with its native features: thinking, cache_control, top_k, mcp_servers.

const source = typed('base64', { media_type: z.string(), data: base64 })
const block = z.union([
  typed('text', { text: z.string().min(1) }),
  typed('image', { source }).transform(asFile),
  typed('tool_use', { id, name, input: object }).transform((call): Bit => ({ call })),
  typed('tool_result', { tool_use_id: id, content: z.string() }).transform(
    (one): Bit => ({ result: one.tool_use_id, text: one.content }),
  ),
])
const message = z
  .strictObject({
    role: z.enum(['user', 'assistant']),
    content: z.union([words, z.array(block).min(1)]),
  })
  .transform(({ role, content }) => turnOf(role, content))
const ownTool = z
  .strictObject({ name, description: z.string(), input_schema: object })
  .transform((one) => ({ name: one.name, parameters: one.input_schema }))
/** A tool of the vendor, such as web search; its type ends with its version. */
const vendorTool = z.looseObject({ type: z.string().regex(/^[a-z_]+_\d{8}$/), name: z.string() })

const messagesRequest = z.object({
  model: z.string(),
  max_tokens: tokenLimit,
  messages: z.array(message).min(1),
  system: z.string().optional(),
  stream: z.boolean(),
  thinking: typed('enabled', { budget_tokens: z.int().min(1) }).optional(),
  tools: z.array(z.union([ownTool, vendorTool])).default([]),
})

function readMessages(input: unknown): Ask {
  const body = check(messagesRequest, input, 'cache_control top_k mcp_servers')
  const { thinking, max_tokens, tools } = body
  if (thinking && thinking.budget_tokens >= max_tokens)
    throw bad('thinking.budget_tokens: must be less than max_tokens')
  const searches = tools.some((one) => 'type' in one && String(one.type).startsWith('web_search_'))
  return {
    turns: [...systemTurn(body.system), ...withResults(body.messages)],
    tools: tools.flatMap((one) => ('type' in one ? [] : [one])),
    maxTokens: max_tokens,
    modes: [...(thinking ? ['thinking' as const] : []), ...(searches ? ['search' as const] : [])],
    showsThinking: thinking !== undefined,
    tellsUsage: true,
  }
}

const systemTurn = (text = ''): Turn[] => (text ? [turnOf('system', [{ text }])] : [])

/** What the model wrote, in order. */
interface Segment {
  readonly kind: 'thinking' | 'text' | 'call'
  /** The name of the called function. */
  readonly name: string
  readonly text: string
}

const segmentsOf = ({ thinking, text, calls }: Reply): Segment[] => [
  ...(thinking ? [{ kind: 'thinking' as const, name: '', text: thinking }] : []),
  ...(text ? [{ kind: 'text' as const, name: '', text }] : []),
  ...calls.map(({ name, input }) => ({ kind: 'call' as const, name, text: JSON.stringify(input) })),
]

function writeMessages({ id, model, input, output: output_tokens }: Head, _: Ask, reply: Reply): Piece[] {
  const envelope = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [] }
  const usage = { input_tokens: input, output_tokens: 0 }
  const message = { ...envelope, stop_reason: null, stop_sequence: null, usage }
  const reasons = { whole: 'end_turn', length: 'max_tokens', calls: 'tool_use' }
  const delta = { stop_reason: reasons[reply.ended], stop_sequence: null }
  return [
    event({ type: 'message_start', message }),
    event({ type: 'ping' }),
    ...segmentsOf(reply).flatMap((segment, index) => blockEvents(segment, index, id)),
    event({ type: 'message_delta', delta, usage: { output_tokens } }),
    event({ type: 'message_stop' }),
  ]
}

function blockEvents({ kind, name, text }: Segment, index: number, id: string): Piece[] {
  const blocks = {
    thinking: { type: 'thinking', thinking: '', signature: '' },
    text: { type: 'text', text: '' },
    call: { type: 'tool_use', id: `toolu_${id}_${index}`, name, input: {} },
  }
  const deltaOf = (piece: string) =>
    kind === 'call'
      ? { type: 'input_json_delta', partial_json: piece }
      : { type: `${kind}_delta`, [kind]: piece }
  return [
    event({ type: 'content_block_start', index, content_block: blocks[kind] }, name),
    ...piecesOf(text).map((piece) =>
      event({ type: 'content_block_delta', index, delta: deltaOf(piece) }, piece),
    ),
    event({ type: 'content_block_stop', index }),
  ]
}

// Responses. Offered tools are used: web search finds one page, the code interpreter runs one line.

const responsesTool = z.union([
  z.looseObject({ type: z.enum(['web_search', 'code_interpreter']) }),
  typed('function', functionShape),
])
const responsesRequest = z.object({
  model: z.string(),
  input: z.string().min(1),
  instructions: z.string().optional(),
  stream: z.boolean(),
  tools: z.array(responsesTool).default([]),
  max_output_tokens: tokenLimit.optional(),
})

function readResponses(input: unknown): Ask {
  const body = check(responsesRequest, input, 'temperature top_p reasoning text store')
  const modes = { web_search: 'search', code_interpreter: 'code' } as const
  return {
    turns: [...systemTurn(body.instructions), ...transcriptTurns(body.input)],
    tools: body.tools.flatMap((one) => (one.type === 'function' ? [one] : [])),
    maxTokens: body.max_output_tokens,
    modes: body.tools.flatMap(({ type }) => (type === 'function' ? [] : [modes[type]])),
    tellsUsage: true,
  }
}

/** Splits a transcript ("User: …", "Assistant: …") into turns; any other text is a single question. */
function transcriptTurns(input: string): Turn[] {
  if (!input.startsWith('User: ') || !input.includes('\n\nUser: ')) return [turnOf('user', [{ text: input }])]
  return input
    .split(/\n\n(?=(?:User|Assistant): )/)
    .map((said) =>
      turnOf(said.startsWith('User: ') ? 'user' : 'assistant', [{ text: said.replace(/^\w+: /, '') }]),
    )
}

function writeResponses({ id, model, created, input, output }: Head, ask: Ask, reply: Reply): Piece[] {
  const items = [
    ...usedTools(id, ask),
    ...segmentsOf(reply).map((one, at) => itemOf(one, `${id}_${at}`, reply)),
  ]
  const head = { id: `resp_${id}`, object: 'response', created_at: created, model }
  const status = reply.ended === 'length' ? 'incomplete' : 'completed'
  const response = {
    ...head,
    status,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ item }) => item),
    output_text: reply.text,
    usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  }
  return [
    event({
      type: 'response.created',
      response: { ...head, status: 'in_progress', output: [], usage: null },
    }),
    ...items.flatMap(({ item, begun = item, delta = '', text = '', name = '' }, output_index) => [
      event({ type: 'response.output_item.added', output_index, item: begun }, name),
      ...piecesOf(text).map((part) => event({ type: delta, output_index, delta: part }, part)),
      event({ type: 'response.output_item.done', output_index, item }),
    ]),
    event({ type: `response.${status}`, response }),
  ]
}

interface Item {
  readonly item: object
  /** The item when it is added; by default as when it is done. */
  readonly begun?: object
  /** The type of the events with its text. */
  readonly delta?: string
  readonly text?: string
  readonly name?: string
}

function usedTools(id: string, ask: Ask): Item[] {
  const action = { type: 'search', query: topicOf(lastUserText(ask)) }
  const search = { id: `ws_${id}`, type: 'web_search_call', status: 'completed', action }
  const outputs = [{ type: 'logs', logs: '42\n' }]
  const run = { type: 'code_interpreter_call', status: 'completed', code: 'print(6 * 7)', outputs }
  return ask.modes.map((mode) => ({ item: mode === 'search' ? search : { id: `ci_${id}`, ...run } }))
}

function itemOf({ kind, name, text }: Segment, id: string, { source }: Reply): Item {
  if (kind === 'call') {
    const begun = { id: `fc_${id}`, type: 'function_call', name, arguments: '' }
    const delta = 'response.function_call_arguments.delta'
    return { item: { ...begun, arguments: text }, begun, delta, text, name }
  }
  const part = { type: 'output_text', text, annotations: source ? [{ type: 'url_citation', ...source }] : [] }
  const begun = { id: `msg_${id}`, type: 'message', role: 'assistant', content: [] }
  return { item: { ...begun, content: [part] }, begun, delta: 'response.output_text.delta', text }
}

export const formats: Readonly<Record<'chat' | 'messages' | 'responses', Format<Piece[]>>> = {
  chat: { read: readChat, write: writeChat },
  messages: { families: ['assistant'], read: readMessages, write: writeMessages },
  responses: { families: ['gpt', 'grok'], read: readResponses, write: writeResponses },
}
