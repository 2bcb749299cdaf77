// `POST /v1/responses`, for two vendor families that gateway-api.md does not name; here the GPT-style and the Grok-style ones. It shows
// `model`, `input` as a text, `tools` and `output_text`; the other fields are those of the format. Offered tools are used: web search finds one
// page, the code interpreter runs one line.

import { z } from 'zod'
import {
  type Ask,
  check,
  jsonObject,
  lastUserText,
  modelIn,
  plain,
  type Reply,
  type ToolCall,
  type Turn,
  textModelOf,
  toolName,
  type Usage,
} from './ask.ts'
import { namedEvent, type Piece, piecesOf } from './stream.ts'
import { topicOf } from './words.ts'

const tool = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['web_search', 'code_interpreter']) }),
  z.strictObject({
    type: z.literal('function'),
    name: toolName,
    description: z.string().nullish(),
    parameters: jsonObject.nullish(),
    strict: z.boolean().nullish(),
  }),
])

const request = z.strictObject({
  model: z.string(),
  input: z.string().min(1),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).optional(),
  tool_choice: z.enum(['auto', 'none']).optional(),
  max_output_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  reasoning: jsonObject.nullish(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.strictObject({ type: z.enum(['text', 'json_object']) }),
          z.looseObject({ type: z.literal('json_schema'), name: z.string(), schema: jsonObject }),
        ])
        .optional(),
    })
    .optional(),
  include: z.array(z.string()).nullish(),
  metadata: jsonObject.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  store: z.boolean().nullish(),
  user: z.string().optional(),
})
type Request = z.output<typeof request>

interface ResponsesRequest {
  readonly ask: Ask
  readonly stream: boolean
  /** Fields that the answer repeats. */
  readonly echo: { readonly instructions: string | null; readonly tools: readonly unknown[] }
}

/** @throws GatewayRefusal */
export function readResponses(input: unknown): ResponsesRequest {
  const model = textModelOf(['gpt', 'grok'], modelIn(input), '/v1/responses')
  const body = check(request, input)
  const { instructions = null } = body
  const tools = body.tool_choice === 'none' ? [] : (body.tools ?? [])
  const has = (type: string) => tools.some((one) => one.type === type)
  const ask: Ask = {
    ...plain,
    model,
    turns: turnsOf(body),
    tools: tools.flatMap((one) =>
      one.type === 'function' ? [{ name: one.name, parameters: one.parameters ?? {} }] : [],
    ),
    maxTokens: body.max_output_tokens ?? undefined,
    json: (body.text?.format?.type ?? 'text') !== 'text',
    webSearch: has('web_search'),
    code: has('code_interpreter'),
  }
  return { ask, stream: body.stream ?? false, echo: { instructions, tools } }
}

function turnsOf({ input, instructions }: Request): Turn[] {
  const system = instructions ? [{ role: 'system' as const, text: instructions, attachments: 0 }] : []
  return [...system, ...turnsOfText(input)]
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

interface ResponseHead {
  readonly id: string
  readonly model: string
  /** Unix time in seconds. */
  readonly created: number
  readonly echo: ResponsesRequest['echo']
}

type Content = {
  readonly type: 'output_text'
  readonly text: string
  readonly annotations: readonly object[]
}
type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string }

function envelope({ id, model, created, echo }: ResponseHead) {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    model,
    ...echo,
    error: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    top_p: 1,
  }
}

const usageView = ({ input, output, thinking }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: thinking },
  total_tokens: input + output,
})

function usedTools({ id }: ResponseHead, ask: Ask): OutputItem[] {
  const action = { type: 'search', query: topicOf(lastUserText(ask)) }
  const search = { id: `ws_${id}`, type: 'web_search_call', status: 'completed', action }
  const code = {
    id: `ci_${id}`,
    type: 'code_interpreter_call',
    status: 'completed',
    container_id: `cntr_${id}`,
    code: 'print(6 * 7)',
    outputs: [{ type: 'logs', logs: '42\n' }],
  }
  return [...(ask.webSearch ? [search] : []), ...(ask.code ? [code] : [])]
}

