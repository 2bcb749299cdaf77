// Chat completions of the local gateway: answers, tools, prices, streams and refusals.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { textModels } from '../../../src/sandbox/gateway/text/ask.ts'
import { removeGateway } from '../../support/gateway/local-gateway.ts'
import {
  chat,
  eventsIn,
  flow,
  openTextGateway,
  picture,
  stopFlow,
  type TextSandbox,
  user,
  weather,
} from '../../support/gateway/text-gateway.ts'

let sandbox: TextSandbox
beforeAll(() => void flow())
afterAll(() => void stopFlow())
beforeEach(async () => {
  sandbox = await openTextGateway()
})
afterEach(() => removeGateway(sandbox))

const completion = z.object({
  object: z.literal('chat.completion'),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.literal('function'),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
        annotations: z.array(z.unknown()).optional(),
      }),
      finish_reason: z.string(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
})

const models = textModels.map(({ id }) => id)
const tools = [
  {
    type: 'function',
    function: { name: weather.name, description: weather.description, parameters: weather.schema },
  },
]

const complete = async (content: unknown, more: object = {}) =>
  completion.parse(await sandbox.answer(chat, { model: 'TEXT-GPT', messages: [user(content)], ...more }))
const said = async (content: unknown, more: object = {}) =>
  (await complete(content, more)).choices[0]?.message.content ?? ''

describe('an answer', () => {
  it.each(models)('is returned by %s', async (model) => {
    const answer = await complete('How do I cook rice?', { model })
    expect(answer.model).toBe(model)
    expect(answer.choices).toHaveLength(1)
    expect(answer.choices[0]).toMatchObject({ index: 0, finish_reason: 'stop' })
    expect(answer.choices[0]?.message.content).toContain('How do I cook rice?')
  })

  it('quotes the last question, in its language, and is always the same', async () => {
    const messages = [
      user('Расскажи про чай'),
      { role: 'assistant', content: 'Про чай' },
      user('А про кофе?'),
    ]
    const first = await said('', { messages })
    expect(first).toMatch(/А про кофе\?.*прошлым вопросом: «Расскажи про чай»/s)
    expect(await said('', { messages })).toBe(first)
    expect(await said('And coffee?')).toMatch(/^About “And coffee\?”/)
    expect(await said('Hello!')).toMatch(/^Hello!/)
  })

  it.each(['show me code', 'покажи код', 'пример кода'])(
    'to "%s" contains a list and code',
    async (question) => {
      const text = await said(question)
      expect(text).toMatch(/^- \*\*/m)
      expect(text).toMatch(/^```ts\n[^`]+```$/m)
    },
  )

  it('contains code only when code is requested, not when a word contains "code"', async () => {
    expect(await said('a codeword')).not.toContain('```')
    expect(await said('уголовный кодекс')).not.toContain('```')
  })

  it('has the length that a mark in the question requests', async () => {
    expect((await said('tea [long]')).length).toBeGreaterThan(9000)
    const short = await said('tea [short]')
    expect(short.length).toBeLessThan(100)
    expect(short).not.toContain('[short]')
  })

  it('mentions attachments and charges them', async () => {
    const parts = [
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: picture } },
    ]
    expect(await said(parts)).toContain('I have looked at what you attached.')
    const with256 = (await complete(parts)).usage.prompt_tokens
    expect(with256 - (await complete('what is this?')).usage.prompt_tokens).toBe(256)
  })

  it('ends at its limit and at a stop sequence', async () => {
    const limited = await complete('tea', { max_tokens: 5 })
    expect(limited.choices[0]).toMatchObject({ finish_reason: 'length' })
    expect(limited.choices[0]?.message.content).toHaveLength(20)
    expect(limited.usage.completion_tokens).toBe(5)
    const stopped = await said('tea', { stop: ['never', 'one step'] })
    expect(stopped).toMatch(/is to take it \*$/)
  })

  it.each(models)(
    'of %s is JSON when JSON is requested, after a think block if the family has one',
    async (model) => {
      const text = await said('tea', { model, response_format: { type: 'json_object' } })
      const [, thought, rest = ''] = /^(<think>.*<\/think>\s*)?(\{.*\})$/s.exec(text) ?? []
      expect(thought !== undefined).toBe(model === 'TEXT-MINIMAX')
      expect(JSON.parse(rest)).toMatchObject({ topic: 'tea' })
    },
  )
})

