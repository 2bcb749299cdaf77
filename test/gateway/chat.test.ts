// Text operations whose answer comes at once: what is sent, and what is read of each format.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatEnd, type ChatStream, type Gateway, openRequests } from '../../src/gateway/client.ts'
import {
  GatewayMalformed,
  GatewayRateLimited,
  GatewayRefused,
  GatewayUnknownOutcome,
} from '../../src/gateway/errors.ts'
import {
  type Answering,
  collected,
  failureOf,
  json,
  key,
  startAnswering,
} from '../support/gateway/answering.ts'

let server: Answering
beforeAll(async () => {
  server = await startAnswering()
})
beforeEach(() => {
  server.seen.length = 0
})
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'Hi' }] as const
const chatBody = { model: 'm', messages, max_tokens: 5, extra_body: { google: { thinking: false } } }
const messagesBody = {
  model: 'm',
  max_tokens: 5,
  messages,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  top_k: 3,
} as const
const responsesBody = { model: 'm', input: 'Hi', tools: [{ type: 'web_search' }] }
const nativeBody = { model: 'm', contents: [{ parts: [{ text: 'Hi' }] }], topK: 3 }

interface Whole extends ChatEnd {
  readonly text: string
  readonly thinking?: string
}

/** Reads a stream to its end. */
async function whole(stream: ChatStream): Promise<Whole> {
  const pieces = await collected(stream)
  const text = pieces.map((one) => ('text' in one ? one.text : '')).join('')
  const thinking = pieces.map((one) => ('thinking' in one ? one.thinking : '')).join('')
  const end = pieces.find((one) => 'end' in one)
  if (!end) throw new Error('no end')
  return { text, ...(thinking ? { thinking } : {}), ...end }
}

type Ask = (gateway: Gateway) => Promise<Whole>
const asks: Record<string, Ask> = {
  chat: (gateway) => whole(gateway.chatStream(chatBody)),
  messages: (gateway) => whole(gateway.messagesStream(messagesBody)),
  responses: (gateway) => whole(gateway.responsesStream(responsesBody)),
  'generate content': (gateway) => whole(gateway.generateContent('go/ogle', nativeBody)),
}
const all = Object.entries(asks)

const chatAnswer = (message: unknown, more = {}) => ({
  choices: [{ message, finish_reason: 'stop' }],
  ...more,
})
const bearer = { authorization: `Bearer ${key}` }
const apiKey = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }

