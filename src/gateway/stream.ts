// Streams an answer: server-sent events become pieces of text and finally a summary. A failure after the start has an unknown
// outcome, because the answer may have been charged.

import { createParser } from 'eventsource-parser'
import { malformed } from './answer.ts'
import type { ChatEnd } from './chat-answer.ts'
import type { ReadEvent, Step } from './chat-events.ts'
import type { ReadAnswer } from './chat-formats.ts'
import { GatewayMalformed, GatewayUnknownOutcome } from './errors.ts'
import type { Call, Http, Incoming } from './http.ts'
import { createSum } from './stream-sum.ts'
import { wordsOf } from './words.ts'

/** Pieces of text and thinking, then exactly one end. */
export type ChatPiece = { readonly text: string } | { readonly thinking: string } | ChatEnd

export interface StreamFormat {
  readonly readEvent: ReadEvent
  /** Reads the answer of a gateway that returns a complete answer although a stream was requested. */
  readonly readAnswer: ReadAnswer
}

/** The longest answer in characters, far above that of any model; it limits the memory of one stream. */
const longestAnswer = 4 * 1024 * 1024
const longestEvent = 8 * 1024 * 1024

export async function* readStream(
  http: Http,
  call: Call,
  format: StreamFormat,
  signal?: AbortSignal,
): AsyncGenerator<ChatPiece, void, undefined> {
  const incoming = await http.open(call, signal)
  if (incoming.status !== 200 || incoming.type !== 'text/event-stream') {
    return yield* atOnce(http, call, format, incoming)
  }
  let end: ChatEnd | undefined
  try {
    end = yield* piecesOf(http, call, format, incoming)
  } finally {
    incoming.drop(end ? 'little' : 'unknown')
  }
  yield end
}

async function* atOnce(http: Http, call: Call, { readAnswer }: StreamFormat, incoming: Incoming) {
  const body = (await http.finish(call, incoming)).json()
  const answer = readAnswer(body)
  if (!answer) throw malformed(call.operation, body)
  const { text, thinking, raw: _, ...end } = answer
  if (thinking) yield { thinking }
  if (text) yield { text }
  yield end
}

async function* piecesOf(
  http: Http,
  call: Call,
  { readEvent }: StreamFormat,
  incoming: Incoming,
): AsyncGenerator<Exclude<ChatPiece, ChatEnd>, ChatEnd, undefined> {
  const sum = createSum()
  let length = 0
  for await (const data of eventsIn(call, incoming)) {
    if (data === '[DONE]') return sum.end()
    const step = stepOf(call, readEvent, http.secret.parse(data))
    sum.add(step)
    length += (step.thinking?.length ?? 0) + (step.text?.length ?? 0)
    if (length > longestAnswer) throw new GatewayMalformed(call.operation, 'the answer has no end')
    if (step.thinking) yield { thinking: step.thinking }
    if (step.text) yield { text: step.text }
    if (step.last) return sum.end()
  }
  // Some gateways omit the end marker; the text is complete once there is a finish reason.
  if (sum.hasFinished()) return sum.end()
  throw new GatewayUnknownOutcome(call.operation, 'the stream ended without its end marker')
}

function stepOf({ operation }: Call, readEvent: ReadEvent, event: unknown): Step {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw malformed(operation, event)
  const step = readEvent(event) ?? {}
  const hasError = 'error' in event && event.error != null
  const failure = hasError ? (wordsOf(event) ?? 'failed') : step.failure
  if (failure === undefined) return step
  throw new GatewayUnknownOutcome(operation, `the stream failed: ${failure}`)
}

async function* eventsIn({ operation }: Call, { chunks }: Incoming): AsyncGenerator<string, void, undefined> {
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
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield* feed(decoder.decode(chunk, { stream: true }))
  // The last event may lack its empty line.
  yield* feed('\n\n')
}
