// Text operations: what is sent; streamed answers, their pieces and end, broken connections, errors in the middle, timeouts and aborting.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatPiece, type ChatStream, type Gateway, openRequests } from '../../src/gateway/client.ts'
import {
  GatewayMalformed,
  GatewayRateLimited,
  GatewayRefused,
  GatewayUnknownOutcome,
} from '../../src/gateway/errors.ts'
import {
  type Answer,
  assertNoKey,
  collected,
  events,
  failureOf,
  json,
  key,
  raw,
  startAnswering,
} from '../support/gateway/answering.ts'

const server = await startAnswering()
beforeEach(() => {
  server.seen.length = 0
})
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'Hi' }] as const
const chatBody = { model: 'm', messages }
const streams: Record<string, (gateway: Gateway, signal?: AbortSignal) => ChatStream> = {
  chat: (gateway, signal) => gateway.chatStream(chatBody, signal),
  messages: (gateway, signal) => gateway.messagesStream({ ...chatBody, max_tokens: 5 }, signal),
  responses: (gateway, signal) => gateway.responsesStream({ model: 'm', input: 'Hi' }, signal),
}
const stream = (format: string, signal?: AbortSignal, gateway = server.gateway): ChatStream =>
  streams[format]?.(gateway, signal) ?? expect.unreachable(format)

const chatChunk = (content: string | null, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: content === null ? {} : { content }, finish_reason }],
})
const chatUsage = { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }
const usage = { inputTokens: 11, outputTokens: 7 }
const tokens = { input_tokens: 11, output_tokens: 7 }
const hello = [{ text: 'Hel' }, { text: 'lo' }]
/** The pieces that some formats send before the text. */
const thoughts: Record<string, ChatPiece[]> = { messages: [{ thinking: 'Hm.' }] }
const cutAfter: Answer = (req) => req.socket.destroy()
const hang: Answer = () => undefined

const whole: Record<string, unknown[]> = {
  chat: [chatChunk(''), chatChunk('Hel'), chatChunk('lo'), chatChunk(null, 'stop'), chatUsage, '[DONE]'],
  messages: [
    { type: 'message_start', message: { content: [], usage: { input_tokens: 11, output_tokens: 1 } } },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.created', response: { status: 'in_progress' } },
    { type: 'response.output_text.delta', delta: 'Hel' },
    { type: 'response.output_text.delta', delta: 'lo' },
    { type: 'response.completed', response: { status: 'completed', usage: tokens } },
  ],
}
const finishes: Record<string, string> = { chat: 'stop', messages: 'end_turn', responses: 'completed' }
const formats = Object.keys(whole)
const unknown = expect.objectContaining({ constructor: GatewayUnknownOutcome })

describe.each(formats)('a stream of %s', (format) => {
  const end = { usage, end: { how: 'complete', word: finishes[format] } }
  const thought = thoughts[format] ?? []

  it('gives the text and one end, and ends by its end marker, even if the connection stays open', async () => {
    for (const after of [undefined, hang]) {
      server.answer(events(whole[format] ?? [], after))
      expect(await collected(stream(format))).toEqual([...thought, ...hello, end])
    }
  })

  it('can arrive byte by byte, with any line endings', async () => {
    const wire = (whole[format] ?? [])
      .map((one) => (typeof one === 'string' ? one : JSON.stringify(one).replace('Hel', 'Привет 🐈')))
      .map((one) => `id: 7\r\n: comment\r\ndata: ${one}\r\n\r\n`)
    const bytes = Buffer.from(wire.join(''))
    server.answer(async (_, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of bytes) if (!res.write(Uint8Array.of(byte))) await once(res, 'drain')
      res.end()
    })
    expect(await collected(stream(format))).toEqual([...thought, { text: 'Привет 🐈' }, { text: 'lo' }, end])
  })

  it('that is cut or closed in the middle has an unknown outcome', async () => {
    const middle = (whole[format] ?? []).filter((one) => !/DONE|stop|completed/.test(JSON.stringify(one)))
    for (const after of [cutAfter, undefined]) {
      server.answer(events(middle, after))
      expect(await failing(stream(format))).toEqual([[...thought, ...hello], unknown])
    }
  })

  it.each<[object, string]>([
    [{ error: { message: `tired of ${key}` } }, ': tired of ***'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, ': busy'],
    [{ error: { code: 7 } }, ': failed'],
    [{ type: 'response.failed', response: { error: { message: 'broken' } } }, ': broken'],
    [{ type: 'error', message: 'broken' }, ': broken'],
  ])('with the error %j in the middle has an unknown outcome', async (event, words) => {
    const beginning = (whole[format] ?? []).filter((one) => JSON.stringify(one).includes('Hel'))
    server.answer(events([...beginning, event], hang))
    const [pieces, error] = await failing(stream(format))
    expect([pieces, error]).toEqual([[{ text: 'Hel' }], unknown])
    expect(error).toMatchObject({ operation: format, message: expect.stringContaining(words) })
  })
})

