// Bodies that proxies compressed or marked: orders and chat read them alike, with or without the header that says it.

import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Gateway } from '../../src/gateway/client.ts'
import { GatewayMalformed, GatewayRefused, GatewayUnknownOutcome } from '../../src/gateway/errors.ts'
import { type Answering, collected, failureOf, raw, startAnswering } from '../support/gateway/answering.ts'

let server: Answering
beforeAll(async () => {
  server = await startAnswering()
})
afterAll(() => server.close())

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
  [
    'a byte order mark inside gzip',
    (bytes) => gzipSync(Buffer.concat([Buffer.from('\ufeff'), bytes])),
    'gzip',
  ],
]

const stream = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Привет' } }] })}\n\ndata: [DONE]\n\n`
const messages = [{ role: 'user', content: 'Hi' }] as const

const reads: readonly (readonly [string, number, string, (gateway: Gateway) => Promise<unknown>, unknown])[] =
  [
    [
      'a task',
      200,
      '{"status":"queued"}',
      (one) => one.readTask('t'),
      expect.objectContaining({ status: 'queued' }),
    ],
    [
      'a streamed answer',
      200,
      stream,
      (one) => collected(one.chatStream({ model: 'm', messages })),
      expect.arrayContaining([{ text: 'Привет' }]),
    ],
    [
      'a refusal',
      400,
      '{"error":"no such voice"}',
      (one) => failureOf(one.readTask('t')),
      expect.objectContaining({ constructor: GatewayRefused, said: 'no such voice' }),
    ],
  ]

it.each(reads)('%s is read from any packing', async (_, status, body, ask, read) => {
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
