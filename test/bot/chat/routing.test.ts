// Which operation a question uses and which fields its request has, for each family of text models. Source: "Routing facts" in
// gateway-api.md.

import { describe, expect, it } from 'vitest'
import {
  dispensable,
  type Family,
  families,
  fieldsOf,
  limitFields,
} from '../../../src/catalog/text-fields.ts'
import { offeredModels, type TextModel, textModelList, tokenPrice } from '../../../src/catalog/text-models.ts'
import {
  modeNames,
  modesOf,
  noModes,
  operationFor,
  sentModes,
  takesTools,
  unlisted,
  withMode,
} from '../../../src/catalog/text-modes.ts'
import {
  type ChatRequest,
  chatBody,
  messagesBody,
  nativeBody,
  responsesBody,
} from '../../../src/chat/bodies.ts'
import { assemble, type Said } from '../../../src/chat/dialogue.ts'
import { mostTokensIn } from '../../../src/chat/tokens.ts'
import { proposalsIn, toolsFor } from '../../../src/chat/tools.ts'

const [everything] = textModelList.parse([
  {
    id: 'T',
    family: 'gpt',
    rates: { input: '100', output: '400' },
    abilities: [...modeNames, 'vision', 'tools'],
  },
])
const model = (change: Partial<TextModel> = {}): TextModel => {
  if (!everything) throw new Error('the list has one model')
  return { ...everything, ...change }
}
const off = noModes

it('the operation is chat completions unless a mode, or a field of the operator, is native to the family', () => {
  for (const family of families)
    expect([family, operationFor(model({ family }), off)]).toEqual([family, 'chat'])
  const byMode = [
    ['assistant', 'thinking', 'messages'],
    ['assistant', 'search', 'chat'],
    ['gpt', 'search', 'responses'],
    ['gpt', 'code', 'responses'],
    ['grok', 'search', 'responses'],
    ['gemini', 'code', 'native'],
    ['gemini', 'search', 'native'],
    ['gemini', 'thinking', 'chat'],
    ['gpt', 'thinking', 'chat'],
    ['deepseek', 'thinking', 'chat'],
  ] as const
  const ofMode = byMode.map(([family, mode]) => [
    family,
    mode,
    operationFor(model({ family }), { ...off, [mode]: true }),
  ])
  expect(ofMode).toEqual(byMode)
  const byRequest = [
    ['assistant', { top_k: 40 }, 'messages'],
    ['assistant', { cache_control: { type: 'ephemeral' } }, 'messages'],
    ['assistant', { mcp_servers: [] }, 'messages'],
    ['assistant', { temperature: 0.3 }, 'chat'],
    ['gemini', { generationConfig: { topK: 3 } }, 'native'],
    ['gemini', { temperature: 0.3 }, 'chat'],
  ] as const
  const ofRequest = byRequest.map(([family, request]) => [
    family,
    request,
    operationFor(model({ family, request }), off),
  ])
  expect(ofRequest).toEqual(byRequest)
})

describe('a mode that the operator asks for in another way', () => {
  const own = model({
    family: 'deepseek',
    modes: {
      search: { operation: 'chat', body: { plugins: ['web'] }, tools: [{ type: 'browser' }] },
      thinking: { operation: 'chat', body: { thinking: { type: 'enabled' } } },
    },
  })

  it('is offered, and sent with its fields and tools in place of those of the family', () => {
    expect(modesOf(own)).toEqual(['thinking', 'search'])
    const body = chatBody({ ...order(), model: own, modes: { ...off, search: true, thinking: true } })
    expect(body).toMatchObject({ plugins: ['web'], thinking: { type: 'enabled' } })
    expect(body.tools?.[0]).toEqual({ type: 'browser' })
    expect(body).not.toHaveProperty('reasoning_effort')
    expect(chatBody({ ...order(), model: own })).not.toHaveProperty('plugins')
  })

  it('replaces the budget of thinking in the messages format', () => {
    const thinking = { type: 'adaptive' }
    const assistant = model({
      family: 'assistant',
      modes: { thinking: { operation: 'messages', body: { thinking }, tools: [{ type: 'notes' }] } },
    })
    const body = messagesBody({ ...order(), model: assistant, modes: { ...off, thinking: true } })
    expect(body.thinking).toEqual(thinking)
    expect(body.tools).toEqual([{ type: 'notes' }, expect.objectContaining({ name: 'make_image' })])
  })
})

