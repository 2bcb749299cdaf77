// An answer on its way from the gateway: shown as it comes, kept once in a while, until it ends, breaks off or is stopped.

import { operationFor } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import type { ChatEnd, ChatStream, Gateway } from '../gateway/client.ts'
import { GatewayError, GatewayRefused } from '../gateway/errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { refusalOfUs } from '../sales/sales.ts'
import { chatBody, messagesBody, nativeBody, type Order, responsesBody } from './bodies.ts'
import type { Failure } from './parts.ts'
import type { Turn } from './threads.ts'
import { keep } from './turns.ts'

export interface ReadDeps {
  readonly db: Database
  readonly gateway: Gateway
  readonly clock: Clock
  readonly log: Log
}

/** What is known of an answer while it comes. */
export interface Progress {
  readonly text: string
  readonly thinking: string
}

/** Why an answer ends that nobody stopped: the app is going down. */
export const interrupted = Symbol('interrupted')

/** As far as an answer came, and how that ended. */
export interface Read {
  readonly progress: Progress
  /** Undefined when it broke off or was stopped. */
  readonly end: ChatEnd | undefined
  /** Undefined when a person stopped it. */
  readonly failure: Failure | undefined
}

/** @param show called with everything so far, whenever there is more; it must not take long */
export async function readAnswer(
  deps: ReadDeps,
  turn: Turn,
  order: Order,
  show: (progress: Progress) => void,
  stop: AbortSignal,
): Promise<Read> {
  let progress: Progress = { text: '', thinking: '' }
  let end: ChatEnd | undefined
  const keeper = startKeeper(deps, turn, () => progress)
  try {
    for await (const piece of streamOf(deps.gateway, order, AbortSignal.any([stop, keeper.lost]))) {
      if ('text' in piece || 'thinking' in piece) {
        progress = grown(progress, piece)
        show(progress)
      } else end = piece
    }
  } catch (error) {
    const failure = failureIn(error, stop)
    if (failure) deps.log.warn({ turn: turn.id, error }, 'answer broken off')
    return { progress, end, failure }
  } finally {
    await keeper.end()
  }
  return { progress, end, failure: undefined }
}

function grown({ text, thinking }: Progress, piece: { text: string } | { thinking: string }): Progress {
  if ('text' in piece) return { text: text + storable(piece.text), thinking }
  return { text, thinking: thinking + storable(piece.thinking) }
}

const keepEveryMs = 5000

interface Keeper {
  /** Aborts when another process has settled the answer: nobody waits for the rest. */
  readonly lost: AbortSignal
  end(): Promise<void>
}

/** Writes down every few seconds what has been shown, in case this process does not live to the end. */
function startKeeper({ db, clock, log }: ReadDeps, turn: Turn, latest: () => Progress): Keeper {
  const over = new AbortController()
  const lost = new AbortController()
  const run = async () => {
    let kept = latest()
    while (!over.signal.aborted) {
      await clock.wait(keepEveryMs, over.signal)
      const progress = latest()
      if (progress === kept || over.signal.aborted) continue
      try {
        if (!(await keep({ db }, turn, progress))) lost.abort()
        kept = progress
      } catch (error) {
        log.warn({ turn: turn.id, error }, 'answer not kept')
      }
    }
  }
  const running = run()
  return {
    lost: lost.signal,
    end() {
      over.abort('ended')
      return running
    },
  }
}

/** Undefined when a person stopped it: that is no failure. @throws whatever is not the gateway's */
function failureIn(error: unknown, stop: AbortSignal): Failure | undefined {
  if (!(error instanceof GatewayError)) throw error
  return stop.aborted && stop.reason !== interrupted ? undefined : failureOf(error)
}

/** PostgreSQL has no text with this in it. */
const storable = (text: string): string => text.replaceAll('\0', '')

function streamOf(gateway: Gateway, order: Order, signal: AbortSignal): ChatStream {
  switch (operationFor(order.model, order.modes)) {
    case 'chat':
      return gateway.chatStream(chatBody(order), signal)
    case 'messages':
      return gateway.messagesStream(messagesBody(order), signal)
    case 'responses':
      return gateway.responsesStream(responsesBody(order), signal)
    case 'native':
      return atOnce(gateway, order, signal)
  }
}

/** The native pass-through does not stream: whoever stops it has been shown nothing. */
async function* atOnce(gateway: Gateway, order: Order, signal: AbortSignal): ChatStream {
  const {
    text,
    thinking,
    raw: _,
    ...end
  } = await gateway.generateContent(order.model.nativeVendor, nativeBody(order), signal)
  if (thinking) yield { thinking }
  if (text) yield { text }
  yield end
}

function failureOf(error: GatewayError): Failure {
  if (error instanceof GatewayRefused) return { reason: 'refused', said: error.said }
  const cause = refusalOfUs(error)
  return cause ? { reason: 'paused', cause } : { reason: 'unavailable' }
}
