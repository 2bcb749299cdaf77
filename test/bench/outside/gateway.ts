// A minimal gateway: accepts every order, reports the task states that the benchmark sets, and returns the same song for all.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { randomIds } from '../../../src/runtime/ids.ts'
import { sendJson, serve } from './serve.ts'
import { type Pace, stream } from './stream.ts'

export interface GatewayStub {
  readonly url: string
  close(): Promise<void>
}

export interface Manner {
  /** The state of a task when it is polled; completed by default. */
  readonly look?: (task: string, at: number) => 'processing' | 'completed'
  /** The delay of the callback after an order; without it there are no callbacks. */
  readonly callBackMs?: number
  /** The address of the process that gets the callbacks; by default the process that ordered. */
  readonly callBackTo?: () => string | undefined
  /** Called for every request. */
  readonly asked?: (method: string, path: string, body: Buffer) => void
  /** The speed of streamed answers of text models. */
  readonly pace?: () => Pace
}

const song = readFileSync(join(import.meta.dirname, 'song.mp3'))
const order = z.object({ callBackUrl: z.string().optional() })

export async function startGateway(manner: Manner = {}): Promise<GatewayStub> {
  const { look, callBackMs, callBackTo, asked, pace } = manner
  const agent = new Agent({ connections: 50 })
  // The prefix makes task ids unique within the run.
  const prefix = randomIds.next()
  let orders = 0

  const take = (body: Buffer): string => {
    orders += 1
    const id = `${prefix}-${orders}`
    const { callBackUrl } = order.parse(JSON.parse(body.toString()))
    if (callBackUrl && callBackMs !== undefined)
      setTimeout(() => callBack(agent, addressAt(callBackTo?.(), callBackUrl), id), callBackMs)
    return JSON.stringify({ id, object: 'audio.task', status: 'queued', model: 'm', created: 1 })
  }

  const serving = await serve((req, res, body) => {
    const { url = '', method = '' } = req
    asked?.(method, url, body)
    if (url.startsWith('/v1/chat/')) return stream(res, pace?.())
    if (method === 'POST') return sendJson(res, take(body), 202)
    if (url === '/song.mp3') return void res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song)
    const id = url.slice(url.lastIndexOf('/') + 1)
    const status = look?.(id, performance.now()) ?? 'completed'
    const data = status === 'completed' ? [{ url: `http://${req.headers.host}/song.mp3` }] : []
    sendJson(res, JSON.stringify({ id, object: 'audio.task', status, model: 'm', created: 1, data }))
  })
  return {
    url: serving.url,
    async close() {
      await agent.destroy()
      await serving.close()
    },
  }
}

const addressAt = (process: string | undefined, url: string): string =>
  process === undefined ? url : new URL(new URL(url).pathname, process).href

/** Sends a callback like the gateway's; the response is ignored. */
export function callBack(dispatcher: Agent, url: string, id: string): void {
  const body = JSON.stringify({ id, status: 'completed' })
  request(url, { dispatcher, method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
    (answer) => answer.body.dump(),
    () => undefined,
  )
}