describe('modes', () => {
  const on = (...modes: (typeof modeNames)[number][]) =>
    ({ ...off, ...Object.fromEntries(modes.map((mode) => [mode, true])) }) as typeof off

  it('are offered as the family supports them, and thinking only if the limit of output tokens is enough for it', () => {
    const offered = families.map((family) => `${family}: ${modesOf(model({ family })).join(' ')}`)
    expect(offered.toSorted()).toEqual([
      'assistant: thinking search',
      'deepseek: thinking',
      'gemini: thinking search code',
      'gpt: thinking search code',
      'grok: thinking search code',
      'minimax: thinking',
      'mistral: thinking',
    ])
    const limits = [2047, 2048].map((maxOutput) => modesOf(model({ maxOutput })).includes('thinking'))
    expect(limits).toEqual([false, true])
  })

  it('are sent only if the family can send them together', () => {
    const rows = [
      ['assistant', on('thinking', 'search'), on('thinking')],
      ['gpt', on('thinking', 'search'), on('search')],
      ['gpt', on('search', 'code'), on('search', 'code')],
      ['grok', on('thinking', 'code'), on('code')],
      ['gemini', on('thinking', 'search', 'code'), on('search', 'code')],
      ['minimax', on('search', 'code'), off],
    ] as const
    for (const [family, stored, sent] of rows)
      expect([family, sentModes(model({ family }), stored)]).toEqual([family, sent])
  })

  it('that exclude each other are switched off, and do not come back later', () => {
    const gpt = model()
    const searching = withMode(gpt, on('thinking'), 'search', true)
    expect(searching).toEqual({ modes: on('search'), excluded: ['thinking'] })
    expect(withMode(gpt, on('thinking', 'search'), 'search', false)).toEqual({ modes: off, excluded: [] })
    expect(withMode(gpt, on('search'), 'code', true)).toEqual({ modes: on('search', 'code'), excluded: [] })
    expect(withMode(gpt, on('code'), 'code', true)).toEqual({ modes: on('code'), excluded: [] })
  })

  it("decide whether the bot's functions are sent", () => {
    const rows = [
      ['gpt', on(), true],
      ['gpt', on('thinking'), false],
      ['gpt', on('search'), true],
      ['grok', on('thinking'), true],
      ['gemini', on('search'), false],
    ] as const
    const are = rows.map(([family, modes]) => takesTools(model({ family }), modes))
    expect(are).toEqual(rows.map(([, , taken]) => taken))
  })

  it('that the model does not offer keep their state for the next model', () => {
    expect(withMode(model({ family: 'deepseek' }), on('search'), 'thinking', true).modes).toEqual(
      on('search', 'thinking'),
    )
  })
})

const said = (role: Said['role'], text: string): Said => ({ role, text, images: [] })
const order = (modes = off, files: Partial<Said> = {}) => ({
  model: model(),
  dialogue: assemble(
    'Be kind.',
    [said('user', 'Hi'), said('assistant', 'Hello')],
    { ...said('user', 'How?'), ...files },
    10_000,
  ),
  maxOutput: 4000,
  modes,
  tools: toolsFor(['image']),
})
const picture = 'data:image/png;base64,AAAA'

