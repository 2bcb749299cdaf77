// The answer of `POST /v1/messages`, whole and as a stream. gateway-api.md shows only `content[0].text`; the rest is what clients
// of this format expect.

import type { Reply } from './ask.ts'
import type { Usage } from './bill.ts'
import { namedEvent, type Piece, piecesOf } from './stream.ts'

type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }

const reasons = { whole: 'end_turn', stop: 'stop_sequence', length: 'max_tokens', calls: 'tool_use' } as const

function blocksOf(id: string, { thinking, text, calls }: Reply): Block[] {
  const signature = Buffer.from(`signature of ${id}`).toString('base64')
  return [
    ...(thinking ? [{ type: 'thinking' as const, thinking, signature }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map((call, index) => ({ type: 'tool_use' as const, id: `toolu_${id}_${index}`, ...call })),
  ]
}

const ending = ({ ended, stoppedAt }: Reply) => ({
  stop_reason: reasons[ended],
  stop_sequence: stoppedAt ?? null,
})

const usageView = ({ input, output }: Usage) => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
})

const envelope = (id: string, model: string) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
})

export const messagesView = (id: string, model: string, reply: Reply, usage: Usage) => ({
  ...envelope(id, model),
  content: blocksOf(id, reply),
  ...ending(reply),
  usage: usageView(usage),
})

export function messagesPieces(id: string, model: string, reply: Reply, usage: Usage): Piece[] {
  const message = {
    ...envelope(id, model),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usageView({ ...usage, output: 0 }),
  }
  return [
    namedEvent({ type: 'message_start', message }),
    namedEvent({ type: 'ping' }),
    ...blocksOf(id, reply).flatMap(blockPieces),
    namedEvent({ type: 'message_delta', delta: ending(reply), usage: { output_tokens: usage.output } }),
    namedEvent({ type: 'message_stop' }),
  ]
}

function blockPieces(block: Block, index: number): Piece[] {
  const { empty, nameLength, deltas } = streamedBlock(block)
  return [
    namedEvent({ type: 'content_block_start', index, content_block: empty }, nameLength),
    ...deltas.map(([delta, said]) => namedEvent({ type: 'content_block_delta', index, delta }, said)),
    namedEvent({ type: 'content_block_stop', index }),
  ]
}

interface StreamedBlock {
  readonly empty: object
  /** The length of a tool's name, which counts as output. */
  readonly nameLength: number
  /** Each delta with the number of its characters that count as output. */
  readonly deltas: readonly (readonly [object, number])[]
}

function streamedBlock(block: Block): StreamedBlock {
  switch (block.type) {
    case 'thinking': {
      const parts = piecesOf(block.thinking).map(
        (thinking) => [{ type: 'thinking_delta', thinking }, thinking.length] as const,
      )
      const signed = [{ type: 'signature_delta', signature: block.signature }, 0] as const
      return { empty: { ...block, thinking: '', signature: '' }, nameLength: 0, deltas: [...parts, signed] }
    }
    case 'text': {
      const deltas = piecesOf(block.text).map((text) => [{ type: 'text_delta', text }, text.length] as const)
      return { empty: { ...block, text: '' }, nameLength: 0, deltas }
    }
    case 'tool_use': {
      const deltas = piecesOf(JSON.stringify(block.input)).map(
        (partial_json) => [{ type: 'input_json_delta', partial_json }, partial_json.length] as const,
      )
      return { empty: { ...block, input: {} }, nameLength: block.name.length, deltas }
    }
  }
}
