// The answer of `POST /v1/responses`, whole and as a stream. gateway-api.md shows only `output_text`; the rest is what clients of
// this format expect. Offered tools are used: web search finds one page, the code interpreter runs one line.

import { type Ask, lastUserText, type Reply, type ToolCall } from './ask.ts'
import type { Usage } from './bill.ts'
import type { ResponsesRequest } from './responses-body.ts'
import { namedEvent, type Piece, piecesOf } from './stream.ts'
import { topicOf } from './words.ts'

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
type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string }

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

function usedTools({ id }: ResponseHead, ask: Ask): Item[] {
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

const itemEvents = (output_index: number, before: Item, after: Item, within: readonly Event[]): Event[] => [
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
