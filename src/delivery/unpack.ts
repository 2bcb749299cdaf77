// Decompresses a file that a server sent compressed although it was asked not to, as storages do with files that were uploaded
// compressed.

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

const unpackers: Readonly<
  Record<string, (bytes: Buffer, bounds: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * Decompresses a file; undefined when the result is larger than `maxBytes`. A file that is not compressed as `encoding` says is returned
 * unchanged: its format is recognised by its bytes.
 */
export async function unpack(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  const unpacker = unpackers[encoding.trim().toLowerCase()]
  if (!unpacker) return bytes
  try {
    return await unpacker(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge ? undefined : bytes
  }
}