describe('tools', () => {
  const call = async (content: string, more: object = {}) =>
    (await complete(content, { tools, ...more })).choices[0]

  it('are called by name, with the required arguments', async () => {
    const choice = await call('get_weather for “Omsk”')
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    const made = choice?.message.tool_calls?.[0]
    expect(made?.function.name).toBe('get_weather')
    expect(JSON.parse(made?.function.arguments ?? '')).toEqual({ city: 'Omsk' })
  })

  it.each([
    ['auto', 'the weather', 'stop'],
    ['none', 'get_weather', 'stop'],
    ['auto', 'get_weather', 'tool_calls'],
  ])('with the choice %j and "%s" lead to the finish reason %s', async (tool_choice, question, reason) => {
    expect((await call(question, { tool_choice }))?.finish_reason).toBe(reason)
  })

  it('include web search for families that support it', async () => {
    const found = await complete('news', { web_search_options: {} })
    expect(found.choices[0]?.message.annotations).toHaveLength(1)
    expect(await said('news', { model: 'TEXT-GEMINI', tools: [{ type: 'web_search' }] })).toContain(
      'https://',
    )
    expect((await complete('news')).choices[0]?.message.annotations).toBeUndefined()
  })
})

describe('the charge for an answer', () => {
  it('is for the tokens of successful answers, rounded up to a kopeck', async () => {
    const { usage } = await complete('tea [long]', { model: 'TEXT-DEEPSEEK' })
    const kopecks = Math.ceil((usage.prompt_tokens * 3698 + usage.completion_tokens * 5546) / 1_000_000)
    expect(kopecks).toBeGreaterThan(10)
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000 - kopecks, charged: kopecks })
    await sandbox.refusal(chat, { model: 'TEXT-DEEPSEEK', messages: [] })
    sandbox.fault('chat', { kind: 'error', status: 500 })
    await sandbox.refusal(chat, { model: 'TEXT-DEEPSEEK', messages: [user('tea')] })
    expect((await sandbox.account()).charged).toBe(kopecks)
  })

  it('must be covered by the balance for the requested maximum of tokens', async () => {
    // 1 input token at 165 and 1000 output tokens at 1320 roubles per million.
    await sandbox.post('/api/gateway/account', { balance: 132 })
    const order = { model: 'TEXT-GPT', messages: [user('tea')] }
    expect(await sandbox.refusal(chat, order)).toMatchObject({ status: 402, type: 'insufficient_balance' })
    expect((await sandbox.ask(chat, { ...order, max_tokens: 900 })).status).toBe(200)
    await sandbox.post('/api/gateway/account', { balance: 133 })
    expect((await sandbox.ask(chat, order)).status).toBe(200)
  })
})

