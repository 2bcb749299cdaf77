// The gateway client: what is sent, what each answer becomes, timeouts and size limits, that the key is never exposed, and bodies that
// proxies compressed or marked.

import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createGateway, type Gateway } from '../../src/gateway/client.ts'
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
  assertNoKey,
  collected,
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

/** A TCP server without HTTP, and a client of it. */
async function plainServer(talk: (socket: Socket) => void, host = '127.0.0.1') {
  const server = createTcpServer(talk)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const client = createGateway({ baseUrl: `http://${host}:${port}`, key })
  return { client, close: () => new Promise((resolve) => server.close(resolve)) }
}

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
    const { client, close } = await plainServer(() => undefined, host)
    await close()
    const unavailable = { constructor: GatewayUnavailable, retryAfterMs: undefined, operation: 'create task' }
    expect(await failureOf(creating({}, client))).toMatchObject(unavailable)
    await client.close()
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

describe('the limits', () => {
  const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024 - 100)
  it('allow 4 MB for a task and 64 MB for a result', async () => {
    server.answer(json(200, { status: 'queued', id: megabytes(4) }))
    expect(await gateway.readTask('t')).toMatchObject({ status: 'queued' })
    server.answer(json(200, { status: 'queued', id: megabytes(5) }))
    // With connections of its own: the server may close an idle one at the moment of the request.
    const tooLarge = { constructor: GatewayMalformed }
    expect(await failureOf(server.client({}).readTask('t'))).toMatchObject(tooLarge)
    server.answer(raw(200, Buffer.alloc(64 * 1024 * 1024), 'audio/wav'))
    expect(await creating()).toMatchObject({ kind: 'done', files: [{ mime: 'audio/wav' }] })
  })

  it('allow a result more time than a task', async () => {
    const patient = server.client({ timeoutMs: 60 })
    server.answer(() => undefined)
    expect(await failureOf(patient.readTask('t'))).toMatchObject({ constructor: GatewayUnknownOutcome })
    // The result arrives after a task requested later has timed out.
    server.answer((req, res) => {
      if (req.method === 'POST') {
        void failureOf(patient.readTask('t')).then(() => res.writeHead(202).end('{"id":"task-1"}'))
      }
    })
    expect(await creating({}, patient)).toEqual(task)
  })

  it('the client keeps connections for later requests', async () => {
    server.answer(taskCreated)
    const one = server.client({})
    const before = server.connections()
    for (let i = 0; i < 20; i += 1) await creating({}, one)
    // The pool can open a second connection while the first is being released.
    expect(server.connections() - before).toBeLessThanOrEqual(2)
  })
})

describe('the key', () => {
  const escaped = [...key].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')

  it('is masked in any JSON escaping, and in property names', async () => {
    const body = `{"choices":[{"message":{"content":"${escaped}"}}],"a ${escaped}":["${escaped}"]}`
    server.answer(raw(200, body))
    const answer = await collected(gateway.chatStream({ model: 'm', messages: [] }))
    assertNoKey(answer)
    expect(answer).toMatchObject([{ text: '***' }, {}])
  })

  it('that is a number leaves a longer number with the same digits unchanged', async () => {
    const numeric = server.client({ key: '1234567' })
    server.answer(raw(202, '{"id":"task-1","created":12345678}'))
    expect(await creating({}, numeric)).toEqual(task)
  })

  it('is not in the error about an answer that is not HTTP', async () => {
    const { client, close } = await plainServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.end(`HTTP/1.1 200 OK\r\nauthorization: ${key}\r\nbad header ${key}\r\n\r\n`),
      )
    })
    expect(await failureOf(creating({}, client))).toMatchObject({ constructor: GatewayUnknownOutcome })
    await client.close()
    await close()
  })

  it('is masked in the content type of a sound', async () => {
    server.answer(raw(200, 'ID3', `audio/${key}`))
    const created = await creating()
    assertNoKey(created)
    expect(created).toMatchObject({ kind: 'done', files: [{ mime: 'audio/***' }] })
  })
})

