// The request of `POST /v1/messages`, for the assistant family only, with its native features: thinking, cache_control, top_k,
// mcp_servers. gateway-api.md names these and `model`, `max_tokens`, `messages`; the other fields are those of the format.

import { z } from 'zod'
import { type Ask, plain, type Turn } from './ask.ts'
import { bad, base64, check, jsonObject, modelIn, toolName } from './check.ts'
import { textModelOf } from './models.ts'

const cache_control = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish()
const source = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: base64 }),
  z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) }),
])
// The schema is loose because clients send back the text blocks that they received, with their citations.
const text = z.looseObject({ type: z.literal('text'), text: z.string().min(1), cache_control })
const image = z.strictObject({ type: z.literal('image'), source, cache_control })
const document = z.strictObject({
  type: z.literal('document'),
  source,
  title: z.string().nullish(),
  cache_control,
})
const block = z.discriminatedUnion('type', [
  text,
  image,
  document,
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]).optional(),
    is_error: z.boolean().optional(),
    cache_control,
  }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: toolName, input: jsonObject }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
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
  system: z.union([z.string(), z.array(text)]).optional(),
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
  tool_choice: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.enum(['auto', 'any', 'none']) }),
      z.looseObject({ type: z.literal('tool'), name: z.string() }),
    ])
    .optional(),
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
  const { tools = [] } = body
  const ask: Ask = {
    ...plain,
    model,
    turns: [...systemTurns(body.system), ...body.messages.flatMap(turnsOf)],
    tools: tools.flatMap((one) =>
      'input_schema' in one && !isVendorTool(one) ? [{ name: one.name, parameters: one.input_schema }] : [],
    ),
    choice: choiceOf(body.tool_choice),
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

function checkResults(messages: readonly Message[]): void {
  const made = new Set<string>()
  for (const one of messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))) {
    if (one.type === 'tool_use') made.add(one.id)
    if (one.type === 'tool_result' && !made.has(one.tool_use_id)) {
      throw bad(`messages: no tool_use before this tool_result has the id "${one.tool_use_id}"`)
    }
  }
}

function choiceOf(choice: Request['tool_choice']): Ask['choice'] {
  if (choice?.type === 'tool') return { name: choice.name }
  return choice?.type === 'any' ? 'required' : (choice?.type ?? 'auto')
}

function systemTurns(system: Request['system'] = []): Turn[] {
  const said = typeof system === 'string' ? system : system.map((one) => one.text).join('\n')
  return said === '' ? [] : [{ role: 'system', text: said, attachments: 0 }]
}

/** Tool results arrive inside a message of the user; here they become a separate turn after the rest of that message. */
function turnsOf({ role, content }: Message): Turn[] {
  if (typeof content === 'string') return [{ role, text: content, attachments: 0 }]
  const results = content.filter(({ type }) => type === 'tool_result')
  const rest = content.filter(({ type }) => type !== 'tool_result')
  return [
    ...(rest.length > 0 ? [{ role, ...gathered(rest) }] : []),
    ...(results.length > 0 ? [{ role: 'tool' as const, ...gathered(results) }] : []),
  ]
}

function gathered(blocks: readonly Block[]): Pick<Turn, 'text' | 'attachments'> {
  const flat = blocks.flatMap((one) => (one.type === 'tool_result' ? partsOf(one.content) : [one]))
  return {
    text: flat.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n'),
    attachments: flat.filter(({ type }) => type === 'image' || type === 'document').length,
  }
}

const partsOf = (content: string | Extract<Block, { type: 'text' | 'image' }>[] = []) =>
  typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
