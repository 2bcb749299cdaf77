// Fuzz tests: for any answer of the gateway each operation ends with a value or a GatewayError, without the key. A failing run
// prints its seed.

import { brotliCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { Gateway } from '../../src/gateway/client.ts'
import { GatewayError } from '../../src/gateway/errors.ts'
import { anyText } from '../support/any-text.ts'
import {
  type Answer,
  assertNoKey,
  collected,
  key,
  raw,
  startAnswering,
} from '../support/gateway/answering.ts'
import { runs } from '../support/runs.ts'

const server = await startAnswering()
afterAll(() => server.close())

const split = (words: string) => words.split(' ')
const chatBody = { model: 'm', messages: [] } as const
const names = [
  ...split('id status data error message url b64_json audio key name concepts items choices content delta'),
  ...split('usage text type output output_text candidates parts finish_reason tool_calls function index'),
  ...split('arguments prompt_tokens stop_reason response __proto__ constructor'),
  `a ${key}`,
]
const types =
  'queued completed message_stop message_start content_block_delta response.completed error text_delta ffd8ff'
const words = fc.oneof(
  fc.constantFrom(key, `Bearer ${key}`, `https://cdn.example/${key}`, ''),
  fc.constantFrom(...types.split(' ')),
  anyText(),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    words,
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 7),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
  ),
}))

type Ask = (gateway: Gateway) => Promise<unknown>
const text = { text: `my ${key}`, type: 'text' }
const tokens = { input_tokens: 1, output_tokens: 2 }
const chatEnd = { finish_reason: 'stop' }
const textDelta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: key } }
const outputDelta = { type: 'response.output_text.delta', delta: key }
const chat: Ask = (gateway) => collected(gateway.chatStream(chatBody))
const messages: Ask = (gateway) => collected(gateway.messagesStream({ ...chatBody, max_tokens: 1 }))
const responses: Ask = (gateway) => collected(gateway.responsesStream({ model: 'm', input: '' }))
/** Each operation with valid answers; for a stream the list of its events. */
const operations: readonly (readonly [Ask, ...object[]])[] = [
  [
    (gateway) => gateway.create('/v1/any', {}),
    { id: 'task-1', status: 'queued' },
    { created: 1, data: [{ b64_json: 'iVBORw0KGgoAAAAN' }, { url: `https://cdn.example/${key}` }] },
    { data: { audio: 'fffb9064' } },
  ],
  [
    (gateway) => gateway.readTask('t'),
    { status: 'completed', data: [{ url: `https://cdn.example/${key}` }], error: `no ${key}` },
  ],
  [(gateway) => gateway.createStyle({ images: [] }), { id: key }],
  [(gateway) => gateway.concepts(), { data: [{ key: 'pan', name: key }] }],
  [chat, { choices: [{ message: { content: key }, ...chatEnd }], usage: { prompt_tokens: 1 } }],
  [messages, { content: [text], stop_reason: key, usage: tokens }],
  [responses, { output: [{ type: 'message', content: [text] }], status: 'completed' }],
  [
    (gateway) => collected(gateway.generateContent('v', { model: 'm', contents: [] })),
    { candidates: [{ content: { parts: [text] } }], usageMetadata: { promptTokenCount: 1 } },
  ],
  [chat, [{ choices: [{ delta: { content: key } }] }, { choices: [{ delta: {}, ...chatEnd }] }]],
  [messages, [{ type: 'message_start', message: { usage: tokens } }, textDelta, { type: 'message_stop' }]],
  [responses, [outputDelta, { type: 'response.completed', response: { status: key } }]],
]

/** Every path in a value. */
function placesIn(one: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (typeof one !== 'object' || one === null) return [way]
  return [way, ...Object.entries(one).flatMap(([name, inner]) => placesIn(inner, [...way, name]))]
}

function replaced(one: unknown, [name, ...way]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  if (Array.isArray(one))
    return one.map((inner, at) => (String(at) === name ? replaced(inner, way, by) : inner))
  return Object.fromEntries(
    Object.entries(Object(one)).map(([own, inner]) => [own, own === name ? replaced(inner, way, by) : inner]),
  )
}

/** A valid answer, or one with garbage at one path. */
const almost = (good: readonly object[]) =>
  fc.tuple(fc.constantFrom(...good), fc.nat(), fc.option(value)).map(([one, at, by]) => {
    const places = placesIn(one)
    return by === null ? one : replaced(one, places[at % places.length] ?? [], by)
  })
const wire = (one: unknown) =>
  Array.isArray(one)
    ? one.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    : (JSON.stringify(one) ?? '')

const most = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 8 }, fc.constantFrom(...others))

const exchange = fc.constantFrom(...operations).chain(([ask, ...good]) =>
  fc.record({
    ask: fc.constant(ask),
    status: most(200, 202, 204, 302, 400, 401, 402, 403, 404, 418, 429, 500, 503, 599),
    type: most(
      Array.isArray(good[0]) ? 'text/event-stream' : 'application/json',
      'text/html',
      `audio/${key}`,
      ';',
    ),
    retryAfter: fc.constantFrom('1', '-1', '', 'NaN', key, '9'.repeat(300)),
    body: fc.oneof(
      { arbitrary: almost(good).map(wire), weight: 5 },
      value.map(wire),
      words,
      value.map((one) => wire(one).slice(0, -1)),
    ),
    ending: most('whole', 'cut', 'compressed'),
  }),
)
type Exchange = typeof exchange extends fc.Arbitrary<infer T> ? T : never

function said({ status, type, retryAfter, body, ending }: Exchange): Answer {
  const headers = { 'retry-after': retryAfter, 'x-key': key }
  if (ending === 'whole') return raw(status, body, type, headers)
  const encoded = { ...headers, 'content-encoding': 'br' }
  if (ending === 'compressed') return raw(status, brotliCompressSync(body), type, encoded)
  return (req, res) => {
    res.writeHead(status, { 'content-type': type, ...headers, 'content-length': body.length * 4 + 9 })
    res.write(`${body} `, () => req.socket.destroy())
  }
}

it('any answer leads to a value or a GatewayError, neither of which contains the key', async () => {
  const ended = { values: 0, errors: 0 }
  await fc.assert(
    fc.asyncProperty(exchange, async (one) => {
      server.answer(said(one))
      const result: unknown = await one.ask(server.gateway).catch((error: unknown) => error)
      if (result instanceof Error) expect(result).toBeInstanceOf(GatewayError)
      ended[result instanceof Error ? 'errors' : 'values'] += 1
      assertNoKey(result)
    }),
    { numRuns: runs(600) },
  )
  expect(Math.min(ended.values, ended.errors)).toBeGreaterThan(runs(40))
}, 60_000)
