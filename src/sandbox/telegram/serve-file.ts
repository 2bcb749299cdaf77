// Sends a stored file, whole or the asked part of it: a browser seeks in a video by ranges.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

interface Range {
  start: number
  end: number
}

/** `undefined` is no range at all, `null` one that cannot be satisfied. */
function parseRange(header: string | undefined, size: number): Range | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start <= end && start < size ? { start, end } : null
}

export async function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const { size } = await stat(path)
  const range = parseRange(req.headers.range, size)
  if (range === null) {
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
  // A viewer that goes away in the middle is ordinary.
  await pipeline(createReadStream(path, { start, end }), res).catch(() => undefined)
}
