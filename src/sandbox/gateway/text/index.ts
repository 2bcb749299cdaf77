// The text operations of the local gateway: a request in one of four formats, a reply, its price. Three of them answer only as streams, which
// is how the app asks; a stream is charged when it ends, for the part that was sent. The native path answers whole, and is charged before.

import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../../runtime/clock.ts'
import { type Answer, GatewayRefusal, json, type StreamedAnswer } from '../answer.ts'
import type { Account, AnswerLog } from '../inspection.ts'
import type { Call } from '../routes.ts'
import {
  type Ask,
  type Head,
  lastUserPictures,
  lastUserText,
  mostFor,
  priceOf,
  type Reply,
  type Usage,
  usageOf,
} from './ask.ts'
import { chatPieces, readChat } from './chat.ts'
import { messagesPieces, readMessages } from './messages.ts'
import { nativePath, nativeView, readNative } from './native.ts'
import { replyTo } from './reply.ts'
import { readResponses, responsesPieces } from './responses.ts'
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

type Write<A> = (head: Head, ask: Ask, reply: Reply, usage: Usage) => A

const formats: Readonly<
  Record<Exclude<TextOperation, 'native'>, readonly [read: (body: unknown) => Ask, write: Write<Piece[]>]>
> = {
  chat: [readChat, chatPieces],
  messages: [readMessages, messagesPieces],
  responses: [readResponses, responsesPieces],
}

interface Texts {
  /** @throws GatewayRefusal */
  answer(operation: TextOperation, call: Call): Promise<Answer | StreamedAnswer>
}

export function createTexts(deps: TextDeps): Texts {
  return {
    answer: async (operation, call) =>
      operation === 'native' ? answerWhole(deps, call) : stream(deps, operation, call),
  }
}

async function answerWhole(deps: TextDeps, { body, fault }: Call): Promise<Answer> {
  const answered = replyFor(deps, readNative(body), nativeView)
  const { output } = answered.usage
  // A whole answer can be lost after it is made, but only by the fault `cut`.
  charge(deps, answered, { begun: deps.clock.now(), output, isWhole: fault?.kind !== 'cut' })
  await deps.save()
  return json(200, answered.written)
}

const streaming = z.looseObject({ stream: z.literal(true) })

function stream(deps: TextDeps, operation: keyof typeof formats, call: Call): StreamedAnswer {
  const { body, headers, fault, signal } = call
  if (operation === 'messages') checkVersion(headers)
  if (!streaming.safeParse(body).success)
    throw new GatewayRefusal(400, 'invalid_body', 'stream: the sandbox answers only with a stream')
  const [read, write] = formats[operation]
  const answered = replyFor(deps, read(body), write)
  const { clock, speed, closing } = deps
  const begun = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const at = clock.now()
    deps.pending(promise.then(() => deps.save()))
    return (output: number, isWhole: boolean) => {
      charge(deps, answered, { begun: at, output, isWhole })
      resolve()
    }
  }
  const ended = AbortSignal.any([signal, closing])
  return streamed({ clock, speed, fault, signal: ended, begun }, answered.written)
}

interface Answered {
  readonly ask: Ask
  readonly reply: Reply
  readonly usage: Usage
}

function replyFor<A>({ account, newId, clock }: TextDeps, ask: Ask, write: Write<A>) {
  const reply = replyTo(ask)
  const most = mostFor(ask)
  if (!account.covers(most))
    throw new GatewayRefusal(402, 'insufficient_balance', `the balance does not cover ${most} kopecks`)
  const usage = usageOf(ask, reply)
  const head = { id: newId(), created: Math.floor(clock.now().getTime() / 1000), model: ask.model.id }
  return { ask, reply, usage, written: write(head, ask, reply, usage) }
}

interface Sent {
  readonly begun: Date
  /** Tokens. */
  readonly output: number
  readonly isWhole: boolean
}

function charge(
  { account, answers, clock }: TextDeps,
  { ask, reply, usage: { input } }: Answered,
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
    tellsUsage: ask.tellsUsage,
    begunAt: begun.toISOString(),
    endedAt: clock.now().toISOString(),
  })
}

const modesOf = ({ thinking, hiddenThinking, webSearch, code }: Ask) => [
  ...(thinking || hiddenThinking ? ['thinking' as const] : []),
  ...(webSearch ? ['search' as const] : []),
  ...(code ? ['code' as const] : []),
]

/** "A version header whose name carries the vendor name; its documented value is `2023-06-01`." */
function checkVersion(headers: IncomingHttpHeaders): void {
  if (headers['anthropic-version'] === '2023-06-01') return
  throw new GatewayRefusal(400, 'invalid_version', 'the header "anthropic-version: 2023-06-01" is required')
}
