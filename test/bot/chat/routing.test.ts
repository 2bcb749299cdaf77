// The operation and the fields of a request, for each family of text models: gateway-api.md, "Routing facts".

import { describe, expect, it } from 'vitest'
import {
  families,
  modeNames,
  modesOf,
  offeredModels,
  operationFor,
  type TextModel,
  textModelList,
  tokenPrice,
} from '../../../src/catalog/text-models.ts'
import { chatBody, messagesBody, nativeBody, responsesBody } from '../../../src/chat/bodies.ts'
import { assemble, type Said, tokensIn } from '../../../src/chat/dialogue.ts'
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
const off = { thinking: false, search: false, code: false }

describe('the operation', () => {
  it.each(families)('of %s is chat completions without native features', (family) => {
    expect(operationFor({ family }, off)).toBe('chat')
  })

  it.each([
    ['assistant', 'thinking', 'messages'],
    ['gpt', 'search', 'responses'],
    ['gpt', 'code', 'responses'],
    ['grok', 'search', 'responses'],
    ['gemini', 'code', 'native'],
    ['gemini', 'search', 'native'],
    ['gpt', 'thinking', 'chat'],
    ['deepseek', 'thinking', 'chat'],
  ] as const)('of %s with %s is %s', (family, mode, operation) => {
    expect(operationFor({ family }, { ...off, [mode]: true })).toBe(operation)
  })

  it.each([
    ['assistant', { top_k: 40 }, 'messages'],
    ['assistant', { cache_control: { type: 'ephemeral' } }, 'messages'],
    ['assistant', { mcp_servers: [] }, 'messages'],
    ['assistant', { temperature: 0.3 }, 'chat'],
    ['gemini', { generationConfig: { topK: 3 } }, 'native'],
    ['gemini', { top_k: 40 }, 'chat'],
    ['gpt', { top_k: 40 }, 'chat'],
  ] as const)("of %s follows the operator's %j to %s", (family, request, operation) => {
    expect(operationFor({ family, request }, off)).toBe(operation)
  })

  it('is never messages for a Gemini-style model', () => {
    for (const thinking of [true, false]) {
      for (const search of [true, false]) {
        expect(operationFor({ family: 'gemini' }, { thinking, search, code: false })).not.toBe('messages')
      }
    }
  })

  it.each(['deepseek', 'mistral', 'minimax'] as const)('no web search for %s', (family) => {
    expect(modesOf(model({ family }))).not.toContain('search')
    expect(modesOf(model({ family: 'gpt' }))).toContain('search')
  })

  it('no thinking when the answer has too few tokens for it', () => {
    expect(modesOf(model({ maxOutput: 2047 }))).not.toContain('thinking')
    expect(modesOf(model({ maxOutput: 2048 }))).toContain('thinking')
  })
})

describe('settings of a Gemini-style model', () => {
  const problemsOf = (request: object) =>
    textModelList
      .safeParse([{ id: 'G', family: 'gemini', request }])
      .error?.issues.map(({ message }) => message)

  it('may set listed fields and native ones', () => {
    expect(problemsOf({ temperature: 0.3, extra_body: {}, generationConfig: { topK: 3 } })).toBeUndefined()
  })

  it.each(['top_k', 'n', 'stream_options', 'frequency_penalty'])(
    'may not set %s, which the gateway refuses',
    (name) => {
      expect(problemsOf({ [name]: 1 })).toEqual([expect.stringContaining(`"${name}"`)])
    },
  )
})

const said = (role: Said['role'], text: string): Said => ({ role, text, images: [] })
const order = (modes = off, images: string[] = []) => ({
  model: model(),
  dialogue: assemble(
    'Be kind.',
    [said('user', 'Hi'), said('assistant', 'Hello')],
    { role: 'user', text: 'How?', images },
    10_000,
  ),
  maxOutput: 4000,
  modes,
  tools: toolsFor(['image']),
})
const picture = 'data:image/png;base64,AAAA'

