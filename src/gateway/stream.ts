// Reads an answer, streamed or whole: bytes become JSON values, and these become pieces and finally a summary. The first bytes decide
// how a body is read, since labels are often wrong. A failure after the start has an unknown outcome, because the answer may have been
// charged.

import { createParser } from 'eventsource-parser'
import { malformed } from './answer.ts'
import type { ChatPiece } from './chat-answer.ts'
import { readEvent } from './chat-events.ts'
import { GatewayMalformed, GatewayUnknownOutcome } from './errors.ts'
import type { Call, Http, Incoming } from './http.ts'
import type { Secret } from './secret.ts'
import { type AnswerSum, createSum } from './stream-sum.ts'

/** The longest text in characters, far above that of any model; it limits the memory of one answer. Pictures have their own limit. */
const longestAnswer = 4 * 1024 * 1024
/** The longest event, which may be a picture. */
const longestEvent = 32 * 1024 * 1024

export async function* readStream(
  http: Http,
  call: Call,
  signal?: AbortSignal,
): AsyncGenerator<ChatPiece, void, undefined> {
  const incoming = await http.open(call, signal)
  if (incoming.status < 200 || incoming.status > 299) await http.finish(call, incoming)
  const sum = createSum()
  let isComplete = false
  try {
    yield* piecesOf(http.secret, call, incoming, sum)
    isComplete = true
  } catch (error) {
    yield* sum.rest()
    throw error
  } finally {
    incoming.drop(isComplete ? 'little' : 'unknown')
  }
  yield* sum.rest()
  yield sum.end()
}

async function* piecesOf(
  secret: Secret,
  { operation }: Call,
  { chunks }: Incoming,
  sum: AnswerSum,
): AsyncGenerator<ChatPiece, void, undefined> {
  for await (const value of valuesIn(secret, operation, untilBroken(chunks, sum), sum)) {
    const step = readEvent(value)
    const pieces = sum.add(step)
    if (sum.length() > longestAnswer) throw new GatewayMalformed(operation, 'the answer has no end')
    yield* pieces
    if (step.failure !== undefined)
      throw new GatewayUnknownOutcome(operation, `the stream failed: ${step.failure}`, { said: step.failure })
    if (step.isLast) return
  }
  // Some gateways omit the end marker; the text is complete once there is a finish reason.
  if (!sum.hasFinished())
    throw new GatewayUnknownOutcome(operation, 'the stream ended without its end marker')
}

/** A connection that breaks after the finish reason does not spoil the answer. */
async function* untilBroken(chunks: AsyncIterable<Uint8Array>, sum: AnswerSum): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    if (error instanceof GatewayMalformed || !sum.hasFinished()) throw error
  }
}

const marker = '[DONE]'

/** The JSON values of a body, and the end marker: also after a whole answer, which needs none. What is no JSON is skipped. */
async function* valuesIn(
  secret: Secret,
  operation: string,
  chunks: AsyncIterable<Uint8Array>,
  sum: AnswerSum,
): AsyncGenerator<unknown> {
  const texts = textsIn(chunks)
  let beginning = ''
  while (!/\S/.test(beginning)) {
    const next = await texts.next()
    if (next.done) break
    beginning += next.value
  }
  if (/^\s*(data|event|id|retry)?:/.test(beginning)) {
    for await (const data of eventsIn(operation, beginning, texts)) yield* valuesOf(secret, data)
    return
  }
  for await (const text of texts) beginning += text
  yield* valuesOf(secret, beginning)
  const whole = secret.parse(beginning)
  if (!sum.hasContent()) throw malformed(operation, whole)
  if (whole !== undefined) yield marker
}

async function* textsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}

/** The data of server-sent events. */
async function* eventsIn(
  operation: string,
  beginning: string,
  texts: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const events: string[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const feed = (text: string) => {
    parser.feed(text)
    if (isTooLong) throw new GatewayMalformed(operation, 'an event of the stream has no end')
    return events.splice(0)
  }
  yield* feed(beginning)
  for await (const text of texts) yield* feed(text)
  // The last event may lack its empty line.
  yield* feed('\n\n')
}

/** Reads one JSON value, a list of values, or one a line, as they also come in bodies and events. */
function valuesOf(secret: Secret, text: string): unknown[] {
  const trimmed = text.trimEnd()
  const isLast = trimmed.endsWith(marker)
  const before = isLast ? trimmed.slice(0, -marker.length).trimEnd() : trimmed
  const values = jsonIn(secret, before.endsWith('data:') ? before.slice(0, -'data:'.length) : before)
  return isLast ? [...values, marker] : values
}

const mostLines = 100_000

function jsonIn(secret: Secret, text: string): unknown[] {
  const whole = secret.parse(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  const lines = text.split('\n', mostLines).map((line) => line.replace(/^\s*(data:)?/, ''))
  return lines.flatMap((line) => {
    const value = secret.parse(line)
    return value === undefined ? [] : [value]
  })
}
