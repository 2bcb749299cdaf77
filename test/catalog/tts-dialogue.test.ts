// MODEL-TTS-DIALOGUE against gateway-api.md, row by row, and the requests that pasted scripts make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { ttsDialogue } from '../../src/catalog/tts-dialogue.ts'

const id = 'MODEL-TTS-DIALOGUE'
const single = { model: id, text: 'Привет' }
const pair = [
  { speaker_id: 'a', voice: 'Kore' },
  { speaker_id: 'b', voice: 'Puck' },
]
const said = [
  { speaker_id: 'a', text: 'one' },
  { speaker_id: 'b', text: 'two' },
]
const dialogue = { model: id, speakers: pair, turns: said }
const many = (count: number) => Array.from({ length: count }, () => ({ speaker_id: 'a', text: 'x' }))

const pathsOf = (body: unknown) =>
  ttsDialogue.request.safeParse(body).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('accepted bodies', () => {
  it.each([
    ['only what is required', single],
    ['a text of 8000 characters', { ...single, text: 'x'.repeat(8000) }],
    ['a text of 8000 code points beyond the BMP', { ...single, text: '🐈'.repeat(8000) }],
    ['a voice', { ...single, voice: 'Puck' }],
    ['instructions of 2000 characters', { ...single, style_instructions: 'x'.repeat(2000) }],
    ['two speakers', dialogue],
    ['two speakers with instructions', { ...dialogue, style_instructions: 'slowly' }],
    ['one turn', { ...dialogue, turns: many(1) }],
    ['100 turns', { ...dialogue, turns: many(100) }],
    ['inner fields that are not shown', { ...dialogue, turns: [{ speaker_id: 'a', words: { ssml: 'hi' } }] }],
  ])('accepts a body with %s', (_, body) => {
    expect(pathsOf(body)).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no model', { ...single, model: undefined }, 'model'],
    ['neither mode', { model: id }, 'text'],
    ['an empty text', { ...single, text: '' }, 'text'],
    ['a text of 8001 characters', { ...single, text: 'x'.repeat(8001) }, 'text'],
    ['a text with speakers and turns', { ...dialogue, text: 'hi' }, 'text'],
    ['a text with turns', { ...single, turns: said }, 'text'],
    ['a text with speakers', { ...single, speakers: pair }, 'text'],
    ['a voice with speakers', { ...dialogue, voice: 'Kore' }, 'voice'],
    ['turns without speakers', { model: id, turns: said }, 'speakers'],
    ['speakers without turns', { model: id, speakers: pair }, 'turns'],
    ['one speaker', { ...dialogue, speakers: pair.slice(0, 1), turns: many(1) }, 'speakers'],
    ['three speakers', { ...dialogue, speakers: [...pair, { speaker_id: 'c' }] }, 'speakers'],
    ['the same speaker twice', { ...dialogue, speakers: [pair[0], pair[0]], turns: many(1) }, 'speakers'],
    [
      'a speaker without an id',
      { ...dialogue, speakers: [pair[0], { voice: 'Puck' }] },
      'speakers.1.speaker_id',
    ],
    ['no turns', { ...dialogue, turns: [] }, 'turns'],
    ['101 turns', { ...dialogue, turns: many(101) }, 'turns'],
    ['a turn of a stranger', { ...dialogue, turns: [{ speaker_id: 'c', text: 'hi' }] }, 'turns'],
    ['a turn of nobody', { ...dialogue, turns: [{ text: 'hi' }] }, 'turns.0.speaker_id'],
    ['a voice that is a number', { ...single, voice: 7 }, 'voice'],
    [
      'instructions of 2001 characters',
      { ...single, style_instructions: 'x'.repeat(2001) },
      'style_instructions',
    ],
    ['a field of another model', { ...single, language_boost: 'auto' }, ''],
  ])('refuses a body with %s', (_, body, path) => {
    expect(pathsOf(body)).toContain(path)
  })
})

const catalog = createCatalog([ttsDialogue], {})
const request = (answers: Record<string, string>) => catalog.request(ttsDialogue, answers)

