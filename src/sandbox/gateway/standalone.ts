// The local gateway without the rest of the sandbox, for trying any client against it. It answers at `/v1/...` as well as at
// `/gateway/v1/...`; its account and its faults have the same paths as in the sandbox.

import { type Clock, createSteadyClock } from '../../runtime/clock.ts'
import { randomIds } from '../../runtime/ids.ts'
import { createFaultRoutes, createFaults } from '../faults.ts'
import { type Handler, type RunningServer, serve } from '../http.ts'
import { createGateway } from './index.ts'

interface Options {
  readonly port: number
  readonly key: string
  readonly speed: number
  /** The folder of its state and its files. */
  readonly folder: string
  readonly random: () => number
  readonly clock?: Clock
}

/** @throws Error with `code` EADDRINUSE when the port is taken */
export async function startStandaloneGateway(options: Options): Promise<RunningServer> {
  const { port, key, speed, folder, random, clock = createSteadyClock() } = options
  const handlers: Handler[] = []
  const server = await serve(port, handlers)
  const faults = createFaults()
  const gateway = createGateway({
    key,
    folder,
    clock,
    speed,
    faults,
    random,
    baseUrl: () => server.url,
    newId: randomIds.next,
  })
  handlers.push(withShortPaths(gateway.api), gateway.inspection, createFaultRoutes(faults))
  const close = async () => {
    await gateway.close()
    await server.close()
  }
  return { url: server.url, close }
}

const withShortPaths =
  (handler: Handler): Handler =>
  (req, res, url) => {
    const isShort = url.pathname.startsWith('/v1/')
    return handler(req, res, isShort ? new URL(`/gateway${url.pathname}${url.search}`, url) : url)
  }
