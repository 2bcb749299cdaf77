// Reads one event of a stream, for each text format that streams. gateway-api.md says only that chat streams are server-sent events;
// these are the events that clients of each format expect.

import { z } from 'zod'
import { type Source, sourcesIn } from './chat-answer.ts'
import { callOf, citedInOutput as citedIn, functionCall } from './chat-formats.ts'

/** A part of a tool call; the parts of one `index` belong together. */
export interface CallPart {
  readonly index: number
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
  readonly arguments?: string | null | undefined
}

export interface Step {
  readonly text?: string | null | undefined
  readonly thinking?: string | null | undefined
  readonly sources?: readonly Source[]
  /** Token numbers that complete or replace earlier ones. */
  readonly usage?: unknown
  readonly finish?: string | null | undefined
  readonly calls?: readonly CallPart[]
  /** Whether this is the last event of the stream. */
  readonly last?: boolean
  /** The gateway's error message. */
  readonly failure?: string
}

/** Reads one event; undefined when it contains nothing of interest. */
export type ReadEvent = (event: unknown) => Step | undefined

const some = z.string().nullish().catch(undefined)
const place = z.int().nonnegative()
const anything = z.unknown().optional()

const chatPart = z
  .object({ index: place.catch(0), id: some, function: z.object({ name: some, arguments: some }) })
  .transform(({ index, id, function: { name, arguments: args } }) => ({ index, id, name, arguments: args }))
const chatChunk = z.object({
  choices: z
    .array(
      z.object({
        index: place.optional(),
        delta: z
          .object({
            content: some,
            reasoning_content: some,
            reasoning: some,
            annotations: anything,
            tool_calls: z.array(chatPart).nullish(),
          })
          .nullish(),
        finish_reason: some,
      }),
    )
    .nullish(),
  usage: anything,
})

/** Reads a chunk of chat completions; only the first choice is read. */
export const readChatChunk: ReadEvent = (event) => {
  const { data } = chatChunk.safeParse(event)
  if (!data) return undefined
  const choice = data.choices?.find(({ index }) => !index)
  const { content: text, reasoning_content, reasoning, annotations, tool_calls } = choice?.delta ?? {}
  const thinking = reasoning_content ?? reasoning
  const calls = tool_calls ?? []
  const sources = sourcesIn(annotations)
  return { text, thinking, sources, finish: choice?.finish_reason, usage: data.usage, calls }
}

const messageEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: anything }) }),
  z.object({
    type: z.literal('content_block_start'),
    index: place,
    content_block: z.object({ type: z.string(), text: some, id: some, name: some }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: place,
    delta: z.object({ type: z.string(), text: some, thinking: some, partial_json: some, citation: anything }),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: some }),
    usage: anything,
  }),
  z.object({ type: z.literal('message_stop') }),
])

export const readMessageEvent: ReadEvent = (event) => {
  const { data } = messageEvent.safeParse(event)
  switch (data?.type) {
    case 'message_start':
      return { usage: data.message.usage }
    case 'content_block_start': {
      const { type, text, id, name } = data.content_block
      if (type === 'tool_use') return { calls: [{ index: data.index, id, name }] }
      return type === 'text' ? { text } : undefined
    }
    case 'content_block_delta': {
      const { type, text, thinking, partial_json, citation } = data.delta
      if (type === 'thinking_delta') return { thinking }
      if (type === 'citations_delta') return { sources: sourcesIn([citation]) }
      if (type === 'input_json_delta') return { calls: [{ index: data.index, arguments: partial_json }] }
      return type === 'text_delta' ? { text } : undefined
    }
    case 'message_delta':
      return { finish: data.delta.stop_reason, usage: data.usage }
    case 'message_stop':
      return { last: true }
    case undefined:
      return undefined
  }
}

const whole = z.object({
  status: some,
  usage: anything,
  output: z.array(z.unknown()).nullish().catch(undefined),
})
const failed = z.object({ error: z.object({ message: some }).nullish() })
const responseEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.output_text.delta'), delta: z.string() }),
  z.object({ type: z.literal('response.reasoning_summary_text.delta'), delta: z.string() }),
  z.object({ type: z.literal('response.output_text.annotation.added'), annotation: z.unknown() }),
  z.object({ type: z.literal('response.output_item.done'), output_index: place, item: functionCall }),
  z.object({ type: z.enum(['response.completed', 'response.incomplete']), response: whole }),
  z.object({ type: z.literal('response.failed'), response: failed }),
  z.object({ type: z.literal('error'), message: some }),
])

export const readResponseEvent: ReadEvent = (event) => {
  const { data } = responseEvent.safeParse(event)
  switch (data?.type) {
    case 'response.output_text.delta':
      return { text: data.delta }
    case 'response.reasoning_summary_text.delta':
      return { thinking: data.delta }
    case 'response.output_text.annotation.added':
      return { sources: sourcesIn([data.annotation]) }
    case 'response.output_item.done':
      return { calls: [{ index: data.output_index, ...callOf(data.item) }] }
    case 'response.completed':
    case 'response.incomplete':
      return {
        finish: data.response.status,
        usage: data.response.usage,
        sources: citedIn(data.response.output),
        last: true,
      }
    case 'response.failed':
      return { failure: data.response.error?.message ?? 'failed' }
    case 'error':
      return { failure: data.message ?? 'failed' }
    case undefined:
      return undefined
  }
}
