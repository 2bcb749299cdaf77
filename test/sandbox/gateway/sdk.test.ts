// The official clients of the chat-completions and the messages format work with the local gateway, given only its address and API key
// (and, for messages, the version header that gateway-api.md documents).

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { removeGateway } from '../../support/gateway/local-gateway.ts'
import {
  flow,
  key,
  openTextGateway,
  picture,
  stopFlow,
  type TextSandbox,
  weather,
} from '../../support/gateway/text-gateway.ts'

let sandbox: TextSandbox
let chatClient: OpenAI
let messagesClient: Anthropic
beforeAll(async () => {
  flow()
  sandbox = await openTextGateway()
  const base = `${sandbox.url}/gateway`
  chatClient = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 })
  // The client's default version is later than the one that the gateway accepts.
  const defaultHeaders = { 'anthropic-version': '2023-06-01' }
  messagesClient = new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0, defaultHeaders })
})
afterAll(async () => {
  stopFlow()
  await removeGateway(sandbox)
})

const said = { role: 'user', content: 'Tell me about tea' } as const
const about = expect.stringContaining('Tell me about tea')

async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

describe('the chat-completions client', () => {
  const order = { model: 'TEXT-GPT', messages: [said] }
  const tool = { name: weather.name, description: weather.description, parameters: weather.schema }
  const tools = [{ type: 'function' as const, function: tool }]

  it('gets a whole answer', async () => {
    const { choices, usage } = await chatClient.chat.completions.create(order)
    expect(choices[0]?.message.content).toEqual(about)
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
  })

  it('gets a stream', async () => {
    const whole = await chatClient.chat.completions.create(order)
    const stream_options = { include_usage: true }
    const chunks = await collected(
      await chatClient.chat.completions.create({ ...order, stream: true, stream_options }),
    )
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).toBe(whole.choices[0]?.message.content)
    expect(chunks.at(-1)?.usage).toEqual(whole.usage)
    const final = await chatClient.chat.completions.stream(order).finalChatCompletion()
    expect(final.choices[0]?.message.content).toBe(text)
  })

  it('sends a picture', async () => {
    const content = [
      { type: 'text' as const, text: 'what is this?' },
      { type: 'image_url' as const, image_url: { url: picture } },
    ]
    const { choices } = await chatClient.chat.completions.create({
      ...order,
      messages: [{ role: 'user', content }],
    })
    expect(choices[0]?.message.content).toContain('what you attached')
  })

  it('gets a tool call, whole and as a stream', async () => {
    const asked = {
      ...order,
      messages: [{ role: 'user' as const, content: 'get_weather for “Omsk”' }],
      tools,
    }
    const whole = await chatClient.chat.completions.create(asked)
    const streamed = await chatClient.chat.completions.stream(asked).finalChatCompletion()
    for (const { choices } of [whole, streamed]) {
      const call = choices[0]?.message.tool_calls?.[0]
      if (call?.type !== 'function') throw new Error('no call')
      expect(call.function.name).toBe('get_weather')
      expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Omsk' })
    }
  })

  it('gets a stream of the Gemini-like family, which reports no usage', async () => {
    const asked = { ...order, model: 'TEXT-GEMINI', stream: true as const }
    const chunks = await collected(await chatClient.chat.completions.create(asked))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toEqual(about)
    expect(chunks.every(({ usage }) => !usage)).toBe(true)
  })

  it('gets a response, whole and as a stream', async () => {
    const request = { model: 'TEXT-GROK', input: said.content, tools: [{ type: 'web_search' as const }] }
    const whole = await chatClient.responses.create(request)
    expect(whole.output_text).toEqual(about)
    expect(whole.output.map(({ type }) => type)).toEqual(['web_search_call', 'message'])
    const final = await chatClient.responses.stream(request).finalResponse()
    expect(final.output_text).toBe(whole.output_text)
    expect(final.usage).toEqual(whole.usage)
  })

  it('gets a function call in the stream of a response', async () => {
    const request = {
      model: 'TEXT-GPT',
      input: 'get_weather',
      tools: [{ type: 'function' as const, strict: false, ...tool }],
    }
    const { output } = await chatClient.responses.stream(request).finalResponse()
    expect(output[0]).toMatchObject({ type: 'function_call', name: 'get_weather' })
  })

  it.each([
    ['a wrong key', OpenAI.AuthenticationError, { client: 'wrong' }, {}],
    ['an unknown model', OpenAI.NotFoundError, {}, { model: 'TEXT-NONE' }],
    ['an unknown field', OpenAI.BadRequestError, {}, { model: 'TEXT-GEMINI', n: 1 }],
    [
      'a field of another family',
      OpenAI.BadRequestError,
      {},
      { model: 'TEXT-GEMINI', stream: true, stream_options: { include_usage: true } },
    ],
    ['a field of another operation', OpenAI.BadRequestError, {}, { max_output_tokens: 5 }],
    [
      'search by a family that has none',
      OpenAI.BadRequestError,
      {},
      { model: 'TEXT-MISTRAL', web_search_options: {} },
    ],
    ['a busy gateway', OpenAI.RateLimitError, { fault: { kind: 'error', status: 429 } }, {}],
    ['a failing gateway', OpenAI.InternalServerError, { fault: { kind: 'error', status: 503 } }, {}],
  ] as [string, typeof OpenAI.APIError, { client?: string; fault?: Fault }, object][])(
    'reports %s as an error of its own class',
    async (_, kind, { client, fault }, more) => {
      if (fault) sandbox.fault('chat', fault)
      const asking = client ? chatClient.withOptions({ apiKey: client }) : chatClient
      const error = await asking.chat.completions.create({ ...order, ...more }).catch((reason) => reason)
      expect(error).toBeInstanceOf(kind)
      expect([error.code, error.type]).toEqual([expect.any(String), expect.any(String)])
    },
  )

  it('repeats a request when the gateway is busy', async () => {
    sandbox.fault('chat', { kind: 'error', status: 429, retryAfter: 0.01 })
    const patient = chatClient.withOptions({ maxRetries: 1 })
    expect((await patient.chat.completions.create(order)).choices).toHaveLength(1)
  })

  it('rejects a stream that is cut', async () => {
    sandbox.fault('chat', { kind: 'cut', after: true })
    const stream = await chatClient.chat.completions.create({ ...order, stream: true })
    await expect(collected(stream)).rejects.toThrow()
  })
})

