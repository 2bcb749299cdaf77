// The answers of the four text operations, each as one JSON body and, where the document has streams, as events.

import type { FunctionTool, NativeBody } from '../fields/text.ts'
import type { TextPersonality } from '../personality.ts'

type Fields = Record<string, unknown>

export interface Event {
  /** The name of the event, if the format of the operation has names. */
  readonly name?: string | undefined
  readonly data: unknown
}

interface ToolCall {
  readonly id: string
  readonly name: string
  /** The arguments of the call, as JSON. */
  readonly args: string
}

/** The content of an answer, independent of the format of the operation. */
export interface Said {
  readonly id: string
  readonly model: string
  readonly created: number
  readonly pieces: readonly string[]
  readonly thoughts: readonly string[]
  readonly call: ToolCall | undefined
  readonly tokens: { readonly input: number; readonly output: number }
}

let count = 0

/** Its pieces have characters of two, three and four bytes, so that a chunk can end inside a character. */
export function saidOf(model: string, body: object, tool?: FunctionTool): Said {
  count += 1
  const pieces = [`Answer ${count}: `, 'ёжик 🦔 ', 'и 汉字, ', 'line\nend', ` [${count}]`]
  return {
    id: `said-${count}`,
    model,
    created: 1_750_000_000 + count,
    pieces: tool ? [] : pieces,
    thoughts: ['thinking about ', 'it'],
    call: tool && callOf(tool),
    tokens: { input: Math.ceil(JSON.stringify(body).length / 4), output: tool ? 12 : 24 },
  }
}

