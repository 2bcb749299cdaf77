// The addresses and the ids that are found in a message, and the words beside and under them.

import type { Message, MessageEntity } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../src/bot/cards/links.ts'

const id = '6e6e0b5c-8f1f-4f0a-9a5e-0d2d7a1c2b3d'
const message = (text: string, entities: MessageEntity[] = []): Message => ({
  message_id: 1,
  date: 0,
  chat: { id: 1, type: 'private', first_name: 'Anna' },
  text,
  entities,
})
const names = (text: string, entities: MessageEntity[] = []) => namesIn(message(text, entities))
const url = (offset: number, length: number): MessageEntity => ({ type: 'url', offset, length })
const hidden = (offset: number, length: number, to: string): MessageEntity => ({
  type: 'text_link',
  offset,
  length,
  url: to,
})

describe('a message names', () => {
  it.each<[string, MessageEntity[], string[], string, string?]>([
    ['https://example.com/a.mp4', [url(0, 25)], ['https://example.com/a.mp4'], ''],
    ['@cat https://example.com/a.png', [], ['https://example.com/a.png'], '@cat'],
    ['see https://example.com/a.png, please', [], ['https://example.com/a.png'], 'see , please'],
    ['example.com/a.png last', [url(0, 17)], ['https://example.com/a.png'], 'last'],
    ['HTTPS://Example.COM/a b', [url(0, 21)], ['https://example.com/a'], 'b'],
    ['https://пример.рф/кот.png', [url(0, 25)], ['https://xn--e1afmkfd.xn--p1ai/%D0%BA%D0%BE%D1%82.png'], ''],
    [
      '🐈 the first',
      [hidden(3, 9, 'https://example.com/a.png')],
      ['https://example.com/a.png'],
      '🐈',
      'the first',
    ],
    [
      'https://a.example',
      [hidden(0, 17, 'https://b.example/x')],
      ['https://b.example/x'],
      '',
      'https://a.example',
    ],
    ['https://a.example/1 https://a.example/1', [], ['https://a.example/1'], ''],
    ['https://a.example/1 https://a.example/2', [], ['https://a.example/1', 'https://a.example/2'], ''],
    ['me', [hidden(0, 2, 'tg://user?id=1')], ['tg://user?id=1'], '', 'me'],
    [id.toUpperCase(), [], [id], ''],
    [`@cat ${id} voice`, [], [id], '@cat voice'],
    [`https://example.com/${id}.png`, [], [`https://example.com/${id}.png`], ''],
    ['a cat', [], [], 'a cat'],
    ['12345678-1234-1234-1234-1234567890', [], [], '12345678-1234-1234-1234-1234567890'],
    [`x${id}`, [], [], `x${id}`],
  ])('%j %j: %j', (text, entities, named, words, under = '') => {
    expect(names(text, entities)).toEqual({ named, words, under })
  })

  it('what a caption names', () => {
    const { text: _, entities: __, ...rest } = message('')
    const captioned: Message = { ...rest, caption: 'https://example.com/a.png' }
    expect(namesIn(captioned).named).toEqual(['https://example.com/a.png'])
  })
})
