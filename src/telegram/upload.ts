// The body of a request with files. grammY makes a multipart form as a stream of chunks, two for each field and file. Each chunk would be
// written to the socket separately: a dozen writes for a short voice message. So small chunks are merged.

import { Readable } from 'node:stream'

/** Consecutive chunks are merged up to this size. A chunk that is larger itself is sent unchanged. */
const mergedBytes = 64 * 1024

type Chunks = AsyncIterable<Uint8Array>

/** @returns the bytes when the whole form is short, so that it is sent with its length; else a stream */
export async function uploadOf(form: Chunks): Promise<Uint8Array | Readable> {
  const chunks = merged(form)
  const first = await chunks.next()
  if (first.done) return new Uint8Array()
  const second = await chunks.next()
  return second.done ? first.value : Readable.from(followedBy([first.value, second.value], chunks))
}

async function* merged(form: Chunks): AsyncGenerator<Uint8Array, undefined> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const chunk of form) {
    if (size > 0 && size + chunk.length > mergedBytes) {
      yield joined(gathered)
      gathered = []
      size = 0
    }
    gathered.push(chunk)
    size += chunk.length
  }
  if (size > 0) yield joined(gathered)
}

const joined = (chunks: readonly Uint8Array[]): Uint8Array =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)

async function* followedBy(first: readonly Uint8Array[], others: Chunks): AsyncGenerator<Uint8Array> {
  yield* first
  yield* others
}
