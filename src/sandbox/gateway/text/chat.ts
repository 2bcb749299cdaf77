// `POST /v1/chat/completions`: the request and the stream. The Gemini-style family accepts exactly the fields that gateway-api.md lists, so its
// streams never report usage; the other families accept more. How web search is requested is not shown; here it is `web_search_options`. Of the
// answer only `choices[0].message.content` is shown; the rest is what clients of this format expect.

import { z } from 'zod'
import { GatewayRefusal } from '../answer.ts'
import {
  type Ask,
  bad,
  base64,
  check,
  functionShape,
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
import { dataEvent, type Piece, piecesOf } from './stream.ts'

const picture = z.string().regex(/^(https?:\/\/\S+|data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=]+)$/)
const part = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: picture }) }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: base64, format: z.enum(['wav', 'mp3']) }),
  }),
])
const called = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: toolName, arguments: z.string() }),
})
const message = z.union([
  z.strictObject({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.union([z.string(), z.array(part).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z.array(called).min(1),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string().min(1) }),
])
type Message = z.output<typeof message>
const tool = z.strictObject({ type: z.literal('function'), function: z.strictObject(functionShape) })

const request = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean(),
  max_completion_tokens: tokenLimit.optional(),
  max_tokens: tokenLimit.optional(),
  tools: z.array(tool).default([]),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
})
const otherRequest = request.extend({
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  web_search_options: jsonObject.optional(),
})
const taken = 'tool_choice top_p stop seed extra_body'
const takenByOthers = `${taken} frequency_penalty presence_penalty`

/** @throws GatewayRefusal */
export function readChat(input: unknown): Ask {
  const model = textModelIn(input, '/v1/chat/completions')
  const body: z.output<typeof otherRequest> =
    model.family === 'gemini' ? check(request, input, taken) : check(otherRequest, input, takenByOthers)
  const webSearch = body.web_search_options !== undefined
  if (webSearch && ['deepseek', 'mistral', 'minimax'].includes(model.family))
    throw new GatewayRefusal(400, 'unsupported_tool', `web search is not supported for "${model.id}"`)
  checkResults(body.messages)
  return {
    ...plain,
    model,
    json: body.response_format?.type === 'json_object',
    hiddenThinking: body.reasoning_effort !== undefined,
    webSearch,
    turns: body.messages.map(turnOf),
    tools: body.tools.map((one) => one.function),
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    tellsUsage: body.stream_options?.include_usage ?? false,
  }
}

/** @throws GatewayRefusal unless each call has its result in the messages after it, and each result its call */
function checkResults(messages: readonly Message[]): void {
  let open: readonly string[] = []
  for (const one of messages) {
    if (one.role === 'tool' ? !open.includes(one.tool_call_id) : open.length > 0)
      throw bad('messages: a result answers a call of the message before, and each call has one')
    if (one.role === 'tool') open = open.filter((id) => id !== one.tool_call_id)
    else open = 'tool_calls' in one ? one.tool_calls.map(({ id }) => id) : []
  }
}

function turnOf(message: Message): Turn {
  const { role, content } = message
  const calls = 'tool_calls' in message ? message.tool_calls : []
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? [])
  return {
    role: role === 'tool' ? 'system' : role,
    calls: calls.map(({ function: { name, arguments: input } }) => ({ name, input: argumentsIn(input) })),
    text: parts.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n'),
    attachments: parts.filter(({ type }) => type === 'image_url').length,
    sounds: parts.flatMap((one) => (one.type === 'input_audio' ? [one.input_audio.data] : [])),
  }
}

function argumentsIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw bad('messages: the arguments of a call are JSON')
  }
}

const reasons = { whole: 'stop', length: 'length', calls: 'tool_calls' } as const

export function chatPieces(
  { id, created, model }: Head,
  { tellsUsage }: Ask,
  reply: Reply,
  { input, output }: Usage,
): Piece[] {
  const chunk = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model }
  const piece = (delta: object, said: number, finish_reason: string | null = null) =>
    dataEvent({ ...chunk, choices: [{ index: 0, delta, finish_reason }] }, said)
  const called = (index: number, fields: object, said: string) =>
    piece({ tool_calls: [{ index, ...fields }] }, said.length)
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  return [
    piece({ role: 'assistant', content: '' }, 0),
    ...piecesOf(reply.text).map((content) => piece({ content }, content.length)),
    // The first delta of a call has its name without arguments; the others have the arguments in pieces.
    ...reply.calls.flatMap(({ name, input: given }, at) => [
      called(at, { id: `call_${id}_${at}`, type: 'function', function: { name, arguments: '' } }, name),
      ...piecesOf(JSON.stringify(given)).map((one) => called(at, { function: { arguments: one } }, one)),
    ]),
    piece(cited(reply), 0, reasons[reply.ended]),
    ...(tellsUsage ? [dataEvent({ ...chunk, choices: [], usage })] : []),
    { wire: 'data: [DONE]\n\n', said: 0 },
  ]
}

const cited = ({ source }: Reply) =>
  source ? { annotations: [{ type: 'url_citation', url_citation: source }] } : {}
