// Our routes on a port of their own.

import { createServer, type Server } from 'node:http'
import type { Log } from '../log.ts'
import type { Handle } from './routes.ts'

export function listen(port: number, handle: Handle, log: Log): Promise<Server> {
  const server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0] ?? '/'
    handle(req, res, path).catch((error: unknown) => {
      log.error({ error }, 'request failed')
      if (!res.headersSent) res.writeHead(500).end()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => resolve(server))
  })
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