describe('the body', () => {
  /** gateway-api.md, "Chat completions of the Gemini-style family". */
  const documented =
    'model messages stream temperature max_completion_tokens max_tokens top_p stop seed response_format reasoning_effort tools tool_choice extra_body'

  it('of chat completions allows exactly the documented fields for the Gemini-style family', () => {
    const { app, operator } = fieldsOf('chat', 'gemini')
    expect([...app, ...operator].toSorted()).toEqual(documented.split(' ').toSorted())
  })

  const builders = { chat: chatBody, messages: messagesBody, responses: responsesBody, native: nativeBody }
  const settings = modeNames.reduce<(typeof off)[]>(
    (all, mode) => all.flatMap((one) => [one, { ...one, [mode]: true }]),
    [off],
  )

  it.each(families)(
    'for %s has only listed fields, with every combination of modes, and its own limit of the output',
    (family) => {
      for (const wanted of settings) {
        const request: ChatRequest = { ...order(off), model: model({ family }) }
        const modes = sentModes(request.model, wanted)
        const operation = operationFor(request.model, modes)
        const body = builders[operation]({ ...request, modes })
        expect(unlisted(operation, request.model, body), `${operation} ${JSON.stringify(modes)}`).toEqual([])
        for (const mode of modeNames.filter((one) => modes[one])) {
          const without = builders[operation]({ ...request, modes: { ...modes, [mode]: false } })
          expect(without, `${mode} is sent`).not.toEqual(body)
        }
      }
      const body: Record<string, unknown> = chatBody({ ...order(), model: model({ family }) })
      const isNewer = ['gpt', 'grok', 'gemini'].includes(family)
      expect(limitFields[family]).toBe(isNewer ? 'max_completion_tokens' : 'max_tokens')
      const limits = [body.max_completion_tokens, body.max_tokens]
      expect(limits).toEqual(isNewer ? [4000, undefined] : [undefined, 4000])
      const reportsUsage = !['gemini', 'mistral'].includes(family)
      expect(body.stream_options).toEqual(reportsUsage ? { include_usage: true } : undefined)
    },
  )

  it('limits the output by the field that the operator chose, and with an unlisted field is refused by an error', () => {
    const wrong = { ...order(), model: model({ family: 'gemini', outputLimit: 'max_tokens' }) }
    expect(chatBody(wrong)).toMatchObject({ max_tokens: 4000 })
    expect(chatBody(wrong)).not.toHaveProperty('max_completion_tokens')
    expect(unlisted('chat', wrong.model, { ...chatBody(wrong), stream_options: {} })).toEqual([
      'stream_options',
    ])
    const elsewhere = { ...order(), model: model({ family: 'assistant' }), modes: { ...off, search: true } }
    expect(() => messagesBody(elsewhere)).toThrow(/fields of messages for assistant/)
  })

  it('leaves out what the gateway refuses, and then writes the persona before the first message', () => {
    for (const build of [chatBody, messagesBody, responsesBody]) {
      const family = build === messagesBody ? 'assistant' : 'gpt'
      expect(build({ ...order(), model: model({ family }) })).toMatchObject({ stream: true })
    }
    const without = [...dispensable]
    const bare = (family: Family) => ({ ...order(), model: model({ family, without }) })
    const chat = Object.keys(chatBody(bare('gpt')))
    expect(chat).toEqual(['model', 'messages', 'max_completion_tokens', 'tools'])
    expect(Object.keys(messagesBody(bare('assistant')))).toEqual(['model', 'max_tokens', 'messages', 'tools'])
    expect(messagesBody(bare('assistant')).messages[0]?.content).toBe('Be kind.\n\nHi')
    expect(Object.keys(responsesBody(bare('gpt')))).toEqual(['model', 'input', 'tools'])
    expect(responsesBody(bare('gpt')).input).toMatch(/^User: Be kind\.\n\nHi\n\n/)
    expect(Object.keys(nativeBody(bare('gemini')))).toEqual([
      'model',
      'contents',
      'generationConfig',
      'tools',
    ])
  })

  it('of chat completions has the fields of the modes that are on', () => {
    const body = chatBody(order({ ...off, thinking: true }))
    expect(body).toMatchObject({ reasoning_effort: 'medium', tool_choice: 'auto' })
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('of messages leaves tokens for an answer beside the thinking', () => {
    const requestFor = { messages: { temperature: 1, top_p: 0.9 } }
    const one = model({ family: 'assistant', request: { top_k: 40, mcp_servers: [] }, requestFor })
    const assistant = { ...order({ ...off, thinking: true }), model: one }
    const body = messagesBody({ ...assistant, maxOutput: 2048 })
    expect(body).toMatchObject({ max_tokens: 2048, thinking: { type: 'enabled', budget_tokens: 1024 } })
    const own = ['mcp_servers', 'temperature', 'top_p', 'top_k']
    expect(own.filter((name) => Object.hasOwn(body, name))).toEqual(['mcp_servers'])
    expect(messagesBody({ ...assistant, modes: off })).toMatchObject({ top_k: 40, ...requestFor.messages })
    expect(body).toMatchObject({ system: 'Be kind.', tools: [{ name: 'make_image' }] })
  })

  it('carries files in the form of the operation', () => {
    const sounds = [{ format: 'wav', data: 'UklG', tokens: 1 }] as const
    const files = [{ mime: 'application/pdf', uri: 'https://bot.example/f', tokens: 1 }]
    const heard = { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } }
    expect(chatBody(order(off, { sounds })).messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'How?' },
      heard,
    ])
    const asked = order(off, { images: [picture], sounds, files })
    expect(chatBody(asked).messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'How?' },
      { type: 'image_url', image_url: { url: picture } },
      heard,
    ])
    expect(messagesBody(asked).messages.at(-1)?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'How?' },
    ])
    const native = { ...asked, model: model({ family: 'gemini' }), tools: [] }
    expect(nativeBody(native).contents.at(-1)).toHaveProperty('parts', [
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://bot.example/f' } },
      { text: 'How?' },
    ])
  })

  it('has no empty text beside a picture', () => {
    const dialogue = assemble(undefined, [], { role: 'user', text: '', images: [picture] }, 10_000)
    const alone = { ...order(), dialogue, tools: [] }
    expect(chatBody(alone).messages.at(-1)?.content).toHaveLength(1)
    expect(messagesBody(alone).messages.at(-1)?.content).toHaveLength(1)
    expect(nativeBody({ ...alone, model: model({ family: 'gemini' }) }).contents.at(-1)?.parts).toHaveLength(
      1,
    )
  })

  it('of responses has the dialogue as one string in `input`, and its tools', () => {
    const body = responsesBody(order({ ...off, search: true, code: true }))
    expect(body.input).toBe('User: Hi\n\nAssistant: Hello\n\nUser: How?')
    expect(body.tools).toMatchObject([
      { type: 'web_search' },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'function', name: 'make_image' },
    ])
    const grok = { ...order({ ...off, code: true }), model: model({ family: 'grok' }), tools: [] }
    expect(responsesBody(grok).tools).toEqual([{ type: 'code_interpreter' }])
    const dialogue = assemble(undefined, [], said('user', 'How?'), 10_000)
    expect(responsesBody({ ...order({ ...off, search: true }), dialogue }).input).toBe('How?')
  })

  it('has no empty list of tools, and the native operation has a single function', () => {
    const bare = { ...order(), tools: [] }
    const gemini = model({ family: 'gemini' })
    const bodies: object[] = [chatBody(bare), messagesBody(bare), nativeBody({ ...bare, model: gemini })]
    for (const body of bodies) expect(body).not.toHaveProperty('tools')
    expect(chatBody(bare)).not.toHaveProperty('tool_choice')
    expect(nativeBody({ ...order(), model: gemini })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'make_image' }] }],
    })
  })

  it("has the operator's fields, under the names of the operation", () => {
    const request = { temperature: 0.3, top_p: 0.9, stop: 'END', seed: 7 }
    const one = model({ family: 'gemini', request })
    expect(chatBody({ ...order(), model: one })).toMatchObject(request)
    const body = nativeBody({ ...order({ ...off, code: true }), model: one, tools: [] })
    const named = { temperature: 0.3, topP: 0.9, stopSequences: ['END'], seed: 7, maxOutputTokens: 4000 }
    expect(body).toMatchObject({
      contents: [{ role: 'user' }, { role: 'model' }, { role: 'user' }],
      generationConfig: named,
      tools: [{ codeExecution: {} }],
    })
    expect(Object.keys(body).toSorted()).toEqual(
      ['contents', 'generationConfig', 'model', 'systemInstruction', 'tools'].toSorted(),
    )
    const effort = model({ request: { reasoning_effort: 'low' } })
    expect(responsesBody({ ...order({ ...off, search: true }), model: effort })).toMatchObject({
      reasoning: { effort: 'low' },
    })
  })

  it("has the operator's fields for one operation in this operation only", () => {
    const one = model({ requestFor: { chat: { seed: 7 } } })
    expect(chatBody({ ...order(), model: one })).toHaveProperty('seed', 7)
    expect(responsesBody({ ...order({ ...off, search: true }), model: one })).not.toHaveProperty('seed')
  })
})

