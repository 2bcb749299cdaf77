// `POST /v1/messages`, for the assistant family only, with its native features: thinking, cache_control, top_k, mcp_servers. gateway-api.md
// names these and `model`, `max_tokens`, `messages` of the request and `content[0].text` of the answer; the rest is that of the format.

import { z } from 'zod'
import {
  type Ask,
  bad,
  base64,
  check,
  jsonObject,
  modelIn,
  plain,
  type Reply,
  type Turn,
  textModelOf,
  toolName,
  type Usage,
} from './ask.ts'
import { namedEvent, type Piece, piecesOf } from './stream.ts'

const cache_control = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish()
const source = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: base64 }),
  z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) }),
])
const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), cache_control }),
  z.strictObject({ type: z.literal('image'), source, cache_control }),
  z.strictObject({ type: z.literal('tool_use'), id: z.string().min(1), name: toolName, input: jsonObject }),
  z.strictObject({ type: z.literal('tool_result'), tool_use_id: z.string().min(1), content: z.string() }),
])

type Block = z.output<typeof block>

const message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string().min(1), z.array(block).min(1)]),
})
type Message = z.output<typeof message>

const tool = z.union([
  z.strictObject({
    type: z.literal('custom').optional(),
    name: toolName,
    description: z.string().optional(),
    input_schema: jsonObject,
    cache_control,
  }),
  // A tool of the vendor, such as web search; its type ends with its version.
  z.looseObject({ type: z.string().regex(/^[a-z_]+_\d{8}$/), name: z.string() }),
])
type OneTool = z.output<typeof tool>

const request = z.strictObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  messages: z.array(message).min(1),
  system: z
    .union([
      z.string(),
      z.array(z.strictObject({ type: z.literal('text'), text: z.string(), cache_control })),
    ])
    .optional(),
  stream: z.boolean().optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().positive() }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  cache_control,
  temperature: z.number().min(0).max(1).optional(),
  top_k: z.int().nonnegative().optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(z.string().min(1)).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  mcp_servers: z
    .array(z.looseObject({ type: z.literal('url'), name: z.string(), url: z.url({ protocol: /^https?$/ }) }))
    .optional(),
  tools: z.array(tool).optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'none']) }).optional(),
})
type Request = z.output<typeof request>

interface MessagesRequest {
  readonly ask: Ask
  readonly stream: boolean
}

/** @throws GatewayRefusal */
export function readMessages(input: unknown): MessagesRequest {
  const model = textModelOf(['assistant'], modelIn(input), '/v1/messages')
  const body = check(request, input)
  checkThinking(body)
  checkResults(body.messages)
  const { tools = [] } = body.tool_choice?.type === 'none' ? {} : body
  const ask: Ask = {
    ...plain,
    model,
    turns: [...systemTurns(body.system), ...body.messages.map(turnOf)],
    tools: tools.flatMap((one) =>
      'input_schema' in one && !isVendorTool(one) ? [{ name: one.name, parameters: one.input_schema }] : [],
    ),
    maxTokens: body.max_tokens,
    stop: body.stop_sequences ?? [],
    thinking: body.thinking?.type === 'enabled',
    webSearch: tools.some((one) => one.type?.startsWith('web_search_')),
  }
  return { ask, stream: body.stream ?? false }
}

const isVendorTool = ({ type }: OneTool): boolean => type !== undefined && type !== 'custom'

function checkThinking({ thinking, max_tokens }: Request): void {
  if (thinking?.type !== 'enabled' || thinking.budget_tokens < max_tokens) return
  throw bad('thinking.budget_tokens: must be less than max_tokens')
}

/** @throws GatewayRefusal unless each message answers exactly the calls of the message before it */
function checkResults(messages: readonly Message[]): void {
  const ids = (at: number, read: (one: Block) => string | undefined) => {
    const content = messages[at]?.content ?? []
    return typeof content === 'string' ? '' : content.flatMap((one) => read(one) ?? []).join()
  }
  for (let at = 0; at <= messages.length; at += 1) {
    const called = ids(at - 1, (one) => (one.type === 'tool_use' ? one.id : undefined))
    const answered = ids(at, (one) => (one.type === 'tool_result' ? one.tool_use_id : undefined))
    if (called !== answered)
      throw bad('messages: tool_use without tool_result immediately after, or the reverse')
  }
}

