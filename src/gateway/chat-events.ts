// Reads one event of a stream, or a whole answer. One function reads all text formats, because a gateway may answer in another format than it
// was asked in. gateway-api.md shows only where the text of a whole answer is; the other fields are those that clients of each format read.

import { z } from 'zod'
import { type Bit, bitsIn, listOf, numberIn, sourcesIn, type Usage } from './chat-content.ts'
import { wordsOf } from './errors.ts'
import { type Fields, fieldsOf, wordIn } from './files.ts'

export interface Step {
  /** What follows the earlier content. */
  readonly added: readonly Bit[]
  /** Versions of the whole content, or of its last part, of which some or all may have been streamed. */
  readonly whole: readonly (readonly Bit[])[]
  /** Token numbers that complete or replace earlier ones. */
  readonly usage: readonly unknown[]
  readonly finish: string | undefined
  /** Whether this is the last event of the stream. */
  readonly isLast: boolean
  /** The gateway's error message. */
  readonly failure: string | undefined
}

/** @param value any JSON value, or the end marker `[DONE]` */
export function readEvent(value: unknown): Step {
  const body = fieldsOf(value)
  const type = wordIn(body.type) ?? ''
  const choice = firstOf(body.choices)
  const response = fieldsOf(body.response)
  const state = stateIn(type, body, response)
  const finish = finishIn(body, choice, response) ?? state
  const delta = addedBits(body, type, choice)
  // A chunk may have its text in `message` or `text`, or all text so far in `message` beside its delta.
  const isWhole = finish !== undefined || body.object === 'chat.completion' || delta.length > 0
  const message = bitsIn(choice.message)
  return {
    added: [...(delta.length > 0 ? delta : bitsIn(choice.text)), ...(isWhole ? [] : message)],
    whole: [
      ...(isWhole ? [message] : []),
      ...[body, body.message, body.item, body.part].map((one) => bitsIn(fieldsOf(one))),
      ...[body.output, body.output_text, response.output, response.output_text].map((one) => bitsIn(one)),
    ].filter((bits) => bits.length > 0),
    usage: [body, choice, response, fieldsOf(body.message), fieldsOf(body.x_groq)].flatMap((one) => [
      one.usage,
      one.usageMetadata,
    ]),
    finish,
    isLast:
      value === '[DONE]' ||
      type === 'message_stop' ||
      (isEnded(response.status) ?? isEnded(type)) !== undefined,
    failure: failureIn(body, type, choice, response, state),
  }
}

/** The first choice, whose index may be missing or null; only one is requested. */
const firstOf = (choices: unknown): Fields =>
  listOf(choices)
    .map(fieldsOf)
    .find(({ index }) => !(numberIn(index) > 0)) ?? {}

function addedBits(body: Fields, type: string, choice: Fields): Bit[] {
  const candidate = firstOf(body.candidates)
  const { groundingChunks } = fieldsOf(candidate.groundingMetadata)
  const at = Number.isSafeInteger(body.index) ? Number(body.index) : 0
  return [
    ...bitsIn(choice.delta),
    ...bitsIn(candidate.content),
    ...sourcesIn(groundingChunks).map((source) => ({ source })),
    ...bitsIn(fieldsOf(body.content_block), 'text', at),
    ...(typeof body.delta === 'string' ? plainDelta(body.delta, type) : bitsIn(body.delta, 'text', at)),
    ...refusalsIn(body, candidate),
  ]
}

/** A text of the responses format, whose type says what it is a part of. */
function plainDelta(delta: string, type: string): Bit[] {
  if (/refusal/.test(type)) return [{ refusal: delta }]
  if (/argument|code|input|audio|transcript/.test(type)) return []
  return bitsIn(delta, /reason|think/.test(type) ? 'thinking' : 'text')
}

function refusalsIn(body: Fields, candidate: Fields): Bit[] {
  const details = [body.stop_details, fieldsOf(body.delta).stop_details].map(
    (one) => fieldsOf(one).explanation,
  )
  const { blockReasonMessage } = fieldsOf(body.promptFeedback)
  const refusal = wordIn(...details, blockReasonMessage, candidate.finishMessage)
  return refusal === undefined ? [] : [{ refusal }]
}

