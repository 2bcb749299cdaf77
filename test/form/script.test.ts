// Which typed texts are a dialogue of two speakers, a text for one voice, or neither.

import { describe, expect, it } from 'vitest'
import { parseScript } from '../../src/catalog/tts-dialogue.ts'

/** The turns of a dialogue as `[speaker, words]`, or the kind of any other text. */
function read(typed: string) {
  const script = parseScript(typed)
  return script.kind === 'dialogue' ? script.turns.map(({ speaker, words }) => [speaker, words]) : script.kind
}

describe('a typed dialogue', () => {
  const hello = [
    ['Аня', 'привет'],
    ['Боря', 'пока'],
  ]
  it.each([
    ['two lines', 'Аня: привет\nБоря: пока', hello],
    ['full-width colons', 'Аня：привет\nБоря： пока', hello],
    ['lines of Windows, indented, with blank ones between', ' Аня: привет \r\n\r\n\tБоря: пока\r\n', hello],
    ['words on the next line', 'Аня:\nпривет\nБоря:\n\nпока', hello],
    [
      'lines that continue a turn',
      'Аня: привет\nкак дела?\nБоря: пока',
      [
        ['Аня', 'привет\nкак дела?'],
        ['Боря', 'пока'],
      ],
    ],
    [
      'names in other letters of case, one composed otherwise: the first spelling stays',
      'Йота: раз\nБоря: два\nИ\u0306ОТА: три',
      [
        ['Йота', 'раз'],
        ['Боря', 'два'],
        ['Йота', 'три'],
      ],
    ],
    [
      'names with marks of their own',
      'हिन्दी: नमस्ते\nमीरा: हाँ',
      [
        ['हिन्दी', 'नमस्ते'],
        ['मीरा', 'हाँ'],
      ],
    ],
    [
      'a name of 40 characters',
      `${'я'.repeat(40)}: раз\nБоря: два`,
      [
        ['я'.repeat(40), 'раз'],
        ['Боря', 'два'],
      ],
    ],
    [
      'times and addresses in the words',
      'Аня: во сколько?\n12:30, смотри\nhttps://example.com/a\nБоря: да',
      [
        ['Аня', 'во сколько?\n12:30, смотри\nhttps://example.com/a'],
        ['Боря', 'да'],
      ],
    ],
    [
      'a turn without words is left out',
      'Аня: раз\nБоря:\nАня: два\nБоря: три',
      [
        ['Аня', 'раз'],
        ['Аня', 'два'],
        ['Боря', 'три'],
      ],
    ],
  ])('is recognised: %s', (_, typed, turns) => {
    expect(read(typed)).toEqual(turns)
  })
})

describe('a text for one voice', () => {
  it.each([
    ['one speaker only', 'Аня: привет\nкак дела?\nАня: пока'],
    ['a second speaker who says nothing', 'Аня: привет\nБоря:'],
    ['an address', 'https://example.com\nhttp://example.org'],
    ['times', '12:30 подъём\n13:00 обед'],
    [
      'labels after a first line without a speaker',
      'Вот мой план!\nСуббота: лес\nВоскресенье: река\nПонедельник: сон',
    ],
    ['names of 41 characters', `${'я'.repeat(41)}: раз\n${'ю'.repeat(41)}: два`],
    ['names with other signs in them', '«Аня»: раз\n(Боря): два'],
  ])('is recognised and kept as written: %s', (_, typed) => {
    expect(parseScript(typed)).toEqual({ kind: 'text', text: typed })
  })
})

it('a script with three speakers has too many speakers', () => {
  const script = parseScript('Аня: раз\nБоря: два\nВера: три\nаня: четыре')
  expect(script).toEqual({ kind: 'too-many-speakers', speakers: ['Аня', 'Боря', 'Вера'] })
})