/** The arguments that a model would send: a value of the right type for each required property. */
function callOf({ function: { name, parameters } }: FunctionTool): ToolCall {
  const required = Array.isArray(parameters?.required) ? parameters.required : []
  const properties = Object.entries(isRecord(parameters?.properties) ? parameters.properties : {})
  const chosen = properties.filter(([key]) => required.includes(key))
  const args = Object.fromEntries(chosen.map(([key, schema]) => [key, sampleOf(schema)]))
  return { id: `call_${count}`, name, args: JSON.stringify(args) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'a'
  const { enum: values, type, minimum } = schema
  if (Array.isArray(values)) return values[0]
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 2
  if (type === 'boolean') return true
  return type === 'array' ? [] : 'a red ball'
}

/** The usage in the field `field`. @param input, output the names of the token counts @param more further fields of a full usage */
function usageIn(
  field: string,
  { tokens }: Said,
  { usage }: TextPersonality,
  [input, output, more = {}]: readonly [string, string, Fields?],
): Fields {
  if (usage === 'missing') return {}
  if (usage === 'nulls') return { [field]: null }
  if (usage === 'partial') return { [field]: { [output]: tokens.output } }
  return { [field]: { [input]: tokens.input, [output]: tokens.output, ...more } }
}

const totalOf = ({ tokens: { input, output } }: Said) => input + output

// `POST /v1/chat/completions`

const chatUsage = (said: Said, way: TextPersonality): Fields =>
  usageIn('usage', said, way, [
    'prompt_tokens',
    'completion_tokens',
    { total_tokens: totalOf(said), prompt_tokens_details: null },
  ])

const finishOf = ({ call }: Said, { finish, tools }: TextPersonality): string => {
  if (call) return tools === 'stop as reason' ? 'stop' : 'tool_calls'
  return finish === 'vendor' ? 'end_turn' : 'stop'
}

const wholeCall = ({ id, name, args }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

export function chatJson(said: Said, way: TextPersonality): Fields {
  const { pieces, call, thoughts } = said
  const message = {
    role: 'assistant',
    content: call ? null : pieces.join(''),
    ...(way.thoughts === 'none' ? {} : { [way.thoughts]: thoughts.join('') }),
    ...(way.extras === 'many' ? { annotations: null, citations: null, refusal: null, audio: null } : {}),
    ...(call ? { tool_calls: [wholeCall(call)] } : {}),
  }
  const choice = { index: 0, message, finish_reason: finishOf(said, way) }
  const head = { id: said.id, object: 'chat.completion', created: said.created, model: said.model }
  return { ...head, choices: [choice], ...chatUsage(said, way) }
}

function callDeltas(call: ToolCall, way: TextPersonality['tools']): Fields[] {
  const index = way === 'no index' ? {} : { index: 0 }
  if (way === 'whole' || way === 'no index') return [{ tool_calls: [{ ...index, ...wholeCall(call) }] }]
  const { id, name, args } = call
  const half = Math.floor(args.length / 2)
  const again = way === 'empty names' ? { id: '', type: 'function' } : {}
  const names = way === 'empty names' ? { name: '' } : {}
  const piece = (text: string) => ({
    tool_calls: [{ ...index, ...again, function: { ...names, arguments: text } }],
  })
  const first = { ...index, id, type: 'function', function: { name, arguments: '' } }
  return [{ tool_calls: [first] }, piece(args.slice(0, half)), piece(args.slice(half))]
}

const starts: Readonly<Record<TextPersonality['start'], readonly Fields[]>> = {
  role: [{ role: 'assistant' }],
  nulls: [{ role: 'assistant', content: null, tool_calls: null }],
  empty: [],
  none: [],
}

/** @param error takes the place of the end, if it is given */
export function chatEvents(said: Said, way: TextPersonality, wantsUsage: boolean, error?: unknown): Event[] {
  const { usage, start, finish, extras, thoughts: field } = way
  const counted = wantsUsage ? chatUsage(said, way) : {}
  const head = { id: said.id, object: 'chat.completion.chunk', created: said.created, model: said.model }
  const more = extras === 'many' ? { system_fingerprint: null, provider: 'x', service_tier: null } : {}
  const chunk = (choices: readonly Fields[], fields: Fields = {}): Event => ({
    data: { ...head, ...more, choices, ...fields },
  })
  const each = usage === 'repeated' ? counted : {}
  const deltas = [
    ...starts[start],
    ...(field === 'none' ? [] : said.thoughts.map((one) => ({ [field]: one, content: null }))),
    ...(said.call ? callDeltas(said.call, way.tools) : said.pieces.map((content) => ({ content }))),
  ]
  const reason = finishOf(said, way)
  const together = finish === 'together'
  const events = deltas.map((delta, index) => {
    const isLast = together && index === deltas.length - 1
    return chunk([{ index: 0, delta, finish_reason: isLast ? reason : null }], each)
  })
  const first = start === 'empty' ? [chunk([], { prompt_filter_results: [] })] : []
  if (error !== undefined) return [...first, ...events.slice(0, 3), { data: error }]
  const ending = together
    ? []
    : [chunk([{ index: 0, delta: {}, finish_reason: reason }], usage === 'full' ? counted : each)]
  const last = usage === 'separate' || (together && usage !== 'repeated') ? [chunk([], counted)] : []
  return [...first, ...events, ...ending, ...last]
}

// `POST /v1/messages`

const event = (type: string, fields: Fields): Event => ({ name: type, data: { type, ...fields } })

export function messagesJson(said: Said, thinks: boolean, way: TextPersonality): Fields {
  const citations = way.extras === 'many' ? { citations: null } : {}
  const text = { type: 'text', text: said.pieces.join(''), ...citations }
  const thinking = { type: 'thinking', thinking: said.thoughts.join(''), signature: 'c2ln' }
  return {
    id: said.id,
    type: 'message',
    role: 'assistant',
    model: said.model,
    // The text is the first part, since the document reads content[0].text.
    content: thinks ? [text, thinking] : [text],
    stop_reason: 'end_turn',
    stop_sequence: null,
    ...usageIn('usage', said, way, ['input_tokens', 'output_tokens', { cache_read_input_tokens: null }]),
  }
}

const block = (index: number, start: Fields, deltas: readonly Fields[]): Event[] => [
  event('content_block_start', { index, content_block: start }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
]

export function messagesEvents(said: Said, thinks: boolean, way: TextPersonality, error?: unknown): Event[] {
  const { tokens } = said
  const usageOf = (counts: Fields) => {
    if (way.usage === 'missing') return {}
    return { usage: way.usage === 'nulls' ? null : { ...counts, cache_read_input_tokens: null } }
  }
  const message = { id: said.id, type: 'message', role: 'assistant', model: said.model, content: [] }
  const thoughts = said.thoughts.map((thinking) => ({ type: 'thinking_delta', thinking }))
  const signature = { type: 'signature_delta', signature: 'c2ln' }
  const texts: Fields[] = said.pieces.map((text) => ({ type: 'text_delta', text }))
  const isMany = way.extras === 'many'
  const unknown: Fields[] = isMany ? [{ type: 'citations_delta', citation: {} }] : []
  const blocks = [
    ...(thinks ? block(0, { type: 'thinking', thinking: '', signature: '' }, [...thoughts, signature]) : []),
    ...(isMany ? [event('gateway_note', { note: null })] : []),
    ...block(thinks ? 1 : 0, { type: 'text', text: '', citations: null }, [...unknown, ...texts]),
  ]
  const input = usageOf(way.usage === 'partial' ? {} : { input_tokens: tokens.input })
  const start = event('message_start', { message: { ...message, ...input } })
  if (error !== undefined) return [start, ...blocks.slice(0, 4), { name: 'error', data: error }]
  const output = usageOf({ output_tokens: tokens.output })
  const end = { delta: { stop_reason: 'end_turn', stop_sequence: null }, ...output }
  return [start, event('ping', {}), ...blocks, event('message_delta', end), event('message_stop', {})]
}

// `POST /v1/responses`

export function responsesJson(said: Said, way: TextPersonality): Fields {
  const text = said.pieces.join('')
  const annotations = way.extras === 'many' ? null : []
  return {
    id: said.id,
    object: 'response',
    created_at: said.created,
    model: said.model,
    status: 'completed',
    error: null,
    output: [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: null },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations }] },
    ],
    output_text: text,
    ...usageIn('usage', said, way, ['input_tokens', 'output_tokens', { total_tokens: totalOf(said) }]),
  }
}

