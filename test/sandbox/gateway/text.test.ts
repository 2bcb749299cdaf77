// The text operations of the local gateway: what each format accepts, its stream, its price, and scripted faults. The words that a reply has
// are tested by the chats of test/scenarios.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readEvent } from '../../../src/gateway/chat-events.ts'
import { textModels } from '../../../src/sandbox/gateway/text/ask.ts'
import { pieceMs } from '../../../src/sandbox/gateway/text/formats.ts'
import { setBalance } from '../../support/gateway/contract.ts'
import {
  clock,
  errorSchema,
  key,
  openNewGateway,
  removeGateway,
  waits,
} from '../../support/gateway/local-gateway.ts'

const advance = () => clock.advance(pieceMs)
/** From now on streams advance by themselves. */
const flow = () => waits.on(String(pieceMs), advance)
const stopFlow = () => waits.off(String(pieceMs), advance)

async function openTextGateway() {
  const sandbox = await openNewGateway()
  /** Posts to a path without `/gateway`. */
  const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
    sandbox.call(`/gateway${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    })
  return {
    ...sandbox,
    ask,
    /** Posts a request that must fail. @returns the status and the error */
    async refusal(path: string, body: object, headers?: Record<string, string>) {
      const answer = await ask(path, body, headers)
      return { status: answer.status, ...errorSchema.parse(await answer.json()).error }
    },
  }
}

const chat = '/v1/chat/completions'
const messages = '/v1/messages'
const responses = '/v1/responses'
const native = '/v1/gemini/generateContent'

const user = (content: unknown) => ({ role: 'user', content })

/** The data of server-sent events, in order. */
const eventsIn = (text: string): string[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data)

let sandbox: Awaited<ReturnType<typeof openTextGateway>>
beforeAll(async () => {
  flow()
  sandbox = await openTextGateway()
})
afterAll(async () => {
  stopFlow()
  await removeGateway(sandbox)
})
beforeEach(() => setBalance(sandbox, 1_000_000))

const stream = true
const ordersFor = (question: string) => ({
  [chat]: { model: 'TEXT-GPT', messages: [user(question)], stream },
  [messages]: { model: 'TEXT-ASSISTANT', max_tokens: 5000, messages: [user(question)], stream },
  [responses]: { model: 'TEXT-GPT', input: question, stream },
  [native]: { model: 'TEXT-GEMINI', contents: [{ role: 'user', parts: [{ text: question }] }] },
})
const orders = ordersFor('Tell me about tea [short]')
type Path = keyof typeof orders
const paths = [chat, messages, responses, native] as const
const streamed = [
  ['chat', chat],
  ['messages', messages],
  ['responses', responses],
] as const

/** What a client reads of an answer: its text, its thinking, its calls and its end. */
async function read(path: Path, more: object = {}) {
  const answer = await sandbox.ask(path, { ...orders[path], ...more })
  expect(answer.status).toBe(200)
  const raw = await answer.text()
  const events = path === native ? [raw] : eventsIn(raw)
  const steps = events.map((one) => readEvent(one === '[DONE]' ? one : JSON.parse(one)))
  const bits = steps.flatMap(({ added }) => added)
  const said = (name: string) => bits.map((bit) => String(Object(bit)[name] ?? '')).join('')
  const finish = steps.findLast((one) => one.finish !== undefined)?.finish
  return { events, text: said('text'), thinking: said('thinking'), finish, raw }
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

it('each format tells the text, its end and its limit', async () => {
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
  expect(raw).toContain('"input_tokens":7')
  const kopecks = Math.ceil((7 * 39_000 + Math.ceil(text.length / 4) * 195_000) / 1_000_000)
  expect(await charged(() => read(messages))).toBe(kopecks)
  const told = await read(chat, { stream_options: { include_usage: true } })
  expect(JSON.parse(told.events.at(-2) ?? '').usage).toMatchObject({ prompt_tokens: 7 })
  expect((await read(chat)).raw).not.toContain('usage')
})

it('each format carries pictures, and a call of a function, whose arguments come in pieces', async () => {
  const [name, description] = ['get_weather', 'Weather in a city']
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const question = 'get_weather for “Omsk”'
  const tools = {
    [chat]: [{ type: 'function', function: { name, description, parameters } }],
    [messages]: [{ name, description, input_schema: parameters }],
    [responses]: [{ type: 'function', name, description, parameters }],
    [native]: [{ functionDeclarations: [{ name, description, parameters }] }],
  }
  for (const path of paths) {
    const { raw, text } = await read(path, { ...ordersFor(question)[path], tools: tools[path] })
    expect([path, text, raw]).toEqual([path, '', expect.stringMatching(/get_weather[\s\S]*Omsk/)])
  }
  const data = Buffer.from('not really a picture').toString('base64')
  const picture = `data:image/png;base64,${data}`
  const shown = {
    [chat]: { messages: [user([{ type: 'image_url', image_url: { url: picture } }])] },
    [messages]: {
      messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }])],
    },
    [native]: { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] }] },
  }
  for (const path of [chat, messages, native] as const)
    expect((await read(path, shown[path])).text).toContain('what you attached')
})

it('modes are shown: thinking, the results of the web search, the code that was run', async () => {
  const thinking = { type: 'enabled', budget_tokens: 999 }
  expect((await read(messages, { thinking })).thinking).toContain('tea')
  const tools = [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }]
  const { raw } = await read(responses, { tools })
  for (const part of ['web_search_call', '"logs":"42\\n"', 'url_citation']) expect(raw).toContain(part)
  expect((await read(chat, { web_search_options: {} })).raw).toContain('url_citation')
  const found = await read(native, { tools: [{ codeExecution: {} }, { googleSearch: {} }] })
  for (const part of ['groundingChunks', 'codeExecutionResult']) expect(found.raw).toContain(part)
})

it('what gateway-api.md refuses is refused with a message that names it, and charges nothing', async () => {
  const gemini = { model: 'TEXT-GEMINI' }
  const rows: readonly (readonly [Path, object, string])[] = [
    [chat, { ...gemini, n: 1 }, 'Unknown name "n": Cannot find field.'],
    [chat, { ...gemini, stream_options: { include_usage: true } }, 'Unknown name "stream_options"'],
    [chat, { ...gemini, web_search_options: {} }, 'Unknown name "web_search_options"'],
    [chat, { maxOutputTokens: 5 }, 'Unknown name "maxOutputTokens"'],
    [chat, { model: 'TEXT-MISTRAL', web_search_options: {} }, 'web search is not supported'],
    [chat, { messages: [] }, 'messages'],
    [chat, { max_tokens: 0 }, 'max_tokens'],
    [chat, { stream: false }, 'stream'],
    [messages, { max_tokens: undefined }, 'max_tokens'],
    [messages, { thinking: { type: 'enabled', budget_tokens: 5000 } }, 'budget_tokens'],
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
  await setBalance(sandbox, 132)
  expect((await sandbox.refusal(chat, orders[chat])).status).toBe(402)
  await setBalance(sandbox, 133)
  expect((await sandbox.ask(chat, orders[chat])).status).toBe(200)
})

/** Reads the body of an answer piece by piece. */
async function reading(answer: Promise<Response>) {
  const { body } = await answer
  if (!body) throw new Error('no body')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  return {
    count: () => eventsIn(read).length,
    async toItsEnd() {
      for (let one = await reader.read(); !one.done; one = await reader.read()) read += one.value
    },
  }
}

it('a scripted fault can cut a stream of each operation in the middle, which charges the sent part', async () => {
  const longs = ordersFor('tea [long]')
  for (const [operation, path] of streamed) {
    let whole = 0
    const price = await charged(async () => {
      whole = eventsIn(await (await sandbox.ask(path, longs[path])).text()).length
    })
    sandbox.fault(operation, { kind: 'cut', after: true })
    const spent = await charged(async () => {
      const cut = await reading(sandbox.ask(path, longs[path]))
      await expect(cut.toItsEnd()).rejects.toThrow()
      expect(Math.abs(cut.count() - whole / 2)).toBeLessThan(10)
    })
    expect(Math.abs(spent / price - 0.5)).toBeLessThan(0.1)
  }
})

it('other faults take effect before anything is sent, without a charge; a whole answer is cut after its charge', async () => {
  for (const [fault, status] of [
    [{ kind: 'error', status: 429, retryAfter: 3 }, 429],
    [{ kind: 'garbage' }, 200],
  ] as const) {
    const spent = await charged(async () => {
      sandbox.fault('chat', fault)
      const answer = await sandbox.ask(chat, orders[chat])
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).not.toContain('event-stream')
    })
    expect(spent).toBe(0)
  }
  sandbox.fault('native', { kind: 'cut', after: true })
  const lost = () => expect(sandbox.ask(native, orders[native])).rejects.toThrow()
  expect(await charged(lost)).toBeGreaterThan(0)
})
