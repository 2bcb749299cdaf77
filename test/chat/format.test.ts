// How Markdown is shown in Telegram, where long answers are split, and the preview while they are streaming. The tests in
// format.fuzz.test.ts check that no content is lost.

import { describe, expect, it } from 'vitest'
import {
  formatAnswer,
  formatSources,
  formatThinking,
  previewOf,
  withSources,
} from '../../src/chat/format/answer.ts'
import { expectSendable, tagged } from '../support/telegram/chat-format.ts'

const shown = (markdown: string) =>
  formatAnswer(markdown).map((piece) => (piece.kind === 'text' ? tagged(piece) : piece))

type Row = readonly [markdown: string, shown: string]

describe('emphasis', () => {
  it.each<Row>([
    [
      '**bold** *it* _it_ ***both*** ~~gone~~ ||hidden||',
      '<b>bold</b> <i>it</i> <i>it</i> <i><b>both</b></i> <s>gone</s> <spoiler>hidden</spoiler>',
    ],
    ['**a *b* c**', '<b>a <i>b</i> c</b>'],
    ['**word.**next **"word"**:', '<b>word.</b>next <b>"word"</b>:'],
    ['snake_case_name and __init__.py', 'snake_case_name and __init__.py'],
    ['2*3*4 and 2**3**4 and a * b * c', '2*3*4 and 2**3**4 and a * b * c'],
    ['def f(*args, **kwargs)', 'def f(*args, **kwargs)'],
    ['**open and *odd', '**open and *odd'],
    ['\\*stars\\* \\_ \\\\', '*stars* _ \\'],
  ])('is formatted or left as text: %s', (markdown, expected) => expect(shown(markdown)).toEqual([expected]))
})

describe('code', () => {
  it.each<Row>([
    ['`a` ``b`c`` ` d ` `` ` ``', '<code>a</code> <code>b`c</code> <code>d</code> <code>`</code>'],
    ['`**not bold** [a](b)`', '<code>**not bold** [a](b)</code>'],
    ['```js\nlet a = 1\n```', '<pre js>let a = 1</pre>'],
    ['~~~\n```\n~~~', '<pre>```</pre>'],
    ['```Python title="a.py"\n1\n```', 'title="a.py"\n<pre python>1</pre>'],
    ['```\nnot closed\n\n**a**', '<pre>not closed\n\n**a**</pre>'],
    ['```go\nfunc f() {\n\treturn\n}\n```', '<pre go>func f() {\n    return\n}</pre>'],
    ['- a\n  ```sh\n  ls\n    -l\n  ```\n- b', '• a\n<pre sh>ls\n  -l</pre>\n• b'],
    ['```md\n# t\n```sh\nls\n```\nend\n```\nout', '<pre md># t\n```sh\nls\n```\nend</pre>\nout'],
    ['a\n```\n```\nb', 'a\nb'],
    ['text\n\n    indented\n      more\n\ntext', 'text\n\n<pre>indented\n  more</pre>\n\ntext'],
    ['$$\nE = mc^2\n$$', '<code>$$\nE = mc^2\n$$</code>'],
    ['so $a_1 * b_1$ is', 'so <code>$a_1 * b_1$</code> is'],
  ])('is formatted or left as text: %s', (markdown, expected) => expect(shown(markdown)).toEqual([expected]))

  it.each<Row>([
    ['{"*a*": "_b_ **c** [d](e)"}', '<pre json>{"*a*": "_b_ **c** [d](e)"}</pre>'],
    ['\n[{"a": "# b"},\n {"a": "- c"}]\n', '<pre json>[{"a": "# b"},\n {"a": "- c"}]</pre>'],
    ['{"text": "*cut', '<pre json>{"text": "*cut</pre>'],
    ['{a} **b**', '{a} <b>b</b>'],
    ['[a](https://b.co) and **c**]', '<a https://b.co>a</a> and <b>c</b>]'],
    ['[1] **b**', '[1] <b>b</b>'],
  ])('in JSON is shown unchanged, cut or whole, and only JSON is: %s', (text, expected) =>
    expect(shown(text)).toEqual([expected]),
  )

  it('becomes a file between the other messages when it is long', () => {
    const code = 'print(1)\n'.repeat(400)
    const pieces = shown(`Before:\n\n\`\`\`python\n${code}\`\`\`\n\nAfter.`)
    expect(pieces).toEqual(['Before:', { kind: 'file', name: 'code.py', text: code }, 'After.'])
  })

  it.each([
    ['', 'code.txt'],
    ['rust', 'code.rs'],
    ['Dockerfile', 'dockerfile'],
    ['ts title="src/main.ts"', 'code.ts'],
    ['js ../../etc/passwd', 'code.js'],
  ])('with the info string %j becomes a file named %j', (info, name) => {
    const file = formatAnswer(`\`\`\`${info}\n${'\tx\n'.repeat(2000)}\`\`\``).find(
      ({ kind }) => kind === 'file',
    )
    expect(file).toEqual({ kind: 'file', name, text: '\tx\n'.repeat(2000) })
  })
})

