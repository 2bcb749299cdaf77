// A dialogue: its size for the hold, for the budget of past messages, for the shown price and for the bill; estimates of tokens,
// calibrated by family and script; and what became of proposed cards, which the request of each operation tells as results of calls, or in
// words where calls cannot be sent; and the files of a question, which may be refused.

import { describe, expect, it } from 'vitest'
import type { QuestionFile } from '../../src/catalog/field.ts'
import { type Family, families } from '../../src/catalog/text-fields.ts'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import { type FileKind, noModes } from '../../src/catalog/text-modes.ts'
import { chatBody, messagesBody, nativeBody, responsesBody } from '../../src/chat/bodies.ts'
import { assemble, billedTokens, type Said, usualTokens } from '../../src/chat/dialogue.ts'
import { saidIn } from '../../src/chat/past.ts'
import { contentOf, type QuestionMedia, refusalOfFiles } from '../../src/chat/question-files.ts'
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
const call = { id: '123456789', name: 'make_image', input: { prompt: 'a fox' } }
const result = { outcome: 'delivered', prompt: 'a red fox' } as const
const heardAndRead = {
  sounds: [{ format: 'wav', data: '', tokens: 100 }],
  files: [{ mime: 'application/pdf', tokens: 1000 }],
} as const

it.each([
  ['a question', undefined, question, 18],
  ['a persona and a question', ten, question, 36],
  ['a question with two pictures', undefined, said('user', [picture, picture]), 3018],
  ['a question with a sound and a document', undefined, { ...question, ...heardAndRead }, 1118],
  ['an answer with a call', undefined, { ...question, calls: [{ ...call, result }] }, 53],
])(
  'the money for %s is held for its text, its files, its calls and 8 tokens per message',
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
  const past = [said('user', [picture]), said('assistant')]
  const pictures = [1554, 1553].map((budget) => {
    const { messages, tokens } = assemble(undefined, past, question, budget)
    return [messages.map(({ images }) => images.length), tokens]
  })
  expect(pictures).toEqual([
    [[1, 0, 0], 1554],
    [[0, 0, 0], 70],
  ])
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

  it('is a part of its own in the native format, after the words before it', () => {
    const messages = dialogue.messages.map((one) => (one.calls ? { ...one, text: 'Here:' } : one))
    expect(nativeBody({ ...request('gemini'), dialogue: { ...dialogue, messages } }).contents).toEqual([
      { role: 'user', parts: [{ text: 'Draw!' }] },
      { role: 'model', parts: [{ text: 'Here:' }, { functionCall: { name: call.name, args: call.input } }] },
      { role: 'user', parts: [{ functionResponse: { name: call.name, response: result } }] },
      { role: 'user', parts: [{ text: 'At night' }] },
    ])
  })

  it('is told in words in a transcript, beside thinking, and where no functions are sent', () => {
    expect(responsesBody(request('gpt')).input).toContain(`Assistant: ${told}`)
    const thinking = { ...request('assistant'), modes: { ...noModes, thinking: true } }
    expect(messagesBody(thinking).messages.at(1)).toEqual({ role: 'assistant', content: told })
    expect(messagesBody(thinking).messages.at(2)).toEqual({ role: 'user', content: 'At night' })
    for (const bare of [chatBody(request('gpt', false)), messagesBody(request('assistant', false))])
      expect(bare.messages.at(1)).toEqual({ role: 'assistant', content: told })
    expect(nativeBody(request('gemini', false)).contents.at(1)).toEqual({
      role: 'model',
      parts: [{ text: told }],
    })
  })
})

