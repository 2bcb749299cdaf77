// The HTTP server of the doubles. All sides use it, so its own cost must be small.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '../chaos/machine/listening.ts'

export type Answer = (req: IncomingMessage, res: ServerResponse, body: Buffer) => void

export interface Serving {
  readonly url: string
  close(): Promise<void>
}

export async function serve(answer: Answer): Promise<Serving> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => answer(req, res, Buffer.concat(chunks)))
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function sendJson(res: ServerResponse, json: string, status = 200): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    .end(json)
}

const maxMs = 240_000

/** A wait with a deadline, so that a benchmark fails with a message instead of hanging. */
export function inTime<T>(what: string, begin: (resolve: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`timed out waiting for ${what}`)), maxMs)
    begin((value) => {
      clearTimeout(late)
      resolve(value)
    })
  })
}
