// The text operations of the local gateway: what each format accepts, its stream and its price. The words that a reply has are tested by the
// chats of test/scenarios.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readEvent } from '../../../src/gateway/chat-events.ts'
import { textModels } from '../../../src/sandbox/gateway/text/ask.ts'
import { removeGateway } from '../../support/gateway/local-gateway.ts'
import {
  chat,
  eventsIn,
  flow,
  key,
  messages,
  native,
  openTextGateway,
  picture,
  responses,
  stopFlow,
  type TextSandbox,
  user,
  weather,
} from '../../support/gateway/text-gateway.ts'

let sandbox: TextSandbox
beforeAll(async () => {
  flow()
  sandbox = await openTextGateway()
})
afterAll(async () => {
  stopFlow()
  await removeGateway(sandbox)
})
beforeEach(() => sandbox.post('/api/gateway/account', { balance: 1_000_000 }))

const stream = true
const orders = {
  [chat]: { model: 'TEXT-GPT', messages: [user('Tell me about tea')], stream },
  [messages]: {
    model: 'TEXT-ASSISTANT',
    max_tokens: 2000,
    messages: [user('Tell me about tea')],
    stream,
  },
  [responses]: { model: 'TEXT-GPT', input: 'Tell me about tea', stream },
  [native]: { model: 'TEXT-GEMINI', contents: [{ role: 'user', parts: [{ text: 'Tell me about tea' }] }] },
}
type Path = keyof typeof orders
const paths = [chat, messages, responses, native] as const

/** What a client reads of an answer: its text, its thinking, its calls and its end. */
async function read(path: Path, more: object = {}) {
  const answer = await sandbox.ask(path, { ...orders[path], ...more })
  expect(answer.status).toBe(200)
  const text = await answer.text()
  const events = path === native ? [text] : eventsIn(text)
  const steps = events.map((one) => readEvent(one === '[DONE]' ? one : JSON.parse(one)))
  const bits = steps.flatMap(({ added }) => added)
  const said = (name: string) => bits.map((bit) => String(Object(bit)[name] ?? '')).join('')
  const finish = steps.findLast((one) => one.finish !== undefined)?.finish
  return { events, text: said('text'), thinking: said('thinking'), finish, raw: text }
}

async function charged(work: () => Promise<unknown>): Promise<number> {
  const before = (await sandbox.account()).charged
  await work()
  return (await sandbox.account()).charged - before
}

it('every family answers in chat completions, and each other path only its families', async () => {
  const families: Partial<Record<Path, string[]>> = {
    [messages]: ['TEXT-ASSISTANT'],
    [responses]: ['TEXT-GPT', 'TEXT-GROK'],
    [native]: ['TEXT-GEMINI'],
  }
  for (const path of paths) {
    const taking = families[path] ?? textModels.map(({ id }) => id)
    for (const { id: model } of textModels) {
      const answer = await sandbox.ask(path, { ...orders[path], model })
      expect([path, model, answer.status]).toEqual([path, model, taking.includes(model) ? 200 : 400])
      if (answer.ok) expect(await answer.text()).toContain('tea')
    }
    expect((await sandbox.refusal(path, { ...orders[path], model: 'TEXT-NONE' })).status).toBe(404)
  }
})

it('each format tells the text, its end and its charge', async () => {
  const limits = {
    [chat]: [{ max_tokens: 3 }, 'length'],
    [messages]: [{ max_tokens: 3 }, 'max_tokens'],
    [responses]: [{ max_output_tokens: 3 }, 'max_output_tokens'],
    [native]: [{ generationConfig: { maxOutputTokens: 3 } }, 'MAX_TOKENS'],
  } as const
  const ends = { [chat]: 'stop', [messages]: 'end_turn', [responses]: 'completed', [native]: 'STOP' }
  for (const path of paths) {
    const { text, finish } = await read(path)
    expect([path, text, finish]).toEqual([path, expect.stringContaining('Tell me about tea'), ends[path]])
    const [limit, end] = limits[path]
    const cut = await read(path, limit)
    expect([path, cut.text.length, cut.finish]).toEqual([path, 12, end])
  }
})

it('a stream states the usage by which it is charged', async () => {
  const { raw, text } = await read(messages)
  expect(raw).toContain('"input_tokens":5')
  const kopecks = Math.ceil((5 * 39_000 + Math.ceil(text.length / 4) * 195_000) / 1_000_000)
  expect(await charged(() => read(messages))).toBe(kopecks)
  const told = await read(chat, { stream_options: { include_usage: true } })
  expect(JSON.parse(told.events.at(-2) ?? '').usage).toMatchObject({ prompt_tokens: 5 })
  expect((await read(chat)).raw).not.toContain('usage')
})

