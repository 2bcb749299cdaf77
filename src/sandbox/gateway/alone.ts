// The local gateway without the rest of the sandbox, for trying any client against it. It answers at `/v1/...` as well as at
// `/gateway/v1/...`, and its account and faults are where they are in the sandbox.

import { z } from 'zod'
import { type Clock, createSteadyClock } from '../../runtime/clock.ts'
import { randomIds } from '../../runtime/ids.ts'
import { createFaults, type Faults, faultSchema } from '../faults.ts'
import { type Room, readBody, sendJson } from '../http.ts'
import { type Serving, serve } from '../serve.ts'
import { createGateway } from './index.ts'

export interface AloneOptions {
  readonly port: number
  readonly key: string
  readonly speed: number
  /** Where its state and its files are kept. */
  readonly folder: string
  readonly random: () => number
  readonly clock?: Clock
}

/** @throws Error with `code` EADDRINUSE when the port is taken */
export async function startAlone(options: AloneOptions): Promise<Serving> {
  const { port, key, speed, folder, random, clock = createSteadyClock() } = options
  const rooms: Room[] = []
  const server = await serve(port, rooms)
  const faults = createFaults()
  const gateway = createGateway({
    ...{ key, folder, clock, speed, faults, random },
    baseUrl: () => server.url,
    newId: randomIds.next,
  })
  rooms.push(shortened(gateway.room), gateway.account, faultsRoom(faults))
  const close = async () => {
    await gateway.close()
    await server.close()
  }
  return { url: server.url, close }
}

const shortened =
  (room: Room): Room =>
  (req, res, url) =>
    room(
      req,
      res,
      url.pathname.startsWith('/v1/') ? new URL(`/gateway${url.pathname}${url.search}`, url) : url,
    )

/** `/api/faults` as in the sandbox: GET lists them, POST adds one, DELETE clears them. */
function faultsRoom(faults: Faults): Room {
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/faults') return false
    if (req.method === 'DELETE') faults.clear()
    if (req.method === 'POST') {
      const wanted = fault.safeParse(String(await readBody(req)))
      if (!wanted.success) {
        sendJson(res, 400, { error: z.prettifyError(wanted.error) })
        return true
      }
      faults.add(wanted.data)
    }
    sendJson(res, 200, faults.list())
    return true
  }
}

const fault = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      ctx.addIssue({ code: 'custom', message: 'the body is not JSON' })
      return z.NEVER
    }
  })
  .pipe(faultSchema)
