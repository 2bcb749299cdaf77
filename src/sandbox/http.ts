// The little HTTP that the sandbox's rooms share: a room is a function that answers a request or passes it on.

import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers the request and returns true, or leaves it untouched and returns false. */
export type Room = (req: IncomingMessage, res: ServerResponse, url: URL) => Promise<boolean>

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/** Reads a whole body; rejects when it is larger than `limit` bytes. */
export async function readBody(req: IncomingMessage, limit = 64 * 1024 * 1024): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > limit) throw new Error(`body is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
