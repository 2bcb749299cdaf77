// Text operations whose answer comes at once: what is sent, and what is read of each format.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Gateway, openRequests } from '../../src/gateway/client.ts'
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

type Ask = (gateway: Gateway) => Promise<unknown>
const asks: Record<string, Ask> = {
  chat: (gateway) => collected(gateway.chatStream(chatBody)),
  messages: (gateway) => collected(gateway.messagesStream(messagesBody)),
  responses: (gateway) => collected(gateway.responsesStream(responsesBody)),
  'generate content': (gateway) => collected(gateway.generateContent('go/ogle', nativeBody)),
}
const all = Object.entries(asks)

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

  it.each(all)('of %s with an error status is a refusal with its message', async (operation, ask) => {
    const words = 'Invalid JSON payload received. Unknown name "n"'
    server.answer(json(400, { error: { message: words } }))
    expect(await failureOf(ask(server.gateway))).toMatchObject({
      constructor: GatewayRefused,
      operation,
      status: 400,
      said: words,
    })
    server.answer(json(429, { type: 'error', error: { message: 'slow' } }, { 'retry-after': '2' }))
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