it('the observer of answers gets status, type and body, also of refusals', async () => {
  const facts: unknown[] = []
  const watched = server.client({
    onAnswer: (operation, { status, type, json }) => facts.push([operation, status, type, json()]),
  })
  server.answer(json(404, { error: `no task for ${key}` }))
  await failureOf(watched.readTask('t'))
  server.answer(taskCreated)
  await creating({}, watched)
  expect(facts).toEqual([
    ['read task', 404, 'application/json', { error: 'no task for ***' }],
    ['create task', 202, 'application/json', expect.objectContaining({ id: 'task-1' })],
  ])
})

const packings: readonly (readonly [string, (bytes: Buffer) => Buffer, string | undefined])[] = [
  ['gzip', gzipSync, 'gzip'],
  ['gzip without its header', gzipSync, undefined],
  ['gzip under the header of Brotli', gzipSync, 'br'],
  ['deflate', deflateSync, 'deflate'],
  ['raw deflate', deflateRawSync, 'deflate'],
  ['Brotli', brotliCompressSync, 'br'],
  ['Zstandard', zstdCompressSync, 'zstd'],
  ['Zstandard without its header', zstdCompressSync, undefined],
  ['nothing under the header of gzip', (bytes) => bytes, 'gzip'],
  ['a byte order mark', (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]), undefined],
  ['a mark inside gzip', (bytes) => gzipSync(Buffer.concat([Buffer.from('\ufeff'), bytes])), 'gzip'],
]

const stream = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Привет' } }] })}\n\ndata: [DONE]\n\n`
const messages = [{ role: 'user', content: 'Hi' }] as const

type Ask = (gateway: Gateway) => Promise<unknown>
const ofStream: Ask = (one) => collected(one.chatStream({ model: 'm', messages }))
const voice = expect.objectContaining({ constructor: GatewayRefused, said: 'no voice' })
const queued = { status: 'queued' }

it.each<[string, number, string, Ask, unknown]>([
  ['a task', 200, '{"status":"queued"}', (one) => one.readTask('t'), expect.objectContaining(queued)],
  ['a streamed answer', 200, stream, ofStream, expect.arrayContaining([{ text: 'Привет' }])],
  ['a refusal', 400, '{"error":"no voice"}', (one) => failureOf(one.readTask('t')), voice],
])('%s is read from any packing', async (_, status, body, ask, read) => {
  for (const [name, pack, encoding] of packings) {
    const headers = encoding === undefined ? {} : { 'content-encoding': encoding }
    server.answer(raw(status, pack(Buffer.from(body)), 'application/json', headers))
    expect(await ask(server.gateway), name).toEqual(read)
  }
})

it('text arrives while its compressed stream is still open', async () => {
  const { promise: asked, resolve: goOn } = Promise.withResolvers<void>()
  server.answer((_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    const gzip = createGzip()
    gzip.pipe(res)
    gzip.write(stream.slice(0, stream.indexOf('data: [DONE]')))
    gzip.flush()
    void asked.then(() => gzip.end('data: [DONE]\n\n'))
  })
  const pieces = server.gateway.chatStream({ model: 'm', messages })
  expect(await pieces.next()).toMatchObject({ value: { text: 'Привет' } })
  goOn()
  expect(await collected(pieces)).toHaveLength(1)
})

it('sound is not decompressed', async () => {
  const sound = Buffer.from('ID3\x04\x00 and so on')
  server.answer(raw(200, sound, 'audio/mpeg', { 'content-encoding': 'gzip' }))
  expect(await server.gateway.create('/v1/audio/speech', {})).toMatchObject({ files: [{ bytes: sound }] })
})

it('a small body that inflates beyond the limit is given up', async () => {
  const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '))
  server.answer(raw(200, bomb, 'application/json', { 'content-encoding': 'gzip' }))
  const before = process.memoryUsage().arrayBuffers
  const failure = await failureOf(server.client({}).readTask('t'))
  expect(failure).toMatchObject({ constructor: GatewayMalformed, message: expect.stringContaining('larger') })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024)
})

it('a compressed body that breaks off has an unknown outcome', async () => {
  server.answer(raw(200, gzipSync('{"status":"queued"}').subarray(0, -9)))
  expect(await failureOf(server.gateway.readTask('t'))).toMatchObject({ constructor: GatewayUnknownOutcome })
})
