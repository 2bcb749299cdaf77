// Server-sent events of an answer: sent piece by piece, so that a person sees it being written. A stream charges for what it
// has sent, whoever ended it. Scripted faults spoil it in the middle: `cut` with `after` cuts the connection there, `hang`
// falls silent there, for `ms` or until the caller hangs up.

import type { Clock } from '../../../runtime/clock.ts'
import type { Fault } from '../../faults.ts'
import { ConnectionCut, type StreamedAnswer } from '../answer.ts'
import { tokensOf } from './bill.ts'

export interface Piece {
  /** An event as it goes over the wire. */
  readonly wire: string
  /** Characters of the model's own words in it. */
  readonly said: number
}

export interface Streaming {
  readonly clock: Clock
  readonly speed: number
  readonly fault: Fault | undefined
  /** Aborts when the caller hangs up or the gateway closes. */
  readonly signal: AbortSignal
  /** Called once the stream has begun, and what it returns once it has ended, with the tokens that were sent. */
  readonly begun: () => (outputTokens: number) => void
}

/** About 600 characters a second, which is what a fast model writes. */
const pieceLength = 24
export const pieceMs = 40

export const dataEvent = (data: unknown, said = 0): Piece => ({
  wire: `data: ${JSON.stringify(data)}\n\n`,
  said,
})

export const namedEvent = (
  data: { readonly type: string; readonly [field: string]: unknown },
  said = 0,
): Piece => ({
  wire: `event: ${data.type}\n${dataEvent(data).wire}`,
  said,
})

/** Cuts at spaces where there are any; joined, the pieces are the text. */
export const piecesOf = (text: string): string[] =>
  text.match(new RegExp(`[^]{1,${pieceLength}}(?=\\s|$)|[^]{1,${pieceLength}}`, 'gu')) ?? []

export function streamed(streaming: Streaming, pieces: readonly Piece[]): StreamedAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    events: send(streaming, pieces),
  }
}

async function* send(streaming: Streaming, pieces: readonly Piece[]): AsyncGenerator<string> {
  const { clock, speed, fault, signal } = streaming
  const middle = Math.ceil(pieces.length / 2)
  const ended = streaming.begun()
  let said = 0
  try {
    for (const [index, piece] of pieces.entries()) {
      if (index === middle) await spoil(fault, clock, signal)
      if (piece.said > 0) await clock.wait(pieceMs / speed, signal)
      // Not a plain end, which would look like that of a whole answer.
      if (signal.aborted) throw new ConnectionCut()
      said += piece.said
      yield piece.wire
    }
  } finally {
    ended(tokensOf(said))
  }
}

async function spoil(fault: Fault | undefined, clock: Clock, signal: AbortSignal): Promise<void> {
  if (fault?.kind === 'cut') throw new ConnectionCut()
  if (fault?.kind !== 'hang') return
  if (fault.ms !== undefined) await clock.wait(fault.ms, signal)
  else if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