describe('the body', () => {
  /** gateway-api.md, "Chat-completions body fields for the models of the family that runs through a compatibility layer". */
  const listed =
    'model messages stream temperature max_completion_tokens max_tokens top_p stop seed response_format reasoning_effort tools tool_choice extra_body'.split(
      ' ',
    )

  it('of chat completions has only listed fields for the Gemini-style family', () => {
    const gemini = { ...order({ ...off, thinking: true }), model: model({ family: 'gemini' }) }
    expect(Object.keys(chatBody(gemini)).filter((name) => !listed.includes(name))).toEqual([])
  })

  it.each(families.filter((family) => family !== 'gemini'))(
    'of chat completions asks %s for usage',
    (family) => {
      const body = chatBody({ ...order(), model: model({ family }) })
      expect(body).toMatchObject({ stream_options: { include_usage: true } })
    },
  )

  it('of chat completions has the switched-on features', () => {
    const body = chatBody(order({ ...off, thinking: true }))
    expect(body).toMatchObject({ max_tokens: 4000, reasoning_effort: 'medium', tool_choice: 'auto' })
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('of chat completions carries pictures as parts', () => {
    expect(chatBody(order(off, [picture])).messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'How?' },
      { type: 'image_url', image_url: { url: picture } },
    ])
  })

  it('of messages leaves room for an answer beside the thinking', () => {
    const body = messagesBody({ ...order({ ...off, thinking: true }), maxOutput: 2048 })
    expect(body).toMatchObject({ max_tokens: 2048, thinking: { type: 'enabled', budget_tokens: 1024 } })
    expect(body).toMatchObject({ system: 'Be kind.', tools: [{ name: 'make_image' }] })
  })

  it('of messages carries pictures as base64 blocks', () => {
    expect(messagesBody(order(off, [picture])).messages.at(-1)?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'How?' },
    ])
  })

  it('of responses has a string for input, and its tools', () => {
    const body = responsesBody(order({ ...off, search: true, code: true }))
    expect(body.input).toBe('User: Hi\n\nAssistant: Hello\n\nUser: How?')
    expect(body.tools).toEqual([{ type: 'web_search' }, { type: 'code_interpreter' }])
  })

  it("has the operator's fields, which replace none of the bot's", () => {
    const own = { ...order(), model: model({ request: { temperature: 0.3, max_tokens: 9, model: 'other' } }) }
    expect(chatBody(own)).toMatchObject({ temperature: 0.3, max_tokens: 4000, model: 'T' })
    const native = { ...order(), model: model({ request: { generationConfig: { topK: 3 } } }) }
    expect(nativeBody(native)).toMatchObject({ generationConfig: { topK: 3, maxOutputTokens: 4000 } })
  })

  it("of the native pass-through has the operator's chat fields under their native names, or leaves them out", () => {
    const request = {
      temperature: 0.3,
      top_p: 0.9,
      stop: 'END',
      seed: 7,
      reasoning_effort: 'low',
      safetySettings: [],
    }
    const body = nativeBody({ ...order({ ...off, code: true }), model: model({ family: 'gemini', request }) })
    expect(Object.keys(body).toSorted()).toEqual(
      ['contents', 'generationConfig', 'model', 'safetySettings', 'systemInstruction', 'tools'].toSorted(),
    )
    expect(body).toMatchObject({
      generationConfig: {
        temperature: 0.3,
        topP: 0.9,
        stopSequences: ['END'],
        seed: 7,
        maxOutputTokens: 4000,
      },
    })
  })

  it('of the native pass-through has native names only', () => {
    const body = nativeBody(order({ ...off, code: true }, [picture]))
    expect(body).toMatchObject({
      contents: [{ role: 'user' }, { role: 'model' }, { role: 'user' }],
      generationConfig: { maxOutputTokens: 4000 },
      tools: [{ codeExecution: {} }],
    })
    expect(body).not.toHaveProperty('messages')
  })
})

describe('the history of a conversation', () => {
  const past = Array.from({ length: 20 }, (_, i) =>
    said(i % 2 === 0 ? 'user' : 'assistant', `${i} ${'x'.repeat(350)}`),
  )

  it('is trimmed from its oldest end and begins with a question', () => {
    const { messages, tokens } = assemble(undefined, past, said('user', 'And now?'), 1000)
    expect(tokens).toBeLessThanOrEqual(1000)
    expect(messages.at(-1)?.text).toBe('And now?')
    expect(messages[0]?.role).toBe('user')
    expect(messages.length).toBeGreaterThan(3)
    expect(messages.length).toBeLessThan(21)
  })

  it('is left out when the question alone fills the budget', () => {
    expect(assemble('s', past, said('user', 'x'.repeat(10_000)), 1000).messages).toHaveLength(1)
  })
})

describe('tokens and prices', () => {
  it.each(['Hello, how are you today?', 'Привет, как дела сегодня?', '今天天气怎么样', '🐈🐈🐈'])(
    'of %j are estimated not far below a quarter of its letters',
    (text) => expect(tokensIn(text)).toBeGreaterThanOrEqual([...text].length / 4),
  )

  it('are exact: 1000 in and 500 out at 100 and 400 a million, times 1.5', () => {
    const price = tokenPrice(model({ multiplier: '1.5' }), { input: 1000, output: 500 })
    expect(Number(price?.num) / Number(price?.den)).toBeCloseTo(0.45, 12)
  })

  it('a model without a price is not offered', () => {
    const { rates: _, ...free } = model()
    expect(offeredModels([free])).toEqual([])
    expect(tokenPrice(free, { input: 1, output: 1 })).toBeUndefined()
  })
})

describe('proposals', () => {
  it.each([
    ['make_image', '{"prompt":"a fox"}', [{ command: 'image', prompt: 'a fox' }]],
    ['make_image', '{"prompt":""}', []],
    ['make_image', 'not json', []],
    ['make_money', '{"prompt":"a million"}', []],
    ['image', '{"prompt":"a fox"}', []],
  ])('%s(%s)', (name, text, proposed) => {
    expect(proposalsIn([{ id: '1', name, arguments: text }])).toEqual(proposed)
  })

  it('are at most three, without duplicates, however often the model calls', () => {
    const calls = Array.from({ length: 60 }, (_, i) => ({
      id: `${i}`,
      name: 'make_image',
      arguments: JSON.stringify({ prompt: `fox ${Math.floor(i / 2)}` }),
    }))
    expect(proposalsIn(calls).map(({ prompt }) => prompt)).toEqual(['fox 0', 'fox 1', 'fox 2'])
  })
})
