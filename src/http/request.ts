// Reads requests, and answers with a status.

import type { IncomingMessage, ServerResponse } from 'node:http'

const words: Readonly<Record<number, string>> = { 200: 'ok', 401: 'not allowed' }

export function end(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'text/plain' }).end(words[status] ?? 'not available')
}

/** A body that is too large is read to its end, so that its sender reads the answer. Above this size the connection is closed instead. */
const mostDropped = 4 * 1024 * 1024

/** @returns undefined for a body that is larger than `maxBytes`, or whose sender hung up before its end */
export async function readText(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of req) {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      if (size > mostDropped) req.destroy()
    }
  } catch {
    return undefined
  }
  return size <= maxBytes ? Buffer.concat(chunks).toString('utf8') : undefined
}

/** @returns undefined for a body that is larger than `maxBytes`, cut off or not JSON */
export async function readJson(req: IncomingMessage, maxBytes: number): Promise<unknown> {
  const text = await readText(req, maxBytes)
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
