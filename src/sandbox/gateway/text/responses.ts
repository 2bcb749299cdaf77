// `POST /v1/responses`, for two vendor families that gateway-api.md does not name; here the GPT-style and the Grok-style ones. It shows
// `model`, `input` as a text, `tools` and `output_text`; the other fields are those of the format. Offered tools are used: web search finds one
// page, the code interpreter runs one line.

import { z } from 'zod'
import {
  type Ask,
  check,
  functionShape,
  type Head,
  lastUserText,
  plain,
  type Reply,
  type Turn,
  textModelIn,
  tokenLimit,
  type Usage,
} from './ask.ts'
import { namedEvent, type Piece, piecesOf } from './stream.ts'
import { topicOf } from './words.ts'

const tool = z.union([
  z.looseObject({ type: z.enum(['web_search', 'code_interpreter']) }),
  z.strictObject({ type: z.literal('function'), ...functionShape }),
])

const request = z.object({
  model: z.string(),
  input: z.string().min(1),
  instructions: z.string().optional(),
  stream: z.boolean(),
  tools: z.array(tool).default([]),
  max_output_tokens: tokenLimit.optional(),
})

/** @throws GatewayRefusal */
export function readResponses(input: unknown): Ask {
  const model = textModelIn(input, '/v1/responses', ['gpt', 'grok'])
  const body = check(request, input, 'temperature top_p reasoning text store')
  const { instructions: text, tools } = body
  const system: Turn[] = text ? [{ role: 'system', text, attachments: 0 }] : []
  return {
    ...plain,
    model,
    turns: [...system, ...turnsOfText(body.input)],
    tools: tools.flatMap((one) => (one.type === 'function' ? [one] : [])),
    maxTokens: body.max_output_tokens,
    webSearch: tools.some(({ type }) => type === 'web_search'),
    code: tools.some(({ type }) => type === 'code_interpreter'),
  }
}

/** Splits a transcript ("User: …", "Assistant: …") into turns; any other text is a single question. */
function turnsOfText(input: string): Turn[] {
  if (!input.startsWith('User: ') || !input.includes('\n\nUser: '))
    return [{ role: 'user', text: input, attachments: 0 }]
  return input.split(/\n\n(?=(?:User|Assistant): )/).map((said) => ({
    role: said.startsWith('User: ') ? 'user' : 'assistant',
    text: said.replace(/^\w+: /, ''),
    attachments: 0,
  }))
}

/** An event; `said` is explained at `Piece` in stream.ts. */
type Event = { readonly type: string; readonly said?: number } & Readonly<Record<string, unknown>>

export function responsesPieces(
  { id, model, created: created_at }: Head,
  ask: Ask,
  reply: Reply,
  { input: input_tokens, output: output_tokens }: Usage,
): Piece[] {
  const said = reply.ended === 'calls' ? callsOf(id, reply) : [messageOf(id, reply)]
  const all = [...usedTools(id, ask), ...said]
  const head = { id: `resp_${id}`, object: 'response', created_at, model }
  const status = reply.ended === 'length' ? 'incomplete' : 'completed'
  const response = {
    ...head,
    status,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: all.map(({ item }) => item),
    output_text: reply.text,
    usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
  }
  const events: Event[] = [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [], usage: null } },
    ...all.flatMap(({ item, begun = item, delta = '', text = '', name = '' }, output_index) => [
      { type: 'response.output_item.added', output_index, item: begun, said: name.length },
      ...piecesOf(text).map((part) => ({ type: delta, output_index, delta: part, said: part.length })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${status}`, response },
  ]
  return events.map(({ said = 0, ...event }, sequence_number) =>
    namedEvent({ ...event, sequence_number }, said),
  )
}

interface Output {
  readonly item: object
  /** The item when it is added; by default as when it is done. */
  readonly begun?: object
  /** The type of the events with its text. */
  readonly delta?: string
  readonly text?: string
  /** Counts as output when the item is added. */
  readonly name?: string
}

function usedTools(id: string, ask: Ask): Output[] {
  const action = { type: 'search', query: topicOf(lastUserText(ask)) }
  const search = { id: `ws_${id}`, type: 'web_search_call', status: 'completed', action }
  const outputs = [{ type: 'logs', logs: '42\n' }]
  const run = { type: 'code_interpreter_call', status: 'completed', code: 'print(6 * 7)', outputs }
  return [
    ...(ask.webSearch ? [{ item: search }] : []),
    ...(ask.code ? [{ item: { id: `ci_${id}`, ...run } }] : []),
  ]
}

const callsOf = (id: string, { calls }: Reply): Output[] =>
  calls.map(({ name, input }, index) => {
    const text = JSON.stringify(input)
    const begun = { id: `fc_${id}_${index}`, type: 'function_call', name, arguments: '' }
    const delta = 'response.function_call_arguments.delta'
    return { item: { ...begun, arguments: text }, begun, delta, text, name }
  })

function messageOf(id: string, { text, source }: Reply): Output {
  const part = { type: 'output_text', text, annotations: source ? [{ type: 'url_citation', ...source }] : [] }
  const begun = { id: `msg_${id}`, type: 'message', role: 'assistant', content: [] }
  return { item: { ...begun, content: [part] }, begun, delta: 'response.output_text.delta', text }
}
