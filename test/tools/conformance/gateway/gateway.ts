// A gateway written from gateway-api.md alone. It shares no code and no assumption with src: it is strict where the document is, and varies
// its behaviour (see personality.ts) where the document is silent.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { startServer } from '../../../support/runtime/server.ts'
import { createArtifacts } from './artifacts.ts'
import { readBody, refuse, sendJson } from './http.ts'
import { createMedia } from './media.ts'
import { createScript, type Script } from './script.ts'
import { createText, operationOf } from './text/operations.ts'

export const key = 'conformance-key'

export interface Gateway extends Script {
  readonly url: string
  stop(): Promise<void>
}

/** Whether a request has the key: as "Authorization: Bearer", or for the messages operation as x-api-key. */
const isKnown = ({ headers, url }: IncomingMessage) =>
  headers.authorization === `Bearer ${key}` || (url === '/v1/messages' && headers['x-api-key'] === key)

/** The clock for the times of tasks. */
interface Clock {
  now(): Date
}

export async function startGateway(clock: Clock): Promise<Gateway> {
  const script = createScript()
  const artifacts = createArtifacts()
  const media = createMedia(script, artifacts, clock)
  const text = createText(script)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request
    if (artifacts.answer(request, response)) return
    if (!isKnown(request)) return refuse(response, 'object', 401, 'Invalid API key')
    if (method === 'POST') return take(request, response)
    if (url.startsWith('/v1/tasks/')) return media.poll(request, response)
    if (url === '/v1/generations/concepts/list') return sendJson(response, 200, ['dolly_in'])
    refuse(response, 'object', 404, `no ${method} ${url}`)
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    if (typeof body === 'string') return refuse(response, 'object', 400, body)
    const operation = operationOf(request.url ?? '')
    await (operation ? text(request, response, operation, body) : media.create(request, response, body))
  }

  const { url, close: stop } = await startServer((request, response) => {
    answer(request, response).catch((cause: unknown) =>
      response.destroy(cause instanceof Error ? cause : undefined),
    )
  })
  return Object.assign(script, { url, stop })
}