describe('a stream', () => {
  it('has the same text as the whole answer, in pieces, for the same price', async () => {
    const order = { model: 'TEXT-GPT', messages: [user('show me code')] }
    const whole = completion.parse(await sandbox.answer(chat, order))
    const { charged } = await sandbox.account()
    const answer = await sandbox.ask(chat, { ...order, stream: true })
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = eventsIn(await answer.text())
    expect(events.pop()).toBe('[DONE]')
    const chunks = events.map((one) => chunk.parse(JSON.parse(one)).choices[0])
    expect(chunks[0]).toMatchObject({ delta: { role: 'assistant', content: '' }, finish_reason: null })
    expect(chunks.at(-1)).toMatchObject({ delta: {}, finish_reason: 'stop' })
    expect(chunks.length).toBeGreaterThan(10)
    expect(chunks.map((one) => one?.delta.content ?? '').join('')).toBe(whole.choices[0]?.message.content)
    expect((await sandbox.account()).charged).toBe(2 * charged)
  })

  const chunk = z.object({
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        delta: z.object({ role: z.string().optional(), content: z.string().nullish() }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: z.unknown().optional(),
  })

  it('reports its usage when requested', async () => {
    const order = { model: 'TEXT-GPT', messages: [user('tea')] }
    const { usage } = completion.parse(await sandbox.answer(chat, order))
    const more = { stream: true, stream_options: { include_usage: true } }
    const events = eventsIn(await (await sandbox.ask(chat, { ...order, ...more })).text())
    const chunks = events.slice(0, -1).map((one) => chunk.parse(JSON.parse(one)))
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(chunks.slice(0, -1).every((one) => one.usage === null)).toBe(true)
  })
})

describe('the validation of a chat request', () => {
  const unknown = /^Invalid JSON payload received\. Unknown name "(\w+)": Cannot find field\.$/

  it.each([
    { n: 1 },
    { frequency_penalty: 0.5 },
    { presence_penalty: 0.5 },
    { logprobs: true },
    { top_logprobs: 2 },
    { stream_options: { include_usage: true } },
    { web_search_options: {} },
    { parallel_tool_calls: true },
    { user: 'u1' },
  ])('the Gemini-style family refuses %j, and the other families accept it', async (field) => {
    const order = { messages: [user('tea')], ...field }
    const { status, message } = await sandbox.refusal(chat, { model: 'TEXT-GEMINI', ...order })
    expect([status, unknown.exec(message)?.[1]]).toEqual([400, Object.keys(field)[0]])
    const others = models.filter((one) => one !== 'TEXT-GEMINI')
    const accepting = 'web_search_options' in field ? ['TEXT-GPT'] : others
    for (const model of accepting) {
      expect((await sandbox.ask(chat, { model, ...order })).status).toBe(200)
    }
  })

  it('the Gemini-style family accepts each listed field', async () => {
    const answer = await sandbox.ask(chat, {
      model: 'TEXT-GEMINI',
      messages: [{ role: 'system', content: 'Be kind' }, user('tea')],
      stream: false,
      temperature: 0.5,
      max_completion_tokens: 100,
      max_tokens: 100,
      top_p: 0.9,
      stop: 'END',
      seed: 7,
      response_format: { type: 'text' },
      reasoning_effort: 'low',
      tools,
      tool_choice: 'auto',
      extra_body: { google: { thinking_config: {} } },
    })
    expect(answer.status).toBe(200)
  })

  it.each([
    'contents',
    'maxOutputTokens',
    'candidateCount',
    'topP',
    'topK',
    'generationConfig',
    'frequencyPenalty',
  ])('every family refuses the native name %s', async (name) => {
    for (const model of models) {
      const { status, message } = await sandbox.refusal(chat, { model, messages: [user('tea')], [name]: 1 })
      expect([status, unknown.exec(message)?.[1]]).toEqual([400, name])
    }
  })

  it.each(['TEXT-DEEPSEEK', 'TEXT-MISTRAL', 'TEXT-MINIMAX'])('%s refuses web search', async (model) => {
    for (const way of [{ web_search_options: {} }, { tools: [{ type: 'web_search' }] }]) {
      const order = { model, messages: [user('tea')], ...way }
      expect(await sandbox.refusal(chat, order)).toMatchObject({ status: 400, code: 'unsupported_tool' })
    }
  })

  it.each([
    [{ model: 'TEXT-NONE' }, 404, 'TEXT-NONE'],
    [{ model: 'MODEL-VIDEO-REEL' }, 404, 'MODEL-VIDEO-REEL'],
    [{ model: undefined }, 400, 'model'],
    [{ messages: [] }, 400, 'messages'],
    [{ messages: 'tea' }, 400, 'messages'],
    [{ messages: [{ role: 'bot', content: 'tea' }] }, 400, 'role'],
    [{ messages: [user([{ type: 'image_url', image_url: { url: 'cat.png' } }])] }, 400, 'content'],
    [{ temperature: 3 }, 400, 'temperature'],
    [{ max_tokens: 0 }, 400, 'max_tokens'],
    [{ tools: [{ type: 'function', function: { name: 'get weather' } }] }, 400, 'name'],
    [{ tool_choice: 'required' }, 400, 'tool_choice'],
    [{ messages: [{ ...user('tea'), colour: 'red' }] }, 400, `"colour" at 'messages.0'`],
  ])('%j is answered with %i, and the message names the problem', async (body, status, named) => {
    const refusal = await sandbox.refusal(chat, { model: 'TEXT-GPT', messages: [user('tea')], ...body })
    expect(refusal.status).toBe(status)
    expect(refusal.message).toContain(named)
    expect((await sandbox.account()).charged).toBe(0)
  })

  it('a request without the API key, or with it in the header of another format, is refused', async () => {
    const order = { model: 'TEXT-GPT', messages: [user('tea')] }
    for (const headers of [
      { authorization: 'Bearer wrong' },
      { authorization: '', 'x-api-key': 'sandbox-key' },
    ]) {
      expect(await sandbox.refusal(chat, order, headers)).toMatchObject({
        status: 401,
        type: 'authentication_error',
      })
    }
  })
})
