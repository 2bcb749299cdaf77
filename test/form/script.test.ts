// Which typed texts are a dialogue of two speakers, a text for one voice, or neither.

import { expect, it } from 'vitest'
import { parseScript } from '../../src/catalog/tts-dialogue.ts'

/** The turns of a dialogue as `speaker=words`, or the kind of any other text. */
function read(typed: string) {
  const script = parseScript(typed)
  return script.kind === 'dialogue'
    ? script.turns.map(({ speaker, words }) => `${speaker}=${words}`)
    : script.kind
}

const hello = ['Аня=привет', 'Боря=пока']
const long = 'я'.repeat(40)

it.each<[string, string, string[]]>([
  ['two lines', 'Аня: привет\nБоря: пока', hello],
  ['full-width colons', 'Аня：привет\nБоря： пока', hello],
  ['lines of Windows, indented, with blank ones between', ' Аня: привет \r\n\r\n\tБоря : пока\r\n', hello],
  ['words on the next line', 'Аня:\nпривет\nБоря:\n\nпока', hello],
  ['lines that continue a turn', 'Аня: да\nне так\nБоря: нет', ['Аня=да\nне так', 'Боря=нет']],
  [
    'another spelling of a name',
    'Йота: раз\nБоря: два\nИ\u0306ОТА: три',
    ['Йота=раз', 'Боря=два', 'Йота=три'],
  ],
  ['a speaker twice in a row', 'A: one\nA: two\nB: three', ['A=one', 'A=two', 'B=three']],
  ['long names', 'Dr. Jean-Luc 2: hi\n老师: 你好', ['Dr. Jean-Luc 2=hi', '老师=你好']],
  ['names with marks of their own', 'हिन्दी: नमस्ते\nमीरा: हाँ', ['हिन्दी=नमस्ते', 'मीरा=हाँ']],
  ['a name of 40 characters', `${long}: раз\nБоря: два`, [`${long}=раз`, 'Боря=два']],
  ['times and addresses', 'A: so?\n12:30\nhttps://a.co/a\nB: ok', ['A=so?\n12:30\nhttps://a.co/a', 'B=ok']],
  ['a turn without words', 'Аня: раз\nБоря:\nАня: два\nБоря: три', ['Аня=раз', 'Аня=два', 'Боря=три']],
])('a typed dialogue is recognised: %s', (_, typed, turns) => {
  expect(read(typed)).toEqual(turns)
})

it.each([
  ['one speaker only', 'Аня: привет\nкак дела?\nАня: пока'],
  ['a second speaker who says nothing', 'Аня: привет\nБоря:'],
  ['an address', 'https://example.com\nhttp://example.org'],
  ['times', '12:30 подъём\n13:00 обед'],
  [
    'labels after a first line without a speaker',
    'Вот мой план!\nСуббота: лес\nВоскресенье: река\nВторник: сон',
  ],
  ['names of 41 characters', `я${long}: раз\nю${long}: два`],
  ['names with other signs in them', '«Аня»: раз\n(Боря): два'],
])('a text for one voice is recognised and kept as written: %s', (_, typed) => {
  expect(parseScript(typed)).toEqual({ kind: 'text', text: typed })
})

it('a script with three speakers has too many speakers, in order of appearance', () => {
  const script = parseScript('Аня: раз\nБоря: два\nВера: три\nаня: четыре')
  expect(script).toEqual({ kind: 'too-many-speakers', speakers: ['Аня', 'Боря', 'Вера'] })
})
