// The gateway client: what is sent, what each answer becomes, and that the key is never exposed.

import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway/client.ts'
import {
  GatewayMalformed,
  GatewayOutOfBalance,
  GatewayRateLimited,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from '../../src/gateway/errors.ts'
import {
  type Answer,
  cut,
  failureOf,
  json,
  key,
  page,
  raw,
  startAnswering,
  task,
  taskCreated,
} from '../support/gateway/answering.ts'

const path = '/v1/videos/generations'

const server = await startAnswering()
const gateway = server.gateway
afterEach(() => {
  server.seen.length = 0
})
afterAll(() => server.close())

const creating = (body: Record<string, unknown> = { positivePrompt: 'a cat' }, from = gateway) =>
  from.create(path, body)

const cutAfterHeaders: Answer = (req, res) => {
  res.writeHead(202, { 'content-type': 'application/json', 'content-length': 100 })
  res.write('{"id":', () => req.socket.destroy())
}
describe('a request', () => {
  it('to create a task has the body as JSON and the key as a bearer token', async () => {
    server.answer(taskCreated)
    const body = { positivePrompt: 'кот 🐈 "и" <пёс>', settings: { audio: true }, duration: 7.5 }
    expect(await creating(body)).toEqual(task)
    expect(server.seen).toEqual([expect.objectContaining({ method: 'POST', url: path })])
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, */*;q=0.8',
      'user-agent': 'generation-bot',
    })
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(body)
  })

  it('to read a task has no body, and its id stays one segment of the path, whatever characters it has', async () => {
    server.answer(json(200, { status: 'queued' }))
    for (const [id, name] of [
      ['a/b?c#d e%', 'a%2Fb%3Fc%23d%20e%25'],
      ['задача', encodeURIComponent('задача')],
    ] as const) {
      expect(await gateway.readTask(id)).toEqual({ status: 'queued', urls: [], results: 0 })
      const headers = { authorization: `Bearer ${key}` }
      const asked = { method: 'GET', url: `/v1/tasks/${name}`, body: '', headers }
      expect(server.seen.splice(0)).toMatchObject([asked])
    }
  })

  it('is never retried', async () => {
    for (const one of [json(503, {}), json(500, {}), json(429, {}), cut]) {
      server.answer(one)
      await failureOf(creating())
    }
    expect(server.seen).toHaveLength(4)
  })
})

describe('a task', () => {
  it('gives its links and ignores other values', async () => {
    const others = ['not an address', '/relative.mp4', 'javascript:alert(1)', 'file:///etc/passwd', 'data:,']
    const data = [
      { url: 'https://cdn.example/1.mp4' },
      ...[...others, 'ftp://cdn.example/1.mp4', 'data:nothing', null, 7].map((url) => ({ url })),
      ...[{ b64_json: 'AAAA' }, 'not an address', null, { callback: 'https://us.example/' }],
      { url: 'http://cdn.example/3.mp4?sign=a%2Fb' },
    ]
    server.answer(json(200, { status: 'completed', data }))
    expect(await gateway.readTask('t')).toEqual({
      status: 'completed',
      urls: ['https://cdn.example/1.mp4', 'http://cdn.example/3.mp4?sign=a%2Fb'],
      results: 2,
    })
  })

  it('gives its model and its creation time as specified or as text, and ignores others', async () => {
    const created = new Date(1_763_726_400_000)
    for (const [told, understood] of [
      [
        { model: 'm', created: 1_763_726_400 },
        { model: 'm', created },
      ],
      [{ created: '1763726400' }, { created }],
      [{ model: 7, created: 'yesterday' }, {}],
    ] as const) {
      server.answer(json(200, { status: 'queued', ...told }))
      const read = { status: 'queued', urls: [], results: 0, ...understood }
      expect(await gateway.readTask('t')).toEqual(read)
    }
  })

  it('has the words of its error, of limited length and without our key', async () => {
    for (const [error, said] of [
      ['content policy', 'content policy'],
      [{ message: 'content policy', code: 7 }, 'content policy'],
      [null, undefined],
      [undefined, undefined],
      ['x'.repeat(10_000), 'x'.repeat(500)],
      [`key ${key} may not do this`, 'key *** may not do this'],
    ] as const) {
      server.answer(json(200, { status: 'failed', data: null, error }))
      const failed = { status: 'failed', urls: [], results: 0, error: said }
      expect(await gateway.readTask('t')).toEqual(failed)
    }
  })
})

describe('a refusal', () => {
  it('with other statuses is final and keeps the message', async () => {
    for (const status of [400, 403, 404, 409, 413, 422, 302]) {
      server.answer(json(status, { error: { message: 'no <such> model' } }))
      const refused = { constructor: GatewayRefused, status, said: 'no <such> model' }
      expect(await failureOf(creating())).toMatchObject(refused)
    }
  })

  it.each([
    [401, GatewayUnauthorised],
    [402, GatewayOutOfBalance],
  ])('with %i concerns our account', async (status, kind) => {
    server.answer(json(status, { error: { message: `key ${key}` } }))
    for (const asked of [creating(), gateway.readTask('t')]) {
      expect(await failureOf(asked)).toMatchObject({ constructor: kind })
    }
  })
})

describe('an operation was certainly not executed', () => {
  it('when the answer is 429 or 503, with the pause that it asks for', async () => {
    const rows = [
      '429',
      '429 7 7000',
      '429 0.5 500',
      '503 0 0',
      '503',
      '429 -5',
      '429 Wed,',
      '429 1e300 300000',
    ]
    for (const row of [...rows, '503 86400 300000']) {
      const [status, after, pause] = row.split(' ')
      server.answer(json(Number(status), { error: 'busy' }, after ? { 'retry-after': after } : {}))
      const kind = status === '429' ? GatewayRateLimited : GatewayUnavailable
      const retryAfterMs = pause ? Number(pause) : undefined
      const failure = await failureOf(creating())
      expect(failure, row).toMatchObject({ constructor: kind, retryAfterMs, message: 'create task: busy' })
      expect(failure).toBeInstanceOf(GatewayUnavailable)
    }
  })

  // `localhost` can have two addresses, which gives an AggregateError.
  it.each(['127.0.0.1', 'localhost'])('when the connection to %s is refused', async (host) => {
    const closed = createTcpServer()
    await once(closed.listen(0, '127.0.0.1'), 'listening')
    const { port } = closed.address() as AddressInfo
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

describe('an outcome is unknown', () => {
  const tooLong = Buffer.alloc(64 * 1024 * 1024 + 1)
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  it.each<[string, Answer, typeof GatewayUnknownOutcome]>([
    ['500', json(500, { error: 'oops' }), GatewayUnknownOutcome],
    ['a connection cut before the headers', cut, GatewayUnknownOutcome],
    ['a connection cut after the headers', cutAfterHeaders, GatewayUnknownOutcome],
    ['200 with a page', page(200), GatewayMalformed],
    ['status 204 without a body', (_, res) => res.writeHead(204).end(), GatewayMalformed],
    ['an empty id', json(202, { id: '' }), GatewayMalformed],
    ['another shape, 100 000 deep', raw(202, deep), GatewayMalformed],
    ['more than 64 MB', raw(200, tooLong, 'audio/wav'), GatewayMalformed],
  ])('after %s', async (_, broken, kind) => {
    server.answer(broken)
    const failure = await failureOf(creating())
    expect(failure).toMatchObject({ constructor: kind, operation: 'create task' })
    expect(failure).toBeInstanceOf(GatewayUnknownOutcome)
  })

  it('an error with a success status keeps its message', async () => {
    server.answer(json(200, { error: { message: `key ${key} is tired` } }))
    expect(await failureOf(creating())).toMatchObject({
      constructor: GatewayMalformed,
      message: 'create task: the answer is not what the specification says: key *** is tired',
    })
  })

  it('after a task without a status', async () => {
    for (const body of [{}, { status: 7 }]) {
      server.answer(json(200, body))
      expect(await failureOf(gateway.readTask('t'))).toMatchObject({ constructor: GatewayMalformed })
    }
  })
})
