// The answer of `POST /v1/chat/completions`, whole and as a stream. gateway-api.md shows only `choices[0].message.content`; the
// rest is what clients of this format expect.

import type { Reply, ToolCall } from './ask.ts'
import type { Usage } from './bill.ts'
import { dataEvent, type Piece, piecesOf } from './stream.ts'

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

export function chatView(head: ChatHead, replies: readonly Reply[], usage: Usage) {
  const choices = replies.map((reply, index) => ({
    index,
    message: {
      role: 'assistant',
      content: reply.ended === 'calls' ? null : reply.text,
      refusal: null,
      ...sourced(reply),
      ...(reply.ended === 'calls'
        ? { tool_calls: reply.calls.map((call, at) => callView(head, call, at)) }
        : {}),
    },
    logprobs: null,
    finish_reason: reasons[reply.ended],
  }))
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

export function chatPieces(head: ChatHead, replies: readonly Reply[], usage: Usage | undefined): Piece[] {
  const chunk = envelope(head, 'chat.completion.chunk')
  const shared = usage ? { ...chunk, usage: null } : chunk
  const piece = (index: number, delta: object, said: number, reason: string | null = null) =>
    dataEvent({ ...shared, choices: [{ index, delta, logprobs: null, finish_reason: reason }] }, said)
  const choices = replies.flatMap((reply, index) => [
    piece(index, { role: 'assistant', content: reply.ended === 'calls' ? null : '', refusal: null }, 0),
    ...piecesOf(reply.text).map((content) => piece(index, { content }, content.length)),
    ...reply.calls.flatMap((call, at) =>
      callDeltas(head, call, at).map(({ delta, said }) => piece(index, { tool_calls: [delta] }, said)),
    ),
    piece(index, sourced(reply), 0, reasons[reply.ended]),
  ])
  const counted = usage ? [dataEvent({ ...chunk, choices: [], usage: usageView(usage) })] : []
  return [...choices, ...counted, { wire: 'data: [DONE]\n\n', said: 0 }]
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