it('a stream that pauses too long is given up', async () => {
  server.answer(events([chatChunk('Hel')], hang))
  const hurried = server.client({ idleTimeoutMs: 60 })
  expect(await failing(stream('chat', undefined, hurried))).toEqual([[{ text: 'Hel' }], unknown])
})

/** The pieces before a failure, and the failure. */
async function failing(pieces: ChatStream): Promise<[ChatPiece[], unknown]> {
  const seen: ChatPiece[] = []
  const error = await failureOf(
    (async () => {
      for await (const piece of pieces) seen.push(piece)
    })(),
  )
  assertNoKey(seen)
  return [seen, error]
}

it('the end of a chat stream can lack its marker after a finish reason, and its last empty line', async () => {
  server.answer(events([chatChunk('Hello'), chatChunk(null, 'length')]))
  const [, end] = await collected(stream('chat'))
  expect(end).toEqual({ end: { how: 'length', word: 'length' } })
  server.answer(raw(200, `data: ${JSON.stringify(chatChunk('Hello'))}\n\ndata: [DONE]`, 'text/event-stream'))
  expect(await collected(stream('chat'))).toEqual([{ text: 'Hello' }, { end: { how: 'complete' } }])
})

const delta = (...tool_calls: object[]) => ({ choices: [{ delta: { tool_calls } }] })

const call = (id: string, text: string) => ({ index: 0, id, function: { name: 'f', arguments: text } })
const more = (index: number, text: string) => ({ index, function: { arguments: text } })
const item = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' }
const block = { type: 'content_block_delta', index: 1 }
const input = (text: string) => ({ ...block, delta: { type: 'input_json_delta', partial_json: text } })
const [one, two] = [
  { id: 'c1', name: 'f', arguments: '{"a":1}' },
  { id: 'c2', name: 'f', arguments: '{"a":"b"}' },
]

const use = { type: 'tool_use', id: 'c1', name: 'f' }
const begun = { type: 'content_block_start', index: 1, content_block: use }
const turns = [
  delta(call('c1', '')),
  delta({ ...call('c2', '{"a":"b"}'), index: 1 }, more(0, '{"a"')),
  delta(more(0, ':1}')),
]
const sameIndex = [delta(call('c1', '{"a":1}')), delta(call('c2', '{"a":')), delta(more(0, '"b"}'))]
const ended = { type: 'response.incomplete', response: {} }

it.each<[string, string, unknown[], object[]]>([
  ['of different indices in turn', 'chat', turns, [one, two]],
  ['of one index and different ids', 'chat', sameIndex, [one, two]],
  ['whose id is in every part', 'chat', [delta(call('c1', '{"a":')), delta(call('c1', '1}'))], [one]],
  ['in parts', 'messages', [begun, input('{"a"'), input(':1}'), { type: 'message_stop' }], [one]],
  ['of a cut response', 'responses', [{ type: 'response.output_item.done', item }, ended], [one]],
])('tool calls %s are given at the end', async (_, format, wire, toolCalls) => {
  server.answer(events(format === 'chat' ? [...wire, '[DONE]'] : wire))
  expect(await collected(stream(format))).toMatchObject([{ toolCalls }])
})

it('an endless stream is cut: in its tool calls and their arguments, its text, and the size of an event', async () => {
  const calls = Array.from({ length: 2000 }, (_, index) => delta({ ...call(`c${index}`, '{}'), index }))
  server.answer(events([...calls, '[DONE]']))
  expect(await collected(stream('chat'))).toMatchObject([{ toolCalls: { length: 32 } }])
  const long = Array.from({ length: 50 }, () => delta(call('c0', 'x'.repeat(10_000))))
  server.answer(events([...long, delta(call('c1', '{}')), '[DONE]']))
  const toolCalls = [{ id: 'c1', name: 'f', arguments: '{}' }]
  expect(await collected(stream('chat'))).toEqual([{ end: { how: 'complete' }, toolCalls }])
  const megabyte = 1024 * 1024
  for (const [sizes, kept] of [
    [[megabyte, megabyte, megabyte, megabyte, 1], 4],
    [[5, 33 * megabyte], 1],
  ] as const) {
    server.answer(events([...sizes.map((size) => chatChunk('x'.repeat(size))), '[DONE]']))
    const [pieces, error] = await failing(stream('chat'))
    expect(pieces).toHaveLength(kept)
    expect(error).toMatchObject({ constructor: GatewayMalformed })
  }
})

describe('aborting', () => {
  /** An endless stream, and a promise of the end of its connection. */
  function endless(): Promise<unknown> {
    return new Promise((resolve) => {
      server.answer((req, res: ServerResponse) => {
        req.socket.once('close', resolve)
        events([chatChunk('Hel')], hang)(req, res)
      })
    })
  }

  it('closes the connection when the reader stops', async () => {
    const closed = endless()
    for await (const piece of stream('chat')) {
      expect(piece).toEqual({ text: 'Hel' })
      break
    }
    await closed
  })

  it('by a signal throws and closes the connection', async () => {
    const closed = endless()
    const stopping = new AbortController()
    const pieces = stream('chat', stopping.signal)
    expect(await pieces.next()).toEqual({ done: false, value: { text: 'Hel' } })
    const next = failureOf(pieces.next())
    stopping.abort()
    expect(await next).toMatchObject({ constructor: GatewayUnknownOutcome })
    await closed
    expect(await pieces.next()).toEqual({ done: true, value: undefined })
  })
})

