// MODEL-TTS-DIALOGUE against gateway-api.md, row by row, and the requests that pasted scripts make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { ttsDialogue } from '../../src/catalog/tts-dialogue.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

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

const ofSingle = {
  text: ['x'.repeat(8000), '🐈'.repeat(8000)],
  voice: ['Puck'],
  style_instructions: ['x'.repeat(2000)],
}
const ofDialogue = {
  style_instructions: ['slowly'],
  // Turns may have inner fields that the document does not show.
  turns: [many(1), many(100), [{ speaker_id: 'a', words: { ssml: 'hi' } }]],
}
const refusedOfSingle = {
  model: [undefined],
  text: [undefined, '', 'x'.repeat(8001)],
  voice: [7],
  style_instructions: ['x'.repeat(2001)],
}
const refusedOfDialogue = {
  text: ['hi'],
  voice: ['Kore'],
  speakers: [undefined, pair.slice(0, 1), [...pair, { speaker_id: 'c' }], [pair[0], pair[0]]],
  turns: [undefined, [], many(101), [{ speaker_id: 'c', text: 'hi' }]],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(ttsDialogue, single, ofSingle)).toEqual([])
  expect(wronglyRefused(ttsDialogue, dialogue, ofDialogue)).toEqual([])
  const mixed = [
    [{ turns: said }, 'text'],
    [{ speakers: pair }, 'text'],
    [{ language_boost: 'auto' }, ''],
  ] as const
  expect(wronglyAccepted(ttsDialogue, single, refusedOfSingle, mixed)).toEqual([])
  const nameless = [
    [{ speakers: [pair[0], { voice: 'Puck' }] }, 'speakers.1.speaker_id'],
    [{ turns: [{ text: 'hi' }] }, 'turns.0.speaker_id'],
  ] as const
  expect(wronglyAccepted(ttsDialogue, dialogue, refusedOfDialogue, nameless)).toEqual([])
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

  const letters = (count: number, text = 'x') => ({ ...single, text: text.repeat(count) })
  const style = (count: number) => ({ style_instructions: 'y'.repeat(count) })
  const more = (turn: object) => ({ ...dialogue, turns: [...said, { speaker_id: 'a', ...turn }] })
  it.each([
    ['the default request', request({ script: '-' }), 665n, 1000],
    ['1000 characters', letters(1000), 665n, 1000],
    ['1001, rounded up to a kopeck', letters(1001), 666n, 1001],
    ['2000 beyond the BMP', letters(2000, '🐈'), 1330n, 2000],
    ['8000 and 2000 of instructions', { ...letters(8000), ...style(2000) }, 6650n, 10_000],
    ['600 and 600 of instructions', { ...letters(600), ...style(600) }, 798n, 1200],
    ['a short dialogue', dialogue, 665n, 1000],
    ['all turns, without names and voices', more({ text: 'x'.repeat(1994) }), 1330n, 2000],
    [
      'words of turns wherever they are',
      more({ parts: [{ words: 'x'.repeat(1994) }], pause: 3 }),
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
