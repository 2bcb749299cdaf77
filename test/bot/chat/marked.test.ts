// The words of a message as Markdown for a text model.

import type { MessageEntity } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { markedWords } from '../../../src/bot/chat/words.ts'

/** A text, and entities that cover parts of it. */
const marked = (text: string, ...parts: [string, object][]) =>
  markedWords({
    text,
    entities: parts.map(
      ([part, entity]) => ({ offset: text.indexOf(part), length: part.length, ...entity }) as MessageEntity,
    ),
  })
const link = { type: 'text_link', url: 'https://a.org/' }

describe('a hidden link', () => {
  it('is kept with its label', () => {
    expect(marked('see this page now', ['this page', link])).toBe('see [this page](https://a.org/) now')
  })

  it('is kept beside another one, and in a caption', () => {
    expect(marked('ab', ['a', link], ['b', link])).toBe('[a](https://a.org/)[b](https://a.org/)')
    const caption_entities = [{ type: 'text_link', url: 'https://a.org/', offset: 0, length: 2 } as const]
    expect(markedWords({ caption: 'it', caption_entities })).toBe('[it](https://a.org/)')
  })
})

describe('code', () => {
  it('is fenced with its language', () => {
    expect(marked('why?\na()\nb()\nhm', ['a()\nb()', { type: 'pre', language: 'js' }])).toBe(
      'why?\n```js\na()\nb()\n```\nhm',
    )
  })

  it('is fenced on lines of its own, by more marks than it has', () => {
    expect(marked('x a ``` b y', ['a ``` b', { type: 'pre' }])).toBe('x \n````\na ``` b\n````\n y')
  })
})

it('a quotation has a mark on each line', () => {
  expect(marked('hm\na\nb\nc', ['a\nb\n', { type: 'blockquote' }])).toBe('hm\n> a\n> b\nc')
})

it('other formatting changes nothing', () => {
  expect(marked('bold url', ['bold', { type: 'bold' }], ['url', { type: 'url' }])).toBe('bold url')
})
