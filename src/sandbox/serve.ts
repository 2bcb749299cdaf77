// A server of rooms on this machine only: the first room that takes a request answers it.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Room, sendJson } from './http.ts'

export interface Serving {
  /** `http://127.0.0.1:8080` */
  readonly url: string
  /** Cuts whatever is still open. */
  close(): Promise<void>
}

/** @param rooms may grow later @throws Error with `code` EADDRINUSE when the port is taken */
export async function serve(port: number, rooms: readonly Room[]): Promise<Serving> {
  const server = await listen(port, rooms)
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'a listening server has a port')
  return { url: `http://127.0.0.1:${address.port}`, close: () => closeServer(server) }
}

function listen(port: number, rooms: readonly Room[]): Promise<Server> {
  const server = createServer((req, res) => void answer(rooms, req, res))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function answer(rooms: readonly Room[], req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    const url = new URL(req.url ?? '/', 'http://sandbox')
    for (const room of rooms) if (await room(req, res, url)) return
    sendJson(res, 404, { error: `nothing is at ${req.method} ${url.pathname}` })
  } catch (error) {
    if (res.headersSent) return void res.destroy()
    sendJson(res, 500, { error: error instanceof Error ? error.message : String(error) })
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
