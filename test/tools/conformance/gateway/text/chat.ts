// Answers of `POST /v1/chat/completions`.

import type { ChatBody } from '../fields/chat.ts'
import type { TextPersonality } from '../personality.ts'
import { callOf, type Said, saidOf, type ToolCall } from './said.ts'
import type { Event } from './sse.ts'

type Fields = Record<string, unknown>

/** The answer of the model. It calls a tool if the last message is of the user and mentions tools. */
export function chatSaid(body: ChatBody): Said {
  const last = body.messages.at(-1)
  const wants = last?.role === 'user' && /tool/i.test(JSON.stringify(last.content))
  const tool = wants && body.tool_choice !== 'none' ? body.tools?.[0] : undefined
  return saidOf(body.model, body, tool && callOf(tool))
}

function usageOf({ tokens: { input, output } }: Said, way: TextPersonality['usage']): Fields {
  if (way === 'missing') return {}
  if (way === 'nulls') return { usage: null }
  if (way === 'partial') return { usage: { completion_tokens: output } }
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: null,
    },
  }
}

const finishOf = ({ call }: Said, { finish, tools }: TextPersonality): string => {
  if (call) return tools === 'stop as reason' ? 'stop' : 'tool_calls'
  return finish === 'vendor' ? 'end_turn' : 'stop'
}

const wholeCall = ({ id, name, args }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

export function chatJson(said: Said, personality: TextPersonality): Fields {
  const { pieces, call, thoughts } = said
  const reasoning = personality.thoughts === 'none' ? {} : { [personality.thoughts]: thoughts.join('') }
  const more =
    personality.extras === 'many' ? { annotations: null, citations: null, refusal: null, audio: null } : {}
  const message = {
    role: 'assistant',
    content: call ? null : pieces.join(''),
    ...reasoning,
    ...more,
    ...(call ? { tool_calls: [wholeCall(call)] } : {}),
  }
  const choice = { index: 0, message, finish_reason: finishOf(said, personality) }
  const head = { id: said.id, object: 'chat.completion', created: said.created, model: said.model }
  return { ...head, choices: [choice], ...usageOf(said, personality.usage) }
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

function deltasOf({ pieces, call, thoughts }: Said, personality: TextPersonality): Fields[] {
  const { thoughts: field } = personality
  const reasoning = field === 'none' ? [] : thoughts.map((one) => ({ [field]: one, content: null }))
  const texts = call ? callDeltas(call, personality.tools) : pieces.map((content) => ({ content }))
  return [...reasoning, ...texts]
}

const starts: Readonly<Record<TextPersonality['start'], readonly Fields[]>> = {
  role: [{ role: 'assistant' }],
  nulls: [{ role: 'assistant', content: null, tool_calls: null }],
  empty: [],
  none: [],
}

/** The events of a stream. @param error takes the place of the end, if it is given */
export function chatEvents(
  said: Said,
  personality: TextPersonality,
  wantsUsage: boolean,
  error?: unknown,
): Event[] {
  const { usage, start, finish, extras } = personality
  const counted = wantsUsage ? usageOf(said, usage) : {}
  const head = { id: said.id, object: 'chat.completion.chunk', created: said.created, model: said.model }
  const more = extras === 'many' ? { system_fingerprint: null, provider: 'x', service_tier: null } : {}
  const chunk = (choices: readonly Fields[], fields: Fields = {}): Event => ({
    data: { ...head, ...more, choices, ...fields },
  })
  const each = usage === 'repeated' ? counted : {}
  const deltas = [...starts[start], ...deltasOf(said, personality)]
  const reason = finishOf(said, personality)
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