describe('the messages client', () => {
  const order = { model: 'TEXT-ASSISTANT', max_tokens: 2000, messages: [said] }
  const tool = { name: weather.name, input_schema: { ...weather.schema, type: 'object' as const } }

  let text: unknown
  beforeEach(async () => {
    const { content } = await messagesClient.messages.create(order)
    text = content[0]?.type === 'text' ? content[0].text : undefined
  })

  it('gets a whole answer', () => expect(text).toEqual(about))

  it('gets a stream', async () => {
    const final = await messagesClient.messages.stream(order).finalMessage()
    expect(final.content).toMatchObject([{ type: 'text', text }])
    expect(final).toMatchObject({ stop_reason: 'end_turn', usage: { input_tokens: 5 } })
    expect(final.usage.output_tokens).toBeGreaterThan(10)
  })

  it('gets thinking blocks, whole and as a stream', async () => {
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
    const whole = await messagesClient.messages.create({ ...order, thinking })
    expect(whole.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    const streamed = await messagesClient.messages.stream({ ...order, thinking }).finalMessage()
    const withoutIds = ({ content }: Anthropic.Message) =>
      content.map((one) => (one.type === 'thinking' ? one.thinking : one))
    expect(withoutIds(streamed)).toEqual(withoutIds(whole))
  })

  it('gets a tool call, whole and as a stream', async () => {
    const question = { role: 'user' as const, content: 'get_weather for “Omsk”' }
    const asked = { ...order, messages: [question], tools: [tool] }
    const whole = await messagesClient.messages.create(asked)
    const streamed = await messagesClient.messages.stream(asked).finalMessage()
    for (const { content, stop_reason } of [whole, streamed]) {
      expect(stop_reason).toBe('tool_use')
      expect(content).toMatchObject([{ type: 'tool_use', name: 'get_weather', input: { city: 'Omsk' } }])
    }
  })

  it('gets text blocks without empty fields, whole and as a stream, and can send them back', async () => {
    const whole = await messagesClient.messages.create(order)
    const streamed = await messagesClient.messages.stream(order).finalMessage()
    for (const { content } of [whole, streamed]) expect(content).toEqual([{ type: 'text', text }])
    const messages = [said, { role: 'assistant' as const, content: streamed.content }, said]
    expect((await messagesClient.messages.create({ ...order, messages })).content).toHaveLength(1)
  })

  it('gets the events of a stream in order', async () => {
    const stream = messagesClient.messages.stream(order)
    const said: string[] = []
    stream.on('text', (piece) => said.push(piece))
    const types = (await collected(stream)).map(({ type }) => type)
    expect(said.join('')).toBe(text)
    expect(types.filter((type) => type !== 'content_block_delta')).toEqual([
      ...['message_start', 'content_block_start', 'content_block_stop', 'message_delta', 'message_stop'],
    ])
  })

  it('rejects a stream that is cut or that fails', async () => {
    sandbox.fault('messages', { kind: 'cut', after: true })
    await expect(messagesClient.messages.stream(order).finalMessage()).rejects.toThrow()
    sandbox.fault('messages', { kind: 'error', status: 503 })
    await expect(messagesClient.messages.stream(order).finalMessage()).rejects.toThrow(
      Anthropic.InternalServerError,
    )
  })

  it('sends cache_control and mcp_servers', async () => {
    const answer = await messagesClient.beta.messages.create({
      ...order,
      system: [{ type: 'text', text: 'Be kind', cache_control: { type: 'ephemeral' } }],
      mcp_servers: [{ type: 'url', name: 'docs', url: 'https://mcp.example.com' }],
    })
    expect(answer.content[0]).toMatchObject({ type: 'text', text })
  })

  it.each([
    ['a wrong key', Anthropic.AuthenticationError, { client: 'wrong' }, {}],
    ['a field of another operation', Anthropic.BadRequestError, {}, { max_output_tokens: 5 }],
    ['an unknown model', Anthropic.NotFoundError, {}, { model: 'TEXT-NONE' }],
    ['a model of another family', Anthropic.BadRequestError, {}, { model: 'TEXT-GEMINI' }],
    ['a busy gateway', Anthropic.RateLimitError, { fault: { kind: 'error', status: 429 } }, {}],
  ] as [string, typeof Anthropic.APIError, { client?: string; fault?: Fault }, object][])(
    'reports %s as an error of its own class',
    async (_, kind, { client, fault }, more) => {
      if (fault) sandbox.fault('messages', fault)
      const asking = client ? messagesClient.withOptions({ apiKey: client }) : messagesClient
      const error = await asking.messages.create({ ...order, ...more }).catch((reason) => reason)
      expect(error).toBeInstanceOf(kind)
    },
  )
})
