// The HTTP code that all doubles share: handlers and the server that runs them, bodies, files and byte ranges.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** Answers the request and returns true, or leaves it untouched and returns false. */
export type Handler = (req: IncomingMessage, res: ServerResponse, url: URL) => Promise<boolean>

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

/** @returns undefined when the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The wanted part of a file. A list of several ranges is ignored.
 *
 * @param header the header `range` of the request
 * @returns the answer without its body: the bytes from `start` to `end`, both included
 */
export function partOf(header: string | undefined, size: number) {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  const whole = { status: 200, start: 0, end: size - 1, headers: { 'accept-ranges': 'bytes' } }
  if (from === '' && to === '') return whole
  const start = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  const isThere = start <= end
  const headers = { ...whole.headers, 'content-range': `bytes ${isThere ? `${start}-${end}` : '*'}/${size}` }
  return isThere ? { status: 206, start, end, headers } : { status: 416, start: 0, end: -1, headers }
}

/**
 * Starts a server on the loopback interface; the first handler that accepts a request answers it.
 *
 * @param handlers may grow later
 * @throws Error with `code` EADDRINUSE when the port is taken
 */
export async function serve(port: number, handlers: readonly Handler[]) {
  // Longer than the usual five seconds, so that a client whose process was busy for seconds does not find its connections closed.
  const settings = { keepAliveTimeout: 120_000 }
  const server = createServer(settings, (req, res) => void answer(handlers, req, res))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'a listening server has a port')
  return {
    /** `http://127.0.0.1:8080` */
    url: `http://127.0.0.1:${address.port}`,
    /** Stops the server and closes open connections. */
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The URL of a request. A target that begins with two slashes is a path, not a host. */
function urlOf({ url = '/' }: IncomingMessage): URL {
  return url.startsWith('/') ? new URL(`http://sandbox${url}`) : new URL(url, 'http://sandbox')
}

/** How programs and pages of this machine name the loopback interface. */
const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i
const refusal = 'only 127.0.0.1 and localhost are answered, and no pages of other sites'

/**
 * Whether a request comes from a program or from a page of this server. Browsers send `Origin` with every request of another site that may
 * change something. After DNS rebinding (the name of the other site resolves to 127.0.0.1) `Origin` fits `Host`, and both are that name.
 */
function isOwn({ headers: { host = '', origin } }: IncomingMessage): boolean {
  return loopback.test(host) && (origin === undefined || origin === `http://${host}`)
}

async function answer(
  handlers: readonly Handler[],
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    if (!isOwn(req)) return sendJson(res, 403, { error: refusal })
    const url = urlOf(req)
    for (const handler of handlers) if (await handler(req, res, url)) return
    sendJson(res, 404, { error: `nothing is at ${req.method} ${url.pathname}` })
  } catch (error) {
    if (res.headersSent) return void res.destroy()
    sendJson(res, 500, { error: error instanceof Error ? error.message : String(error) })
  }
}

export async function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  type: string,
): Promise<void> {
  const part = partOf(req.headers.range, (await stat(path)).size)
  const { status, start, end, headers } = part
  res.writeHead(status, { ...headers, 'content-type': type, 'content-length': end - start + 1 })
  // A client that disconnects before the end is not an error.
  if (req.method === 'HEAD' || end < start) res.end()
  else await pipeline(createReadStream(path, { start, end }), res).catch(() => undefined)
}
