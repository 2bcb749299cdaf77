// The text operations of the local gateway: a request in one of four formats, a reply, its price. Three of them answer only as streams, which
// is how the app asks: piece by piece at the pace of a model, and charged when the stream ends, for the part that was sent. Scripted faults
// take effect in the middle: `cut` with `after` cuts the connection, `hang` pauses for `ms` or until the caller hangs up. The native path
// does not stream: its answer is charged before it is sent.

import { z } from 'zod'
import type { Clock } from '../../../runtime/clock.ts'
import { hang } from '../../faults.ts'
import {
  type Answer,
  bad,
  ConnectionCut,
  GatewayRefusal,
  json,
  parsed,
  type StreamedAnswer,
} from '../answer.ts'
import type { Account, ChargedAnswer } from '../inspection.ts'
import type { Call } from '../routes.ts'
import {
  type Ask,
  inputTokens,
  lastUserText,
  outputTokens,
  priceOf,
  type Reply,
  type TextModel,
  textModels,
  tokensOf,
} from './ask.ts'
import { type Format, formats, type Piece, pieceMs } from './formats.ts'
import { native, nativePath } from './native.ts'
import { replyTo } from './reply.ts'

interface TextDeps {
  readonly account: Account
  readonly answers: ChargedAnswer[]
  readonly clock: Clock
  readonly speed: number
  readonly newId: () => string
  readonly closing: AbortSignal
  readonly save: () => Promise<void>
  /** Adds work for which the gateway waits before it closes. */
  readonly pending: (work: Promise<void>) => void
}

type TextOperation = keyof typeof formats | 'native'

export const textPaths: Readonly<Record<string, TextOperation>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses',
  [nativePath]: 'native',
}

/** @throws GatewayRefusal */
export async function answerText(
  deps: TextDeps,
  operation: TextOperation,
  call: Call,
): Promise<Answer | StreamedAnswer> {
  if (operation === 'native') return answerWhole(deps, call)
  // "A version header whose name carries the vendor name; its documented value is `2023-06-01`."
  if (operation === 'messages' && call.headers['anthropic-version'] !== '2023-06-01')
    throw bad('the header "anthropic-version: 2023-06-01" is required', 'invalid_version')
  if (!streaming.safeParse(call.body).success) throw bad('stream: the sandbox answers only with a stream')
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    events: stream(deps, call, replyFor(deps, formats[operation], operation, call.body)),
  }
}

const streaming = z.looseObject({ stream: z.literal(true) })

async function answerWhole(deps: TextDeps, { body, fault }: Call): Promise<Answer> {
  const answered = replyFor(deps, native, 'native', body)
  // A whole answer can be lost after it is made, but only by the fault `cut`.
  const isWhole = fault?.kind !== 'cut'
  charge(deps, answered, deps.clock.now(), outputTokens(answered.reply), isWhole)
  await deps.save()
  return json(200, answered.written)
}

interface Answered<A> {
  readonly model: TextModel
  readonly ask: Ask
  readonly reply: Reply
  readonly written: A
}

function replyFor<A>(
  deps: TextDeps,
  format: Format<A>,
  operation: TextOperation,
  body: unknown,
): Answered<A> {
  const model = modelIn(body, operation, format.families)
  const ask = format.read(body, model)
  deps.account.mustCover(priceOf(model, ask))
  const reply = replyTo(ask, model)
  const created = Math.floor(deps.clock.now().getTime() / 1000)
  const tokens = { input: inputTokens(ask), output: outputTokens(reply) }
  const written = format.write({ id: deps.newId(), created, model: model.id, ...tokens }, ask, reply)
  return { model, ask, reply, written }
}

function modelIn(body: unknown, operation: TextOperation, families: Format<unknown>['families']): TextModel {
  const { model: id } = parsed(z.looseObject({ model: z.string() }), body)
  const model = textModels.find((one) => one.id === id)
  if (!model) throw new GatewayRefusal(404, 'unknown_model', `no text model "${id}"`)
  if (!families || families.includes(model.family)) return model
  throw bad(`the model "${id}" does not work on the path of ${operation}`, 'unsupported_model')
}

async function* stream(
  deps: TextDeps,
  { fault, signal }: Call,
  answered: Answered<readonly Piece[]>,
): AsyncGenerator<string> {
  const { clock, speed, closing, pending, save } = deps
  const pieces = answered.written
  const gone = AbortSignal.any([signal, closing])
  const begun = clock.now()
  const ended = Promise.withResolvers<void>()
  pending(ended.promise.then(save))
  let said = 0
  let sent = 0
  try {
    for (const { wire, said: length } of pieces) {
      const isMiddle = sent === Math.ceil(pieces.length / 2)
      if (isMiddle && fault?.kind === 'cut') throw new ConnectionCut()
      if (isMiddle && fault?.kind === 'hang') await hang(fault, clock, gone)
      if (length > 0) await clock.wait(pieceMs / speed, gone)
      // The connection is cut, since a regular end would look like a complete answer.
      if (gone.aborted) throw new ConnectionCut()
      said += length
      yield wire
      sent += 1
    }
  } finally {
    charge(deps, answered, begun, tokensOf(said), sent === pieces.length)
    ended.resolve()
  }
}

/** @param output the tokens that were sent */
function charge(
  { account, answers, clock }: TextDeps,
  { model, ask, reply }: Answered<unknown>,
  begun: Date,
  output: number,
  isWhole: boolean,
): void {
  account.charge(priceOf(model, ask, output))
  answers.push({
    model: model.id,
    question: lastUserText(ask),
    text: reply.text,
    thinking: reply.thinking,
    modes: ask.modes,
    input: inputTokens(ask),
    output,
    isWhole,
    tellsUsage: ask.tellsUsage,
    begunAt: begun.toISOString(),
    endedAt: clock.now().toISOString(),
  })
}
