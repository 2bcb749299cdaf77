// Sends a stored file, or the requested part of it: browsers seek in videos by byte ranges.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { byteRange } from '../http.ts'

export async function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const { size } = await stat(path)
  const range = byteRange(req.headers.range, size)
  if (range === 'unsatisfiable') {
    res.writeHead(416, { 'content-range': `bytes */${size}` }).end()
    return
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  res.writeHead(range ? 206 : 200, {
    ...headers,
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  // A client that disconnects before the end is not an error.
  await pipeline(createReadStream(path, { start, end }), res).catch(() => undefined)
}