function finishIn(body: Fields, choice: Fields, response: Fields): string | undefined {
  const candidate = firstOf(body.candidates)
  const delta = fieldsOf(body.delta)
  return wordIn(
    ...[choice, delta, body, fieldsOf(body.message), candidate].flatMap((one) => [
      one.finish_reason,
      one.stop_reason,
      one.finishReason,
    ]),
    ...[response, body].map((one) => fieldsOf(one.incomplete_details).reason),
    fieldsOf(body.promptFeedback).blockReason,
  )
}

const isEnded = (word: unknown): string | undefined =>
  typeof word === 'string'
    ? /^(?:response\.)?(completed|incomplete|failed|cancell?ed)$/.exec(word)?.[1]
    : undefined

/** The final state of the responses format. Tasks have a `status`, too, so that of a whole answer needs other fields of the format. */
function stateIn(type: string, body: Fields, response: Fields): string | undefined {
  const isResponse = body.object === 'response' || body.output !== undefined || body.output_text !== undefined
  return isEnded(response.status) ?? isEnded(type) ?? (isResponse ? isEnded(body.status) : undefined)
}

function failureIn(body: Fields, type: string, choice: Fields, response: Fields, state: string | undefined) {
  const isError = type === 'error' || body.object === 'error'
  const { status_code } = fieldsOf(body.base_resp)
  const told = [
    ...[body.error, response.error, choice.error, fieldsOf(body.x_groq).error],
    ...[isError ? body.message : undefined, numberIn(status_code) ? body.base_resp : undefined],
  ]
  const error = told.find((one) => hasContent(one))
  if (error === undefined) return state === 'failed' ? 'failed' : undefined
  return wordsOf(error) ?? wordsOf(body) ?? 'failed'
}

/** An error of nothing but null, zeros, false and empty values is no error. */
function hasContent(error: unknown, depth = 4): boolean {
  if (typeof error === 'string') return error.trim() !== ''
  if (typeof error !== 'object' || error === null) return Boolean(error)
  return depth > 0 && Object.values(error).some((one) => hasContent(one, depth - 1))
}

// The token numbers of an answer, under the names of each format. Streams tell them in parts and repeat them. A zero means "not told":
// it replaces no number, since there is no answer without tokens.

const count = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int().positive())
const names = [
  ...['prompt_tokens', 'completion_tokens', 'total_tokens'],
  ...['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
  ...['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'],
] as const
type Counts = Partial<Record<(typeof names)[number], number>>

export function createUsage() {
  const told: Counts = {}
  return {
    /** @param raw any JSON value; its numbers complete or replace earlier ones */
    add(raw: unknown) {
      const fields = fieldsOf(raw)
      for (const name of names) {
        const data = fields[name] === undefined ? undefined : count.safeParse(fields[name]).data
        if (data !== undefined) told[name] = data
      }
    },
    total: () => usageIn(told),
  }
}

function usageIn(told: Counts): Usage | undefined {
  const total = told.total_tokens ?? told.totalTokenCount
  const input = told.prompt_tokens ?? messagesInput(told) ?? told.promptTokenCount
  const output = chatOutput(told) ?? told.output_tokens ?? nativeOutput(told)
  const inputTokens = input ?? rest(total, output)
  const outputTokens = output ?? rest(total, input)
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

const rest = (total = 0, known = 0): number | undefined =>
  known > 0 && total > known ? total - known : undefined

/** The messages format counts cached tokens separately. */
function messagesInput(told: Counts): number | undefined {
  const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = told
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens || undefined
}

/** Some vendors of chat completions count thinking in the total alone. */
function chatOutput({ prompt_tokens, completion_tokens, total_tokens }: Counts): number | undefined {
  return completion_tokens && Math.max(completion_tokens, rest(total_tokens, prompt_tokens) ?? 0)
}

/** The native format counts thinking separately. */
const nativeOutput = ({ candidatesTokenCount = 0, thoughtsTokenCount = 0 }: Counts): number | undefined =>
  candidatesTokenCount + thoughtsTokenCount || undefined
