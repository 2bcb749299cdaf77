// The HTTP server at an address and port of its own.

import { createServer, type Server } from 'node:http'
import { allSettledWithin, type Clock } from '../runtime/clock.ts'
import { CannotStart } from '../runtime/env-values.ts'
import type { Log } from '../runtime/log.ts'
import type { Handle } from './routes.ts'

/** How long a request may take: one of at most a megabyte takes much less time, and a slow sender occupies a connection. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 }

interface Place {
  readonly host: string
  readonly port: number
}

export function listen(place: Place, handle: Handle, log: Log, requestLimits = limits): Promise<Server> {
  const server = createServer(requestLimits, (req, res) => {
    const path = (req.url ?? '/').split('?')[0] ?? '/'
    handle(req, res, path).catch((error: unknown) => {
      log.error({ error }, 'request failed')
      if (!res.headersSent) res.writeHead(500).end()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(place, error)))
    server.listen(place, () => resolve(server))
  })
}

function cannotListen({ host, port }: Place, error: Error): CannotStart {
  const code = 'code' in error ? String(error.code) : error.message
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') {
    const what = `${host} is no address of this machine: write one of its own, like 127.0.0.1, or 0.0.0.0 for all`
    return new CannotStart(`HOST: ${what}`, { cause: error })
  }
  const what: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is used by another program: stop it, or write another port, like ${port < 65_535 ? port + 1 : 3000}`,
    EACCES: `this user may not listen on port ${port}: write one above 1023, like 3000`,
  }
  const problem = what[code] ?? `nothing can listen at ${host}, port ${port} (${code}): write another port`
  return new CannotStart(`PORT: ${problem}`, { cause: error })
}

/** How long a stop waits for open requests before it closes their connections. */
const stopWaitMs = 5000

export async function closeServer(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  if (!(await allSettledWithin([closed], clock, stopWaitMs))) server.closeAllConnections()
  await closed
}