export function responsesEvents(said: Said, way: TextPersonality, error?: unknown): Event[] {
  const whole = responsesJson(said, way)
  const begun = { ...whole, status: 'in_progress', output: [], output_text: undefined, usage: null }
  const deltas = said.pieces.map((delta) =>
    event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, content_index: 0, delta }),
  )
  const first = [
    event('response.created', { response: begun }),
    event('response.web_search_call.searching', { item_id: 'ws_1', output_index: 0 }),
    ...(way.extras === 'many' ? [event('response.note', { note: null })] : []),
  ]
  if (error !== undefined) return [...first, ...deltas.slice(0, 2), { name: 'error', data: error }]
  const done = event('response.output_text.done', { item_id: 'msg_1', text: said.pieces.join('') })
  return [...first, ...deltas, done, event('response.completed', { response: whole })]
}

// `POST /v1/{native_vendor}/generateContent`: one JSON body; the document names no streaming variant of it.

const codeParts: readonly Fields[] = [
  { executableCode: { language: 'PYTHON', code: 'print(6*7)' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
]

export function nativeJson(said: Said, body: NativeBody, way: TextPersonality): Fields {
  const runsCode = body.tools?.some((tool) => 'codeExecution' in tool) ?? false
  const thinks = body.generationConfig?.thinkingConfig?.includeThoughts
  const more =
    way.extras === 'many'
      ? { safetyRatings: null, citationMetadata: null, groundingMetadata: {}, avgLogprobs: -0.1 }
      : {}
  const parts = [
    ...(thinks ? said.thoughts.map((text) => ({ text, thought: true })) : []),
    ...(runsCode ? codeParts : []),
    ...said.pieces.map((text) => ({ text })),
  ]
  const total = { totalTokenCount: totalOf(said) }
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...more }],
    modelVersion: said.model,
    ...usageIn('usageMetadata', said, way, ['promptTokenCount', 'candidatesTokenCount', total]),
  }
}
