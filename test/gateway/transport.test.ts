// Timeouts and size limits of the gateway client, that the key is never exposed, and bodies that proxies compressed or marked.

import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
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
import { GatewayMalformed, GatewayRefused, GatewayUnknownOutcome } from '../../src/gateway/errors.ts'
import {
  assertNoKey,
  collected,
  failureOf,
  json,
  key,
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
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.end(`HTTP/1.1 200 OK\r\nauthorization: ${key}\r\nbad header ${key}\r\n\r\n`),
      )
    })
    await once(tcp.listen(0, '127.0.0.1'), 'listening')
    const { port } = tcp.address() as AddressInfo
    const talking = createGateway({ baseUrl: `http://127.0.0.1:${port}`, key })
    expect(await failureOf(creating({}, talking))).toMatchObject({ constructor: GatewayUnknownOutcome })
    await talking.close()
    await new Promise((resolve) => tcp.close(resolve))
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