it('tokens are estimated at a quarter of the characters or more, and priced by the rates and the multiplier', () => {
  const texts = ['Hello, how are you today?', 'Привет, как дела сегодня?', '今天天气怎么样', '🐈🐈🐈']
  expect(texts.filter((text) => mostTokensIn(text) < [...text].length / 4)).toEqual([])
  const price = tokenPrice(model({ multiplier: '1.5' }), { input: 1000, output: 500 })
  expect(Number(price?.num) / Number(price?.den)).toBeCloseTo(0.45, 12)
  const { rates: _, ...free } = model()
  expect(offeredModels([free])).toEqual([])
  expect(tokenPrice(free, { input: 1, output: 1 })).toBeUndefined()
})

it('proposals are read from calls of known functions, at most three, without duplicates', () => {
  const proposed = (name: string, text: string) => proposalsIn([{ id: '1', name, arguments: text }])
  expect(proposed('make_image', '{"prompt":"猫"}')).toEqual([{ command: 'image', prompt: '猫' }])
  const ignored = [
    ['make_image', '{"prompt":""}'],
    ['make_image', 'not json'],
    ['make_money', '{"prompt":"a million"}'],
    ['image', '{"prompt":"a fox"}'],
  ] as const
  expect(ignored.flatMap(([name, text]) => proposed(name, text))).toEqual([])
  const calls = Array.from({ length: 60 }, (_, i) => ({
    id: `${i}`,
    name: 'make_image',
    arguments: JSON.stringify({ prompt: `fox ${Math.floor(i / 2)}` }),
  }))
  expect(proposalsIn(calls).map(({ prompt }) => prompt)).toEqual(['fox 0', 'fox 1', 'fox 2'])
})
