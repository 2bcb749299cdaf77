// A dialogue: its size for the hold, for the budget of past messages, for the shown price and for the bill; estimates of tokens,
// calibrated by family and script; and what became of proposed cards, which the request of each operation tells as results of calls, or in
// words where calls cannot be sent.

import { describe, expect, it } from 'vitest'
import { type Family, families } from '../../src/catalog/text-fields.ts'
import { textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { chatBody, messagesBody, nativeBody, responsesBody } from '../../src/chat/bodies.ts'
import { assemble, billedTokens, type Said, usualTokens } from '../../src/chat/dialogue.ts'
import { billedTokensIn, tokensIn } from '../../src/chat/tokens.ts'
import { proposalsIn, toolsFor } from '../../src/chat/tools.ts'

/** How many Latin, Cyrillic, Chinese and Georgian letters are billed as 1000 tokens. */
const perThousand: Readonly<Record<Family, readonly [number, number, number, number]>> = {
  gpt: [4700, 4000, 1800, 3000],
  assistant: [4200, 3000, 1400, 2400],
  gemini: [4400, 3600, 1800, 3000],
  grok: [4500, 3400, 1600, 2600],
  deepseek: [4400, 3200, 1800, 2400],
  mistral: [4400, 3600, 1600, 2800],
  minimax: [4400, 3400, 1800, 2600],
}

it.each(families)(
  'a thousand tokens of %s have as many letters of each script as the prices expect',
  (family) => {
    for (const [at, letter] of ['a', 'я', '灯', 'მ'].entries()) {
      const letters = perThousand[family][at] ?? 0
      const [tokens, fewer] = [letters + 1, letters - 1].map((count) =>
        tokensIn(family, letter.repeat(count)),
      )
      expect([tokens, fewer], letter).toEqual([1000, 999])
    }
  },
)

it('the estimate for a stopped answer is three quarters of our count, and all of it for a family that reports no usage', () => {
  const text = 'я'.repeat(4000)
  expect([billedTokensIn('gpt', text), billedTokensIn('gemini', text)]).toEqual([750, 1111])
})

const picture = 'data:image/png;base64,AAAA'
/** A text that is held for as 10 tokens. */
const ten = 'x'.repeat(35)
const said = (role: Said['role'], images: readonly string[] = []): Said => ({ role, text: ten, images })
const question = said('user')

it.each([
  ['a question', undefined, question, 18],
  ['a persona and a question', ten, question, 36],
  ['a question with two pictures', undefined, said('user', [picture, picture]), 3018],
])(
  'the money for %s is held for its text, its pictures and 8 tokens per message',
  (_, system, asked, tokens) => {
    expect(assemble(system, [], asked, 10_000).tokens).toBe(tokens)
  },
)

it.each([
  ['that just fit', 54, 3, 54],
  ['without an answer whose question does not fit', 53, 1, 18],
])('a dialogue contains the past messages %s', (_, budget, messages, tokens) => {
  const dialogue = assemble(undefined, [said('user'), said('assistant')], question, budget)
  expect([dialogue.messages.length, dialogue.tokens]).toEqual([messages, tokens])
})

it('a past picture that does not fit is left out, and its words are kept with a note of it', () => {
  const { messages, tokens } = assemble(
    undefined,
    [said('user', [picture]), said('assistant')],
    question,
    1000,
  )
  expect([messages.map(({ images }) => images.length), tokens]).toEqual([[0, 0, 0], 70])
})

it('the bill and the shown price count the persona and all messages; a picture counts as 256 tokens in the bill and as 1500 in the shown price', () => {
  const long = (letters: number, images: readonly string[] = []): Said => ({
    role: 'user',
    text: 'a'.repeat(letters),
    images,
  })
  const dialogue = (images: readonly string[]) =>
    assemble('a'.repeat(470), [long(470), { ...long(470), role: 'assistant' }], long(470, images), 10_000)
  expect(usualTokens('gpt', dialogue([]))).toBe(400)
  expect(usualTokens('gpt', dialogue([picture, picture]))).toBe(3400)
  expect(billedTokens('gpt', dialogue([picture, picture]))).toBe(912)
})

const call = { id: '123456789', name: 'make_image', input: { prompt: 'a fox' } }
const result = { outcome: 'delivered', prompt: 'a red fox' } as const
const past: readonly Said[] = [
  { role: 'user', text: 'Draw!', images: [] },
  { role: 'assistant', text: '', images: [], calls: [{ ...call, result }] },
]
const dialogue = assemble(undefined, past, { role: 'user', text: 'At night', images: [] }, 10_000)
const request = (family: string, isOffered = true) => {
  const [model] = textModelList.parse([{ id: 'M', family, abilities: ['tools', 'thinking', 'search'] }])
  if (!model) throw new Error('no model')
  return { model, dialogue, maxOutput: 4000, modes: noModes, tools: isOffered ? toolsFor(['image']) : [] }
}
const content = JSON.stringify(result)
const told = '[make_image: {"prompt":"a red fox","outcome":"delivered"}]'

it('a request has the fields of "requestFor" where the document leaves the fields of its operation open', () => {
  const requestFor = {
    chat: { verbosity: 'low' },
    native: { topK: 40, generationConfig: { mediaResolution: 'LOW', topP: 0.5 } },
  }
  const abilities = ['search', 'pdf']
  const [gpt, gemini] = [
    { id: 'M', family: 'gpt', abilities, requestFor: { chat: requestFor.chat } },
    { id: 'M', family: 'gemini', abilities, requestFor: { native: requestFor.native } },
  ].map((one) => textModelList.parse([one])[0])
  if (!gpt || !gemini) throw new Error('no model')
  expect(chatBody({ ...request('gpt'), model: gpt })).toMatchObject(requestFor.chat)
  expect(nativeBody({ ...request('gemini'), model: gemini })).toMatchObject({
    topK: 40,
    generationConfig: { mediaResolution: 'LOW', topP: 0.5, maxOutputTokens: 4000 },
  })
})

describe('a proposed card', () => {
  it('is a message of the role tool in chat completions', () => {
    const made = { name: call.name, arguments: JSON.stringify(call.input) }
    expect(chatBody(request('gpt')).messages).toEqual([
      { role: 'user', content: 'Draw!' },
      { role: 'assistant', content: null, tool_calls: [{ id: call.id, type: 'function', function: made }] },
      { role: 'tool', tool_call_id: call.id, content },
      { role: 'user', content: 'At night' },
    ])
  })

  it('begins the next question in the messages format', () => {
    expect(messagesBody(request('assistant')).messages).toEqual([
      { role: 'user', content: 'Draw!' },
      { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: call.id, content },
          { type: 'text', text: 'At night' },
        ],
      },
    ])
  })

  it('is a part of its own in the native format', () => {
    expect(nativeBody(request('gemini')).contents).toEqual([
      { role: 'user', parts: [{ text: 'Draw!' }] },
      { role: 'model', parts: [{ functionCall: { name: call.name, args: call.input } }] },
      { role: 'user', parts: [{ functionResponse: { name: call.name, response: result } }] },
      { role: 'user', parts: [{ text: 'At night' }] },
    ])
  })

  it('is told in words in a transcript, beside thinking, and where no functions are sent', () => {
    expect(responsesBody(request('gpt')).input).toContain(`Assistant: ${told}`)
    const thinking = { ...request('assistant'), modes: { ...noModes, thinking: true } }
    expect(messagesBody(thinking).messages.at(1)).toEqual({ role: 'assistant', content: told })
    expect(messagesBody(thinking).messages.at(2)).toEqual({ role: 'user', content: 'At night' })
    expect(chatBody(request('gpt', false)).messages.at(1)).toEqual({ role: 'assistant', content: told })
    expect(nativeBody(request('gemini', false)).contents.at(1)).toEqual({
      role: 'model',
      parts: [{ text: told }],
    })
  })
})

it.each([
  ['short', 16_000, 2000],
  ['usual', 16_000, 8000],
  ['long', 16_000, 12_000],
  ['short', 4000, 1024],
  ['short', 1000, 500],
] as const)('thinking (%s) has its share of %i tokens of output', (depth, maxOutput, budget) => {
  const modes = { ...noModes, thinking: true, ...(depth === 'usual' ? {} : { depth }) }
  const asked = { ...request('assistant'), maxOutput, modes }
  expect(messagesBody(asked).thinking).toEqual({ type: 'enabled', budget_tokens: budget })
})

it('a call that changes the last card says so', () => {
  const made = (input: object) =>
    proposalsIn([{ id: 'x', name: 'make_image', arguments: JSON.stringify(input) }])
  expect(made({ prompt: 'a fox', change: true })).toEqual([
    { command: 'image', prompt: 'a fox', isChange: true },
  ])
  expect(made({ prompt: 'a fox', change: 'perhaps' })).toEqual([{ command: 'image', prompt: 'a fox' }])
})
