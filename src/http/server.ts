// The HTTP server at an address and port of its own.

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { Clock } from '../runtime/clock.ts'
import { CannotStart } from '../runtime/env-values.ts'
import type { Log } from '../runtime/log.ts'
import type { Handle } from './routes.ts'

/** How long the headers of a request and the whole request may take, and how often these limits are checked. */
interface RequestLimits {
  readonly headersMs: number
  readonly wholeMs: number
  readonly lookMs: number
}

/** A request of at most a megabyte takes much less time, and a slow sender occupies a connection. */
const defaultLimits: RequestLimits = { headersMs: 10_000, wholeMs: 30_000, lookMs: 5000 }

interface Place {
  readonly host: string
  readonly port: number
}

export function listen(
  place: Place,
  handle: Handle,
  log: Log,
  { headersMs, wholeMs, lookMs }: RequestLimits = defaultLimits,
): Promise<Server> {
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: wholeMs,
    connectionsCheckingInterval: lookMs,
  }
  const server = createServer(limits, (req, res) => {
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
  return new CannotStart(
    `PORT: ${what[code] ?? `nothing can listen at ${host}, port ${port} (${code}): write another port`}`,
    {
      cause: error,
    },
  )
}

/** How long a stop waits for open requests before it closes their connections. */
const stopWaitMs = 5000

export async function closeServer(server: Server, clock: Clock): Promise<void> {
  const closed = new AbortController()
  const late = clock.wait(stopWaitMs, closed.signal).then(() => server.closeAllConnections())
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  closed.abort()
  await late
}