describe('links', () => {
  it.each<Row>([
    ['[a](https://b.co/c_(d)_e "title")', '<a https://b.co/c_(d)_e>a</a>'],
    [
      '[a **b**](https://b.co) [c](<https://b.co/x y>)',
      '<a https://b.co>a <b>b</b></a> <a https://b.co/x y>c</a>',
    ],
    ['https://b.co/a_b_c/_d_ **https://b.co**', 'https://b.co/a_b_c/_d_ <b>https://b.co</b>'],
    ['[a](/b) [c](javascript:d) [e](http://localhost)', 'a (/b) c (javascript:d) e (http://localhost)'],
    ['[Ann](mailto:ann@b.co) [ann@b.co](mailto:ann@b.co)', 'Ann (ann@b.co) ann@b.co'],
    [
      '[](https://b.co) [https://b.co](https://b.co)',
      '<a https://b.co>https://b.co</a> <a https://b.co>https://b.co</a>',
    ],
    ['[`code`](https://b.co)', '<a https://b.co>code</a>'],
    ['[a [b](https://b.co) c](https://d.co)', '[a <a https://b.co>b</a> c](https://d.co)'],
    [
      '[a][1] [1] [x]\n\n[1]: https://b.co',
      '<a https://b.co>a</a> <a https://b.co>[1]</a> [x]\n\n<a https://b.co>[1]</a>: https://b.co',
    ],
    ['fact[^1]\n\n[^1]: why', 'fact[1]\n\n[1]: why'],
    ['<b>tag</b><br>&lt;x&gt; &amp;', '<b>tag</b>\n<x> &'],
  ])('are formatted or left as text: %s', (markdown, expected) => expect(shown(markdown)).toEqual([expected]))
})

describe('blocks of Markdown', () => {
  it.each<Row>([
    ['# Title\n\ntext', '<b>Title</b>\n\ntext'],
    ['## A **b** `c` ##\ntext', '<b>A b <code>c</code></b>\ntext'],
    ['one\ntwo  \nthree\\\nfour', 'one\ntwo\nthree\nfour'],
    ['a\n\n\n\nb\n\n---\nc', 'a\n\nb\n\n———\nc'],
    ['- a\n  - b\n    - c\n      - d\n- e', '• a\n   ◦ b\n      ▪ c\n         ▪ d\n• e'],
    ['3. c\n4) d\n   more\n\n   para', '3. c\n4) d\n   more\n\n   para'],
    ['- [ ] open\n- [x] **done**\n- [y] no task', '☐ open\n☑ <b>done</b>\n• [y] no task'],
    ['> a\n> **b**\n\nc', '<quote>a\n<b>b</b></quote>\n\nc'],
    ['> a\n> > b', '<quote>a\n> b</quote>'],
    ['> ```js\n> x\n> ```\nc', '<quote><pre js>x</pre></quote>\nc'],
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ])('are formatted in %j', (markdown, expected) => expect(shown(markdown)).toEqual([expected]))

  it('fold a long quote', () => {
    expect(shown(`${'> line\n'.repeat(9)}`)).toEqual([`<folded>${'line\n'.repeat(9).trim()}</folded>`])
  })

  it('yield no message without visible content', () => {
    for (const empty of ['', ' \n\t', '```\n```', '\u200b', '#', '>']) expect(formatAnswer(empty)).toEqual([])
  })
})

