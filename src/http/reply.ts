// Small answers and small bodies.

import type { IncomingMessage, ServerResponse } from 'node:http'

const words: Readonly<Record<number, string>> = { 200: 'ok', 401: 'not allowed' }

export function end(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'text/plain' }).end(words[status] ?? 'not available')
}

/** Undefined for a body of more than so many bytes; all of it is read off the wire. */
export async function readText(req: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size <= maxBytes ? Buffer.concat(chunks).toString('utf8') : undefined
}

/** Undefined for anything that is not JSON of at most so many bytes. */
export async function readJson(req: IncomingMessage, maxBytes: number): Promise<unknown> {
  const text = await readText(req, maxBytes)
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