it.each([
  ['failed', null, null, null],
  ['proposed', 'open', null, null],
  ['declined', 'dropped', null, null],
  ['failed', 'ordered', 'failed', null],
  ['failed', 'ordered', 'canceled', null],
  ['ordered', 'ordered', 'succeeded', 'pending'],
  ['delivered', 'ordered', 'succeeded', 'delivered'],
])(
  'a card is remembered as %s when its draft is %s, its order %s and its delivery %s',
  (outcome, draft, order, delivery) => {
    const card = { id: 'x123456789', command: 'image', prompt: ' a fox ', draft, order, delivery } as const
    const turn = { id: 't', question: 'Draw!', answer: ' ', files: [], message: null }
    const calls = (prompt: string) =>
      saidIn([{ ...turn, proposals: [{ ...card, answers: { prompt } }] }], null, new Map()).at(1)
    const made = { id: call.id, name: 'make_image', input: { prompt: ' a fox ' } }
    const answer = { role: 'assistant', text: '', images: [] }
    expect(calls('a fox')).toEqual({ ...answer, calls: [{ ...made, result: { outcome } }] })
    expect(calls('a cat')).toEqual({ ...answer, calls: [{ ...made, result: { outcome, prompt: 'a cat' } }] })
  },
)

it('files are links to our server where the operator says so, and inline data without a public address', async () => {
  const [model] = textModelList.parse([{ id: 'M', family: 'gemini', abilities: ['pdf'], fileData: 'link' }])
  if (!model) return expect.unreachable('the list has one model')
  const file = { file: 'F', medium: 'pdf', mime: 'application/pdf', pages: 3 } as const
  const read = async () => ({ ok: true as const, bytes: Buffer.from('%PDF-') })
  const link = () => 'https://bot.example/f'
  const files = async (media: Parameters<typeof contentOf>[0]) => contentOf(media, model, noModes, [file])
  const facts = { mime: 'application/pdf', tokens: 774 }
  expect(await files({ read, link })).toMatchObject({ files: [{ ...facts, uri: 'https://bot.example/f' }] })
  expect(await files({ read })).toMatchObject({ files: [{ ...facts, data: 'JVBERi0=' }] })
})

const [deaf, able] = textModelList.parse([
  { id: 'M', family: 'deepseek' },
  {
    id: 'N',
    family: 'gpt',
    abilities: ['vision', 'audio', 'video', 'search'],
    sound: { maxSeconds: 60 },
    video: { maxSeconds: 90 },
  },
]) as [TextModel, TextModel]
const fileOf = (medium: FileKind, seconds?: number, mime = 'image/png') =>
  ({ file: 'F', medium, mime, ...(seconds ? { seconds } : {}) }) as const

it.each<[string, TextModel, QuestionFile, object | undefined]>([
  ['a picture', able, fileOf('image'), undefined],
  ['a drawing', able, fileOf('image', undefined, 'image/x-drawing'), { reason: 'picture-format' }],
  ['a minute of sound', able, fileOf('audio', 60), undefined],
  [
    'more than a minute of sound',
    able,
    fileOf('audio', 61),
    { reason: 'too-long', kind: 'audio', maxSeconds: 60 },
  ],
  ['90 seconds of video', able, fileOf('video', 90), undefined],
  [
    'more than 90 seconds of video',
    able,
    fileOf('video', 91),
    { reason: 'too-long', kind: 'video', maxSeconds: 90 },
  ],
  [
    'sound to a model that hears none',
    deaf,
    fileOf('audio', 61),
    { reason: 'files-not-accepted', because: [], others: [able] },
  ],
])('%s in a question is refused for its format, its length or its model', (_, model, file, refusal) => {
  const refused = refusalOfFiles([deaf, able], model, noModes, [file])
  if (refusal) expect(refused).toMatchObject(refusal)
  else expect(refused).toBeUndefined()
})

it('sound is not taken by a mode of another operation', () => {
  const modes = { ...noModes, search: true }
  expect(refusalOfFiles([able], able, modes, [fileOf('audio')])).toMatchObject({ because: ['search'] })
})

it.each<[FileKind, string]>([
  ['image', 'picture-format'],
  ['audio', 'sound-format'],
])('a file (%s) that cannot be downloaded or converted is refused', async (medium, reason) => {
  const content = (read: Awaited<ReturnType<QuestionMedia['read']>>) =>
    contentOf({ read: async () => read }, able, noModes, [fileOf(medium)])
  expect(await content({ ok: false })).toEqual({ ok: false, reason: 'no-file', kind: medium })
  expect(await content({ ok: true, bytes: Buffer.from('nothing') })).toEqual({ ok: false, reason })
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
