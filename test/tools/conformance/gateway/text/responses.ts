// Answers of `POST /v1/responses`.

import type { TextPersonality } from '../personality.ts'
import type { Said } from './said.ts'
import type { Event } from './sse.ts'

type Fields = Record<string, unknown>

function usageOf({ tokens: { input, output } }: Said, way: TextPersonality['usage']): Fields {
  if (way === 'missing') return {}
  if (way === 'nulls') return { usage: null }
  if (way === 'partial') return { usage: { output_tokens: output } }
  return { usage: { input_tokens: input, output_tokens: output, total_tokens: input + output } }
}

export function responsesJson(said: Said, personality: TextPersonality): Fields {
  const text = said.pieces.join('')
  const annotations = personality.extras === 'many' ? null : []
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
    ...usageOf(said, personality.usage),
  }
}

export function responsesEvents(said: Said, personality: TextPersonality, error?: unknown): Event[] {
  const event = (type: string, fields: Fields): Event => ({ name: type, data: { type, ...fields } })
  const whole = responsesJson(said, personality)
  const begun = { ...whole, status: 'in_progress', output: [], output_text: undefined, usage: null }
  const deltas = said.pieces.map((delta) =>
    event('response.output_text.delta', { item_id: 'msg_1', output_index: 1, content_index: 0, delta }),
  )
  const first = [
    event('response.created', { response: begun }),
    event('response.web_search_call.searching', { item_id: 'ws_1', output_index: 0 }),
    ...(personality.extras === 'many' ? [event('response.note', { note: null })] : []),
  ]
  if (error !== undefined) return [...first, ...deltas.slice(0, 2), { name: 'error', data: error }]
  const done = event('response.output_text.done', { item_id: 'msg_1', text: said.pieces.join('') })
  return [...first, ...deltas, done, event('response.completed', { response: whole })]
}
