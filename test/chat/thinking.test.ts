// What is separated from the text of an answer: thinking between the tags of different models, and markers of citations.

import { describe, expect, it } from 'vitest'
import { separated } from '../../src/chat/format/thinking.ts'
import { saidIn } from '../../src/chat/past.ts'

const split = (text: string) => separated({ text, thinking: '' })
const unfinished = (text: string) => separated({ text, thinking: '' }, true)

type Row = readonly [text: string, thinking: string, answer: string]

describe('thinking is separated from the answer', () => {
  it.each<Row>([
    ['<think>a</think>\n\nb', 'a', 'b'],
    ['<think>a</think><think>b</think>{"c":1}', 'a\n\nb', '{"c":1}'],
    ['<think>a', 'a', ''],
    ['<reasoning>\na\n</reasoning>\nb', 'a', 'b'],
    ['<mm:think>a</mm:think>b', 'a', 'b'],
    ['<think class="x" data-n=1>a</think >b', 'a', 'b'],
    ['[THINK]a[/THINK]b', 'a', 'b'],
    ['<|channel>thought\na\n<channel|>b', 'a', 'b'],
    [
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>',
      'a',
      'b',
    ],
    [
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>b',
      'a\n\n{}',
      'b',
    ],
    ['analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b', 'a', 'b'],
    ['An answer.\n<think>\nmore\n</think>\nThe rest.', 'more', 'An answer.\n\nThe rest.'],
    ['<think>a</think>Of `<think>` and `</think>`.', 'a', 'Of `<think>` and `</think>`.'],
    ['<think>so `</think>` is a tag, and `code</think>b', 'so `</think>` is a tag, and `code', 'b'],
    ['<think>```js\nlet a</think>b', '```js\nlet a', 'b'],
    ['<think>a</think>```xml\n<think>b</think>\n```', 'a', '```xml\n<think>b</think>\n```'],
  ])('in %j', (text, thinking, answer) => expect(split(text)).toEqual({ thinking, answer }))

  it.each<Row>([
    ['The user greets me.\nBe short.\n</think>\nHi!', 'The user greets me.\nBe short.', 'Hi!'],
    ['A direct answer.</think>The letter **J**.', 'A direct answer.', 'The letter **J**.'],
    ['Hm.[/THINK]Hi!', 'Hm.', 'Hi!'],
    ['Hm.</mm:think>{"a":"</think>"}', 'Hm.', '{"a":"</think>"}'],
    ['<think>of </think>, the tag.\nDone.\n</think>\nHi!', 'of\n\n, the tag.\nDone.', 'Hi!'],
  ])('whose opening tag is missing in %j', (text, thinking, answer) =>
    expect(split(text)).toEqual({ thinking, answer }),
  )

  it('beside thinking that came apart from the text', () => {
    expect(separated({ text: '<think>b</think>c', thinking: 'a' })).toEqual({
      thinking: 'a\n\nb',
      answer: 'c',
    })
  })
})

describe('an answer about tags is left as it is', () => {
  it.each([
    '',
    'a <think>b</think>',
    'The tag `</think>` ends it.',
    'Write `<think>` first,\nthen `</think>`.',
    'Use "</think>" or (</think> if you like.',
    'Like this:\n\n```xml\n<think>\na\n</think>\n```\n\nDone.',
    'Like this:\n\n~~~\na</think>b\n~~~',
    '```\n<|channel|>analysis<|message|>a<|end|>\n```',
    'The tokens <|start|>, <|message|> and <|end|> are special.',
    'It ends with a line\n<think>\nthat nobody closes.',
    '<think/>a',
    'a [THINK] b',
  ])('%j', (text) => expect(split(text)).toEqual({ thinking: '', answer: text }))
})

describe('while it is streaming', () => {
  it.each([
    ['<think>if a < b</think>\nYes, <b>', 'if a < b', 'Yes, <b>'],
    ['[THINK]if a < b[/THINK]\nYes, <b>', 'if a < b', 'Yes, <b>'],
    ['<|channel>thought\nif a < b<channel|>\nYes, <b>', 'if a < b', 'Yes, <b>'],
    [
      '<|channel|>analysis<|message|>if a < b<|end|><|start|>assistant<|channel|>final<|message|>Yes, <b>',
      'if a < b',
      'Yes, <b>',
    ],
  ])('no part of a tag of %j is in the answer or the thinking', (text, thinking, answer) => {
    const seen = Array.from(text, (_, at) => unfinished(text.slice(0, at + 1)))
    for (const one of seen) {
      // `<mm` alone could be the beginning of anything.
      const shown = one.answer.startsWith('<m') ? '' : one.answer
      expect(answer.startsWith(shown), `answer ${JSON.stringify(one)}`).toBe(true)
      expect(thinking.startsWith(one.thinking), `thinking ${JSON.stringify(one)}`).toBe(true)
    }
    expect(seen.at(-1)).toEqual({ thinking, answer })
  })
})

describe('markers of citations', () => {
  it.each([
    ['It rains.\ue200cite\ue202turn0search0\ue201 Now.', 'It rains. Now.'],
    ['It rains\ue200cite\ue202turn0search0\ue202turn1view3\ue201.', 'It rains.'],
    ['a\ue200filecite\ue202turn0file1\ue202L1-L3\ue201b', 'ab'],
    ['a\ue200navlist\ue202The latest news\ue202turn0news1,turn0news2\ue201b', 'ab'],
    ['a\ue203 cited\ue204\ue206 b\uf8ff', 'a cited b'],
    ['a \ue200cite\ue202turn0search0 b', 'a  b'],
    ['a\ue200cite\ue202turn0sea', 'a'],
    ['a\ue200ci', 'a'],
    ['a【4:0†source】b【3†L1-L2】', 'ab'],
    ['<think>a\ue200cite\ue202turn0search0\ue201</think>b', 'b'],
  ])('are removed from %j', (text, answer) => expect(split(text).answer).toBe(answer))

  it.each(['`\ue0b0` is the arrow', '```\nPS1="\ue0b0 "\n```', 'a † b', '【注】'])(
    'are not found in %j',
    (text) => expect(split(text).answer).toBe(text),
  )

  it('are never in a draft, wherever the stream is split', () => {
    const text = 'It rains.\ue200cite\ue202turn0search0\ue202turn0news1\ue201 Now.'
    const seen = Array.from(text, (_, at) => unfinished(text.slice(0, at + 1)).answer)
    expect(seen.filter((answer) => !'It rains. Now.'.startsWith(answer))).toEqual([])
  })
})

it('the conversation remembers neither thinking nor markers, and no answer that was thinking alone', () => {
  const turn = (id: string, answer: string) => ({ id, question: `${id}?`, answer, files: [], message: null })
  const past = [
    turn('a', 'Hm.</think>Yes.\ue200cite\ue202turn0search0\ue201'),
    turn('b', '<think>Hm.'),
    turn('c', 'No.'),
  ]
  expect(saidIn(past, null, new Map()).map(({ text }) => text)).toEqual(['a?', 'Yes.', 'c?', 'No.'])
})