describe('tables', () => {
  it('are aligned in columns by the width of characters', () => {
    const table = '| a | **名前** | x\\|y |\n|:--|:-:|--:|\n| 1 | `b` | 👩‍👩‍👧 |\n| long |'
    expect(shown(table)).toEqual([
      ['<pre>a    | 名前 | x|y', '-----+------+----', '1    | b    | 👩‍👩‍👧', 'long |      |</pre>'].join(
        '\n',
      ),
    ])
  })

  it('are shown as records when they are too wide for a phone', () => {
    const wide = 'w'.repeat(60)
    expect(shown(`| Name | Text |\n|--|--|\n| a | ${wide} |\n| b<br>c | |`)).toEqual([
      `Name: <b>a</b>\nText: ${wide}\n\nName: <b>b\nc</b>\nText: —`,
    ])
  })

  const row = (cell: string, columns: number) => `|${`${cell}|`.repeat(columns)}\n`

  it.each([
    ['many columns and short rows', row('', 1500) + row('-', 1500) + '|\n'.repeat(2000)],
    ['long names and many rows', row('n'.repeat(200), 30) + row('-', 30) + row('x', 30).repeat(500)],
    ['long names and many empty rows', row('n'.repeat(200), 30) + row('-', 30) + row('', 30).repeat(500)],
  ])('with %s are not much longer than their source', (_, table) => {
    const length = formatAnswer(table).reduce((sum, piece) => sum + piece.text.length, 0)
    expect(length).toBeLessThan(3 * table.length)
  })

  it('are shown as records when they contain links, which code cannot contain', () => {
    expect(shown('| n | u |\n|-|-|\n| a | [b](https://b.co) |')).toEqual([
      'n: <b>a</b>\nu: <a https://b.co>b</a>',
    ])
  })
})

describe('thinking', () => {
  it('is formatted as a folded quote with a title', () => {
    const [piece, ...rest] = formatThinking('First **this**.\n\n> then', 'Reasoning')
    expect(piece?.kind === 'text' && tagged(piece)).toBe(
      '<folded><b>Reasoning</b>\nFirst <b>this</b>.\n\nthen</folded>',
    )
    expect(rest).toEqual([])
    expect(formatThinking(' ', 'Reasoning')).toEqual([])
  })

  it('is also attached as a complete file when it is too long', () => {
    const text = 'So I think.\n\n'.repeat(500)
    const [piece, file, ...rest] = formatThinking(text, 'Reasoning')
    expect(piece?.text.length).toBeGreaterThan(3500)
    expect([file, rest]).toEqual([{ kind: 'file', name: 'thinking.md', text }, []])
  })
})

describe('sources', () => {
  it('are a line of links without duplicates', () => {
    const sources = [
      { url: 'https://b.co/x', title: ' A\nnews *site* ' },
      { url: 'https://c.co/y' },
      { url: 'https://b.co/x', title: 'A\nnews *site*' },
      { url: 'nowhere', title: 'Odd' },
    ]
    const [piece] = formatSources(sources, 'Sources:')
    expect(piece?.kind === 'text' && tagged(piece)).toBe(
      'Sources: 1. <a https://b.co/x>A news *site*</a> · 2. <a https://c.co/y>c.co</a> · 3. Odd (nowhere)',
    )
    expect(formatSources([], 'Sources:')).toEqual([])
  })

  it('are appended to the answer if both fit into one message', () => {
    const sources = (count: number) =>
      formatSources(
        Array.from({ length: count }, (_, at) => ({ url: `https://b.co/${at}`, title: `${at}` })),
        'Sources:',
      )
    const answer = formatAnswer('An *answer*')
    const [piece, ...more] = withSources(answer, sources(1))
    expect(piece?.kind === 'text' && tagged(piece)).toBe(
      'An <i>answer</i>\n\nSources: 1. <a https://b.co/0>0</a>',
    )
    expect(more).toEqual([])
    expect(withSources(answer, sources(100))).toHaveLength(2)
    const long = formatAnswer('x'.repeat(4090))
    expect(withSources(long, sources(1))).toEqual([...long, ...sources(1)])
    const file = formatAnswer(`\`\`\`ts\n${'x\n'.repeat(5000)}\`\`\``)
    expect(withSources(file, sources(1))).toEqual([...file, ...sources(1)])
    expect(withSources(answer, [])).toEqual(answer)
  })
})

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
