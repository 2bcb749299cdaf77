// Reads the stream of an answer: shows its progress, and saves it every few seconds, until it ends, fails or is stopped.

import { operationFor } from '../catalog/text-modes.ts'
import type { Database } from '../db/client.ts'
import type { ChatEnd, ChatStream, Gateway, Picture } from '../gateway/client.ts'
import { GatewayError, GatewayRefused } from '../gateway/errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Refusals } from '../sales/refusals.ts'
import { type ChatRequest, chatBody, messagesBody, nativeBody, responsesBody } from './bodies.ts'
import type { Turn } from './conversations.ts'
import { kindsIn } from './dialogue.ts'
import type { Failure } from './parts.ts'
import { saveProgress } from './turns.ts'

export interface ReadDeps {
  readonly db: Database
  readonly gateway: Gateway
  readonly clock: Clock
  readonly log: Log
  readonly refusals: Refusals
}

export interface Progress {
  readonly text: string
  readonly thinking: string
}

export interface LiveAnswer {
  /** Called with the whole progress after every piece; returns quickly. */
  show(progress: Progress): void
  /** Shows nothing more. @returns resolves when the last progress has been shown */
  close(): Promise<void>
}

/** Abort reason when the process ends, as opposed to a stop by the user. */
export const interrupted = Symbol('interrupted')

/** The received part of an answer and the last event of its stream. */
export interface Read {
  readonly progress: Progress
  readonly pictures: readonly Picture[]
  /** Undefined when the stream failed or was stopped. */
  readonly finished: ChatEnd | undefined
  /** Undefined when the stream ended normally or the user stopped it. */
  readonly failure: Failure | undefined
}

/** Reads an answer until its stream ends. Closes `live`, whose last progress may still be on its way. */
export async function readAnswer(
  deps: ReadDeps,
  turn: Turn,
  request: ChatRequest,
  live: LiveAnswer,
  stop: AbortSignal,
): Promise<Read> {
  let progress: Progress = { text: '', thinking: '' }
  let finished: ChatEnd | undefined
  const pictures: Picture[] = []
  const saver = startSaver(deps, turn, () => progress)
  const closing = AbortSignal.any([closingAfter(deps, stop), saver.over])
  try {
    for await (const piece of streamOf(deps.gateway, request, closing)) {
      if ('text' in piece || 'thinking' in piece) {
        // The answer goes on: this closes the stream.
        if (isStopped(stop)) break
        progress = extended(progress, piece)
        live.show(progress)
      } else if ('picture' in piece) pictures.push(piece.picture)
      else finished = piece
    }
  } catch (error) {
    const failure = failureIn(deps, request, error, stop)
    if (failure) deps.log.warn({ turn: turn.id, error }, 'answer interrupted')
    return { progress, pictures, finished, failure }
  } finally {
    void live.close()
    await saver.end()
  }
  return { progress, pictures, finished, failure: undefined }
}

/** After the last words of an answer its stream ends within this time. */
const toEndMs = 1000

const isStopped = ({ aborted, reason }: AbortSignal): boolean => aborted && reason !== interrupted

/**
 * When the stream is closed: at once when the process ends, but after a stop only if nothing more comes. An answer that was complete at the
 * stop ends by itself, with its usage.
 */
function closingAfter({ clock }: Pick<ReadDeps, 'clock'>, stop: AbortSignal): AbortSignal {
  const closing = new AbortController()
  const close = async () => {
    if (isStopped(stop)) await clock.wait(toEndMs)
    closing.abort(stop.reason)
  }
  if (stop.aborted) closing.abort(stop.reason)
  else stop.addEventListener('abort', close)
  return closing.signal
}

function extended({ text, thinking }: Progress, piece: { text: string } | { thinking: string }): Progress {
  if ('text' in piece) return { text: text + withoutNul(piece.text), thinking }
  return { text, thinking: thinking + withoutNul(piece.thinking) }
}

const saveEveryMs = 5000
/** The time limit, far above the longest answer. Without it, a stream that sends only keep-alive signals would hold the money for ever. */
const longestMs = 30 * 60_000

interface Saver {
  /** Aborts when another process has settled the answer, so that the rest is not needed, or when it takes too long. */
  readonly over: AbortSignal
  end(): Promise<void>
}

/** Saves the progress every few seconds, in case this process ends before the answer does. */
function startSaver({ db, clock, log }: ReadDeps, turn: Turn, latest: () => Progress): Saver {
  const ended = new AbortController()
  const over = new AbortController()
  const begun = clock.now().getTime()
  let saved = latest()
  const save = async () => {
    const progress = latest()
    if (progress === saved) return
    if (!(await saveProgress({ db }, turn, progress))) over.abort()
    saved = progress
  }
  const run = async () => {
    for (;;) {
      await clock.wait(saveEveryMs, ended.signal)
      if (ended.signal.aborted) return
      if (clock.now().getTime() - begun > longestMs) over.abort()
      await save().catch((error: unknown) => log.warn({ turn: turn.id, error }, 'answer not saved'))
    }
  }
  const running = run()
  return {
    over: over.signal,
    end() {
      ended.abort('ended')
      return running
    },
  }
}

/** @returns undefined when the user stopped it, which is no failure @throws errors that are not the gateway's */
function failureIn(
  deps: Pick<ReadDeps, 'refusals'>,
  request: ChatRequest,
  error: unknown,
  stop: AbortSignal,
): Failure | undefined {
  if (!(error instanceof GatewayError)) throw error
  return isStopped(stop) ? undefined : failureOf(deps, request, error)
}

/** PostgreSQL cannot store NUL in a text. */
const withoutNul = (text: string): string => text.replaceAll('\0', '')

export function streamOf(gateway: Gateway, request: ChatRequest, signal: AbortSignal): ChatStream {
  switch (operationFor(request.model, request.modes, kindsIn(request.dialogue))) {
    case 'chat':
      return gateway.chatStream(chatBody(request), signal)
    case 'messages':
      return gateway.messagesStream(messagesBody(request), signal)
    case 'responses':
      return gateway.responsesStream(responsesBody(request), signal)
    case 'native':
      return gateway.generateContent(request.model.nativeVendor, nativeBody(request), signal)
  }
}

/** Words that stand in quotation marks are put into one line: a further line would look like a text of the bot. */
const inOneLine = (words: string): string => words.replaceAll(/\s+/g, ' ')

function failureOf(
  { refusals }: Pick<ReadDeps, 'refusals'>,
  { model, dialogue }: ChatRequest,
  error: GatewayError,
): Failure {
  const refusal = refusals.of(error, model.id, { model: model.id, dialogue })
  if (refusal) return { reason: 'paused', refusal }
  if (error instanceof GatewayRefused && error.status === 413) return { reason: 'too-large' }
  if (error instanceof GatewayRefused) return { reason: 'refused', said: error.said && inOneLine(error.said) }
  return { reason: 'unavailable' }
}
