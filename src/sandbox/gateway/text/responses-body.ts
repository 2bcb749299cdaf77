// The request of `POST /v1/responses`, for two vendor families that gateway-api.md does not name; here the GPT-style and the
// Grok-style ones. It shows `model`, `input` as a text, and `tools`; lists of messages and the other fields are those of the
// format. Fields that refer to earlier responses (`previous_response_id`, `background`) are not supported.

import { z } from 'zod'
import { type Ask, plain, type Turn } from './ask.ts'
import { bad, check, fileUrl, jsonObject, modelIn, toolName } from './check.ts'
import { textModelOf } from './models.ts'

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
  z.looseObject({ type: z.literal('input_image'), image_url: fileUrl }),
  z.looseObject({ type: z.literal('input_file'), file_data: fileUrl }),
])
const message = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(part).min(1)]),
})
const call = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: toolName,
  arguments: z.string(),
})
const result = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.string(),
})
/** Items of an earlier answer that clients send back. */
const done = z.looseObject({ type: z.enum(['reasoning', 'web_search_call', 'code_interpreter_call']) })
const item = z.union([message, call, result, done])
type Item = z.output<typeof item>

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
  input: z.union([z.string().min(1), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({ type: z.literal('function'), name: z.string() }),
    ])
    .optional(),
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

export interface ResponsesRequest {
  readonly ask: Ask
  readonly stream: boolean
  /** Fields that the answer repeats. */
  readonly echo: { readonly instructions: string | null; readonly tools: readonly unknown[] }
}

/** @throws GatewayRefusal */
export function readResponses(input: unknown): ResponsesRequest {
  const model = textModelOf(['gpt', 'grok'], modelIn(input), '/v1/responses')
  const body = check(request, input)
  const { tools = [], instructions = null, tool_choice: choice = 'auto' } = body
  const has = (type: string) => tools.some((one) => one.type === type)
  const ask: Ask = {
    ...plain,
    model,
    turns: turnsOf(body),
    tools: tools.flatMap((one) =>
      one.type === 'function' ? [{ name: one.name, parameters: one.parameters ?? {} }] : [],
    ),
    choice: typeof choice === 'string' ? choice : { name: choice.name },
    maxTokens: body.max_output_tokens ?? undefined,
    json: jsonOf(body.text?.format),
    webSearch: has('web_search'),
    code: has('code_interpreter'),
  }
  return { ask, stream: body.stream ?? false, echo: { instructions, tools } }
}

function jsonOf(format: NonNullable<Request['text']>['format']): Ask['json'] {
  if (format?.type === 'json_schema') return { schema: format.schema }
  return format?.type === 'json_object' ? 'object' : undefined
}

function turnsOf({ input, instructions }: Request): Turn[] {
  const system = instructions ? [{ role: 'system' as const, text: instructions, attachments: 0 }] : []
  if (typeof input === 'string') return [...system, ...turnsOfText(input)]
  const made = new Set(input.flatMap((one) => ('call_id' in one && 'arguments' in one ? [one.call_id] : [])))
  return [...system, ...input.flatMap((one) => turnOf(one, made))]
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

function turnOf(one: Item, made: ReadonlySet<unknown>): Turn[] {
  if ('role' in one) {
    const { role, content } = message.parse(one)
    return [{ role: role === 'developer' ? 'system' : role, ...gathered(content) }]
  }
  if (one.type !== 'function_call_output') return []
  const { call_id, output } = result.parse(one)
  if (!made.has(call_id)) throw bad(`input: no function_call has the call_id "${call_id}"`)
  return [{ role: 'tool', text: output, attachments: 0 }]
}

function gathered(content: z.output<typeof message>['content']): Pick<Turn, 'text' | 'attachments'> {
  if (typeof content === 'string') return { text: content, attachments: 0 }
  const said = content.flatMap((one) => ('text' in one && typeof one.text === 'string' ? [one.text] : []))
  return { text: said.join('\n'), attachments: content.length - said.length }
}
