// `POST /v1/messages`, for the assistant family only, with its native features: thinking, cache_control, top_k, mcp_servers. gateway-api.md
// names these and `model`, `max_tokens`, `messages` of the request and `content[0].text` of the answer; the rest is that of the format.

import { z } from 'zod'
import {
  type Ask,
  bad,
  base64,
  check,
  type Head,
  jsonObject,
  plain,
  type Reply,
  type Turn,
  textModelIn,
  tokenLimit,
  toolName,
  type Usage,
} from './ask.ts'
import { namedEvent, type Piece, piecesOf } from './stream.ts'

const source = z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: base64 })
const block = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('image'), source }),
  z.strictObject({ type: z.literal('tool_use'), id: z.string().min(1), name: toolName, input: jsonObject }),
  z.strictObject({ type: z.literal('tool_result'), tool_use_id: z.string().min(1), content: z.string() }),
])
const message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string().min(1), z.array(block).min(1)]),
})
type Message = z.output<typeof message>

const tool = z.strictObject({ name: toolName, description: z.string(), input_schema: jsonObject })
/** A tool of the vendor, such as web search; its type ends with its version. */
const vendorTool = z.looseObject({ type: z.string().regex(/^[a-z_]+_\d{8}$/), name: z.string() })

const request = z.object({
  model: z.string(),
  max_tokens: tokenLimit,
  messages: z.array(message).min(1),
  system: z.string().optional(),
  stream: z.boolean(),
  thinking: z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1) }).optional(),
  tools: z.array(z.union([tool, vendorTool])).default([]),
})

/** @throws GatewayRefusal */
export function readMessages(input: unknown): Ask {
  const model = textModelIn(input, '/v1/messages', ['assistant'])
  const body = check(request, input, 'cache_control top_k mcp_servers')
  const { thinking, max_tokens, system, tools } = body
  if (thinking && thinking.budget_tokens >= max_tokens)
    throw bad('thinking.budget_tokens: must be less than max_tokens')
  checkResults(body.messages)
  const before: Turn[] = system ? [{ role: 'system', text: system, attachments: 0 }] : []
  return {
    ...plain,
    model,
    turns: [...before, ...body.messages.map(turnOf)],
    tools: tools.flatMap((one) =>
      'input_schema' in one ? [{ name: one.name, parameters: one.input_schema }] : [],
    ),
    maxTokens: max_tokens,
    thinking: thinking !== undefined,
    webSearch: tools.some((one) => 'type' in one && String(one.type).startsWith('web_search_')),
  }
}

/** @throws GatewayRefusal unless each message answers exactly the calls of the message before it */
function checkResults(messages: readonly Message[]): void {
  const ids = (at: number, read: (one: z.output<typeof block>) => string | undefined) => {
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

function turnOf({ role, content }: Message): Turn {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return {
    role,
    text: blocks.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n'),
    attachments: blocks.filter(({ type }) => type === 'image').length,
    calls: blocks.flatMap((one) => (one.type === 'tool_use' ? [{ name: one.name, input: one.input }] : [])),
  }
}

const reasons = { whole: 'end_turn', length: 'max_tokens', calls: 'tool_use' } as const

export function messagesPieces(
  { id, model }: Head,
  _: Ask,
  reply: Reply,
  { input: input_tokens, output: output_tokens }: Usage,
): Piece[] {
  const envelope = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [] }
  const usage = { input_tokens, output_tokens: 0 }
  const message = { ...envelope, stop_reason: null, stop_sequence: null, usage }
  const delta = { stop_reason: reasons[reply.ended], stop_sequence: null }
  return [
    namedEvent({ type: 'message_start', message }),
    namedEvent({ type: 'ping' }),
    ...blocksOf(id, reply).flatMap(blockPieces),
    namedEvent({ type: 'message_delta', delta, usage: { output_tokens } }),
    namedEvent({ type: 'message_stop' }),
  ]
}

interface Block {
  readonly empty: object
  /** Counts as output when the block begins. */
  readonly name?: string
  readonly said: string
  readonly deltaOf: (piece: string) => object
  readonly more?: readonly object[]
}

function blocksOf(id: string, { thinking, text, calls }: Reply): Block[] {
  const signature = Buffer.from(`signature of ${id}`).toString('base64')
  const thought: Block = {
    empty: { type: 'thinking', thinking: '', signature: '' },
    said: thinking,
    deltaOf: (piece) => ({ type: 'thinking_delta', thinking: piece }),
    more: [{ type: 'signature_delta', signature }],
  }
  const words: Block = {
    empty: { type: 'text', text: '' },
    said: text,
    deltaOf: (piece) => ({ type: 'text_delta', text: piece }),
  }
  const called = calls.map(
    ({ name, input }, index): Block => ({
      empty: { type: 'tool_use', id: `toolu_${id}_${index}`, name, input: {} },
      name,
      said: JSON.stringify(input),
      deltaOf: (partial_json) => ({ type: 'input_json_delta', partial_json }),
    }),
  )
  return [...(thinking ? [thought] : []), ...(text ? [words] : []), ...called]
}

function blockPieces({ empty, name = '', said, deltaOf, more = [] }: Block, index: number): Piece[] {
  const delta = (content: object, length = 0) =>
    namedEvent({ type: 'content_block_delta', index, delta: content }, length)
  return [
    namedEvent({ type: 'content_block_start', index, content_block: empty }, name.length),
    ...piecesOf(said).map((piece) => delta(deltaOf(piece), piece.length)),
    ...more.map((one) => delta(one)),
    namedEvent({ type: 'content_block_stop', index }),
  ]
}