it('many streams at once hold up neither each other nor other requests', async () => {
  server.answer(events([chatChunk('Hel')], hang))
  const stopping = new AbortController()
  const client = server.client({})
  const open = Array.from({ length: 100 }, () => client.chatStream(chatBody, stopping.signal))
  const first = await Promise.all(open.map((one) => one.next()))
  expect(first).toEqual(open.map(() => ({ done: false, value: { text: 'Hel' } })))
  server.answer(json(200, { choices: [{ message: { content: 'Hello' } }], usage: {} }))
  expect(await collected(client.chatStream(chatBody))).toMatchObject([{ text: 'Hello' }, {}])
  stopping.abort()
  await Promise.allSettled(open.map((one) => one.return()))
})

const fullBody = { model: 'm', messages, max_tokens: 5, extra_body: { google: { thinking: false } } }
const messagesBody = {
  model: 'm',
  max_tokens: 5,
  messages,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  top_k: 3,
} as const
const responsesBody = { model: 'm', input: 'Hi', tools: [{ type: 'web_search' }] }
const nativeBody = { model: 'm', contents: [{ parts: [{ text: 'Hi' }] }], topK: 3 }

type Ask = (gateway: Gateway) => Promise<unknown>
const asks: Record<string, Ask> = {
  chat: (gateway) => collected(gateway.chatStream(fullBody)),
  messages: (gateway) => collected(gateway.messagesStream(messagesBody)),
  responses: (gateway) => collected(gateway.responsesStream(responsesBody)),
  'generate content': (gateway) => collected(gateway.generateContent('go/ogle', nativeBody)),
}
const all = Object.entries(asks)

const bearer = { authorization: `Bearer ${key}` }
const apiKey = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }

describe('a request', () => {
  it.each<[string, string, object, object]>([
    ['chat', '/v1/chat/completions', fullBody, bearer],
    ['messages', '/v1/messages', messagesBody, apiKey],
    ['responses', '/v1/responses', responsesBody, bearer],
    ['generate content', '/v1/go%2Fogle/generateContent', nativeBody, bearer],
  ])('to %s has its body and URL, and the key in one header', async (operation, url, body, headers) => {
    server.answer(json(400, { error: 'enough' }))
    await failureOf(Promise.resolve(asks[operation]?.(server.gateway)))
    expect(server.seen).toMatchObject([{ method: 'POST', url, headers }])
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(body)
    const sent = Object.entries(server.seen[0]?.headers ?? {}).filter(([, value]) => value?.includes(key))
    expect(sent).toHaveLength(1)
  })

  it("has the operator's headers, in place of the version header", async () => {
    const headers = { messages: { 'x-vendor-version': '2', 'x-vendor-beta': 'mcp' } }
    const own = server.client({ requests: openRequests.parse({ headers }) })
    server.answer(json(400, { error: 'enough' }))
    await failureOf(Promise.resolve(asks.messages?.(own)))
    expect(server.seen).toMatchObject([{ headers: { 'x-api-key': key, ...headers.messages } }])
    expect(server.seen[0]?.headers).not.toHaveProperty('anthropic-version')
  })
})

describe('an answer', () => {
  it.each(all)('of %s with an error status is a refusal with its message', async (operation, ask) => {
    const said = 'Invalid JSON payload received. Unknown name "n"'
    server.answer(json(400, { error: { message: said } }))
    const refused = { constructor: GatewayRefused, operation, status: 400, said }
    expect(await failureOf(ask(server.gateway))).toMatchObject(refused)
    server.answer(json(429, { type: 'error', error: { message: 'slow' } }, { 'retry-after': '2' }))
    const limited = { constructor: GatewayRateLimited, retryAfterMs: 2000 }
    expect(await failureOf(ask(server.gateway))).toMatchObject(limited)
  })
})

it('the native pass-through, which does not stream, is closed when its signal aborts, and not begun after that', async () => {
  const ask = (signal: AbortSignal) => collected(server.gateway.generateContent('google', nativeBody, signal))
  const unheard = { constructor: GatewayUnknownOutcome }
  expect(await failureOf(ask(AbortSignal.abort()))).toMatchObject(unheard)
  expect(server.seen).toEqual([])
  const stopping = new AbortController()
  const closed = new Promise((resolve) => {
    server.answer((req) => {
      req.socket.once('close', resolve)
      stopping.abort()
    })
  })
  expect(await failureOf(ask(stopping.signal))).toMatchObject(unheard)
  await closed
})
