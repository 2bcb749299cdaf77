// An answer as server-sent events, sent piece by piece at the pace of a model. The part that was sent is charged, also when the stream ends
// early. Scripted faults take effect in the middle: `cut` with `after` cuts the connection, `hang` pauses for `ms` or until the caller
// hangs up.

import type { Clock } from '../../../runtime/clock.ts'
import { type Fault, hang } from '../../faults.ts'
import { ConnectionCut, type StreamedAnswer } from '../answer.ts'
import { tokensOf } from './ask.ts'

export interface Piece {
  /** The text of an event on the wire. */
  readonly wire: string
  /** The number of its characters that the model wrote, which count as output. */
  readonly said: number
}

interface Streaming {
  readonly clock: Clock
  readonly speed: number
  readonly fault: Fault | undefined
  /** Aborts when the caller hangs up or the gateway closes. */
  readonly signal: AbortSignal
  /**
   * Called when the stream begins. The returned function must be called when it has ended, with the number of tokens sent and whether all
   * events were sent.
   */
  readonly begun: () => (outputTokens: number, isWhole: boolean) => void
}

/** About 600 characters per second, the pace of a fast model. */
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

/** Splits a text at spaces where possible; the joined pieces are the text. */
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
  let sent = 0
  try {
    for (const [index, piece] of pieces.entries()) {
      if (index === middle) await applyFault(fault, clock, signal)
      if (piece.said > 0) await clock.wait(pieceMs / speed, signal)
      // The connection is cut, since a regular end would look like a complete answer.
      if (signal.aborted) throw new ConnectionCut()
      said += piece.said
      yield piece.wire
      sent += 1
    }
  } finally {
    ended(tokensOf(said), sent === pieces.length)
  }
}

async function applyFault(fault: Fault | undefined, clock: Clock, signal: AbortSignal): Promise<void> {
  if (fault?.kind === 'cut') throw new ConnectionCut()
  if (fault?.kind === 'hang') await hang(fault, clock, signal)
}
