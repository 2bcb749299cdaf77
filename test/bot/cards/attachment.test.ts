// The attachment that is found in a message, for every kind of file that Telegram has.

import { describe, expect, it } from 'vitest'
import { attachmentOf } from '../../../src/bot/cards/attachment.ts'

type Sent = Parameters<typeof attachmentOf>[0]

const ids = { file_id: 'F', file_unique_id: 'U' }
const sized = { ...ids, file_size: 1000, width: 640, height: 480 }
const document = (mime_type?: string, more: object = {}): Sent => ({
  document: { ...ids, ...(mime_type === undefined ? {} : { mime_type }), ...more },
})
const still = { type: 'regular' as const, is_animated: false, is_video: false }

describe('the attachment is found in a message with', () => {
  it.each<[string, Sent, object]>([
    [
      'a photo: its largest size',
      {
        photo: [
          { ...sized, file_id: 'small' },
          { ...sized, width: 1280, height: 960 },
        ],
      },
      { file: 'F', medium: 'image', mime: 'image/jpeg', bytes: 1000, width: 1280, height: 960 },
    ],
    [
      'a video',
      { video: { ...sized, duration: 7, mime_type: 'video/quicktime' } },
      {
        file: 'F',
        medium: 'video',
        mime: 'video/quicktime',
        bytes: 1000,
        width: 640,
        height: 480,
        seconds: 7,
      },
    ],
    [
      'a video without optional facts',
      { video: { ...ids, width: 0, height: 0, duration: 0 } },
      { file: 'F', medium: 'video', mime: 'video/mp4', seconds: 0 },
    ],
    [
      'an animation, which also comes as a document',
      {
        animation: { ...sized, file_id: 'A', duration: 3, mime_type: 'video/mp4' },
        document: { ...ids, mime_type: 'video/mp4' },
      },
      { file: 'A', medium: 'video', mime: 'video/mp4', bytes: 1000, width: 640, height: 480, seconds: 3 },
    ],
    [
      'a round video: its length is its width and height',
      { video_note: { ...ids, length: 384, duration: 9, file_size: 5 } },
      { file: 'F', medium: 'video', mime: 'video/mp4', bytes: 5, width: 384, height: 384, seconds: 9 },
    ],
    [
      'a voice',
      { voice: { ...ids, duration: 4 } },
      { file: 'F', medium: 'audio', mime: 'audio/ogg', seconds: 4 },
    ],
    [
      'a song',
      { audio: { ...ids, duration: 200, title: 'Sea', mime_type: 'audio/flac' } },
      { file: 'F', medium: 'audio', mime: 'audio/flac', seconds: 200 },
    ],
    [
      'a song of an unknown kind',
      { audio: { ...ids, duration: 1 } },
      { file: 'F', medium: 'audio', mime: 'audio/mpeg', seconds: 1 },
    ],
    [
      'a sticker',
      { sticker: { ...still, ...ids, width: 512, height: 500 } },
      { file: 'F', medium: 'image', mime: 'image/webp', width: 512, height: 500 },
    ],
    [
      'a picture as a file',
      document('image/png', { file_size: 9 }),
      { file: 'F', medium: 'image', mime: 'image/png', bytes: 9 },
    ],
    ['a video as a file', document('video/webm'), { file: 'F', medium: 'video', mime: 'video/webm' }],
    ['a sound as a file', document('audio/x-wav'), { file: 'F', medium: 'audio', mime: 'audio/x-wav' }],
  ])('%s', (_, message, attachment) => {
    expect(attachmentOf(message)).toEqual(attachment)
  })
})

describe('no attachment is found in', () => {
  it.each<[string, Sent]>([
    ['a text', {}],
    ['a photo without sizes', { photo: [] }],
    ['an animated sticker', { sticker: { ...still, ...ids, width: 512, height: 512, is_animated: true } }],
    ['a video sticker', { sticker: { ...still, ...ids, width: 512, height: 512, is_video: true } }],
    ['a PDF', document('application/pdf')],
    ['a text file', document('text/plain')],
    ['a file of an unknown kind', document()],
    ['a file of an empty kind', document('')],
    ['a kind that only begins alike', document('imagery/png')],
  ])('%s', (_, message) => {
    expect(attachmentOf(message)).toBeUndefined()
  })
})

describe('the MIME type that the sender states', () => {
  it.each([
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
  ])('is cleaned: %j is read as %s', (said, mime) => {
    expect(attachmentOf(document(said))?.mime).toBe(mime)
  })
})