it('each format can carry a call of a function, whose arguments come in pieces', async () => {
  const { schema: parameters, name, description } = weather
  const question = 'get_weather for “Omsk”'
  const asked = {
    [chat]: {
      messages: [user(question)],
      tools: [{ type: 'function', function: { name, description, parameters } }],
    },
    [messages]: {
      messages: [user(question)],
      tools: [{ name, description, input_schema: parameters }],
    },
    [responses]: { input: question, tools: [{ type: 'function', name, description, parameters }] },
    [native]: {
      contents: [{ role: 'user', parts: [{ text: question }] }],
      tools: [{ functionDeclarations: [{ name, description, parameters }] }],
    },
  }
  for (const path of paths) {
    const { raw, text } = await read(path, asked[path])
    expect([path, text]).toEqual([path, ''])
    expect(raw).toContain('get_weather')
    expect(raw).toMatch(/Omsk/)
  }
})

it('modes are shown: thinking, the results of the web search, the code that was run', async () => {
  const thinking = { type: 'enabled', budget_tokens: 999 }
  expect((await read(messages, { thinking })).thinking).toContain('tea')
  const search = {
    tools: [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }],
  }
  const { raw } = await read(responses, search)
  expect(raw).toContain('web_search_call')
  expect(raw).toContain('"logs":"42\\n"')
  expect(raw).toContain('url_citation')
  expect((await read(chat, { web_search_options: {} })).raw).toContain('url_citation')
  const tools = [{ codeExecution: {} }, { googleSearch: {} }]
  const found = await read(native, { tools })
  expect(found.raw).toContain('groundingChunks')
  expect(found.raw).toContain('codeExecutionResult')
})

it('pictures are seen in the formats that take them', async () => {
  const data = picture.split(',')[1]
  const asked = {
    [chat]: { messages: [user([{ type: 'image_url', image_url: { url: picture } }])] },
    [messages]: {
      messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }])],
    },
    [native]: { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] }] },
  }
  for (const path of [chat, messages, native] as const)
    expect((await read(path, asked[path])).text).toContain('what you attached')
})

it('what gateway-api.md refuses is refused with a message that names it, and charges nothing', async () => {
  const rows: readonly (readonly [Path, object, string])[] = [
    [chat, { model: 'TEXT-GEMINI', n: 1 }, 'Unknown name "n": Cannot find field.'],
    [
      chat,
      { model: 'TEXT-GEMINI', stream_options: { include_usage: true } },
      'Unknown name "stream_options"',
    ],
    [chat, { model: 'TEXT-GEMINI', web_search_options: {} }, 'Unknown name "web_search_options"'],
    [chat, { maxOutputTokens: 5 }, 'Unknown name "maxOutputTokens"'],
    [chat, { model: 'TEXT-MISTRAL', web_search_options: {} }, 'web search is not supported'],
    [chat, { messages: [] }, 'messages'],
    [chat, { max_tokens: 0 }, 'max_tokens'],
    [chat, { stream: false }, 'stream'],
    [messages, { max_tokens: undefined }, 'max_tokens'],
    [messages, { thinking: { type: 'enabled', budget_tokens: 2000 } }, 'budget_tokens'],
    [messages, { max_completion_tokens: 5 }, 'Unknown name "max_completion_tokens"'],
    [responses, { input: [] }, 'input'],
    [responses, { messages: [] }, 'Unknown name "messages"'],
    [native, { max_tokens: 5 }, 'Unknown name "max_tokens"'],
    [native, { generationConfig: { n: 1 } }, 'Unknown name "n"'],
  ]
  const spent = await charged(async () => {
    for (const [path, more, words] of rows) {
      const { status, message } = await sandbox.refusal(path, { ...orders[path], ...more })
      expect([more, status, message]).toEqual([more, 400, expect.stringContaining(words)])
    }
  })
  expect(spent).toBe(0)
})

it('the key, the version of messages and the balance are checked', async () => {
  const none = { authorization: '' }
  expect((await sandbox.refusal(chat, orders[chat], { ...none, 'x-api-key': key })).status).toBe(401)
  expect((await sandbox.ask(messages, orders[messages], { ...none, 'x-api-key': key })).status).toBe(200)
  expect((await sandbox.refusal(messages, orders[messages], { 'anthropic-version': '' })).status).toBe(400)
  await sandbox.post('/api/gateway/account', { balance: 132 })
  expect((await sandbox.refusal(chat, orders[chat])).status).toBe(402)
  await sandbox.post('/api/gateway/account', { balance: 133 })
  expect((await sandbox.ask(chat, orders[chat])).status).toBe(200)
})
