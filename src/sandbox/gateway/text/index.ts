// The text operations of the local gateway: a request in one of four formats, a reply, its price. A whole answer is charged before it is
// sent. A stream is charged when it ends, for the part that was sent.

import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../../runtime/clock.ts'
import type { Account } from '../account.ts'
import { type Answer, GatewayRefusal, json, type StreamedAnswer } from '../answer.ts'
import type { AnswerLog } from '../inspection.ts'
import type { Call } from '../routes.ts'
import {
  type Ask,
  checkCovered,
  lastUserPictures,
  lastUserText,
  priceOf,
  type Reply,
  type Usage,
  usageOf,
} from './ask.ts'
import { chatPieces, chatView, readChat } from './chat.ts'
import { messagesPieces, messagesView, readMessages } from './messages.ts'
import { nativePath, nativeView, readNative } from './native.ts'
import { replyTo } from './reply.ts'
import { readResponses, responsesPieces, responsesView } from './responses.ts'
import { type Piece, streamed } from './stream.ts'

interface TextDeps {
  readonly account: Account
  readonly answers: AnswerLog
  readonly clock: Clock
  readonly speed: number
  readonly newId: () => string
  readonly closing: AbortSignal
  readonly save: () => Promise<void>
  /** Adds work for which the gateway waits before it closes. */
  readonly pending: (work: Promise<void>) => void
}

type TextOperation = 'chat' | 'messages' | 'responses' | 'native'

export const textPaths: Readonly<Record<string, TextOperation>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  [nativePath]: 'native',
}

interface Texts {
  /** @throws GatewayRefusal */
  answer(operation: TextOperation, call: Call): Promise<Answer | StreamedAnswer>
}

/** A reply that can be sent whole or as a stream. */
interface Ready {
  readonly ask: Ask
  readonly reply: Reply
  readonly usage: Usage
  readonly tellsUsage: boolean
  readonly whole: () => unknown
  /** Undefined when no stream was requested. */
  readonly pieces: (() => Piece[]) | undefined
}

export function createTexts(deps: TextDeps): Texts {
  return {
    async answer(operation, call) {
      const ready = readers[operation](deps, call)
      if (ready.pieces) return stream(deps, call, ready, ready.pieces())
      // An answer that is not a stream can be lost after it is made, but only by the fault `cut`.
      const isWhole = call.fault?.kind !== 'cut'
      charge(deps, ready, { begun: deps.clock.now(), output: ready.usage.output, isWhole })
      await deps.save()
      return json(200, ready.whole())
    },
  }
}

interface Sent {
  readonly begun: Date
  /** Tokens. */
  readonly output: number
  readonly isWhole: boolean
}

function charge(
  { account, answers, clock }: TextDeps,
  { ask, reply, usage: { input }, tellsUsage }: Ready,
  { begun, output, isWhole }: Sent,
): void {
  const price = priceOf(ask.model, input, output)
  account.charge(price)
  answers.add({
    model: ask.model.id,
    question: lastUserText(ask),
    pictures: lastUserPictures(ask),
    text: reply.text,
    thinking: reply.thinking,
    modes: modesOf(ask),
    input,
    output,
    charge: price,
    isWhole,
    tellsUsage,
    begunAt: begun.toISOString(),
    endedAt: clock.now().toISOString(),
  })
}

const modesOf = ({ thinking, hiddenThinking, webSearch, code }: Ask) => [
  ...(thinking || hiddenThinking ? ['thinking' as const] : []),
  ...(webSearch ? ['search' as const] : []),
  ...(code ? ['code' as const] : []),
]

function stream(deps: TextDeps, { fault, signal }: Call, ready: Ready, pieces: Piece[]): StreamedAnswer {
  const { clock, speed, closing } = deps
  const begun = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const at = clock.now()
    deps.pending(promise.then(() => deps.save()))
    return (output: number, isWhole: boolean) => {
      charge(deps, ready, { begun: at, output, isWhole })
      resolve()
    }
  }
  return streamed({ clock, speed, fault, signal: AbortSignal.any([signal, closing]), begun }, pieces)
}

const readers: Readonly<Record<TextOperation, (deps: TextDeps, call: Call) => Ready>> = {
  chat(deps, { body }) {
    const { ask, stream, includeUsage } = readChat(body)
    const { reply, usage } = replyFor(deps, ask)
    const head = { ...identity(deps), model: ask.model.id }
    const pieces = () => chatPieces(head, reply, includeUsage ? usage : undefined)
    const whole = () => chatView(head, reply, usage)
    const tellsUsage = includeUsage || !stream
    return { ask, reply, usage, tellsUsage, whole, pieces: stream ? pieces : undefined }
  },
  messages(deps, { body, headers }) {
    checkVersion(headers)
    const { ask, stream } = readMessages(body)
    const { reply, usage } = replyFor(deps, ask)
    const parts = [deps.newId(), ask.model.id, reply, usage] as const
    const pieces = stream ? () => messagesPieces(...parts) : undefined
    return { ask, reply, usage, tellsUsage: true, whole: () => messagesView(...parts), pieces }
  },
  responses(deps, { body }) {
    const { ask, stream, echo } = readResponses(body)
    const { reply, usage } = replyFor(deps, ask)
    const parts = [{ ...identity(deps), model: ask.model.id, echo }, ask, reply, usage] as const
    const pieces = stream ? () => responsesPieces(...parts) : undefined
    return { ask, reply, usage, tellsUsage: true, whole: () => responsesView(...parts), pieces }
  },
  native(deps, { body }) {
    const ask = readNative(body)
    const { reply, usage } = replyFor(deps, ask)
    const whole = () => nativeView(deps.newId(), ask, reply, usage)
    return { ask, reply, usage, tellsUsage: true, whole, pieces: undefined }
  },
}

const identity = ({ newId, clock }: TextDeps) => ({
  id: newId(),
  created: Math.floor(clock.now().getTime() / 1000),
})

function replyFor({ account }: TextDeps, ask: Ask) {
  const reply = replyTo(ask)
  checkCovered(account, ask)
  return { reply, usage: usageOf(ask, reply) }
}

/** "A version header whose name carries the vendor name; its documented value is `2023-06-01`." */
function checkVersion(headers: IncomingHttpHeaders): void {
  if (headers['anthropic-version'] === '2023-06-01') return
  throw new GatewayRefusal(400, 'invalid_version', 'the header "anthropic-version: 2023-06-01" is required')
}
