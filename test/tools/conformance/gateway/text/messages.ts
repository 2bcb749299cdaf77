// Answers of `POST /v1/messages`.

import type { TextPersonality } from '../personality.ts'
import type { Said } from './said.ts'
import type { Event } from './sse.ts'

type Fields = Record<string, unknown>

function usageOf({ tokens }: Said, way: TextPersonality['usage'], part: 'input' | 'output' | 'both'): Fields {
  if (way === 'missing') return {}
  if (way === 'nulls') return { usage: null }
  const input = part === 'output' || way === 'partial' ? {} : { input_tokens: tokens.input }
  const output = part === 'input' ? {} : { output_tokens: tokens.output }
  return { usage: { ...input, ...output, cache_read_input_tokens: null } }
}

export function messagesJson(said: Said, thinks: boolean, personality: TextPersonality): Fields {
  const text = {
    type: 'text',
    text: said.pieces.join(''),
    ...(personality.extras === 'many' ? { citations: null } : {}),
  }
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
    ...usageOf(said, personality.usage, 'both'),
  }
}

const event = (type: string, fields: Fields): Event => ({ name: type, data: { type, ...fields } })

function block(index: number, start: Fields, deltas: readonly Fields[]): Event[] {
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
}

export function messagesEvents(
  said: Said,
  thinks: boolean,
  personality: TextPersonality,
  error?: unknown,
): Event[] {
  const { usage, extras } = personality
  const message = { id: said.id, type: 'message', role: 'assistant', model: said.model, content: [] }
  const thoughts = said.thoughts.map((thinking) => ({ type: 'thinking_delta', thinking }))
  const signature = { type: 'signature_delta', signature: 'c2ln' }
  const texts: Fields[] = said.pieces.map((text) => ({ type: 'text_delta', text }))
  const unknown: Fields[] = extras === 'many' ? [{ type: 'citations_delta', citation: {} }] : []
  const textIndex = thinks ? 1 : 0
  const blocks = [
    ...(thinks ? block(0, { type: 'thinking', thinking: '', signature: '' }, [...thoughts, signature]) : []),
    ...(extras === 'many' ? [event('gateway_note', { note: null })] : []),
    ...block(textIndex, { type: 'text', text: '', citations: null }, [...unknown, ...texts]),
  ]
  const start = event('message_start', { message: { ...message, ...usageOf(said, usage, 'input') } })
  if (error !== undefined) return [start, ...blocks.slice(0, 4), { name: 'error', data: error }]
  const end = { delta: { stop_reason: 'end_turn', stop_sequence: null }, ...usageOf(said, usage, 'output') }
  return [start, event('ping', {}), ...blocks, event('message_delta', end), event('message_stop', {})]
}
