// What is found in a message: the attachment of every kind of file that Telegram has, addresses and ids, and the words beside them.

import type { Message, MessageEntity } from 'grammy/types'
import { expect, it } from 'vitest'
import { attachmentOf } from '../../../src/bot/cards/attachment.ts'
import { namesIn } from '../../../src/bot/cards/links.ts'

type Sent = Parameters<typeof attachmentOf>[0]

const ids = { file_id: 'F', file_unique_id: 'U' }
const size = { width: 640, height: 480 }
const sized = { ...ids, ...size, file_size: 1000 }
const document = (mime_type?: string, more: object = {}): Sent => ({
  document: { ...ids, ...(mime_type === undefined ? {} : { mime_type }), ...more },
})
const still = { type: 'regular' as const, is_animated: false, is_video: false, ...ids }
const photo = [
  { ...sized, file_id: 'small' },
  { ...sized, width: 1280, height: 960 },
]
const found = (mime: string, more: object = {}, file = 'F') => ({
  file,
  medium: mime.split('/', 1)[0],
  mime,
  ...more,
})

it.each<[string, Sent, object]>([
  ['a photo: its largest size', { photo }, found('image/jpeg', { bytes: 1000, width: 1280, height: 960 })],
  [
    'a video',
    { video: { ...sized, duration: 7, mime_type: 'video/quicktime' } },
    found('video/quicktime', { bytes: 1000, ...size, seconds: 7 }),
  ],
  [
    'a video without optional facts',
    { video: { ...ids, width: 0, height: 0, duration: 0 } },
    found('video/mp4', { seconds: 0 }),
  ],
  [
    'an animation, which also comes as a document',
    { animation: { ...sized, file_id: 'A', duration: 3, mime_type: 'video/mp4' }, ...document('video/mp4') },
    found('video/mp4', { bytes: 1000, ...size, seconds: 3 }, 'A'),
  ],
  [
    'a round video: its length is its width and height',
    { video_note: { ...ids, length: 384, duration: 9, file_size: 5 } },
    found('video/mp4', { bytes: 5, width: 384, height: 384, seconds: 9 }),
  ],
  ['a voice', { voice: { ...ids, duration: 4 } }, found('audio/ogg', { seconds: 4 })],
  [
    'a song',
    { audio: { ...ids, duration: 200, title: 'Sea', mime_type: 'audio/flac' } },
    found('audio/flac', { seconds: 200 }),
  ],
  ['a song of an unknown kind', { audio: { ...ids, duration: 1 } }, found('audio/mpeg', { seconds: 1 })],
  ['a sticker', { sticker: { ...still, ...size } }, found('image/webp', size)],
  ['a picture as a file', document('image/png', { file_size: 9 }), found('image/png', { bytes: 9 })],
  ['a video as a file', document('video/webm'), found('video/webm')],
  ['a sound as a file', document('audio/x-wav'), found('audio/x-wav')],
])('the attachment is found in a message with %s', (_, message, attachment) => {
  expect(attachmentOf(message)).toEqual(attachment)
})

it('no attachment is found in texts, moving stickers and files of other kinds', () => {
  const messages: Sent[] = [
    {},
    { photo: [] },
    { sticker: { ...still, ...size, is_animated: true } },
    { sticker: { ...still, ...size, is_video: true } },
    ...['application/pdf', 'text/plain', undefined, '', 'imagery/png'].map((mime) => document(mime)),
  ]
  expect(messages.filter((message) => attachmentOf(message))).toEqual([])
})

it('the MIME type that the sender states is cleaned', () => {
  const rows = [
    ['IMAGE/PNG', 'image/png'],
    ['image/svg+xml', 'image/svg+xml'],
    ['image/png; name=cat', 'image/png'],
    ['image/jpeg;base64,AAAA', 'image/jpeg'],
    ['image/пнг', 'image/jpeg'],
    ['image/png\r\nset-cookie: a=b', 'image/jpeg'],
    ['image/', 'image/jpeg'],
    ['video/mp4 ; codecs="avc1"', 'video/mp4'],
    ['audio/ogg; codecs=opus', 'audio/ogg'],
    ['audio/"', 'audio/mpeg'],
  ]
  expect(rows.map(([said]) => [said, attachmentOf(document(said))?.mime])).toEqual(rows)
})

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

it('a message names addresses and ids, beside its words', () => {
  const rows: [text: string, marks: MessageEntity[], named: string[], words: string, under?: string][] = [
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
  ]
  const found = rows.map(([text, entities]) => names(text, entities))
  expect(found).toEqual(rows.map(([, , named, words, under = '']) => ({ named, words, under })))
})

it('a caption names what a text names', () => {
  const { text: _, entities: __, ...rest } = message('')
  const captioned: Message = { ...rest, caption: 'https://example.com/a.png' }
  expect(namesIn(captioned).named).toEqual(['https://example.com/a.png'])
})