describe('a request', () => {
  it.each<[string, string, object, object]>([
    ['chat', '/v1/chat/completions', chatBody, bearer],
    ['messages', '/v1/messages', messagesBody, apiKey],
    ['responses', '/v1/responses', responsesBody, bearer],
    ['generate content', '/v1/go%2Fogle/generateContent', nativeBody, bearer],
  ])(
    'to %s has the given body, the URL of the operation, and the key in one header',
    async (operation, url, body, headers) => {
      server.answer(json(400, { error: 'enough' }))
      await failureOf(Promise.resolve(asks[operation]?.(server.gateway)))
      expect(server.seen).toMatchObject([{ method: 'POST', url, headers }])
      const stream = operation === 'generate content' ? {} : { stream: true }
      expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ ...body, ...stream })
      const sent = Object.entries(server.seen[0]?.headers ?? {}).filter(([, value]) => value?.includes(key))
      expect(sent).toHaveLength(1)
    },
  )

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
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Riga"}' } }
  const toolCalls = [{ id: 'c1', name: 'weather', arguments: '{"city":"Riga"}' }]
  const usage = { inputTokens: 11, outputTokens: 7 }
  const thinking = { type: 'thinking', thinking: 'Hm.' }

  it.each<[string, string, unknown, object]>([
    [
      'chat',
      'text, usage and the end',
      chatAnswer(
        { role: 'assistant', content: 'Hello' },
        { usage: { prompt_tokens: 11, completion_tokens: 7 } },
      ),
      { text: 'Hello', usage, end: { how: 'complete', word: 'stop' } },
    ],
    [
      'chat',
      'the tokens of thinking that only the total counts',
      chatAnswer(
        { content: 'Hello' },
        { usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 18 } },
      ),
      { text: 'Hello', usage, end: { how: 'complete', word: 'stop' } },
    ],
    [
      'chat',
      'the larger count of output tokens when the total is too small',
      chatAnswer(
        { content: 'Hello' },
        { usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 7 } },
      ),
      { text: 'Hello', usage, end: { how: 'complete', word: 'stop' } },
    ],
    [
      'chat',
      'think tags as text',
      chatAnswer({ content: '<think>Hm.</think>{"a":1}' }),
      { text: '<think>Hm.</think>{"a":1}', end: { how: 'complete', word: 'stop' } },
    ],
    [
      'chat',
      'text in parts',
      chatAnswer({ content: [{ type: 'text', text: 'Hel' }, { type: 'x' }, { text: 'lo' }] }),
      { text: 'Hello', end: { how: 'complete', word: 'stop' } },
    ],
    [
      'chat',
      'tool calls',
      chatAnswer({ content: null, tool_calls: [call, {}] }),
      { text: '', end: { how: 'complete', word: 'stop' }, toolCalls },
    ],
    [
      'chat',
      'text without anything else',
      { choices: [{ message: { content: 'Hello' } }] },
      { text: 'Hello', end: { how: 'complete' } },
    ],
    [
      'chat',
      'no usage when half of it is missing',
      { choices: [{ message: { content: 'Hello' } }], usage: { prompt_tokens: 11 } },
      { text: 'Hello', end: { how: 'complete' } },
    ],
    [
      'chat',
      'no usage when its counts are invalid',
      { choices: [{ message: { content: 'Hello' } }], usage: { prompt_tokens: -1, completion_tokens: '7' } },
      { text: 'Hello', end: { how: 'complete' } },
    ],
    [
      'chat',
      'the first of two choices',
      { choices: [{ message: { content: 'a' } }, { message: { content: 'b' } }] },
      { text: 'a', end: { how: 'complete' } },
    ],
    [
      'messages',
      'all text, and a usage that includes the cached tokens',
      {
        content: [thinking, { type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }],
        stop_reason: 'end_turn',
        usage: {
          input_tokens: 1,
          cache_creation_input_tokens: 4,
          cache_read_input_tokens: 6,
          output_tokens: 7,
        },
      },
      { text: 'Hello', thinking: 'Hm.', usage, end: { how: 'complete', word: 'end_turn' } },
    ],
    [
      'messages',
      'tool calls',
      {
        content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Riga' } }],
        stop_reason: 'tool_use',
      },
      { text: '', end: { how: 'complete', word: 'tool_use' }, toolCalls },
    ],
    [
      'responses',
      'the text in `output_text`',
      { output_text: 'Hello', usage: { input_tokens: 11, output_tokens: 7 } },
      { text: 'Hello', usage, end: { how: 'complete' } },
    ],
    [
      'responses',
      'the text in the output items',
      {
        status: 'completed',
        output: [
          { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
          { type: 'web_search_call', status: 'completed' },
          {
            type: 'message',
            content: [
              { type: 'output_text', text: 'Hel' },
              { type: 'output_text', text: 'lo' },
            ],
          },
          { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Riga"}' },
        ],
      },
      { text: 'Hello', thinking: 'Hm.', end: { how: 'complete', word: 'completed' }, toolCalls },
    ],
    [
      'generate content',
      'text apart from thoughts',
      {
        candidates: [
          {
            content: {
              parts: [
                { text: 'Hm.', thought: true },
                { text: 'Hello' },
                { functionCall: { id: 'c1', name: 'weather', args: { city: 'Riga' } } },
              ],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 4, thoughtsTokenCount: 3 },
      },
      { text: 'Hello', thinking: 'Hm.', usage, end: { how: 'complete', word: 'STOP' }, toolCalls },
    ],
    [
      'generate content',
      'a blocked answer',
      { candidates: [{ finishReason: 'SAFETY' }] },
      { text: '', end: { how: 'filter', word: 'SAFETY' } },
    ],
  ])('of %s gives %s', async (operation, _, body, read) => {
    server.answer(json(200, body))
    expect(await asks[operation]?.(server.gateway)).toEqual(read)
  })

  it.each([
    ['chat', {}],
    ['chat', { choices: [] }],
    ['messages', { content: {} }],
    ['responses', { status: 'completed' }],
    ['generate content', { candidates: [] }],
  ])('of %s is rejected when it is %j', async (operation, body) => {
    server.answer(json(200, body))
    expect(await failureOf(Promise.resolve(asks[operation]?.(server.gateway)))).toMatchObject({
      constructor: GatewayMalformed,
      operation,
    })
  })

  it('of responses that failed has an unknown outcome, with its message', async () => {
    server.answer(json(200, { status: 'failed', output: [], error: { message: 'broken' } }))
    expect(await failureOf(Promise.resolve(asks.responses?.(server.gateway)))).toMatchObject({
      constructor: GatewayUnknownOutcome,
      message: 'responses: the stream failed: broken',
    })
  })

  it.each(all)('of %s with an error status is a refusal with its message', async (operation, ask) => {
    const words = 'Invalid JSON payload received. Unknown name "n"'
    server.answer(json(400, { error: { message: words } }))
    expect(await failureOf(ask(server.gateway))).toMatchObject({
      constructor: GatewayRefused,
      operation,
      status: 400,
      said: words,
    })
    server.answer(
      json(
        429,
        { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } },
        { 'retry-after': '2' },
      ),
    )
    expect(await failureOf(ask(server.gateway))).toMatchObject({
      constructor: GatewayRateLimited,
      retryAfterMs: 2000,
    })
  })
})

describe('the native pass-through, which does not stream', () => {
  const ask = (signal: AbortSignal) => collected(server.gateway.generateContent('google', nativeBody, signal))

  it('closes the connection when its signal aborts', async () => {
    const stopping = new AbortController()
    const closed = new Promise((resolve) => {
      server.answer((req) => {
        req.socket.once('close', resolve)
        stopping.abort()
      })
    })
    expect(await failureOf(ask(stopping.signal))).toMatchObject({ constructor: GatewayUnknownOutcome })
    await closed
  })

  it('sends nothing when its signal has already aborted', async () => {
    expect(await failureOf(ask(AbortSignal.abort()))).toMatchObject({ constructor: GatewayUnknownOutcome })
    expect(server.seen).toEqual([])
  })
})
