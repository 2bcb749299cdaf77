// An answer that is read while it is being written: server-sent events become pieces of text and, last, what is known at
// the end. What fails once the stream has begun has an unknown outcome, since it may have been charged.

import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { malformed, wordsOf } from './answer.ts'
import { type ChatEnd, endOf, type Source, type ToolCall } from './chat-answer.ts'
import type { CallPart, ReadEvent, Step } from './chat-events.ts'
import type { ReadAnswer } from './chat-formats.ts'
import { GatewayUnknownOutcome } from './errors.ts'
import type { Call, Http, Incoming } from './http.ts'

/** Bits of text and of thinking, then exactly one end. */
export type ChatPiece = { readonly text: string } | { readonly thinking: string } | ChatEnd

export interface StreamFormat {
  readonly readEvent: ReadEvent
  /** Of a gateway that answers in one piece although a stream was asked for. */
  readonly readAnswer: ReadAnswer
}

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
  for await (const data of eventsIn(incoming)) {
    if (data === '[DONE]') return sum.end()
    const step = stepOf(call, readEvent, http.secret.parse(data))
    sum.add(step)
    if (step.thinking) yield { thinking: step.thinking }
    if (step.text) yield { text: step.text }
    if (step.last) return sum.end()
  }
  // Some gateways leave out the end marker; the text is whole when the reason of its end has come.
  if (sum.hasFinished()) return sum.end()
  throw new GatewayUnknownOutcome(call.operation, 'the stream ended without its end marker')
}

const object = z.record(z.string(), z.unknown())
const broken = z.object({ error: z.unknown().refine((error) => error != null) })

function stepOf({ operation }: Call, readEvent: ReadEvent, event: unknown): Step {
  if (!object.safeParse(event).success) throw malformed(operation, event)
  const step = readEvent(event) ?? {}
  const failure = broken.safeParse(event).success ? (wordsOf(event) ?? 'failed') : step.failure
  if (failure === undefined) return step
  throw new GatewayUnknownOutcome(operation, `the stream failed: ${failure}`)
}

async function* eventsIn({ chunks }: Incoming): AsyncGenerator<string, void, undefined> {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* events.splice(0)
  }
  // The last event counts without its empty line too.
  parser.feed('\n\n')
  yield* events
}

/** What the steps come to, but for the text. */
function createSum() {
  const usage: Record<string, unknown> = {}
  const calls = new Map<number, ToolCall>()
  const sources: Source[] = []
  let finish: string | undefined
  const addCall = ({ index, id, name, arguments: args }: CallPart) => {
    const before = calls.get(index) ?? { id: '', name: '', arguments: '' }
    calls.set(index, {
      id: id || before.id,
      name: name || before.name,
      arguments: before.arguments + (args ?? ''),
    })
  }
  return {
    add(step: Step) {
      Object.assign(usage, object.safeParse(step.usage).data)
      finish = step.finish || finish
      for (const call of step.calls ?? []) addCall(call)
      sources.push(...(step.sources ?? []))
    },
    hasFinished: () => finish !== undefined,
    end: () => endOf(usage, finish, [...calls.values()], sources),
  }
}
