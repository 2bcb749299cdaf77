// Undoes what proxies do to the bytes of an answer: compression, also where its header is missing or wrong, and a byte order mark.

import { pipeline, Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

type Chunks = AsyncGenerator<Uint8Array, void, undefined>

/** Enough bytes to recognise a compression, or that a body is text. */
const headLength = 16

/** The decompressed bytes without a mark. Their number has no limit: the caller counts them. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): Chunks {
  const packed = await begun(chunks)
  const unpacker = unpackerFor(packed.head, encoding)
  const { head, all } = unpacker ? await begun(through(unpacker, packed.all)) : packed
  let rest = hasMark(head) ? mark.length : 0
  for await (const chunk of all) {
    yield chunk.subarray(rest)
    rest = 0
  }
}

const mark = Buffer.from('\ufeff')
const hasMark = (head: Buffer) => head.subarray(0, mark.length).equals(mark)

/** Reads the first bytes; they are the first chunk of `all`. */
async function begun(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Buffer; readonly all: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const rest = { [Symbol.asyncIterator]: () => iterator }
  let head = Buffer.alloc(0)
  while (head.length < headLength) {
    const next = await iterator.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  async function* all() {
    yield head
    yield* rest
  }
  return { head, all: all() }
}

async function* through(unpacker: Transform, chunks: Chunks): Chunks {
  // An error of either stream destroys the unpacker, whose reader then gets it.
  pipeline(Readable.from(chunks), unpacker, () => undefined)
  yield* unpacker
}

/** The bytes decide: a body that begins as text is not compressed, whatever its header says. Only Brotli and raw deflate have no magic bytes. */
function unpackerFor(head: Buffer, encoding: string): Transform | undefined {
  if (isText(head)) return undefined
  const magic = head.toString('hex', 0, 4)
  if (magic.startsWith('1f8b')) return createGunzip()
  if (magic === '28b52ffd') return createZstdDecompress()
  if (/^78(01|5e|9c|da)/.test(magic)) return createInflate()
  if (/\bbr\b/i.test(encoding)) return createBrotliDecompress()
  return /deflate/i.test(encoding) ? createInflateRaw() : undefined
}

function isText(head: Buffer): boolean {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    return false
  }
  return head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))
}