describe('the request made from answers', () => {
  const script = 'Аня: привет\nБоря: пока'

  it('contains a text for one voice', () => {
    expect(request({ script: 'Привет' })).toEqual({ model: id, text: 'Привет', voice: 'Kore' })
    expect(request({ script: 'Привет', voice: 'Leda', voice2: 'Orus' })).toEqual({
      model: id,
      text: 'Привет',
      voice: 'Leda',
    })
  })

  it('contains a dialogue with a voice for each speaker', () => {
    expect(request({ script, voice: 'Leda', style_instructions: 'весело' })).toEqual({
      model: id,
      speakers: [
        { speaker_id: 'Аня', voice: 'Leda' },
        { speaker_id: 'Боря', voice: 'Puck' },
      ],
      turns: [
        { speaker_id: 'Аня', text: 'привет' },
        { speaker_id: 'Боря', text: 'пока' },
      ],
      style_instructions: 'весело',
    })
    expect(request({ script, voice2: 'Orus' })).toMatchObject({
      speakers: [{ voice: 'Kore' }, { voice: 'Orus' }],
    })
  })

  it('can have a second voice only for a dialogue', () => {
    expect(Object.keys(ttsDialogue.complete({ script }))).toContain('voice2')
    expect(Object.keys(ttsDialogue.complete({ script: 'Привет' }))).not.toContain('voice2')
  })

  const field = ttsDialogue.fields.find(({ name }) => name === 'script')
  const turns = (count: number) =>
    ['Аня: раз', ...Array.from({ length: count - 1 }, () => 'Боря: два')].join('\n')
  it.each([
    ['a text of 8000 characters', 'x'.repeat(8000), true],
    ['a text of 8001', 'x'.repeat(8001), false],
    ['a dialogue of 100 turns', turns(100), true],
    ['a dialogue of 101', turns(101), false],
    ['a dialogue longer than a text may be', `A: ${'x'.repeat(9000)}\nB: hi`, true],
    ['three speakers', 'A: 1\nB: 2\nC: 3', false],
  ])('for %s can be made: %s', (_, typed, fits) => {
    expect(field?.kind === 'text' && field.fits(typed)).toBe(fits)
    expect(request({ script: typed }) !== undefined).toBe(fits)
  })
})

describe('billing: 6650 per million characters, at least 1000', () => {
  const price = (body: Record<string, unknown>) => {
    const { amount, quantity } = catalog.price(ttsDialogue, body) ?? {}
    return [amount, quantity]
  }

  it.each([
    ['the default request', request({ script: '-' }), 665n, 1000],
    ['1000 characters', { ...single, text: 'x'.repeat(1000) }, 665n, 1000],
    ['1001, rounded up to a kopeck', { ...single, text: 'x'.repeat(1001) }, 666n, 1001],
    ['2000 beyond the BMP', { ...single, text: '🐈'.repeat(2000) }, 1330n, 2000],
    [
      '8000 and 2000 of instructions',
      { ...single, text: 'x'.repeat(8000), style_instructions: 'y'.repeat(2000) },
      6650n,
      10_000,
    ],
    [
      '600 and 600 of instructions',
      { ...single, text: 'x'.repeat(600), style_instructions: 'y'.repeat(600) },
      798n,
      1200,
    ],
    ['a short dialogue', dialogue, 665n, 1000],
    [
      'all turns, without names and voices',
      { ...dialogue, turns: [...said, { speaker_id: 'a', text: 'x'.repeat(1994) }] },
      1330n,
      2000,
    ],
    [
      'words of turns wherever they are kept',
      { ...dialogue, turns: [{ speaker_id: 'a', parts: [{ words: 'x'.repeat(2000) }], pause: 3 }] },
      1330n,
      2000,
    ],
  ])('has the documented price for %s', (_, body, kopecks, characters) => {
    expect(price(body ?? {})).toEqual([kopecks, characters])
  })

  it('delivers one voice message', () => {
    expect(ttsDialogue.delivers(dialogue)).toEqual({ kind: 'voice', count: 1 })
  })
})
