// Telegram's two Markdown modes: the resulting text and entities, and the errors.

import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../../src/sandbox/telegram/markdown.ts'
import { parseMarkdownV2 } from '../../../src/sandbox/telegram/markdown-v2.ts'

/** The text, followed by its elements as `tag(part)` or `tag:argument(part)`. */
function shown({ text, elements }: ReturnType<typeof parseMarkdownV2>) {
  const parts = elements.map(({ tag, argument, offset, length }) => {
    const name = argument ? `${tag}:${argument}` : tag
    return `${name}(${text.slice(offset, offset + length)})`
  })
  return [text, ...parts]
}

describe('MarkdownV2', () => {
  it.each([
    [
      '*bold* _italic_ __under__ ~strike~',
      ['bold italic under strike', 'b(bold)', 'i(italic)', 'u(under)', 's(strike)'],
    ],
    ['||spoiler|| `a*b_c`', ['spoiler a*b_c', 'tg-spoiler(spoiler)', 'code(a*b_c)']],
    ['*bold _italic_*', ['bold italic', 'i(italic)', 'b(bold italic)']],
    ['1\\.5 \\- \\*not bold\\*', ['1.5 - *not bold*']],
    ['```python\nprint(1.5)\n```', ['print(1.5)\n', 'pre:python(print(1.5)\n)']],
    ['```\nx = 1\n```', ['x = 1\n', 'pre(x = 1\n)']],
    ['[a link](https://example.com/a\\)b)', ['a link', 'a:https://example.com/a)b(a link)']],
    ['[user](tg://user?id=11)', ['user', 'a:tg://user?id=11(user)']],
    ['![👍](tg://emoji?id=5368324170671202286)', ['👍', 'tg-emoji:5368324170671202286(👍)']],
    ['>one\n>two\nthree', ['one\ntwo\nthree', 'blockquote(one\ntwo)']],
    ['>one\n>*two*||', ['one\ntwo', 'b(two)', 'blockquote:1(one\ntwo)']],
    ['>one\n**>two', ['one\ntwo', 'blockquote(one)', 'blockquote(two)']],
    ['_кот_ 🐈 *x*', ['кот 🐈 x', 'i(кот)', 'b(x)']],
    ['___both_**__', ['both', 'i(both)', 'u(both)']],
  ])('is parsed: %j', (source, expected) => {
    expect(shown(parseMarkdownV2(source))).toEqual(expected)
  })

  it.each([
    ['Costs 1.5', "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ['a > b', "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ['Hi!', "Character '!' is reserved and must be escaped with the preceding '\\'"],
    ['кот *x', "Can't find end of Bold entity at byte offset 7"],
    ['_x', "Can't find end of Italic entity at byte offset 0"],
    ['```js\nx', "Can't find end of PreCode entity at byte offset 0"],
    ['[a](http://x', "Can't find end of a URL at byte offset 4"],
    ['>*a\nb*', "Can't find end of Bold entity at byte offset 1"],
    ['![a](https://x)', 'Custom emoji entity must contain a tg://emoji URL'],
  ])('refuses %j', (source, message) => {
    expect(() => parseMarkdownV2(source)).toThrow(`Bad Request: can't parse entities: ${message}`)
  })
})

describe('Markdown', () => {
  it.each([
    ['*bold* _italic_ `code.x`', ['bold italic code.x', 'b(bold)', 'i(italic)', 'code(code.x)']],
    ['1.5 - a > b!', ['1.5 - a > b!']],
    ['snake\\_case', ['snake_case']],
    ['[a](https://example.com)', ['a', 'a:https://example.com(a)']],
    ['```js\nlet x\n```', ['let x\n', 'pre:js(let x\n)']],
    ['*bold _not italic_*', ['bold _not italic_', 'b(bold _not italic_)']],
  ])('is parsed: %j', (source, expected) => {
    expect(shown(parseMarkdown(source))).toEqual(expected)
  })

  it('refuses an unclosed entity with the position of its start in bytes', () => {
    expect(() => parseMarkdown('кот_')).toThrow(
      "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 6",
    )
  })
})
