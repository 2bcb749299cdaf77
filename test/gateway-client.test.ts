// The gateway's border: what is sent, what each answer becomes, and that the key stays inside.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, type Gateway } from '../src/gateway/client.ts'
import {
  GatewayOutOfBalance,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../src/gateway/errors.ts'
import { cut, json, page, taskCreated } from './support/world.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => void
interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const key = 'sk-very-secret-key'
const path = '/v1/videos/generations'
const seen: Seen[] = []
let answer: Answer = taskCreated
let server: Server
let gateway: Gateway

const portOf = (listening: { address(): unknown }) => Object(listening.address()).port
const baseOf = (listening: Server) => `http://127.0.0.1:${portOf(listening)}`

async function readAll(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const { method, url, headers } = req
    seen.push({ method, url, headers, body: await readAll(req) })
    answer(req, res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  gateway = createGateway({ baseUrl: baseOf(server), key })
})
afterEach(() => {
  seen.length = 0
})
afterAll(async () => {
  await gateway.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Everything that a log, a store or a screen could make of an error. */
function assertNoKey(error: unknown): void {
  for (let one = error; one instanceof Error; one = one.cause) {
    const facts = [one.message, one.stack, String(one), JSON.stringify(one)]
    expect([...facts, inspect(one, { depth: 20, showHidden: true })].join('\n')).not.toContain(key)
  }
}

async function failureOf(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    (value) => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  assertNoKey(error)
  return error
}

const creating = (body: Record<string, unknown> = { positivePrompt: 'a cat' }, from = gateway) =>
  from.createTask(path, body)

const cutAfterHeaders: Answer = (req, res) => {
  res.writeHead(202, { 'content-type': 'application/json', 'content-length': 100 })
  res.write('{"id":', () => req.socket.destroy())
}
const text =
  (status: number, body: string): Answer =>
  (_, res) =>
    res.writeHead(status, { 'content-type': 'application/json' }).end(body)

describe('what is sent', () => {
  it('creating: the body as JSON and the key as a bearer', async () => {
    answer = taskCreated
    const body = { positivePrompt: 'кот 🐈 "и" <пёс>', settings: { audio: true }, duration: 7.5 }
    expect(await creating(body)).toEqual({ id: 'task-1' })
    expect(seen).toEqual([expect.objectContaining({ method: 'POST', url: path })])
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(body)
  })

  it.each([
    ['plain', 'task-1', '/v1/tasks/task-1'],
    ['with separators', 'a/b?c#d e%', '/v1/tasks/a%2Fb%3Fc%23d%20e%25'],
    ['not Latin', 'задача', `/v1/tasks/${encodeURIComponent('задача')}`],
  ])('reading: no body, and an id that is %s stays one piece of the path', async (_, id, url) => {
    answer = json(200, { status: 'queued' })
    expect(await gateway.readTask(id)).toEqual({ status: 'queued', urls: [], error: undefined })
    expect(seen).toMatchObject([
      { method: 'GET', url, body: '', headers: { authorization: `Bearer ${key}` } },
    ])
  })

  it('once: nothing is repeated on its own', async () => {
    for (answer of [json(503, {}), json(500, {}), json(429, {}), cut]) await failureOf(creating())
    expect(seen).toHaveLength(4)
  })
})

describe('a task', () => {
  it('gives its links and leaves out what is none', async () => {
    const data = [
      { url: 'https://cdn.example/1.mp4', seed: 7 },
      { url: 'not an address' },
      { url: '/relative.mp4' },
      { url: 'javascript:alert(1)' },
      { url: 'file:///etc/passwd' },
      { url: 'ftp://cdn.example/1.mp4' },
      { url: null },
      { b64_json: 'AAAA' },
      'https://cdn.example/2.mp4',
      null,
      { url: 'http://cdn.example/3.mp4?sign=a%2Fb' },
    ]
    answer = json(200, { status: 'completed', data })
    expect(await gateway.readTask('t')).toEqual({
      status: 'completed',
      urls: ['https://cdn.example/1.mp4', 'http://cdn.example/3.mp4?sign=a%2Fb'],
      error: undefined,
    })
  })

  it.each([
    ['a string', 'content policy', 'content policy'],
    ['an object', { message: 'content policy', code: 7 }, 'content policy'],
    ['null', null, undefined],
    ['absent', undefined, undefined],
    ['an object without words', { code: 7 }, undefined],
    ['a number', 7, undefined],
    ['very long', 'x'.repeat(10_000), 'x'.repeat(500)],
    ['our own key', `key ${key} may not do this`, 'key *** may not do this'],
  ])('has an error that is %s', async (_, error, said) => {
    answer = json(200, { status: 'failed', data: null, error })
    expect(await gateway.readTask('t')).toEqual({ status: 'failed', urls: [], error: said })
  })
})

describe('a refusal', () => {
  it.each([400, 403, 404, 409, 413, 422, 302])('with %i is final and keeps the words', async (status) => {
    answer = json(status, { error: { message: 'no <such> model' } })
    expect(await failureOf(creating())).toMatchObject({
      constructor: GatewayRefused,
      status,
      said: 'no <such> model',
    })
  })

  it.each([
    ['a string', { error: 'bad prompt' }, 'bad prompt'],
    ['null', { error: null }, 'HTTP 400'],
    ['an object without words', { error: { code: 1 } }, 'HTTP 400'],
    ['no JSON', undefined, 'HTTP 400'],
    ['our own key', { error: `wrong key ${key}` }, 'wrong key ***'],
  ])('may say %s', async (_, body, said) => {
    answer = body ? json(400, body) : page(400)
    expect(await failureOf(creating())).toMatchObject({ constructor: GatewayRefused, said })
  })

  it.each([
    [401, GatewayUnauthorised],
    [402, GatewayOutOfBalance],
  ])('with %i is about us', async (status, kind) => {
    answer = json(status, { error: { message: `key ${key}` } })
    for (const asked of [creating(), gateway.readTask('t')]) {
      expect(await failureOf(asked)).toMatchObject({ constructor: kind })
    }
  })
})

describe('certainly not done', () => {
  it.each([
    [429, { 'retry-after': '7' }, 7000],
    [429, { 'retry-after': '0.5' }, 500],
    [503, { 'retry-after': '0' }, 0],
    [503, {}, undefined],
    [429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
    [429, { 'retry-after': '-5' }, undefined],
    [429, { 'retry-after': '1e300' }, 300_000],
    [503, { 'retry-after': '86400' }, 300_000],
  ])('is %i with %j', async (status, headers, retryAfterMs) => {
    answer = json(status, { error: 'busy' }, headers)
    expect(await failureOf(creating())).toMatchObject({ constructor: GatewayUnavailable, retryAfterMs })
  })

  // `localhost` may be two addresses, which gives an error of errors.
  it.each(['127.0.0.1', 'localhost'])('is a refused connection to %s', async (host) => {
    const closed = createTcpServer()
    await once(closed.listen(0, '127.0.0.1'), 'listening')
    const port = portOf(closed)
    await new Promise((resolve) => closed.close(resolve))
    const lost = createGateway({ baseUrl: `http://${host}:${port}`, key })
    expect(await failureOf(creating({}, lost))).toMatchObject({
      constructor: GatewayUnavailable,
      retryAfterMs: undefined,
      operation: 'create task',
    })
    await lost.close()
  })
})

describe('an unknown outcome', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  it.each<[string, Answer]>([
    ['500', json(500, { error: 'oops' })],
    ['502 with a page', page(502)],
    ['504', json(504, {})],
    ['a connection cut before the headers', cut],
    ['a connection cut after the headers', cutAfterHeaders],
    ['truncated JSON', text(202, '{"id": "task-1", "sta')],
    ['200 with a page', page(200)],
    ['an empty body', text(202, '')],
    ['no id', json(202, { status: 'queued' })],
    ['an empty id', json(202, { id: '' })],
    ['an id of another type', json(202, { id: 7 })],
    ['another shape', json(202, [])],
    ['another shape, 100 000 deep', text(202, deep)],
    ['more than 4 MB', text(202, JSON.stringify({ id: 'x'.repeat(4 * 1024 * 1024) }))],
  ])('is %s', async (_, broken) => {
    answer = broken
    expect(await failureOf(creating())).toMatchObject({
      constructor: GatewayUnknownOutcome,
      operation: 'create task',
    })
  })

  it.each([
    ['no status', {}],
    ['a status that is not in the specification', { status: 'dreaming' }],
    ['data of another shape', { status: 'completed', data: { url: 'https://cdn.example/1.mp4' } }],
  ])('is a task with %s', async (_, body) => {
    answer = json(200, body)
    expect(await failureOf(gateway.readTask('t'))).toMatchObject({ constructor: GatewayUnknownOutcome })
  })

  it.each<[string, Answer]>([
    ['headers', () => undefined],
    ['body', (_, res) => void res.writeHead(202, { 'content-type': 'application/json' }).write('{')],
  ])('is an answer whose %s are late', async (_, late) => {
    answer = late
    const hurried = createGateway({ baseUrl: baseOf(server), key, timeoutMs: 60 })
    expect(await failureOf(creating({}, hurried))).toMatchObject({ constructor: GatewayUnknownOutcome })
    expect(seen).toHaveLength(1)
    await hurried.close()
  })

  it('and a broken answer leaves the client usable', async () => {
    answer = text(202, 'x'.repeat(5 * 1024 * 1024))
    await failureOf(creating())
    answer = taskCreated
    expect(await creating()).toEqual({ id: 'task-1' })
  })
})

describe('the limit of 4 MB', () => {
  it('lets through what is just below it', async () => {
    const id = 'x'.repeat(4 * 1024 * 1024 - 100)
    answer = json(202, { id })
    expect(await creating()).toEqual({ id })
  })
})
