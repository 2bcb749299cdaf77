// The body of an upload. grammY makes a stream of a form, with several pieces for each field, and each piece would be a write to the socket:
// a dozen for a short sound.

import { Readable } from 'node:stream'

/** Pieces are merged up to this size; larger ones stay as they are. */
const mergedBytes = 64 * 1024

type Pieces = AsyncIterable<Uint8Array>

/** @returns the bytes when the whole form is short */
export async function uploadOf(form: Pieces): Promise<Uint8Array | Readable> {
  const pieces = merged(form)
  const first = await pieces.next()
  if (first.done) return new Uint8Array()
  const second = await pieces.next()
  return second.done ? first.value : Readable.from(followedBy([first.value, second.value], pieces))
}

async function* merged(form: Pieces): AsyncGenerator<Uint8Array, undefined> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const piece of form) {
    if (size > 0 && size + piece.length > mergedBytes) {
      yield joined(gathered)
      gathered = []
      size = 0
    }
    gathered.push(piece)
    size += piece.length
  }
  if (size > 0) yield joined(gathered)
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)

async function* followedBy(first: readonly Uint8Array[], others: Pieces): AsyncGenerator<Uint8Array> {
  yield* first
  yield* others
}
