// A gateway with one scripted answer, for tests of the gateway client; and the check that the client never reveals its key.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { createGateway, type Gateway, type GatewaySettings } from '../../../src/gateway/client.ts'
import { startServer } from '../runtime/server.ts'

export type Answer = (req: IncomingMessage, res: ServerResponse) => void

interface SeenRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export const key = 'sk-very-secret-key'

export type Answering = Awaited<ReturnType<typeof startAnswering>>

export async function startAnswering() {
  const seen: SeenRequest[] = []
  let connections = 0
  let answer: Answer = (_, res) => res.writeHead(500).end()
  // On a busy machine the default of 5 s lets the server close an idle connection just as the client reuses it.
  const options = { keepAliveTimeout: 120_000 }
  const { server, url, close } = await startServer(async (req, res) => {
    const { method, url, headers } = req
    seen.push({ method, url, headers, body: String(await buffer(req)) })
    answer(req, res)
  }, options)
  server.on('connection', () => {
    connections += 1
  })
  const clients: Gateway[] = []
  const client = (settings: Partial<GatewaySettings>) => {
    const made = createGateway({ baseUrl: url, key, ...settings })
    clients.push(made)
    return made
  }
  return {
    url,
    gateway: client({}),
    seen,
    /** The number of connections opened so far. */
    connections: () => connections,
    answer(next: Answer) {
      answer = next
    },
    /** Creates another client of the same server. */
    client,
    async close() {
      server.closeAllConnections()
      await Promise.all(clients.map((one) => one.close()))
      await close()
    },
  }
}

export const raw =
  (status: number, body: string | Uint8Array, type = 'application/json', headers = {}): Answer =>
  (_, res) =>
    res.writeHead(status, { 'content-type': type, ...headers }).end(body)
export const json = (status: number, body: unknown, headers = {}): Answer =>
  raw(status, JSON.stringify(body), 'application/json', headers)
export const page = (status: number): Answer => raw(status, '<html>Bad gateway</html>', 'text/html')

/** Closes the connection without an answer. */
export const cut: Answer = (req) => req.socket.destroy()

export const taskCreated = json(202, {
  id: 'task-1',
  object: 'video.task',
  status: 'queued',
  model: 'm',
  created: 1,
})
export const task = { kind: 'task', id: 'task-1' }

/** Answers with server-sent events, then ends the answer or calls `after`. */
export const events =
  (data: readonly unknown[], after: Answer = (_, res) => void res.end()): Answer =>
  (req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const wire = data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`)
    res.write(wire.join('') || ':\n\n', () => after(req, res))
  }

/** Checks that the key is in no text that a log, a store or a screen could make of a value or an error. */
export function assertNoKey(value: unknown): void {
  const facts = [
    inspect(value, { depth: 20, showHidden: true, maxStringLength: null }),
    JSON.stringify(value),
  ]
  expect(facts.join('\n')).not.toContain(key)
  if (!(value instanceof Error)) return
  expect([value.message, value.stack, String(value)].join('\n')).not.toContain(key)
  if (value.cause !== undefined) assertNoKey(value.cause)
}

export async function failureOf(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    (value) => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  assertNoKey(error)
  return error
}

export async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}