function systemTurns(system: Request['system'] = []): Turn[] {
  const said = typeof system === 'string' ? system : system.map((one) => one.text).join('\n')
  return said === '' ? [] : [{ role: 'system', text: said, attachments: 0 }]
}

function turnOf({ role, content }: Message): Turn {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const said = blocks.flatMap((one) => (one.type === 'text' ? [one.text] : []))
  return {
    role,
    text: said.join('\n'),
    attachments: blocks.filter(({ type }) => type === 'image').length,
    calls: blocks.flatMap((one) => (one.type === 'tool_use' ? [{ name: one.name, input: one.input }] : [])),
  }
}

type AnsweredBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }

const reasons = { whole: 'end_turn', stop: 'stop_sequence', length: 'max_tokens', calls: 'tool_use' } as const

function blocksOf(id: string, { thinking, text, calls }: Reply): AnsweredBlock[] {
  const signature = Buffer.from(`signature of ${id}`).toString('base64')
  return [
    ...(thinking ? [{ type: 'thinking' as const, thinking, signature }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map((call, index) => ({ type: 'tool_use' as const, id: `toolu_${id}_${index}`, ...call })),
  ]
}

const ending = ({ ended, stoppedAt }: Reply) => ({
  stop_reason: reasons[ended],
  stop_sequence: stoppedAt ?? null,
})

const usageView = ({ input, output }: Usage) => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
})

const envelope = (id: string, model: string) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
})

export const messagesView = (id: string, model: string, reply: Reply, usage: Usage) => ({
  ...envelope(id, model),
  content: blocksOf(id, reply),
  ...ending(reply),
  usage: usageView(usage),
})

export function messagesPieces(id: string, model: string, reply: Reply, usage: Usage): Piece[] {
  const message = {
    ...envelope(id, model),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usageView({ ...usage, output: 0 }),
  }
  return [
    namedEvent({ type: 'message_start', message }),
    namedEvent({ type: 'ping' }),
    ...blocksOf(id, reply).flatMap(blockPieces),
    namedEvent({ type: 'message_delta', delta: ending(reply), usage: { output_tokens: usage.output } }),
    namedEvent({ type: 'message_stop' }),
  ]
}

/** Only what the model wrote counts as output: texts, and the name and the arguments of a call. */
function blockPieces(block: AnsweredBlock, index: number): Piece[] {
  const { empty, said, deltaOf, more = [] } = streamedBlock(block)
  const delta = (content: object, length = 0) =>
    namedEvent({ type: 'content_block_delta', index, delta: content }, length)
  return [
    namedEvent(
      { type: 'content_block_start', index, content_block: empty },
      'name' in block ? block.name.length : 0,
    ),
    ...piecesOf(said).map((piece) => delta(deltaOf(piece), piece.length)),
    ...more.map((one) => delta(one)),
    namedEvent({ type: 'content_block_stop', index }),
  ]
}

interface StreamedBlock {
  readonly empty: object
  readonly said: string
  readonly deltaOf: (piece: string) => object
  readonly more?: readonly object[]
}

function streamedBlock(block: AnsweredBlock): StreamedBlock {
  switch (block.type) {
    case 'thinking':
      return {
        empty: { ...block, thinking: '', signature: '' },
        said: block.thinking,
        deltaOf: (thinking) => ({ type: 'thinking_delta', thinking }),
        more: [{ type: 'signature_delta', signature: block.signature }],
      }
    case 'text':
      return {
        empty: { ...block, text: '' },
        said: block.text,
        deltaOf: (text) => ({ type: 'text_delta', text }),
      }
    case 'tool_use':
      return {
        empty: { ...block, input: {} },
        said: JSON.stringify(block.input),
        deltaOf: (partial_json) => ({ type: 'input_json_delta', partial_json }),
      }
  }
}