const callItem = ({ id }: ResponseHead, { name, input }: ToolCall, index: number) => ({
  id: `fc_${id}_${index}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}_${index}`,
  name,
  arguments: JSON.stringify(input),
})

const messageItem = ({ id }: ResponseHead, status: string, content: readonly Content[]) => ({
  id: `msg_${id}`,
  type: 'message',
  status,
  role: 'assistant',
  content,
})

function contentOf({ text, source }: Reply): Content {
  const start = source ? text.lastIndexOf(`[${source.title}](${source.url})`) : -1
  const cited = { type: 'url_citation', ...source, start_index: start, end_index: text.length }
  return { type: 'output_text', text, annotations: start < 0 ? [] : [cited] }
}

const endOf = ({ ended }: Reply) => (ended === 'length' ? 'incomplete' : 'completed')

export function responsesView(head: ResponseHead, ask: Ask, reply: Reply, usage: Usage) {
  const said =
    reply.ended === 'calls'
      ? reply.calls.map((call, index) => callItem(head, call, index))
      : [messageItem(head, endOf(reply), [contentOf(reply)])]
  return {
    ...envelope(head),
    status: endOf(reply),
    incomplete_details: reply.ended === 'length' ? { reason: 'max_output_tokens' } : null,
    output: [...usedTools(head, ask), ...said],
    output_text: reply.text,
    usage: usageView(usage),
  }
}

export function responsesPieces(head: ResponseHead, ask: Ask, reply: Reply, usage: Usage): Piece[] {
  const begun = {
    ...envelope(head),
    status: 'in_progress',
    incomplete_details: null,
    output: [],
    usage: null,
  }
  const used = usedTools(head, ask)
  const response = responsesView(head, ask, reply, usage)
  const events: Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...used.flatMap((item, index) => itemEvents(index, item, item, [])),
    ...(reply.ended === 'calls'
      ? reply.calls.flatMap((call, index) => callEvents(head, call, used.length + index, index))
      : messageEvents(head, reply, used.length)),
    { type: `response.${response.status}`, response },
  ]
  return events.map(({ said = 0, ...event }, sequence_number) =>
    namedEvent({ ...event, sequence_number }, said),
  )
}

/** An event; `said` is explained at `Piece` in stream.ts. */
type Event = { readonly type: string; readonly said?: number } & Readonly<Record<string, unknown>>

const itemEvents = (
  output_index: number,
  before: OutputItem,
  after: OutputItem,
  within: readonly Event[],
): Event[] => [
  { type: 'response.output_item.added', output_index, item: before },
  ...within,
  { type: 'response.output_item.done', output_index, item: after },
]

function callEvents(head: ResponseHead, call: ToolCall, output_index: number, index: number): Event[] {
  const item = callItem(head, call, index)
  const place = { item_id: item.id, output_index }
  const type = 'response.function_call_arguments'
  const [first, ...deltas] = piecesOf(item.arguments).map((delta) => ({
    type: `${type}.delta`,
    ...place,
    delta,
    said: delta.length,
  }))
  return itemEvents(output_index, { ...item, status: 'in_progress', arguments: '' }, item, [
    ...(first ? [{ ...first, said: first.said + call.name.length }] : []),
    ...deltas,
    { type: `${type}.done`, ...place, name: item.name, arguments: item.arguments },
  ])
}

function messageEvents(head: ResponseHead, reply: Reply, output_index: number): Event[] {
  const part = contentOf(reply)
  const item = messageItem(head, endOf(reply), [part])
  const place = { item_id: item.id, output_index, content_index: 0 }
  const empty = { ...part, text: '', annotations: [] }
  return itemEvents(output_index, messageItem(head, 'in_progress', []), item, [
    { type: 'response.content_part.added', ...place, part: empty },
    ...piecesOf(part.text).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
      said: delta.length,
    })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ])
}
