// The request of `POST /v1/chat/completions`. The Gemini-style family accepts exactly the fields that gateway-api.md lists, so its
// streams never report usage; the other families accept more. How web search is requested is not shown; here it is
// `web_search_options`, or a tool of the type `web_search`.

import { z } from 'zod'
import { type Ask, plain, type Turn } from './ask.ts'
import { bad, base64, check, fileUrl, jsonObject, modelIn, toolName } from './check.ts'
import { checkWebSearch, type TextModel, textModel } from './models.ts'

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() })
const userPart = z.discriminatedUnion('type', [
  textPart,
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: fileUrl, detail: z.enum(['auto', 'low', 'high']).optional() }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: base64, format: z.enum(['mp3', 'wav']) }),
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject({ file_data: fileUrl, filename: z.string().optional() }),
  }),
])
const texts = z.union([z.string(), z.array(textPart).min(1)])
const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: toolName, arguments: z.string() }),
})

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: texts, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(userPart).min(1)]),
    name: z.string().optional(),
  }),
  // The schema is loose because clients send the message back as they received it.
  z.looseObject({
    role: z.literal('assistant'),
    content: texts.nullish(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string() }),
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
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
  extra_body: jsonObject.optional(),
}

const penalty = z.number().min(-2).max(2).nullish()
const otherFields = {
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  n: z.int().min(1).max(8).nullish(),
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
  readonly choices: number
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
  checkCalls(body.messages)
  return {
    ask: askOf(model, body),
    choices: body.n ?? 1,
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
  }
}

function askOf(model: TextModel, body: z.output<typeof otherRequest>): Ask {
  const webSearch =
    body.web_search_options !== undefined || !!body.tools?.some(({ type }) => type === 'web_search')
  checkWebSearch(model, webSearch)
  const { response_format: format, tool_choice: choice = 'auto', tools = [] } = body
  return {
    ...plain,
    model,
    hiddenThinking: typeof body.reasoning_effort === 'string',
    webSearch,
    turns: body.messages.map(turnOf),
    tools: tools.flatMap((one) =>
      one.type === 'function' ? [{ name: one.function.name, parameters: one.function.parameters ?? {} }] : [],
    ),
    choice: typeof choice === 'string' ? choice : { name: choice.function.name },
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    stop: [body.stop ?? []].flat(),
    json: format?.type === 'json_schema' ? { schema: format.json_schema.schema } : jsonOf(format?.type),
  }
}

const jsonOf = (type: string | undefined) => (type === 'json_object' ? 'object' : undefined)

function turnOf({ role, content }: Message): Turn {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? [])
  const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return {
    role: role === 'developer' ? 'system' : role,
    text: said.join('\n'),
    attachments: parts.length - said.length,
  }
}

/** Checks that each result of a tool refers to an earlier call. */
function checkCalls(messages: readonly Message[]): void {
  const made = new Set<string>()
  for (const one of messages) {
    if (one.role === 'assistant') for (const { id } of one.tool_calls ?? []) made.add(id)
    if (one.role === 'tool' && !made.has(one.tool_call_id)) {
      throw bad(`messages: no earlier tool call has the id "${one.tool_call_id}"`)
    }
  }
}
