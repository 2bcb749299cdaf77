// Answers longer than a message: where they are split, and the preview while they are streaming.

import { describe, expect, it } from 'vitest'
import { formatAnswer, previewOf } from '../../src/chat/format/answer.ts'
import { expectSendable, tagged } from '../support/telegram/chat-format.ts'

function textsOf(markdown: string) {
  return formatAnswer(markdown).map((piece) => {
    if (piece.kind === 'file') throw new Error('a file was not expected')
    expectSendable(piece)
    return piece
  })
}

const words = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')
const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)

describe('a long answer is split', () => {
  it('between paragraphs', () => {
    const paragraphs = Array.from({ length: 9 }, (_, at) => words(150, `p${at}_`))
    const pieces = textsOf(paragraphs.join('\n\n'))
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.flatMap(({ text }) => text.split('\n\n'))).toEqual(paragraphs)
  })

  it('but not between a heading and the following block', () => {
    const sections = Array.from({ length: 12 }, (_, at) => `## Head ${at}\n\n${words(90, 'word')}`)
    for (const { text } of textsOf(sections.join('\n\n'))) {
      expect(text).toMatch(/^Head \d+\n/)
      expect(text).not.toMatch(/Head \d+$/)
    }
  })

  it('between lines of code, and both parts are code of the same language', () => {
    const lines = Array.from({ length: 290 }, (_, at) => `    line(${at})`)
    const fence = (from: number, to: number) => `\`\`\`py\n${lines.slice(from, to).join('\n')}\n\`\`\``
    const pieces = textsOf(`${words(400, 'w')}\n${fence(0, 190)}\n${words(200, 'v')}\n${fence(190, 290)}`)
    const code = pieces.flatMap(({ text, entities }) =>
      entities.map((entity) => {
        expect(entity).toMatchObject({ type: 'pre', language: 'py' })
        return text.slice(entity.offset, entity.offset + entity.length).split('\n')
      }),
    )
    expect(code.flat()).toEqual(lines)
    expect(code.length).toBeGreaterThan(2)
  })

  it.each(['👩‍👩‍👧‍👦', '🇷🇺', 'e\u0301\u0323', '👍🏽', 'क्षि', '각', '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}'])(
    'in a long word of %s between graphemes, wherever the word begins',
    (grapheme) => {
      for (const before of ['', 'a', 'ab', 'abc ', '**abcd']) {
        const pieces = textsOf(before + grapheme.repeat(1 + 9000 / grapheme.length))
        expect(pieces.length).toBeGreaterThan(2)
        const seen = pieces.flatMap(({ text }) => graphemes(text)).filter((one) => !/[a-d* ]/.test(one))
        expect(new Set(seen)).toEqual(new Set([grapheme]))
      }
    },
  )

  it("before it exceeds Telegram's limit of entities", () => {
    const pieces = textsOf(Array.from({ length: 300 }, (_, at) => `**b${at}** w`).join(' '))
    expect(pieces.map(({ entities }) => entities.length)).toEqual([100, 100, 100])
  })

  it('only if it does not fit exactly', () => {
    expect(textsOf('a'.repeat(4096)).length).toBe(1)
    expect(textsOf('a'.repeat(4097)).map(({ text }) => text.length)).toEqual([4096, 1])
    expect(textsOf(`${'a'.repeat(4095)} b`).map(({ text }) => text.length)).toEqual([4095, 1])
  })
})

describe('the preview of a streaming answer', () => {
  it.each([
    ['This is **impor', 'This is <b>impor</b>'],
    ['This is **important*', 'This is <b>important</b>'],
    ['Some `co', 'Some <code>co</code>'],
    ['Some **', 'Some'],
    ['See [the do', 'See [the do'],
    ['See [the docs](https://exa', 'See the docs'],
    ['Code:\n```py', 'Code:'],
    ['Code:\n```py\nx = 1\n', 'Code:\n<pre py>x = 1</pre>'],
    ['Code:\n```py\nx = 1\n``', 'Code:\n<pre py>x = 1\n``</pre>'],
    ['**done** and *no', '<b>done</b> and <i>no</i>'],
    ['2 * 3 and **kw', '2 * 3 and <b>kw</b>'],
    ['**Earlier\n\nnow', '**Earlier\n\nnow'],
    ['- a\n- **b', '• a\n• <b>b</b>'],
    ['', ''],
    [' \n', ''],
  ])('of %j is formatted as if open markup were closed', (markdown, expected) =>
    expect(tagged(previewOf(markdown))).toBe(expected),
  )

  it('shows the end of a long answer', () => {
    const lines = Array.from({ length: 500 }, (_, at) => `- **item** ${at}`)
    const { text, entities } = previewOf(lines.join('\n'))
    expectSendable({ text, entities })
    expect(text).toMatch(/^…\n• item \d+\n/)
    expect(text.endsWith('• item 499')).toBe(true)
    expect(text.length).toBeGreaterThan(4000)
    expect(entities.length).toBe(100)
    expect(entities.at(-1)).toMatchObject({ type: 'bold', offset: text.length - 'item 499'.length })
  })

  it('does not split a grapheme at its start', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const preview = previewOf(before + '👩‍👩‍👧‍👦'.repeat(1000))
      expectSendable(preview)
      expect(new Set(graphemes(preview.text.slice(2)))).toEqual(new Set(['👩‍👩‍👧‍👦']))
    }
  })
})
